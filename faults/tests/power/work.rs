//! What the store is asked to do while it is recorded, and what has to be there after a power cut.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use faults::Event;
use kyc_core::conformance::fixture::{
    approved, client, document_id, form, handle, submission, submission_id, time, valid,
};
use kyc_core::{
    Document, DocumentErasure, DocumentId, DocumentKind, DocumentStore, FileFormat, Form, Lookup,
    Preference, Retention, Submission, SubmissionStore,
};
use kyc_store_sqlite::{OpenError, Options, SqliteStore};
use kyc_vault::Source;
use rusqlite::Connection;

use crate::recorder::{self, Recording};

/// What was answered with a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answered {
    /// The client was added.
    Client,
    /// The document of that number was stored.
    Document(u32),
    /// The document of that number was erased.
    Erased(u32),
    /// The submission of that number was stored.
    Submitted(u32),
    /// The submission of that number was approved.
    Approved(u32),
}

/// What is sealed is sealed from this round on: what was there in clear by then is sealed beside the
/// work.
const SEALED_FROM: u32 = 2;

fn open(folder: &Path, round: u32) -> Result<SqliteStore, OpenError> {
    // A small log, so that it is written back often.
    let options = Options { log_bytes: 48 << 10, readers: 2, ..Options::default() };
    let options = match round {
        0..SEALED_FROM => options,
        _ => options.with_vault(Source::file(folder.join("master.key"))),
    };
    SqliteStore::open(&folder.join("data"), options)
}

fn sample(number: u32) -> Submission {
    let email = valid(&format!("mira{number}@example.org"));
    submission(number, Form { email, ..form() })
}

/// Some kilobytes, unlike those of others.
fn bytes(number: u32) -> Vec<u8> {
    number.to_le_bytes().repeat(300 + usize::try_from(number * 131 % 4_000).unwrap())
}

fn document(number: u32) -> Document {
    Document {
        handle: handle(DocumentKind::Passport, number),
        created_at: time(number),
        format: FileFormat::Jpeg,
        size_bytes: u32::try_from(bytes(number).len()).unwrap(),
    }
}

/// One in six, but none that a form refers to.
fn is_erased(number: u32) -> bool {
    number % 6 == 5
}

fn erasure(number: u32) -> DocumentErasure {
    let (document, reason) = (document_id(number), valid("not_the_applicant"));
    DocumentErasure { document, changed: Vec::new(), reason, at: time(number) }
}

fn is_certified(store: &SqliteStore, number: u32) -> Result<bool, String> {
    let certificate = store.document_certificate(client(1), document_id(number));
    Ok(certificate.map_err(|error| format!("{error:?}"))?.is_some())
}

/// Opens the store, uploads, erases, submits and decides from several threads, and closes it again.
pub(crate) fn record(folder: &Path, round: u32) -> Recording<Answered> {
    let notes = Mutex::new(Vec::new());
    let note = |answered| {
        // Under the lock, so that no note is older than one before it.
        let mut notes = notes.lock().unwrap();
        notes.push((recorder::so_far(), answered));
    };
    let store = open(folder, round).unwrap();
    if store.client_named(&valid("acme")).unwrap().is_none() {
        store.add_client(&valid("acme"), time(0)).unwrap();
        note(Answered::Client);
    }
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, note) = (&store, &note);
            scope.spawn(move || {
                for number in
                    (round * PER_ROUND + thread..(round + 1) * PER_ROUND).step_by(THREADS as usize)
                {
                    store.put(client(1), &document(number), &bytes(number)).unwrap();
                    note(Answered::Document(number));
                    if is_erased(number) {
                        assert!(
                            store.erase_document(client(1), &erasure(number)).unwrap().is_some()
                        );
                        note(Answered::Erased(number));
                        // The files follow, if nobody reads.
                        store.scrub().unwrap();
                    }
                    store.insert(client(1), &sample(number)).unwrap();
                    note(Answered::Submitted(number));
                    store.replace(client(1), &approved(sample(number))).unwrap();
                    note(Answered::Approved(number));
                }
            });
        }
    });
    drop(store);
    Recording { events: Vec::<Event>::new(), notes: notes.into_inner().unwrap() }
}

/// Opens what a power cut left, and says what is wrong with it.
pub(crate) fn check(folder: &Path, round: u32, answered: &[Answered]) -> Result<(), String> {
    let store = open(folder, round).map_err(|error| format!("{error:?}"))?;
    let is_there = |number| {
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        SubmissionStore::find(&store, client(1), &lookup, Preference::Best)
    };
    for what in answered {
        let kept = match *what {
            Answered::Client => {
                store.client_named(&valid("acme")).map_err(|error| format!("{error:?}"))?.is_some()
            }
            Answered::Document(number) => {
                let stored = store.bytes(client(1), document_id(number));
                let stored = stored.map_err(|error| format!("{what:?}: {error:?}"))?;
                stored == Some(bytes(number)) || stored.is_none() && is_certified(&store, number)?
            }
            Answered::Erased(number) => {
                let stored = store.bytes(client(1), document_id(number));
                let stored = stored.map_err(|error| format!("{what:?}: {error:?}"))?;
                stored.is_none() && is_certified(&store, number)?
            }
            Answered::Submitted(number) | Answered::Approved(number) => {
                let found = is_there(number).map_err(|error| format!("{what:?}: {error:?}"))?;
                let is_enough = |found: &Submission| {
                    found.version() > u32::from(matches!(what, Answered::Approved(_)))
                };
                found.as_ref().is_some_and(is_enough)
            }
        };
        if !kept {
            return Err(format!("{what:?} was answered, and is lost"));
        }
    }
    every_row_is_whole(&store)?;
    let database = Connection::open(folder.join("data/kyc.sqlite")).unwrap();
    let integrity: String =
        database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    if integrity != "ok" {
        return Err(integrity);
    }
    every_document_has_its_file(&store, &database)?;
    let chains = store.verify_audit(&[]).map_err(|error| format!("{error:?}"))?;
    if let Some(fault) = chains.iter().find_map(|chain| chain.fault) {
        return Err(format!("audit: {fault:?}"));
    }
    // It also goes on.
    store.insert(client(1), &sample(u32::MAX >> 1)).map_err(|error| format!("{error:?}"))
}

/// Whatever is there, answered or not, is one of what was sent.
fn every_row_is_whole(store: &SqliteStore) -> Result<(), String> {
    let mut found = Vec::new();
    let mut visit = |listed: &kyc_core::Listed<'_>| {
        found.push(listed.id);
        ControlFlow::Continue(())
    };
    store.list(client(1), None, &mut visit).map_err(|error| format!("{error:?}"))?;
    let sent: BTreeMap<_, _> =
        (0..ROUNDS * PER_ROUND).map(|number| (submission_id(number), number)).collect();
    for id in found {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        let stored = SubmissionStore::find(store, client(1), &lookup, Preference::Best);
        let stored = stored.map_err(|error| format!("{error:?}"))?;
        let number = *sent.get(&id).ok_or("a submission that nobody sent")?;
        let is_sent =
            |stored: &Submission| *stored == sample(number) || *stored == approved(sample(number));
        if !stored.as_ref().is_some_and(is_sent) {
            return Err(format!("submission {number} is not as it was sent"));
        }
    }
    Ok(())
}

fn every_document_has_its_file(store: &SqliteStore, database: &Connection) -> Result<(), String> {
    let mut statement = database.prepare("SELECT id FROM document").unwrap();
    let ids = statement.query_map([], |row| row.get::<_, [u8; 16]>(0)).unwrap();
    for id in ids {
        let id = DocumentId::from_bytes(id.unwrap());
        match store.bytes(client(1), id) {
            Ok(Some(_)) => (),
            other => return Err(format!("a row without its file: {other:?}")),
        }
    }
    Ok(())
}

/// How often the store is recorded, each time on what a power cut of the time before has left.
pub(crate) const ROUNDS: u32 = 5;
const PER_ROUND: u32 = 36;
const THREADS: u32 = 3;
