use kyc_core::conformance::fixture::{client, form, submission, submission_id, time, valid};
use kyc_core::{Duplicate, Form, Lookup, Preference, Submission, SubmissionStore};
use rusqlite::Connection;
use tempfile::TempDir;

use super::row::Reading;
use super::{LIST, duplicates, find, over, queues, row, write};
use crate::tests::folder;
use crate::{Options, SqliteStore, directory, documents, quotas, replay, retention, state};

fn open() -> (TempDir, SqliteStore, Connection) {
    let folder = folder();
    let store = SqliteStore::open(folder.path(), Options::default()).unwrap();
    let other = Connection::open(folder.path().join("kyc.sqlite")).unwrap();
    (folder, store, other)
}

/// How SQLite runs a statement.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let parameters = vec![1; statement.parameter_count()];
    let rows = statement.query_map(rusqlite::params_from_iter(parameters), |row| row.get(3));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn every_statement_searches_and_none_sorts() {
    let (_folder, _store, connection) = open();
    let statements = [
        LIST,
        find::BY_CLIENT,
        find::BY_EMAIL,
        find::BY_ID,
        find::BY_USER,
        duplicates::BY_PERSON,
        duplicates::FORGET_PERSON,
        duplicates::HAS_OTHERS,
        queues::SCREENING,
        queues::REVIEW_BY_CLIENT,
        queues::REVIEW_BY_EMAIL,
        queues::REVIEW_TO_LOOK_AT,
        queues::REVIEW_TO_LOOK_AT_BY_EMAIL,
        state::VALUE,
        state::ADVANCE,
        row::KEY_OF,
        write::INSERT,
        write::REPLACE,
        documents::FIND,
        documents::INSERT,
        directory::REVISION,
        over::ENDED,
        over::OPEN,
        over::COUNT,
        over::NEWEST,
        retention::CERTIFICATE,
        retention::uses::REMOVE,
        retention::uses::IS_USED,
        retention::uses::REFERRING,
        retention::erase::UPLOADED,
        retention::erase::CERTIFY_DOCUMENT,
        retention::DOCUMENT_CERTIFICATE,
        retention::uses::IS_ERASED,
        retention::erase::VERSION,
        retention::erase::REMOVE,
        retention::erase::REMOVE_DOCUMENT,
        retention::erase::LEAVES_TRACES,
        retention::scrub::ERASURES,
        retention::scrub::FILE_GONE,
        retention::scrub::SCRUBBED,
        replay::FIND,
        replay::FORGET,
        replay::ABOUT,
        replay::ERASE,
        replay::INSERT,
        quotas::USAGE,
        quotas::NEWEST,
        quotas::COUNT,
    ];
    for sql in statements {
        for step in plan(&connection, sql) {
            // A subquery of an insertion has one row: the last key of the client.
            let is_of_one_row = sql == write::INSERT && step.ends_with("(subquery-1)");
            let good = ["SEARCH", "SCALAR SUBQUERY", "LIST SUBQUERY"];
            let is_good = is_of_one_row || good.iter().any(|good| step.starts_with(good));
            assert!(is_good, "{step} in {sql}");
        }
    }
}

/// How many steps SQLite takes to insert one more submission of client 1, which is taken back.
fn steps_of_an_insertion(connection: &Connection) -> i32 {
    connection.execute_batch("BEGIN").unwrap();
    let mut insert = connection.prepare(write::INSERT).unwrap();
    let inserted = insert.execute(rusqlite::named_params! {
        ":client": 1, ":id": [9_u8; 16], ":created_ms": 0, ":version": 1, ":standing": 0,
        ":screening": None::<i64>, ":needs_look": None::<i64>, ":email_key": 1,
        ":user_key": None::<i64>, ":person_key": None::<i64>, ":record": [0_u8; 1],
        ":data_key": None::<Vec<u8>>, ":first": 1_i64 << 40, ":last": (2_i64 << 40) - 1,
        ":last_of_day": i64::MAX,
    });
    assert_eq!(inserted.unwrap(), 1);
    let steps = insert.get_status(rusqlite::StatementStatus::VmStep);
    drop(insert);
    connection.execute_batch("ROLLBACK").unwrap();
    steps
}

#[test]
fn an_insertion_costs_the_same_however_much_is_stored() {
    let (_folder, store, connection) = open();
    store.insert(client(1), &of(0, "mira@example.org")).unwrap();
    let few = steps_of_an_insertion(&connection);
    for number in 1..200 {
        store.insert(client(1), &of(number, &format!("{number}@example.org"))).unwrap();
    }
    assert_eq!(steps_of_an_insertion(&connection), few);
}

#[test]
fn ordered_walks_use_the_whole_index() {
    let (_folder, _store, connection) = open();
    for (sql, expected) in [
        (LIST, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        (find::BY_CLIENT, "USING INDEX submission_client (client=? AND standing<?)"),
        (find::BY_EMAIL, "USING INDEX submission_email (email_key=? AND standing<?)"),
        (find::BY_USER, "USING INDEX submission_user (user_key=? AND standing<?)"),
        (find::BY_ID, "USING INDEX submission_id (id=? AND client=?)"),
        (duplicates::BY_PERSON, "USING INDEX submission_person (person_key=?)"),
        (duplicates::HAS_OTHERS, "USING COVERING INDEX submission_person (person_key=?)"),
        (queues::SCREENING, "USING INDEX submission_screening (screening=? AND created_ms>?)"),
        (
            queues::REVIEW_BY_CLIENT,
            "USING INDEX submission_client (client=? AND standing>? AND standing<?)",
        ),
        (
            queues::REVIEW_BY_EMAIL,
            "USING INDEX submission_email (email_key=? AND standing>? AND standing<?)",
        ),
        (
            queues::REVIEW_TO_LOOK_AT,
            "USING INDEX submission_needs_look (client=? AND standing>? AND standing<?)",
        ),
        (
            queues::REVIEW_TO_LOOK_AT_BY_EMAIL,
            "USING INDEX submission_email (email_key=? AND standing>? AND standing<?)",
        ),
    ] {
        let plan = plan(&connection, sql);
        assert_eq!(plan, [format!("SEARCH submission {expected}")]);
    }
}

/// Rows that a walk over the person's rows meets.
fn indexed(connection: &Connection) -> usize {
    let sql = "SELECT count(*) FROM submission WHERE person_key IS NOT NULL";
    let count: u32 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    usize::try_from(count).unwrap()
}

fn of(number: u32, email: &str) -> Submission {
    submission(number, Form { email: valid(email), ..form() })
}

#[test]
fn many_submissions_under_one_address_are_not_walked_over() {
    let (_folder, store, connection) = open();
    let own: Vec<Submission> = (1..=400).map(|number| of(number, "own@example.org")).collect();
    let others: Vec<Submission> =
        (1..=3).map(|n| of(n + 500, &format!("{n}@example.org"))).collect();
    for submission in own.iter().chain(&others) {
        store.insert(client(1), submission).unwrap();
    }
    let email = valid("own@example.org");
    let lookup = Lookup { email: Some(&email), ..Lookup::default() };
    let found =
        || store.find_with_duplicates(client(1), &lookup, Preference::Latest).unwrap().unwrap();
    let before = found();

    let person = duplicates::Person::of(store.pepper(), client(1), &own[0]);
    let thin_out = |connection| {
        duplicates::thin_out(Reading { connection, sealing: store.sealing() }, &person)
    };
    while indexed(&connection) > Duplicate::COUNT_MAX + others.len() {
        let indexed_before = indexed(&connection);
        thin_out(&connection).unwrap();
        assert!(indexed(&connection) < indexed_before, "each pass takes some out");
    }
    assert_eq!(found(), before);
    // What the others see of the address is the same too.
    let other = valid("1@example.org");
    let lookup = Lookup { email: Some(&other), ..Lookup::default() };
    let (_, duplicates) =
        store.find_with_duplicates(client(1), &lookup, Preference::Latest).unwrap().unwrap();
    let expected = others[1..].iter().rev().chain(own.iter().rev());
    let expected: Vec<Duplicate> =
        expected.map(Submission::as_duplicate).take(Duplicate::COUNT_MAX).collect();
    assert_eq!(duplicates, expected);
}

#[test]
fn d39_of_one_instant_the_highest_ids_are_the_most_recent() {
    let (_folder, store, _connection) = open();
    let at = time(0);
    let of = |number: u32, email: &str| {
        Submission::new(of(number, email).form().clone(), submission_id(number), at)
    };
    let mut others: Vec<Submission> =
        (1..=130).map(|number| of((number * 37) % 131, &format!("{number}@example.org"))).collect();
    let own = of(500, "own@example.org");
    for submission in others.iter().chain([&own]) {
        store.insert(client(1), submission).unwrap();
    }
    let lookup = Lookup { id: Some(own.id()), ..Lookup::default() };
    let (_, duplicates) =
        store.find_with_duplicates(client(1), &lookup, Preference::Best).unwrap().unwrap();
    others.sort_by_key(|other| std::cmp::Reverse(other.id()));
    let expected = others.iter().map(Submission::as_duplicate).take(Duplicate::COUNT_MAX);
    assert_eq!(duplicates, expected.collect::<Vec<_>>());
}

#[test]
fn writes_thin_out_the_index_by_themselves() {
    let (_folder, store, connection) = open();
    for number in 1..=1_000 {
        store.insert(client(1), &of(number, "own@example.org")).unwrap();
    }
    // Stands behind everything in the writer's queue.
    store.check().unwrap();
    // One id in 64 asks for it.
    let indexed = indexed(&connection);
    assert!(indexed <= Duplicate::COUNT_MAX + 64, "{indexed} rows are walked over");
}
