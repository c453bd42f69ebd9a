//! Screens the names of a CSV file (`name,birth_date,nationality`) against lists in files.
//!
//! `cargo run -p examples --bin screen_file -- NAMES.csv LIST.csv…` prints the name of each row
//! with its risk and the reasons of its strongest hit. Without arguments it screens two invented
//! people against the built-in sample list.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kyc_core::{Clock, Country, Subject, SystemClock, day};
use kyc_screening::{Engine, Library, Options, Shrinkage};

const TWO_PEOPLE: &str = "name,birth_date,nationality\nMira Kole,1990-05-17,ALB\nJonas Brandt,,\n";

const USAGE: &str = "\
usage: screen_file [NAMES.csv LIST...]

NAMES.csv has a header and the columns name, birth_date (YYYY-MM-DD or empty), nationality (ALB or
empty). Each LIST is a file that `kyc list import` takes: the XML of the UN, OFAC's sdn.csv, a CSV of
your own with the columns id and name. Without arguments two invented people are screened against
the built-in sample list.";

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let result = match arguments.as_slice() {
        [] => screen(&Engine::sample(Options::default()), TWO_PEOPLE.as_bytes()),
        [first, ..] if first.to_string_lossy().starts_with('-') => Err(USAGE.into()),
        [_] => Err(format!("no list is named\n\n{USAGE}").into()),
        [names, lists @ ..] => screen_file(names, lists),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        sentence = format!("{sentence}: {error}");
        cause = error.source();
    }
    // Where nobody reads, there is nobody to tell.
    let _ = writeln!(stderr(), "{sentence}");
    ExitCode::FAILURE
}

fn screen_file(names: &Path, lists: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    let names = File::open(names).map_err(|error| format!("{}: {error}", names.display()))?;
    let folder = tempfile::tempdir()?;
    let library = Library::new(folder.path());
    library.import(lists, SystemClock.now(), Shrinkage::Refuse)?;
    screen(&library.load(&Options::default())?, names)
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
        writeln!(stdout(), "{name}: {:?}", screening.risk())?;
        for reason in screening.hits.first().iter().flat_map(|hit| &hit.reasons) {
            writeln!(stdout(), "    {reason}")?;
        }
    }
    Ok(())
}
