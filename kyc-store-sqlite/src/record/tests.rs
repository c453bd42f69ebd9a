use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{
    approved, cleared, confirmed, every_state, form_full, sample, screened, submission,
};
use kyc_core::strategies::submissions;
use kyc_core::{Country, Hit, Listed, RiskLevel, Screened, Screening, Submission};
use proptest::prelude::*;

use super::{Damage, decode, encode, listed};

/// All that a list shows, as a text that can be compared. Only here: it is personal data.
fn shown(listed: &Listed<'_>) -> String {
    let Listed { id, created_at, nationality, birth_date, gender, id_type, .. } = listed;
    let Listed { address_country, ip_address, status, aml, .. } = listed;
    let texts = [
        Some(listed.email),
        listed.user_id,
        Some(listed.first_name),
        listed.middle_name,
        Some(listed.last_name),
        listed.id_number,
        listed.address_street,
        listed.address_city,
        listed.address_state,
        listed.address_zipcode,
        listed.contribution_type,
        listed.wallet_address,
        listed.estimated_amount,
    ];
    let countries = (nationality.alpha3(), address_country.map(Country::alpha3));
    format!(
        "{id} {created_at} {texts:?} {countries:?} {birth_date} {gender:?} {id_type:?} \
         {ip_address:?} {status:?} {aml:?}"
    )
}

#[track_caller]
fn check_round_trip(submission: &Submission) {
    let record = encode(submission);
    assert_identical(&decode(&record).unwrap(), submission);
    assert_eq!(shown(&listed(&record).unwrap()), shown(&Listed::from(submission)));
}

#[test]
fn every_state_is_read_back() {
    every_state().iter().for_each(check_round_trip);
    check_round_trip(&submission(1, form_full()));
}

#[test]
fn a_record_of_another_format_is_damage() {
    let mut record = encode(&sample());
    record[0] = 3;
    assert_eq!(decode(&record), Err(Damage::Format(3)));
    assert_eq!(listed(&record).map(|_| ()), Err(Damage::Format(3)));
    assert_eq!(decode(&[]), Err(Damage::Truncated));
}

/// Records of format 1, as they were written: those of the first states of `every_state`.
pub(crate) fn format_1() -> Vec<Vec<u8>> {
    let byte = |place: &str| u8::from_str_radix(place, 16).unwrap();
    let record = |line: &str| {
        line.as_bytes().chunks(2).map(|two| byte(str::from_utf8(two).unwrap())).collect()
    };
    include_str!("format_1.txt").lines().map(record).collect()
}

#[test]
fn records_of_format_1_stay_readable() {
    let records = format_1();
    assert_eq!(records.len(), 14);
    for (record, now) in records.iter().zip(every_state()) {
        let read = decode(record).unwrap();
        assert_eq!(shown(&listed(record).unwrap()), shown(&Listed::from(&now)));
        assert_eq!((read.form(), read.history()), (now.form(), now.history()));
        assert_eq!(read.risk(), now.risk());
        assert!(read.decisions().is_empty());
        match (read.result(), now.result()) {
            (Some(old), Some(new)) => check_result_of_format_1(old, new),
            (None, None) => assert_identical(&read, &now),
            _ => panic!("a result came or went"),
        }
        // The next change writes the new format.
        check_round_trip(&read);
    }
}

/// Each hit, and whatever was left out, is as risky as the whole was.
#[track_caller]
fn check_result_of_format_1(old: &Screened, new: &Screened) {
    assert_eq!(old.seen, None);
    let risk = new.screening.risk();
    assert_eq!(old.screening.unreported, risk);
    let hits = new.screening.hits.iter().cloned();
    let hits = hits.map(|hit| Hit { risk, evidence: Vec::new(), ..hit });
    let expected = Screening { hits: hits.collect(), unreported: risk, ..new.screening.clone() };
    assert_eq!(old.screening, expected);
}

#[test]
fn d80_no_decision_on_a_hit_of_format_1_lowers_the_risk() {
    let found = format_1().into_iter().map(|record| decode(&record).unwrap());
    let found: Vec<Submission> = found.filter(Submission::needs_look).collect();
    assert_eq!(found.len(), 1, "one of the states has hits");
    for submission in found {
        let risk = submission.risk();
        assert_eq!(cleared(submission.clone()).risk(), risk);
        assert!(confirmed(submission).risk() > risk);
    }
}

#[test]
fn a_risk_that_does_not_follow_from_the_hits_is_damage() {
    let state = |submission: &Submission| encode(submission)[29];
    let [low, high] =
        [RiskLevel::Low, RiskLevel::High].map(|risk| screened(approved(sample()), risk));
    let mut record = encode(&low);
    record[29] = state(&high);
    assert_eq!(decode(&record), Err(Damage::Contradiction));
}

#[test]
fn two_decisions_on_one_record_are_damage() {
    let decided = cleared(screened(approved(sample()), RiskLevel::Low));
    let record = encode(&decided);
    // Both decisions are on records of one list; the second one becomes one on the first.
    let [first, second] = [b"QX-815", b"QX-820"];
    let place = record.windows(6).rposition(|six| six == second).unwrap();
    let mut damaged = record.clone();
    damaged[place..place + 6].copy_from_slice(first);
    assert_eq!(decode(&damaged), Err(Damage::Contradiction));
}

#[test]
fn every_cut_off_record_is_damage() {
    for state in every_state() {
        let record = encode(&state);
        for end in 0..record.len() {
            assert!(decode(&record[..end]).is_err(), "cut off at {end}");
        }
    }
}

#[test]
fn a_record_that_goes_on_is_damage() {
    let mut record = encode(&sample());
    record.push(0);
    assert_eq!(decode(&record), Err(Damage::TooLong));
}

#[test]
fn a_count_beyond_the_record_takes_no_memory() {
    let mut record = encode(&sample());
    // The last byte is the number of decisions.
    record.pop();
    record.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    assert_eq!(decode(&record), Err(Damage::Truncated));
}

#[test]
fn damage_never_panics_and_what_is_read_is_whole() {
    for state in every_state() {
        let record = encode(&state);
        for place in 0..record.len() {
            for bit in 0..8 {
                let mut damaged = record.clone();
                damaged[place] ^= 1 << bit;
                let _ = listed(&damaged);
                if let Ok(read) = decode(&damaged) {
                    check_round_trip(&read);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn every_submission_is_read_back(submission in submissions()) {
        check_round_trip(&submission);
    }

    #[test]
    fn arbitrary_bytes_never_panic(mut record in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = decode(&record);
        if let Some(format) = record.first_mut() {
            *format = super::FORMAT;
        }
        let _ = (decode(&record), listed(&record));
    }
}
