//! The program `kyc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kyc_server::main()
}
