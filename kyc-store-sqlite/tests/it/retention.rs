use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use kyc_core::conformance::fixture::{
    TODAY, client, document_id, form_full, handle, inspector, rejected, submission, time, valid,
};
use kyc_core::{
    Actor, Document, DocumentErasure, DocumentId, DocumentKind, DocumentStore, Erasure,
    ErasureCause, Evidence, FileFormat, Form, Lookup, Preference, Retention, Scope, Slot,
    StoreError, Submission, SubmissionStore,
};
use kyc_store_sqlite::{Options, SqliteStore};
use tempfile::TempDir;

use crate::support::{
    by_id, child, database, document, folder, folder_of_child, line, open, submission_of,
    wait_until,
};
use crate::verify::faults;

/// A form whose every text is another one, so that whatever is left of it can be found.
fn marked(mark: &str, number: u32) -> Form {
    let text = |field: &str| format!("{field}{mark}{number}Z");
    let mut form = form_full();
    form.email = valid(&format!("{}@example.org", text("Mail")));
    form.user_id = Some(valid(&text("User")));
    form.applicant.first_name = valid(&text("First"));
    form.applicant.middle_name = Some(valid(&text("Middle")));
    form.applicant.last_name = valid(&text("Last"));
    let Scope::Identity(known) = &mut form.scope else { panic!("documents") };
    known.id_number = Some(valid(&text("Number")));
    known.contribution_type = Some(valid(&text("Contribution")));
    known.wallet_address = Some(valid(&text("Wallet")));
    known.estimated_amount = Some(valid(&text("Amount")));
    known.extra_wallets = [1, 2, 3].map(|place| Some(valid(&text(&format!("Wallet{place}")))));
    known.custom = [1, 2, 3].map(|place| Some(valid(&text(&format!("Custom{place}")))));
    let Evidence::L1 { photo_id, selfie, address, proof } = &mut known.evidence else {
        panic!("level 1")
    };
    address.street = Some(valid(&text("Street")));
    address.city = Some(valid(&text("City")));
    address.state = Some(valid(&text("State")));
    address.zipcode = Some(valid(&text("Zip")));
    *photo_id = handle(DocumentKind::DriversLicense, number * 10 + 1);
    *selfie = handle(DocumentKind::Selfie, number * 10 + 2);
    *proof = Some(handle(DocumentKind::Address, number * 10 + 3));
    for (place, image) in (4..).zip(&mut known.extra_images) {
        *image = Some(handle(DocumentKind::Other, number * 10 + place));
    }
    form
}

/// Stores a submission with its documents, changes it a few times, and gives its last version.
fn store_marked(store: &SqliteStore, who: u32, mark: &str, number: u32) -> Submission {
    let one = submission(number, marked(mark, number));
    for (place, id) in (1..).zip(one.documents()) {
        assert_eq!(id, document_id(number * 10 + place));
        let bytes = format!("%PDF-1.4 Content{mark}{number}Z{place}").repeat(20);
        let document = Document {
            handle: handle(DocumentKind::Passport, number * 10 + place),
            created_at: time(number),
            format: FileFormat::Pdf,
            size_bytes: u32::try_from(bytes.len()).unwrap(),
        };
        store.put(client(who), &document, bytes.as_bytes()).unwrap();
    }
    store.insert(client(who), &one).unwrap();
    let comment = format!("Comment{mark}{number}Z {}", "as long as it may be ".repeat(30));
    let one = one.reject(&inspector(), time(60), valid(&comment), Vec::new()).unwrap();
    store.replace(client(who), &one).unwrap();
    let reason = valid(&format!("Reason{mark}{number}Z"));
    let one = one.reopen(&inspector(), time(90), reason).unwrap();
    store.replace(client(who), &one).unwrap();
    let one = rejected(one);
    store.replace(client(who), &one).unwrap();
    one
}

fn erase(store: &SqliteStore, who: u32, submission: &Submission) {
    let erasure = Erasure::of(submission, ErasureCause::Period, time(9_000));
    assert!(store.erase(client(who), &erasure).unwrap().is_some());
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// What stands before a mark, and the number behind it, wherever in the files of a folder it is.
fn left(folder: &Path, mark: &str) -> BTreeSet<(String, u32)> {
    let mut left = BTreeSet::new();
    for path in files(folder) {
        let bytes = fs::read(path).unwrap();
        let places = bytes.windows(mark.len()).enumerate();
        for (place, _) in places.filter(|(_, window)| *window == mark.as_bytes()) {
            let before = bytes[..place].rsplit(|byte| !byte.is_ascii_alphanumeric()).next();
            let before = String::from_utf8(before.unwrap().to_vec()).unwrap();
            let behind = bytes[place + mark.len()..].iter();
            let digits = behind.take_while(|byte| byte.is_ascii_digit());
            let number = digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
            left.insert((before, number));
        }
    }
    left
}

const ROWS: u32 = 150;

const FIELDS: [&str; 22] = [
    "Amount",
    "City",
    "Comment",
    "Content",
    "Contribution",
    "Custom1",
    "Custom2",
    "Custom3",
    "First",
    "Last",
    "Mail",
    "Middle",
    "Number",
    "Reason",
    "State",
    "Street",
    "User",
    "Wallet",
    "Wallet1",
    "Wallet2",
    "Wallet3",
    "Zip",
];

#[test]
fn t31_nothing_of_an_erased_submission_is_left_in_any_file() {
    let folder = folder();
    let store = open(&folder);
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    // Two clients in turns, so that rows move from page to page as the tree grows in its middle.
    for number in 1..=ROWS {
        let who = number % 2 + 1;
        let (mark, rows) = if number % 3 == 0 { ("Gone", &mut gone) } else { ("Kept", &mut kept) };
        rows.push((who, store_marked(&store, who, mark, number)));
    }
    let before = left(folder.path(), "Gone");
    for field in FIELDS {
        // Texts stand one behind another, so the one before may be taken for a part of it.
        assert!(before.iter().any(|(left, _)| left.ends_with(field)), "{field} is looked for");
    }
    for (who, submission) in &gone {
        erase(&store, *who, submission);
    }
    wait_until("the log is emptied", || store.scrub().unwrap());
    assert_eq!(left(folder.path(), "Gone"), BTreeSet::new());
    for (who, submission) in kept {
        let found =
            SubmissionStore::find(&store, client(who), &by_id(&submission), Preference::Best);
        assert_eq!(found.unwrap().as_ref(), Some(&submission));
        for id in submission.documents() {
            assert!(store.bytes(client(who), id).unwrap().is_some());
        }
    }
    drop(store);
    assert_eq!(left(folder.path(), "Gone"), BTreeSet::new());
}

const KILLS: u32 = 12;
const PER_KILL: u32 = 8;

#[test]
fn t31_an_erasure_that_is_killed_is_whole_or_done_and_is_finished_later() {
    if let Some(folder) = folder_of_child() {
        return erase_until_killed(&folder);
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let all: Vec<_> =
        (1..=KILLS * PER_KILL).map(|number| store_marked(&store, 1, "Gone", number)).collect();
    drop(store);
    for round in 0..KILLS {
        let test =
            "retention::t31_an_erasure_that_is_killed_is_whole_or_done_and_is_finished_later";
        let (mut child, mut output) = child(test, folder.path());
        // Each time after another step: an erasure, a scrub, or something in between.
        for _ in 0..=round {
            line(&mut output, "step").expect("the child erases");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        check_after_kill(&folder, &all);
    }
}

fn erase_until_killed(folder: &Path) {
    let store = SqliteStore::open(folder, Options::default()).unwrap();
    let mut output = std::io::stdout();
    let ids = store.perhaps_over(client(1), TODAY).unwrap();
    // However late the kill comes, enough is left for those that follow.
    for id in ids.into_iter().take(PER_KILL.try_into().unwrap()) {
        let lookup = Lookup { id: Some(id), ..Lookup::default() };
        let found = SubmissionStore::find(&store, client(1), &lookup, Preference::Best).unwrap();
        erase(&store, 1, &found.unwrap());
        writeln!(output, "\nstep").unwrap();
        store.scrub().unwrap();
        writeln!(output, "\nstep").unwrap();
    }
    loop {
        thread::park();
    }
}

fn check_after_kill(folder: &TempDir, all: &[Submission]) {
    let store = open(folder);
    wait_until("what was begun is finished", || store.scrub().unwrap());
    let mut kept = BTreeSet::new();
    for (number, submission) in (1..).zip(all) {
        let found =
            SubmissionStore::find(&store, client(1), &by_id(submission), Preference::Best).unwrap();
        let certificate = store.certificate(client(1), submission.id()).unwrap();
        assert_eq!(found.is_some(), certificate.is_none(), "{number} is whole or done");
        for id in submission.documents() {
            assert_eq!(store.bytes(client(1), id).unwrap().is_some(), found.is_some(), "{number}");
        }
        if found.is_some() {
            kept.insert(number);
        }
    }
    let left: BTreeSet<u32> = left(folder.path(), "Gone").into_iter().map(|(_, n)| n).collect();
    assert_eq!(left, kept, "nothing but what is kept is in the files");
}

#[test]
fn d120_a_document_whose_file_outlived_a_crash_is_gone_after_the_next_start() {
    if let Some(folder) = folder_of_child() {
        let store = SqliteStore::open(&folder, Options::default()).unwrap();
        let one = submission(1, marked("Kept", 1));
        erase_selfie(&store, &one);
        std::process::abort();
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let one = submission(1, marked("Kept", 1));
    let selfie = one.document(Slot::Selfie).unwrap().id();
    for id in one.documents() {
        let mark = if id == selfie { "Gone" } else { "Kept" };
        let bytes = format!("%PDF-1.4 Content{mark}1");
        let document = Document {
            handle: handle(DocumentKind::Passport, number_of(id)),
            created_at: time(1),
            format: FileFormat::Pdf,
            size_bytes: u32::try_from(bytes.len()).unwrap(),
        };
        store.put(client(1), &document, bytes.as_bytes()).unwrap();
    }
    store.insert(client(1), &one).unwrap();
    drop(store);
    let test =
        "retention::d120_a_document_whose_file_outlived_a_crash_is_gone_after_the_next_start";
    let (mut child, _output) = child(test, folder.path());
    child.wait().unwrap();
    assert!(!left(folder.path(), "Gone").is_empty(), "the file is still there");

    let store = open(&folder);
    assert_eq!(store.bytes(client(1), selfie).unwrap(), None);
    let certificate = store.document_certificate(client(1), selfie).unwrap().unwrap();
    assert_eq!(certificate.submissions, [one.id()]);
    wait_until("what was begun is finished", || store.scrub().unwrap());
    assert_eq!(left(folder.path(), "Gone"), BTreeSet::new());
    assert!(!left(folder.path(), "Kept").is_empty());
    assert_eq!(faults(&store), [""; 0]);

    let forged = "UPDATE erased_document SET tag = zeroblob(32) WHERE tag IS NOT NULL";
    assert_eq!(database(&folder).execute(forged, []).unwrap(), 1);
    let found = store.document_certificate(client(1), selfie);
    let is_corrupt = matches!(found, Err(StoreError::Corrupt { table: "erased_document", .. }));
    assert!(is_corrupt, "{found:?}");
}

/// The number that [`document_id`] makes an id of.
fn number_of(id: DocumentId) -> u32 {
    (0..100).find(|number| document_id(*number) == id).unwrap()
}

fn erase_selfie(store: &SqliteStore, one: &Submission) {
    let document = one.document(Slot::Selfie).unwrap().id();
    let without = one.clone().erase_document(Actor::Operator, time(60), document).unwrap();
    let erasure = DocumentErasure {
        document,
        changed: vec![without],
        reason: valid("not_the_applicant"),
        at: time(60),
    };
    assert!(store.erase_document(client(1), &erasure).unwrap().is_some());
}

#[test]
fn t31_others_work_on_while_one_is_erased() {
    let folder = folder();
    let store = open(&folder);
    let gone: Vec<_> = (1..=40).map(|number| store_marked(&store, 1, "Gone", number)).collect();
    let kept: Vec<_> = (41..=44).map(|number| store_marked(&store, 1, "Kept", number)).collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (store, kept, is_over) = (&store, &kept, &is_over);
        for worker in 1..=2 {
            scope.spawn(move || {
                for number in (worker..).step_by(2).take_while(|_| !is_over.load(Relaxed)) {
                    let one = submission_of(1_000 + number, &format!("{number}@example.org"));
                    store.insert(client(2), &one).unwrap();
                    for one in kept {
                        let found =
                            SubmissionStore::find(store, client(1), &by_id(one), Preference::Best);
                        assert_eq!(found.unwrap().as_ref(), Some(one));
                    }
                }
            });
        }
        for submission in &gone {
            erase(store, 1, submission);
            store.scrub().unwrap();
        }
        is_over.store(true, Relaxed);
    });
    wait_until("the log is emptied", || store.scrub().unwrap());
    assert_eq!(left(folder.path(), "Gone"), BTreeSet::new());
}

#[test]
fn a_database_of_an_older_release_knows_which_documents_are_used() {
    let folder = folder();
    let store = open(&folder);
    let used = store_marked(&store, 1, "Kept", 1);
    store.put(client(1), &document(99, b"%PDF-1.4"), b"%PDF-1.4").unwrap();
    drop(store);
    let older = "DELETE FROM document_use; UPDATE state SET value = 1 WHERE name = 'uses_missing'";
    database(&folder).execute_batch(older).unwrap();

    let store = open(&folder);
    let unused = store.unused_documents(client(1), time(9_000), 100).unwrap();
    assert_eq!(unused, [document_id(99)]);
    assert_eq!(store.erase_unused(client(1), &used.documents(), time(9_000)).unwrap(), 0);
}

#[test]
fn a_certificate_that_somebody_wrote_is_none() {
    let folder = folder();
    let store = open(&folder);
    let one = submission_of(1, "a@example.org");
    store.insert(client(1), &one).unwrap();
    erase(&store, 1, &one);
    assert!(store.certificate(client(1), one.id()).unwrap().is_some());
    for forgery in [
        "UPDATE certificate SET record = CAST(substr(record, 1, 9) || substr(record, 9) AS BLOB)",
        "UPDATE certificate SET client = 2",
    ] {
        database(&folder).execute_batch(forgery).unwrap();
        let who = if forgery.contains("client") { client(2) } else { client(1) };
        let found = store.certificate(who, one.id());
        assert!(
            matches!(found, Err(StoreError::Corrupt { table: "certificate", .. })),
            "{found:?}"
        );
    }
}
