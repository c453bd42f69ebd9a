//! The program `kyc`.
fn main() {}
