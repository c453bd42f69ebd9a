use kyc_core::conformance::assert_identical;
use kyc_core::conformance::fixture::{every_state, form_full, sample, submission};
use kyc_core::strategies::submissions;
use kyc_core::{Country, Listed, Submission};
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
    record[0] = 2;
    assert_eq!(decode(&record), Err(Damage::Format(2)));
    assert_eq!(listed(&record).map(|_| ()), Err(Damage::Format(2)));
    assert_eq!(decode(&[]), Err(Damage::Truncated));
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
    // The last byte is the length of the history.
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
