//! `kyc audit`

mod export;

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use kyc_core::{AccountName, AuditLog, Clock, Directory, Email, SystemClock};
use kyc_store_sqlite::{AdminError, AuditFault, SqliteStore, VerifiedChain};
use serde::Serialize;

use super::open;
use crate::anchors;
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::{data, json, table, talk};

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Checks that the audit is as it was written
    ///
    /// There is a chain of rows for each client, and one for the service itself. Shows the first row
    /// of each that was deleted, changed, moved or cut off; the exit code is 4 then. Works beside a
    /// running service.
    ///
    /// Whoever has the database and the file pepper, or puts an earlier copy of both into their
    /// place, is found out by anchors alone: see `kyc audit anchor`.
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify {
        /// Also checks that the chains go on from these anchors
        #[arg(long, value_name = "FILE")]
        anchor: Option<PathBuf>,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes the audit to standard output, as CSV or JSON lines
    ///
    /// A row says when, who, what and on which submission; personal values are in it as keyed hashes
    /// alone. A chain that is damaged is written as far as it can be read; then standard error says
    /// where the damage is, and the exit code is 4.
    #[command(after_help = EXPORT_HELP)]
    Export(export::Export),
    /// Tells under which hash the audit speaks of an e-mail address
    ///
    /// The address is read from standard input, so that it is in no history and no list of
    /// processes. Each client has its own hash for it.
    #[command(after_help = HASH_EXAMPLES)]
    Hash {
        /// The hash of one client alone, and nothing else
        #[arg(long, value_name = "NAME")]
        client: Option<AccountName>,
        /// Standard input; nothing else is taken
        #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true)]
        input: Option<String>,
    },
    /// Appends the end of every chain to a file
    ///
    /// Kept where nobody can change it together with the data folder, the file finds out an audit
    /// that was replaced as a whole. A service does it by itself with --audit-anchor-file.
    #[command(after_help = "Example:\n  kyc audit anchor /mnt/worm/kyc-anchors.jsonl")]
    Anchor {
        /// The file, which is made if it is not there
        file: PathBuf,
    },
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  kyc audit verify
  kyc audit verify --anchor /mnt/worm/kyc-anchors.jsonl";

const EXPORT_HELP: &str = "\
Columns:
  at           when, in UTC
  client       whose chain the row belongs to; empty for the service's own
  position     its place in the chain, from 1
  by           who: `client key ID`, where the ID is that of `kyc key list`; `inspector NAME`;
               `operator`, somebody at the command line; `service`
  event        what happened, one word, such as `submitted`, `case-read`, `erased`
  submissions  to which submissions, or whom somebody was shown
  object       to what else: a document, a key, an inspector, the version of a key, how far a
               sandbox is ahead in milliseconds, the renewed submission, the one whose duplicates
               were shown, the place of a document
  about        the hash of an e-mail address: see `kyc audit hash`

Examples:
  kyc audit export --client acme --from 2026-11-01 --to 2026-11-30 > november.csv
  kyc audit export --json --submission 01jd3v9k8m2q4r5s6t7v8w9x0y";

const HASH_EXAMPLES: &str = "\
Examples:
  kyc audit hash --client acme < address.txt
  kyc audit hash - < address.txt";

#[derive(Serialize)]
struct Row {
    /// `None`: the service's own chain.
    client: Option<String>,
    rows: u64,
    fault: Option<String>,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    let store = open(globals)?;
    match verb {
        Verb::Verify { anchor, json } => verify(&store, anchor.as_deref(), *json),
        Verb::Export(export) => export::run(&store, export),
        Verb::Hash { client, input: _ } => hash(&store, client.as_ref()),
        Verb::Anchor { file } => {
            let count = anchors::append(&store, SystemClock.now(), file)?;
            talk(format_args!("{count} chains anchored in {}", file.display()));
            Ok(())
        }
    }
}

fn verify(store: &SqliteStore, file: Option<&Path>, as_json: bool) -> Result<(), Failure> {
    let anchors = file.map(|file| anchors::read(store, file)).transpose()?.unwrap_or_default();
    let verified = store.verify_audit(&anchors)?;
    let row = |chain: &VerifiedChain| -> Result<Row, Failure> {
        Ok(Row {
            client: chain.chain.map(|client| anchors::name(store, client)).transpose()?,
            rows: chain.rows,
            fault: chain.fault.as_ref().map(AuditFault::to_string),
        })
    };
    let rows: Vec<Row> = verified.iter().map(row).collect::<Result<_, _>>()?;
    let faults = rows.iter().filter(|row| row.fault.is_some()).count();
    if as_json {
        json(&rows)?;
    } else {
        let cells = |row: Row| {
            let state = row.fault.unwrap_or_else(|| "as it was written".to_owned());
            [row.client.unwrap_or_else(|| SERVICE.to_owned()), row.rows.to_string(), state]
        };
        let rows: Vec<_> = rows.into_iter().map(cells).collect();
        data(table(["CHAIN", "ROWS", "STATE"], &rows))?;
    }
    match faults {
        0 => Ok(()),
        1 => Err(Failure::new(Code::Fault, "one chain of the audit is not as it was written")),
        _ => {
            let sentence = format!("{faults} chains of the audit are not as they were written");
            Err(Failure::new(Code::Fault, sentence))
        }
    }
}

fn hash(store: &SqliteStore, client: Option<&AccountName>) -> Result<(), Failure> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.map_err(|error| Failure::because("cannot read standard input", &error))?;
    let value = line.trim();
    if value.is_empty() {
        return Err(Failure::new(Code::Usage, "there is no address on standard input"));
    }
    let email: Option<Email> = value.parse().ok();
    let value = email.as_ref().map_or(value, Email::canonical);
    if let Some(name) = client {
        let known = store.client_named(name)?.ok_or(AdminError::NoSuchClient)?;
        return data(store.audit_hash(Some(known.id), value));
    }
    let mut rows = vec![[SERVICE.to_owned(), store.audit_hash(None, value).to_string()]];
    for known in store.clients()? {
        let hash = store.audit_hash(Some(known.id), value).to_string();
        rows.push([known.name.to_string(), hash]);
    }
    data(table(["CHAIN", "HASH"], &rows))
}

/// No client has a name like this.
const SERVICE: &str = "(service)";
