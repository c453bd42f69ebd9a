//! What the vault promises, from the outside.
#![expect(clippy::unwrap_used, reason = "also outside of test functions, what fails ends the test")]

mod keys; // texts and shares of master keys, key files, a crash between two moves
mod places; // bytes open in their place alone
mod sealing; // flipped bits, nonces, counts
