//! The public lists themselves, which are no part of this repository: nobody's name stands here.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use kyc_core::{RiskLevel, Subject};
use kyc_screening::{
    AliasKind, Engine, Entity, Library, List, NameKey, OfacReader, Options, Shrinkage, Snapshot,
    read_un, read_us_csl,
};

use crate::fixtures::{day, named};

const UN: &str = "un-2026-02/UN_consolidated.xml";
const SDN: &str = "ofac-sdn-2021-07/sdn.csv";

/// The folder of lists, or a word on stderr that this test did nothing.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("KYC_LISTS_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("KYC_LISTS_DIR is not set: the public lists are not tested");
    }
    folder
}

fn un(folder: &Path) -> List {
    read_un(File::open(folder.join(UN)).unwrap()).unwrap()
}

fn sdn(folder: &Path) -> List {
    ofac(&folder.join("ofac-sdn-2021-07"))
}

/// The set of OFAC in a folder.
pub(crate) fn ofac(folder: &Path) -> List {
    let open = |name| File::open(folder.join(name)).unwrap();
    OfacReader::primary(open("sdn.csv"))
        .and_then(|set| set.aliases(open("alt.csv")))
        .and_then(|set| set.addresses(open("add.csv")))
        .and_then(|set| set.comments(open("sdn_comments.csv")))
        .and_then(OfacReader::finish)
        .unwrap()
}

/// Both lists, with every hit reported: some names have many bearers.
fn engine(un: &List, sdn: &List) -> Engine {
    let options = Options { hits_max: u8::MAX, ..Options::default() };
    let snapshot = |name, list: &List| Snapshot::new(name, list.entities().to_vec());
    Engine::new(vec![snapshot("UN", un), snapshot("OFAC-SDN", sdn)], options)
}

#[track_caller]
fn check_counts(file: &str, list: &str, expected: [usize; 4]) {
    let Some(folder) = folder() else { return };
    let home = tempfile::tempdir().unwrap();
    let library = Library::new(home.path());
    let imported = library.import(&[folder.join(file)], day(0), Shrinkage::Refuse).unwrap();
    let counts = imported[0].counts;
    assert_eq!([counts.persons, counts.others, counts.names, counts.wallets], expected);
    assert_eq!(imported[0].version.list, list);
    assert!(imported[0].absent.is_empty());
    assert_eq!(library.load(&Options::default()).unwrap().status(day(0))[0].counts, counts);
}

#[test]
fn every_public_list_is_read_whole() {
    check_counts(UN, "UN", [730, 273, 4_133, 0]);
    check_counts(SDN, "OFAC-SDN", [4_620, 4_356, 23_327, 97]);
    check_counts("ofac-sdn-2018-12/sdn.csv", "OFAC-SDN", [3_845, 3_534, 19_098, 2]);
    check_counts("ofac-nonsdn-2024/cons_prim.csv", "OFAC-CONS", [79, 363, 1_587, 0]);
}

/// The file was cut off where it was stored; its rows up to there are read.
#[test]
fn the_us_screening_list_that_was_cut_off_is_a_fault_that_names_the_place() {
    let Some(folder) = folder() else { return };
    let text = fs::read_to_string(folder.join("us-csl-partial-2023-12/csl.csv")).unwrap();
    let fault = read_us_csl(text.as_bytes()).unwrap_err();
    assert_eq!(fault.to_string(), "line 4233: expected a closing quote");

    let (whole, _) = text.rsplit_once('\n').unwrap();
    let list = read_us_csl(whole.as_bytes()).unwrap();
    let counts = list.counts();
    assert_eq!([counts.persons, counts.others, counts.names], [3_161, 1_058, 10_351]);
    let documents = list.entities().iter().map(|entity| entity.documents.len()).sum::<usize>();
    assert!(documents > 1_000, "{documents}");
}

#[test]
fn documents_of_the_ofac_lists_are_read() {
    let Some(folder) = folder() else { return };
    let list = sdn(&folder);
    let persons = list.entities().iter().filter(|entity| entity.person().is_some());
    let with_document = persons.filter(|entity| !entity.documents.is_empty()).count();
    assert!(with_document > 1_700, "{with_document}");
}

#[test]
fn the_publishers_day_of_the_un_list_is_known() {
    let Some(folder) = folder() else { return };
    assert_eq!(un(&folder).source_date(), Some(time::macros::date!(2026 - 02 - 27)));
}

#[test]
fn most_persons_have_a_date_of_birth_and_a_nationality() {
    let Some(folder) = folder() else { return };
    for list in [un(&folder), sdn(&folder)] {
        let persons: Vec<_> = list.entities().iter().filter_map(Entity::person).collect();
        let share = |count: usize| 100 * count / persons.len();
        assert!(share(persons.iter().filter(|person| !person.births.is_empty()).count()) >= 85);
        assert!(
            share(persons.iter().filter(|person| !person.nationalities.is_empty()).count()) >= 50
        );
    }
}

/// Whether a name alone can be a strong match: several words, which are no particles.
fn is_full_name(name: &str) -> bool {
    let key = NameKey::of(name, &Options::default());
    let titles = [
        "hafiz",
        "hajji",
        "maulana",
        "mullah",
        "mawlawi",
        "professor",
        "qari",
        "shaikh",
        "shaykh",
        "sheikh",
    ];
    let text = key.to_string();
    let words = text.split(' ').filter(|word| word.len() > 4 && !titles.contains(word));
    words.count() > 1
}

/// Everybody in this list under these names: high, and the right record is among the hits.
#[track_caller]
fn check_found<'l>(engine: &Engine, list: &str, names: impl Iterator<Item = (&'l str, &'l str)>) {
    let mut count = 0;
    for (id, name) in names.filter(|(_, name)| is_full_name(name)).step_by(20) {
        let screening = engine.screen(&named(name), day(0)).unwrap();
        assert_eq!(
            screening.risk(),
            RiskLevel::High,
            "{list} {id} {}",
            NameKey::of(name, &Options::default())
        );
        let is_right = |hit: &kyc_core::Hit| hit.list == list && hit.entity == id;
        assert!(screening.hits.iter().any(is_right), "{list} {id}");
        count += 1;
    }
    assert!(count > 20, "{count} names of {list}");
}

#[test]
fn listed_people_are_found_by_every_good_name() {
    let Some(folder) = folder() else { return };
    let (un, sdn) = (un(&folder), sdn(&folder));
    let engine = engine(&un, &sdn);
    for (name, list) in [("UN", &un), ("OFAC-SDN", &sdn)] {
        let persons = || list.entities().iter().filter(|entity| entity.person().is_some());
        let primary = persons().map(|entity| (entity.id.as_str(), entity.name.as_str()));
        check_found(&engine, name, primary);
        let aliases = persons().flat_map(|entity| {
            let good = entity.aliases.iter().filter(|alias| alias.kind != AliasKind::Weak);
            good.map(|alias| (entity.id.as_str(), alias.text.as_str()))
        });
        check_found(&engine, name, aliases);
    }
}

#[test]
fn every_listed_wallet_is_found_whatever_the_name() {
    let Some(folder) = folder() else { return };
    let (un, sdn) = (un(&folder), sdn(&folder));
    let engine = engine(&un, &sdn);
    let entities = sdn.entities().iter();
    let wallets = entities.flat_map(|entity| entity.wallets.iter().map(move |w| (&entity.id, w)));
    let mut count = 0;
    for (id, wallet) in wallets {
        let subject = Subject { wallets: vec![wallet], ..named("Tormund Vexley") };
        let screening = engine.screen(&subject, day(0)).unwrap();
        assert_eq!(screening.risk(), RiskLevel::High, "{id}");
        assert!(screening.hits.iter().any(|hit| hit.entity == *id), "{id}");
        count += 1;
    }
    assert!(count >= 90, "{count}");
}

#[test]
fn invented_people_are_not_found() {
    let Some(folder) = folder() else { return };
    let engine = engine(&un(&folder), &sdn(&folder));
    for name in [
        "Tormund Vexley",
        "Ysolde Quillon",
        "Fenwick Tallowby",
        "Wilma Thornquist",
        "Annegret Birkenfels",
        "Thaddeus Pumphrey",
        "Marisol Quintavera",
        "Ingeborg Sandvikstrand",
        "Cornelius Applewhite Jones",
        "Радомир Белозубов",
        "林晓雨",
    ] {
        let screening = engine.screen(&named(name), day(0)).unwrap();
        assert_eq!(screening.risk(), RiskLevel::NotApplicable, "{name}");
    }
}
