//! Screens the names of a CSV file (`name,birth_date,nationality`) against lists in a folder.
//!
//! `cargo run -p examples --bin screen_file -- NAMES.csv LIST.csv…` prints the name of each row
//! with its risk and the reasons of its strongest hit. Without arguments it screens two invented
//! people against the built-in sample list.

use std::error::Error;
use std::io::{Read, Write, stdout};
use std::path::PathBuf;

use kyc_core::{Clock, Country, Subject, SystemClock, day};
use kyc_screening::{Engine, Library, Options, Shrinkage};

const TWO_PEOPLE: &str = "name,birth_date,nationality\nMira Kole,1990-05-17,ALB\nJonas Brandt,,\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    match arguments.next() {
        Some(names) => {
            let folder = tempfile::tempdir()?;
            let library = Library::new(folder.path());
            let lists: Vec<PathBuf> = arguments.collect();
            library.import(&lists, SystemClock.now(), Shrinkage::Refuse)?;
            screen(&library.load(&Options::default())?, std::fs::File::open(names)?)
        }
        None => screen(&Engine::sample(Options::default()), TWO_PEOPLE.as_bytes()),
    }
}

fn screen(engine: &Engine, names: impl Read) -> Result<(), Box<dyn Error>> {
    for row in csv::Reader::from_reader(names).records() {
        let row = row?;
        let text = |column| row.get(column).filter(|text: &&str| !text.is_empty());
        let name = text(0).ok_or("a row has no name")?;
        let subject = Subject {
            birth_date: text(1).map(day::parse).transpose()?,
            nationality: text(2).and_then(Country::from_alpha3),
            ..Subject::named(name)
        };
        let screening = engine.screen(&subject, SystemClock.now())?;
        writeln!(stdout(), "{name}: {:?}", screening.risk)?;
        for reason in screening.hits.first().iter().flat_map(|hit| &hit.reasons) {
            writeln!(stdout(), "    {reason}")?;
        }
    }
    Ok(())
}
