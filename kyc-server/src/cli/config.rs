//! `kyc config`

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::config::{Doors, EXAMPLE, Globals, Settings, Start};
use crate::exit::{Code, Failure};
use crate::fetch::Connector;
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
    /// Reads the configuration file and the variables, and the certificates and the key that they
    /// name.
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
    let configured = Globals { config: Some(file.to_owned()), ..Globals::default() };
    let next = format!("set what you need, then {}", configured.command("config check"));
    match written {
        Ok(()) => talk(format_args!("{} written; next: {next}", file.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let sentence =
                format!("{} is there already and stays as it is: {next}", file.display());
            return Err(Failure::new(Code::Failed, sentence));
        }
        Err(error) => {
            return Err(Failure::because(&format!("cannot write {}", file.display()), &error));
        }
    }
    Ok(())
}

fn check(globals: &Globals) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    if let Start::Configured(Doors::Tls(tls) | Doors::Both(tls, _)) = &settings.start {
        tls.files.clone().load()?;
    }
    Connector::new(settings.updates.ca_file.as_deref())?;
    if settings.data.exists() && !settings.data.is_dir() {
        let sentence = format!("the data folder {} is no folder", settings.data.display());
        return Err(Failure::new(Code::Configuration, sentence));
    }
    for doubt in settings.doubts() {
        talk(format_args!("warning: {doubt}"));
    }
    if settings.is_development() {
        talk(
            "nothing is configured: `kyc serve` would be a development start, for this machine \
             alone; `kyc config init` writes an example of a configuration",
        );
    } else {
        talk("the configuration can be used");
    }
    Ok(())
}
