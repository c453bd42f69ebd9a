//! Engines in bytes.

use kyc_core::{Subject, Timestamp};
use kyc_screening::{Engine, ImageError, Options, Query, QueryKind, Snapshot, read_plain};
use proptest::prelude::*;

const LIST: &str = "\
id,name,kind,aliases,birth_date,nationality,gender,wallets,documents,programme
1,Mira Kole,person,Mirjana Kole;Мира Коле,1971-03-18;1972,NOR,female,,passport: X1234567,P1
2,Petrel Trading LLC,organisation,,,,,0xAbCdEf0123456789aBcDeF0123456789abcdef01,,P2;P3
3,Abd al-Rahman bin Tormund Ashgrove of the Long Names,person,T. Ashgrove,~1950,KOR,male,,,
";

fn engine() -> Engine {
    let list = read_plain(LIST.as_bytes()).unwrap();
    Engine::new(vec![Snapshot::new("watch", list.into_entities())], Options::default())
}

fn read_back(engine: &Engine) -> Engine {
    Engine::of_image(engine.to_image(), Options::default()).unwrap()
}

#[test]
fn an_image_finds_what_its_engine_finds() {
    let (engine, image) = (engine(), engine().to_image());
    let again = read_back(&engine);
    let names =
        ["Mira Kole", "KOLE, Mirjana", "مرا كول", "Tormund Ashgrove", "T Ashgrove", "Rahman"];
    let persons = names.map(Query::named);
    let company = Query { kind: QueryKind::Other, ..Query::named("Petrel Trading Limited") };
    let wallet = Query {
        wallets: vec!["0xabcdef0123456789abcdef0123456789abcdef01".into()],
        documents: vec!["x 1234567".into()],
        ..Query::named("Nobody Known")
    };
    for query in persons.into_iter().chain([company, wallet]) {
        let found = engine.search(&query, Timestamp::EARLIEST).unwrap();
        assert_eq!(again.search(&query, Timestamp::EARLIEST).unwrap(), found);
        assert_eq!(again.explain(&query), engine.explain(&query));
    }
    assert_eq!(again.status(Timestamp::EARLIEST), engine.status(Timestamp::EARLIEST));
    assert_eq!(again.to_image(), image, "the same lists give the same bytes");
}

#[test]
fn an_engine_without_lists_stays_one() {
    let empty = read_back(&Engine::new(Vec::new(), Options::default()));
    assert!(empty.is_empty());
    assert!(empty.screen(&Subject::named("Mira Kole"), Timestamp::EARLIEST).is_err());
}

#[test]
fn an_image_of_other_options_is_refused() {
    let other = Options { hits_max: 3, ..Options::default() };
    assert_eq!(Engine::of_image(engine().to_image(), other).unwrap_err(), ImageError::OtherOptions);
}

#[test]
fn what_is_no_image_is_refused() {
    for bytes in [&b""[..], b"KYC", b"id,name\n1,Mira Kole\n"] {
        let refused = Engine::of_image(bytes.to_vec(), Options::default()).unwrap_err();
        assert_eq!(refused, ImageError::Foreign);
    }
}

proptest! {
    #[test]
    fn a_damaged_image_is_refused(at in any::<prop::sample::Index>(), flipped in 1..=u8::MAX) {
        let mut bytes = engine().to_image();
        let at = at.index(bytes.len());
        bytes[at] ^= flipped;
        prop_assert!(Engine::of_image(bytes, Options::default()).is_err());
    }

    #[test]
    fn an_image_that_was_cut_off_is_refused(at in any::<prop::sample::Index>()) {
        let mut bytes = engine().to_image();
        bytes.truncate(at.index(bytes.len()));
        prop_assert!(Engine::of_image(bytes, Options::default()).is_err());
    }
}
