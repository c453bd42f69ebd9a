use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use kyc_core::conformance::fixture::{client_record, inspector, screening};
use kyc_core::conformance::stand_in::{CountingIds, ManualClock, SameAnswer};
use kyc_core::conformance::{directory, fixture, id_source, screener};
use kyc_core::{
    Client, Clock, Directory, DocumentId, Hit, IdSource, Inspector, RiskLevel, ScreenError,
    Screener, Screening, Stall, StoreError, Subject, SubmissionId, Timestamp,
};

use super::finds;

/// Which client a key opens, for an honest and for careless directories.
struct Keys(fn(&str) -> bool, Vec<u32>);

impl Directory for Keys {
    fn client_of_key(&self, key: &str) -> Result<Option<Arc<Client>>, StoreError> {
        Ok((self.0)(key).then(|| client_record(1).into()))
    }

    fn inspector_of_token(&self, token: &str) -> Result<Option<Arc<Inspector>>, StoreError> {
        Ok((token == "token").then(|| inspector().into()))
    }

    fn clients(&self) -> Result<Vec<Arc<Client>>, StoreError> {
        Ok(self.1.iter().map(|number| client_record(*number).into()).collect())
    }
}

#[test]
fn every_fault_of_a_directory_is_found() {
    let suite = |opens: fn(&str) -> bool, clients: &[u32]| {
        let keys = Keys(opens, clients.into());
        directory(&keys, &[("Key", client_record(1))], &[("token", inspector())]);
    };
    suite(|key| key == "Key", &[1, 2, 9]);

    finds("nobody is let in", || suite(|_| false, &[1]));
    finds("everybody is let in", || suite(|_| true, &[1]));
    finds("the case is ignored", || suite(|key| key.eq_ignore_ascii_case("Key"), &[1]));
    finds("spaces are cut off", || suite(|key| key.trim() == "Key", &[1]));
    finds("a beginning is enough", || suite(|key| key.starts_with("Key"), &[1]));
    finds("an end is enough", || suite(|key| key.ends_with("Key"), &[1]));
    finds("letters may stand in any order", || {
        suite(|key| ["Key", "eKy", "Kye"].contains(&key), &[1]);
    });
    finds("part of the key is enough", || suite(|key| "Key".starts_with(key), &[1]));
    finds("the last letter is ignored", || {
        suite(|key| key.len() == 3 && key.starts_with("Ke"), &[1]);
    });
    finds("a token opens what keys do", || suite(|key| key == "Key" || key == "token", &[1]));
    finds("the text ends at a NUL", || suite(|key| key.split('\0').next() == Some("Key"), &[1]));
    finds("a client is missing", || suite(|key| key == "Key", &[2]));
    finds("clients are not in order", || suite(|key| key == "Key", &[2, 1]));
    finds("a client is listed twice", || suite(|key| key == "Key", &[1, 1]));
    finds("the suite was told of nothing", || {
        directory(&Keys(|_| false, Vec::new()), &[], &[]);
    });
}

/// Ids of a rule.
struct Ids(fn(Timestamp, u128) -> u128, CountingIds);

impl Ids {
    fn next(&self, at: Timestamp) -> [u8; 16] {
        let counted = self.1.submission_id(at).to_bytes();
        (self.0)(at, u128::from_be_bytes(counted)).to_be_bytes()
    }
}

impl IdSource for Ids {
    fn submission_id(&self, at: Timestamp) -> SubmissionId {
        SubmissionId::from_bytes(self.next(at))
    }

    fn document_id(&self, at: Timestamp) -> DocumentId {
        DocumentId::from_bytes(self.next(at))
    }
}

/// Puts what looks like chance into the lower 80 bits of a number.
fn stirred(number: u128) -> u128 {
    let half = |which: u8| {
        let mut hasher = DefaultHasher::new();
        (which, number).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (number >> 80 << 80) | (half(0) << 16) | (half(1) >> 48)
}

#[test]
fn every_fault_of_a_source_of_ids_is_found() {
    let suite = |rule| id_source(&Ids(rule, CountingIds::default()));
    suite(|_, counted| stirred(counted));

    finds("ids can be counted", || suite(|_, counted| counted));
    finds("an id is given twice", || suite(|_, counted| stirred(counted >> 1 << 1)));
    finds("ids do not order by time", || suite(|_, counted| stirred(counted) << 48));
    finds("few bits are random", || suite(|_, counted| stirred(counted) >> 40 << 40 | counted));
}

/// An engine of a rule.
struct Engine(fn(&Subject<'_>, Screening) -> Result<Screening, ScreenError>);

impl Screener for Engine {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        (self.0)(subject, screening(RiskLevel::NotApplicable, at))
    }
}

/// An engine that refuses names without letters, and else follows a rule.
fn honest(subject: &Subject<'_>, screening: Screening) -> Result<Screening, ScreenError> {
    if subject.name.chars().any(char::is_alphabetic) {
        Ok(screening)
    } else {
        Err(ScreenError::NoUsableName)
    }
}

#[test]
fn every_fault_of_a_screener_is_found() {
    screener(&Engine(honest));

    finds("a result for no name", || screener(&SameAnswer(Ok(RiskLevel::NotApplicable))));
    finds("no result at all", || screener(&SameAnswer(Err(Stall::Failed))));
    finds("no name is ever usable", || screener(&SameAnswer(Err(Stall::NoUsableName))));
    finds("no list is named", || {
        screener(&Engine(|subject, found| {
            honest(subject, Screening { lists: Vec::new(), ..found })
        }));
    });
    finds("another time", || {
        screener(&Engine(|subject, found| {
            honest(subject, Screening { at: Timestamp::EARLIEST, ..found })
        }));
    });
    finds("a risk without a hit", || {
        screener(&Engine(|subject, found| {
            honest(subject, Screening { unreported: RiskLevel::Low, ..found })
        }));
    });
    finds("a hit without a risk", || {
        screener(&Engine(|subject, found| {
            let harmless = Hit { risk: RiskLevel::NotApplicable, ..fixture::hit(900) };
            honest(subject, Screening { hits: vec![harmless], ..found })
        }));
    });
    finds("the strongest hit last", || {
        screener(&Engine(|subject, found| {
            let hits = vec![fixture::hit(800), fixture::hit(900)];
            honest(subject, Screening { hits, ..found })
        }));
    });
    finds("a record twice", || {
        screener(&Engine(|subject, found| {
            let hits = vec![fixture::hit(900), fixture::hit(900)];
            honest(subject, Screening { hits, ..found })
        }));
    });
    finds("a field of the evidence twice", || {
        screener(&Engine(|subject, found| {
            let mut hit = fixture::hit(900);
            hit.evidence.extend(fixture::hit(900).evidence);
            honest(subject, Screening { hits: vec![hit], ..found })
        }));
    });
}

#[test]
fn the_clock_to_test_with_goes_where_it_is_told() {
    let clock = ManualClock::at(fixture::time(5));
    assert_eq!(clock.now(), fixture::time(5));
    clock.advance_millis(1_500);
    assert_eq!(clock.now(), fixture::time(6).plus_millis(500));
    clock.set(fixture::time(1));
    assert_eq!(clock.now(), fixture::time(1));
}

#[test]
fn the_ids_to_test_with_are_distinct() {
    let ids = CountingIds::default();
    let at = fixture::time(0);
    let given = [ids.submission_id(at).to_bytes(), ids.document_id(at).to_bytes()];
    assert_ne!(given[0], given[1]);
    assert_ne!(ids.submission_id(at), ids.submission_id(at));
}
