//! `kyc config`

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::config::{Doors, EXAMPLE, Globals, Settings, Start};
use crate::exit::{Code, Failure};
use crate::output::{data, talk};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Writes a commented configuration file in which nothing is set
    Init {
        /// Where to; `-` is standard output
        #[arg(default_value = "kyc.toml")]
        file: PathBuf,
    },
    /// Says whether `kyc serve` could start with this configuration
    ///
    /// Reads the configuration file and the variables, and the certificate and key that they name.
    /// Opens no port and no data folder.
    #[command(after_help = "Example:\n  kyc config check --config /etc/kyc/kyc.toml")]
    Check,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Init { file } if file == Path::new("-") => data(EXAMPLE.trim_end()),
        Verb::Init { file } => init(file),
        Verb::Check => check(globals),
    }
}

fn init(file: &Path) -> Result<(), Failure> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut opened| opened.write_all(EXAMPLE.as_bytes()));
    written
        .map_err(|error| Failure::because(&format!("cannot write {}", file.display()), &error))?;
    talk(format_args!(
        "{file} written; next: set what you need, then kyc config check --config {file}",
        file = file.display()
    ));
    Ok(())
}

fn check(globals: &Globals) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    if let Start::Configured(Doors::Tls(tls) | Doors::Both(tls, _)) = &settings.start {
        tls.files.clone().load()?;
    }
    if settings.data.exists() && !settings.data.is_dir() {
        let sentence = format!("the data folder {} is no folder", settings.data.display());
        return Err(Failure::new(Code::Configuration, sentence));
    }
    talk("the configuration can be used");
    Ok(())
}
