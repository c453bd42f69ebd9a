//! The public lists themselves, which are not part of this repository.

use std::path::PathBuf;
use std::time::Instant;

use kyc_core::{Screening, Subject, Timestamp};
use kyc_screening::{Engine, Library, Options, Shrinkage};

const AT: Timestamp = Timestamp::EARLIEST;

/// The folder of lists, or a word on stderr that this test did nothing.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("KYC_LISTS_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("KYC_LISTS_DIR is not set: the public lists are not tested");
    }
    folder
}

fn load(files: &[PathBuf]) -> (Engine, Library, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let library = Library::new(home.path());
    library.import(files, AT, Shrinkage::Refuse).unwrap();
    let start = Instant::now();
    let engine = library.load(&Options::default()).unwrap();
    eprintln!("loaded in {} ms", start.elapsed().as_millis());
    (engine, library, home)
}

fn un_and_sdn() -> Option<(Engine, Library, tempfile::TempDir)> {
    let folder = folder()?;
    Some(load(&[
        folder.join("un-2026-02/UN_consolidated.xml"),
        folder.join("ofac-sdn-2021-07/sdn.csv"),
    ]))
}

fn screen(engine: &Engine, name: &str) -> Screening {
    engine.screen(&Subject::named(name), AT).unwrap()
}

#[test]
fn every_public_file_is_read_whole() {
    let Some(folder) = folder() else { return };
    let home = tempfile::tempdir().unwrap();
    let check =
        |file: &str, list: &str, persons: usize, others: usize, names: usize, wallets: usize| {
            let imported = Library::new(home.path().join(file.replace('/', "-")))
                .import(&[folder.join(file)], AT, Shrinkage::Refuse)
                .unwrap();
            let counts = imported[0].counts;
            assert_eq!(imported[0].version.list, list);
            assert_eq!((counts.persons, counts.others, counts.wallets), (persons, others, wallets));
            assert_eq!(counts.names, names);
            assert!(imported[0].absent.is_empty());
        };
    check("un-2026-02/UN_consolidated.xml", "UN", 730, 273, 0, 0);
    check("ofac-sdn-2021-07/sdn.csv", "OFAC-SDN", 4_620, 4_356, 0, 0);
    check("ofac-sdn-2018-12/sdn.csv", "OFAC-SDN", 3_845, 3_534, 0, 0);
    check("ofac-nonsdn-2024/cons_prim.csv", "OFAC-CONS", 79, 363, 0, 0);
}

#[test]
fn timing() {
    let Some((engine, _library, _home)) = un_and_sdn() else { return };
    let names = [
        "John Patrick Miller",
        "Maria Fernanda Lopez Garcia",
        "Mohammed Ali Hassan",
        "Kim Min Jun",
        "Olga Petrovna Sidorova",
        "Anna Lindqvist",
        "Abdul Rahman",
        "J. R. Smith",
    ];
    for name in names {
        let us = (0..50)
            .map(|_| {
                let t = Instant::now();
                screen(&engine, name);
                t.elapsed().as_micros()
            })
            .min()
            .unwrap();
        let s = screen(&engine, name);
        eprintln!("{name}: {us} us, {:?}, {}", s.risk, s.hits.len());
        for hit in &s.hits {
            eprintln!(
                "    {} {} {} {} {:?}",
                hit.list, hit.name, hit.matched, hit.score, hit.reasons
            );
        }
    }
}
