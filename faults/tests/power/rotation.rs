//! Rotations (D92, D117): the master key, whole and in two shares, and a client's key are replaced,
//! and the power is cut at every event. An end of the process is one of these cuts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use faults::Image;
use kyc_core::conformance::fixture::{client, form, submission, submission_id, time};
use kyc_core::{Lookup, Preference, SubmissionStore};
use kyc_store_sqlite::{Options, SqliteStore};
use kyc_vault::Source;

use crate::{cut_at_every_event, put_together, read};

#[test]
fn t25_d117_a_rotation_that_is_cut_off_anywhere_leaves_a_key_that_opens() {
    for source in [whole, shared] {
        let work = |root: &Path| rotate(&open(root, source).unwrap());
        cut_at_every_event(&sealed(source), SEEDS, work, |left| check(left, source));
    }
}

/// How often the power is cut at each event.
const SEEDS: u64 = 3;

fn whole(folder: &Path) -> Source {
    Source::file(folder.join("master.key"))
}

fn shared(folder: &Path) -> Source {
    Source::share_files(["one.key", "other.key"].map(|name| folder.join(name)))
}

fn open(folder: &Path, source: fn(&Path) -> Source) -> Result<SqliteStore, String> {
    let options = Options::default().with_vault(source(folder));
    SqliteStore::open(&folder.join("data"), options).map_err(|error| format!("{error:?}"))
}

fn rotate(store: &SqliteStore) {
    store.rotate_master_key(time(1)).unwrap();
    store.rotate_client_key(client(1), time(2), &mut |_| ()).unwrap();
    store.rotate_master_key(time(3)).unwrap();
}

/// A folder with something that is sealed.
fn sealed(source: fn(&Path) -> Source) -> Image {
    let folder = put_together(&Image::default());
    let store = open(folder.path(), source).unwrap();
    store.add_client(&"acme".parse().unwrap(), time(0)).unwrap();
    for number in 0..SUBMISSIONS {
        store.insert(client(1), &submission(number, form())).unwrap();
    }
    drop(store);
    let mut image = Image::default();
    read(folder.path(), folder.path(), &mut image.files);
    image.folders = folders(&image);
    image
}

/// The folders of the files, and those that the store needs.
fn folders(image: &Image) -> BTreeSet<PathBuf> {
    let above = image.files.keys().flat_map(|path| path.ancestors().skip(1));
    let mut folders: BTreeSet<PathBuf> = above.map(Path::to_owned).collect();
    folders.extend(["data/documents", "data/tmp", "data/backup"].map(PathBuf::from));
    folders.remove(Path::new(""));
    folders
}

/// Opens what was left, reads everything, and rotates again.
fn check(folder: &Path, source: fn(&Path) -> Source) -> Result<(), String> {
    let store = open(folder, source)?;
    every_submission_opens(&store)?;
    rotate(&store);
    every_submission_opens(&store)?;
    drop(store);
    every_submission_opens(&open(folder, source)?)
}

fn every_submission_opens(store: &SqliteStore) -> Result<(), String> {
    for number in 0..SUBMISSIONS {
        let lookup = Lookup { id: Some(submission_id(number)), ..Lookup::default() };
        let found = SubmissionStore::find(store, client(1), &lookup, Preference::Best);
        if found.map_err(|error| format!("{number}: {error:?}"))?.is_none() {
            return Err(format!("submission {number} is lost"));
        }
    }
    Ok(())
}

const SUBMISSIONS: u32 = 3;
