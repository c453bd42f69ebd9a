//! `kyc completions`

use clap::Args;
use clap_complete::Shell;

use crate::exit::Failure;
use crate::output;

/// Writes a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  kyc completions bash > ~/.local/share/bash-completion/completions/kyc")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

pub(super) fn run(asked: &Completions, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut command, "kyc", &mut script);
    output::data(String::from_utf8_lossy(&script).trim_end())
}
