//! The command line: `kyc <noun> <verb>`.

mod audit;
mod backup;
mod client;
mod completions;
mod config;
mod doctor;
mod document;
mod erase;
mod inspector;
mod key;
mod list;
mod rescreen;
mod restore;
mod retention;
mod screen;
mod submission;
mod verify;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use kyc_screening::Library;
use kyc_store_sqlite::{Options, SqliteStore};

use crate::config::{Globals, Keys, Settings};
use crate::exit::{self, Code, Failure};
use crate::{folder, output, privacy, serve, wiring};

/// Know your customer, anti money laundering: a service that takes documents and applicants'
/// forms, lets inspectors decide, and screens who was approved against sanctions lists.
///
/// Without a command, `kyc` is `kyc serve`. Data goes to standard output, talk to standard error.
#[derive(Debug, Parser)]
#[command(name = "kyc", version, after_help = exit::HELP)]
struct Cli {
    #[command(flatten)]
    globals: Globals,
    #[command(subcommand)]
    noun: Option<Noun>,
}

#[derive(Debug, Subcommand)]
enum Noun {
    Serve(Box<Serve>),
    /// The companies that send applicants
    #[command(subcommand)]
    Client(client::Verb),
    /// The clients' API keys, and the keys that seal what is stored
    #[command(subcommand)]
    Key(key::Verb),
    /// The people who review submissions
    #[command(subcommand)]
    Inspector(inspector::Verb),
    /// The sanctions lists
    #[command(subcommand)]
    List(list::Verb),
    Screen(screen::Screen),
    Rescreen(rescreen::Rescreen),
    /// The applications
    #[command(subcommand)]
    Submission(submission::Verb),
    /// The uploaded files
    #[command(subcommand)]
    Document(document::Verb),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Verify(verify::Verify),
    Doctor(doctor::Doctor),
    Erase(erase::Erase),
    /// The erasure of what is over
    #[command(subcommand)]
    Retention(retention::Verb),
    /// Who did what, and who saw whose data
    #[command(subcommand)]
    Audit(audit::Verb),
    /// The configuration file
    #[command(subcommand)]
    Config(config::Verb),
    Completions(completions::Completions),
}

/// Runs the service
///
/// Without configuration it is a development start: on this machine alone, with a certificate
/// authority of its own in the data folder, a client `default`, and a first key and inspector's
/// token that are shown once. Until real lists are imported it screens against a built-in list of
/// invented people: inspectors and `kyc` see the mark SAMPLE on such a result, clients a risk level
/// like any other. Where --lists-required names a list, the sample is not used.
///
/// With a certificate, a TLS terminator or a configuration file it is a configured start: no key
/// and no certificate is made by itself, the sample is never used, and while a required list is
/// missing or too old, nobody is screened. It fetches its lists from their publishers every six
/// hours, unless --lists-update-hours says otherwise.
///
/// SIGHUP reads the certificate again. SIGTERM and SIGINT stop: open requests may finish; a second
/// one leaves at once.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
struct Serve {
    /// Where to write, as JSON, how the service is reached, once its port answers
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
    #[command(flatten)]
    keys: Keys,
}

const SERVE_EXAMPLES: &str = "\
Examples:
  kyc serve
  kyc serve --data ./trial --listen 127.0.0.1:0 --ready-file ready.json
  kyc serve --data /var/lib/kyc --listen 0.0.0.0:443 --tls-cert kyc.pem --tls-key kyc.key
  kyc serve --config /etc/kyc/kyc.toml";

/// Runs the command line of this process.
pub(crate) fn run() -> ExitCode {
    match obey(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, sentence }) => {
            if let Some(sentence) = sentence {
                output::talk(format_args!("error: {sentence}"));
            }
            ExitCode::from(code as u8)
        }
    }
}

fn obey(Cli { globals, noun }: Cli) -> Result<(), Failure> {
    // A configuration has no secret of ours, and may be for another user.
    if !matches!(noun, Some(Noun::Config(_))) {
        privacy::keep_files_private();
    }
    match noun {
        // `kyc` alone is `kyc serve`.
        None => obey(Cli::parse_from(std::env::args_os().chain(["serve".into()]))),
        Some(Noun::Serve(serve)) => {
            let Serve { ready_file, keys } = *serve;
            serve::run(&globals, &Settings::load(&globals, keys)?, ready_file.as_deref())
        }
        Some(Noun::Client(verb)) => client::run(&globals, &verb),
        Some(Noun::Key(verb)) => key::run(&globals, &verb),
        Some(Noun::Inspector(verb)) => inspector::run(&globals, &verb),
        Some(Noun::List(verb)) => list::run(&globals, &verb),
        Some(Noun::Screen(screen)) => screen::run(&globals, &screen),
        Some(Noun::Rescreen(rescreen)) => rescreen::run(&globals, &rescreen),
        Some(Noun::Submission(verb)) => submission::run(&globals, &verb),
        Some(Noun::Document(verb)) => document::run(&globals, &verb),
        Some(Noun::Backup(backup)) => backup::run(&globals, &backup),
        Some(Noun::Restore(restore)) => restore::run(&globals, &restore),
        Some(Noun::Verify(verify)) => verify::run(&globals, &verify),
        Some(Noun::Doctor(doctor)) => doctor::run(&globals, &doctor),
        Some(Noun::Erase(erase)) => erase::run(&globals, &erase),
        Some(Noun::Retention(verb)) => retention::run(&globals, &verb),
        Some(Noun::Audit(verb)) => audit::run(&globals, &verb),
        Some(Noun::Config(verb)) => config::run(&globals, &verb),
        Some(Noun::Completions(completions)) => completions::run(&completions, Cli::command()),
    }
}

/// The store of a data folder that is there, also beside a running service.
fn open(globals: &Globals) -> Result<SqliteStore, Failure> {
    let data = data_folder(globals)?;
    let vault = globals.vault(&data)?;
    Ok(SqliteStore::open_beside(&data, Options::default().with_vault(vault))?)
}

/// As [`open`], and makes no folder that is missing.
fn open_to_look(globals: &Globals) -> Result<SqliteStore, Failure> {
    let data = data_folder(globals)?;
    let vault = globals.vault(&data)?;
    Ok(SqliteStore::open_to_look(&data, Options::default().with_vault(vault))?)
}

/// The data folder, which `kyc serve` alone makes: elsewhere a misspelt name would be a second one.
fn data_folder(globals: &Globals) -> Result<PathBuf, Failure> {
    let data = globals.data_folder()?;
    folder::existing(&data)?;
    if !["pepper", "sealed"].iter().any(|name| data.join(name).exists()) {
        let data = data.display();
        output::talk(format_args!("note: no service has used {data} yet: is it the right folder?"));
    }
    Ok(data)
}

/// Refuses `-` as the name of a new file: elsewhere that is standard output, which is none.
fn refuse_dash(file: &Path) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        let sentence =
            "nothing is written to standard output: name a file (./- is one of that name)";
        return Err(Failure::new(Code::Usage, sentence));
    }
    Ok(())
}

/// The lists that a command searches. While nobody names a data folder, one that is not there is
/// one without lists.
fn lists(settings: &Settings) -> Result<Library, Failure> {
    if settings.is_data_named {
        folder::existing(&settings.data)?;
    }
    Ok(wiring::library(&settings.data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
