use kyc_core::conformance::fixture::{applicant, born, valid};
use kyc_core::{Applicant, Gender, PersonKey, strategies};
use proptest::prelude::*;
use time::macros::date;
use unicode_normalization::UnicodeNormalization;

fn named(first: &str, middle: &str, last: &str) -> Applicant {
    Applicant {
        first_name: valid(first),
        middle_name: (!middle.is_empty()).then(|| valid(middle)),
        last_name: valid(last),
        ..applicant()
    }
}

type Name = (&'static str, &'static str, &'static str);

fn key((first, middle, last): Name) -> PersonKey {
    named(first, middle, last).person_key()
}

#[track_caller]
fn same(one: Name, other: Name) {
    assert_eq!(key(one).as_str(), key(other).as_str());
}

#[track_caller]
fn different(one: Name, other: Name) {
    assert_ne!(key(one).as_str(), key(other).as_str());
}

#[test]
fn d39_names_compare_without_case() {
    same(("Mira", "", "Kole"), ("MIRA", "", "kole"));
    same(("Ольга", "", "Иванова"), ("ОЛЬГА", "", "ИВАНОВА"));
    same(("Γιάννης", "", "Παππάς"), ("ΓΙΆΝΝΗΣ", "", "ΠΑΠΠΆΣ"));
    same(("İpek", "", "Işık"), ("ipek", "", "işik"));
    same(("Anna", "", "Groß"), ("ANNA", "", "GROSS"));
    same(("Anna", "", "Groẞ"), ("Anna", "", "Groß"));
}

#[test]
fn d39_names_compare_without_accents() {
    same(("Zoë", "", "Kolé"), ("Zoe", "", "Kole"));
    same(("Zoe\u{308}", "", "Kole"), ("Zoë", "", "Kole"));
    same(("Việt", "", "Nguyễn"), ("Viet", "", "Nguyen"));
    same(("Γιάννης", "", "Παππάς"), ("Γιαννης", "", "Παππας"));
    same(("Семён", "", "Йовков"), ("Семен", "", "Иовков"));
    same(("Ｍira", "", "ﬁn"), ("Mira", "", "Fin"));
    same(("מִרְיָם", "", "כֹּהֵן"), ("מרים", "", "כהן"));
    same(("مُحَمَّد", "", "عَلِيّ"), ("محمد", "", "علي"));
}

#[test]
fn d39_vowel_signs_and_voicing_marks_are_letters_not_accents() {
    different(("राम", "", "Kole"), ("रीमा", "", "Kole"));
    different(("मीना", "", "Kole"), ("मोनी", "", "Kole"));
    different(("มานี", "", "Kole"), ("มานา", "", "Kole"));
    different(("さかき", "", "Kole"), ("ざがぎ", "", "Kole"));
    same(("パク", "", "Kole"), ("ﾊﾟｸ", "", "Kole"));
    different(("क", "", "Kole"), ("क्", "", "Kole")); // a virama
    different(("กุ", "", "Kole"), ("ก", "", "Kole")); // a vowel below
    different(("ก้า", "", "Kole"), ("กา", "", "Kole")); // a tone
}

#[test]
fn d39_a_name_can_be_written_without_its_accents_of_every_class() {
    different(("Bjørn", "", "Kole"), ("Bjorn", "", "Kole")); // a letter of its own
    same(("o\u{338}", "", "Kole"), ("o", "", "Kole")); // an overlay, class 1
    same(("फ़", "", "Kole"), ("फ", "", "Kole")); // a nukta, 7
    same(("ב\u{5b0}", "", "Kole"), ("ב", "", "Kole")); // a sheva, 10
    same(("ع\u{670}", "", "Kole"), ("ع", "", "Kole")); // a superscript alef, 35
    same(("\u{712}\u{711}", "", "Kole"), ("\u{712}", "", "Kole")); // a Syriac alaph, 36
    same(("Franc\u{327}a", "", "Kole"), ("Franca", "", "Kole")); // a cedilla, 202
    same(("ᾳ", "", "Kole"), ("α", "", "Kole")); // an iota below, 240
}

#[test]
fn d39_given_names_compare_in_any_order() {
    same(("Mira", "Ana", "Kole"), ("Ana", "Mira", "Kole"));
    same(("Mira Ana", "", "Kole"), ("Mira", "Ana", "Kole"));
    same(("Mira", "Zoë Ana", "Kole"), ("ana", "mira zoe", "Kole"));
    different(("Mira", "", "Kole"), ("Kole", "", "Mira"));
    different(("Mira", "Ana", "Kole"), ("Mira", "", "Kole"));
    different(("Mira", "Mira", "Kole"), ("Mira", "", "Kole"));
    different(("Mary Ann", "", "Kole"), ("Maryann", "", "Kole"));
}

#[test]
fn d39_spacing_does_not_matter() {
    same(("Mira  Ana", "", "Kole"), ("Mira Ana", "", "Kole"));
    same(("Mira\u{a0}Ana", "", "Kole"), ("Mira Ana", "", "Kole"));
    same(("Mira", "", "de la Kole"), ("Mira", "", "DeLa Kole"));
    same(("Mira", "", "ΠΑΠΠΆΣ ΚΟ"), ("Mira", "", "Παππάςκο"));
    same(("Mira", "", "MC DONALD"), ("Mira", "", "McDonald"));
}

#[test]
fn d39_the_rest_of_the_person_compares_exactly() {
    let others = [
        Applicant { nationality: valid("Kosovo, XKX"), ..applicant() },
        Applicant { birth_date: born(date!(1990 - 05 - 18)), ..applicant() },
        Applicant { birth_date: born(date!(1991 - 05 - 17)), ..applicant() },
        Applicant { gender: Gender::Male, ..applicant() },
    ];
    for other in others {
        assert_ne!(other.person_key(), applicant().person_key());
    }
}

#[test]
fn d39_no_name_can_pretend_to_be_another_part() {
    different(("a", "", "b|c"), ("a|b", "", "c"));
    different(("a b", "", "c"), ("a", "", "b c"));
    different(("a", "", "b"), ("a", "", "b|"));
}

#[test]
fn the_full_name_has_its_parts_in_order() {
    assert_eq!(named("Mira", "", "Kole").full_name(), "Mira Kole");
    assert_eq!(named("Mira", "Zoë Ana", "de Kole").full_name(), "Mira Zoë Ana de Kole");
}

proptest! {
    #[test]
    fn d39_every_spelling_of_a_person_has_one_key(person in strategies::applicants()) {
        let spelled = |change: &dyn Fn(&str) -> String| Applicant {
            first_name: valid(&change(person.first_name.as_str())),
            middle_name: person.middle_name.as_ref().map(|name| valid(&change(name.as_str()))),
            last_name: valid(&change(person.last_name.as_str())),
            ..person.clone()
        };
        let spellings: [&dyn Fn(&str) -> String; 4] = [
            &str::to_uppercase,
            &str::to_lowercase,
            &|name| name.nfd().collect(),
            &|name| name.replace(' ', "  "),
        ];
        for change in spellings {
            let keys = [&person, &spelled(change)].map(Applicant::person_key);
            prop_assert_eq!(keys[0].as_str(), keys[1].as_str());
        }
    }

    #[test]
    fn d39_another_day_of_birth_is_another_person(
        person in strategies::applicants(),
        birth_date in strategies::birth_dates(),
    ) {
        prop_assume!(birth_date != person.birth_date);
        let other = Applicant { birth_date, ..person.clone() };
        prop_assert_ne!(person.person_key(), other.person_key());
    }
}
