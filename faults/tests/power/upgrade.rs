//! Upgrades (T36, G15): data folders of every earlier schema, whose upgrade is cut off at every
//! event. An end of the process is one of these cuts: there everything is kept that was written.

use std::ops::ControlFlow;
use std::path::Path;

use faults::Image;
use kyc_core::conformance::fixture::client;
use kyc_core::{Aml, Lookup, Preference, Status, Submission, SubmissionStore};
use kyc_store_sqlite::fuzzing::{STEPS_COUNT, decode_record, make_older};
use kyc_store_sqlite::{OpenError, Options, SqliteStore};
use kyc_vault::Source;
use rusqlite::{Connection, params};

use crate::{cut_at_every_event, put_together, read};

#[test]
fn t36_an_upgrade_that_is_cut_off_anywhere_is_made_up_for() {
    for steps in 1..STEPS_COUNT {
        let older = older(steps);
        for is_sealed in [false, true] {
            let work = |root: &Path| drop(open(root, is_sealed).unwrap());
            let check = |left: &Path| {
                check(left, steps, is_sealed).map_err(|wrong| format!("schema {steps}: {wrong}"))
            };
            cut_at_every_event(&older, SEEDS, work, check);
        }
    }
}

/// How often the power is cut at each event.
const SEEDS: u64 = 2;

fn open(folder: &Path, is_sealed: bool) -> Result<SqliteStore, OpenError> {
    let options = Options::default();
    let source = || Source::file(folder.join("master.key"));
    let options = if is_sealed { options.with_vault(source()) } else { options };
    SqliteStore::open(&folder.join("data"), options)
}

fn records() -> Vec<Vec<u8>> {
    let text = include_str!("../../../kyc-store-sqlite/src/record/format_1.txt");
    let byte = |digits: &str| u8::from_str_radix(digits, 16).unwrap();
    let record =
        |line: &str| (0..line.len()).step_by(2).map(|at| byte(&line[at..at + 2])).collect();
    text.lines().map(record).collect()
}

/// A folder of an earlier release, with a client and submissions in every state.
fn older(steps: usize) -> Image {
    let folder = put_together(&Image::default());
    make_older(&folder.path().join("data"), 1).unwrap();
    let database = Connection::open(folder.path().join("data/kyc.sqlite")).unwrap();
    database.execute(CLIENT, []).unwrap();
    for (number, record) in (1..).zip(records()) {
        let stored = decode_record(&record).unwrap();
        let (key, standing) = ((1_i64 << 40) + number, standing(&stored));
        let (id, created_ms) = (stored.id().to_bytes(), stored.created_at().unix_millis());
        let waits = match stored.review().aml() {
            Some(Aml::Queued) => Some(1),
            Some(Aml::Stalled(_)) => Some(2),
            Some(Aml::Screened(_)) | None => None,
        };
        let values = params![key, id, created_ms, stored.version(), standing, waits, record];
        database.execute(SUBMISSION, values).unwrap();
    }
    drop(database);
    make_older(&folder.path().join("data"), steps).unwrap();
    std::fs::remove_dir_all(folder.path().join("data/backup")).unwrap();
    let mut image = Image::default();
    read(folder.path(), folder.path(), &mut image.files);
    image.folders = ["data", "data/documents", "data/tmp"].map(Into::into).into();
    image
}

fn standing(submission: &Submission) -> i64 {
    let rank = match submission.status() {
        Status::Incomplete => 0,
        Status::Rejected => 1,
        Status::Pending => 2,
        Status::Approved => 3,
    };
    (rank << 48) | submission.created_at().unix_millis()
}

/// Upgrades what was left, and looks at it and at the copy that the upgrade has made.
fn check(folder: &Path, steps: usize, is_sealed: bool) -> Result<(), String> {
    let store = open(folder, is_sealed).map_err(|error| format!("{error:?}"))?;
    let mut count = 0;
    let mut visit = |_: &kyc_core::Listed<'_>| {
        count += 1;
        ControlFlow::Continue(())
    };
    store.list(client(1), None, &mut visit).map_err(|error| format!("{error:?}"))?;
    let expected: Vec<Submission> =
        records().iter().map(|record| decode_record(record).unwrap()).collect();
    if count != expected.len() {
        return Err(format!("{count} submissions are left"));
    }
    for submission in expected {
        let lookup = Lookup { id: Some(submission.id()), ..Lookup::default() };
        let found = SubmissionStore::find(&store, client(1), &lookup, Preference::Best);
        if found.map_err(|error| format!("{error:?}"))? != Some(submission) {
            return Err("a submission changed".to_owned());
        }
    }
    drop(store);
    sound(&folder.join("data/kyc.sqlite"), STEPS_COUNT)?;
    let copy = folder.join(format!("data/backup/kyc.schema-{steps}.sqlite"));
    // It is in clear, so it goes when all is sealed.
    if is_sealed && !copy.exists() { Ok(()) } else { sound(&copy, steps) }
}

fn sound(database: &Path, steps: usize) -> Result<(), String> {
    if !database.exists() {
        return Err(format!("{} is missing", database.display()));
    }
    let database = Connection::open(database).unwrap();
    let text = |sql: &str| -> String { database.query_row(sql, [], |row| row.get(0)).unwrap() };
    let whole = text("PRAGMA integrity_check");
    let version: u32 = database.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let clients = text("SELECT name FROM client");
    if (whole.as_str(), version, clients.as_str()) != ("ok", u32::try_from(steps).unwrap(), "acme")
    {
        return Err(format!("{whole}, schema {version}, client {clients}"));
    }
    Ok(())
}

const CLIENT: &str = "
    INSERT INTO client (number, name, prefix, created_ms) VALUES (1, 'acme', 'acme000001', 1)";

const SUBMISSION: &str = "
    INSERT INTO submission (key, client, id, created_ms, version, standing, screening, email_key, record)
    VALUES (:key, 1, :id, :created_ms, :version, :standing, :screening, 0, :record)";
