//! Power loss (G2, T27): the store is recorded while it works, and the disk is put together again
//! as power cuts may have left it, at every sync and in between. Each time the real store is opened
//! on it, and everything that was answered has to be there.
//!
//! `KYC_POWER_CUTS` says how many power cuts, 300 unless it is set; `KYC_POWER_SEED` with which seed
//! they begin. A cut that loses something leaves its folder, and says its seed.
#![cfg(target_os = "linux")]

mod recorder;
mod rotation; // keys that are replaced
mod upgrade; // data folders of earlier releases
mod work;

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::{env, fs};

use faults::{Chance, Disk, Event, FileNumber, Image};
use tempfile::TempDir;

use crate::recorder::Recording;
use crate::work::{Answered, ROUNDS};

#[test]
fn t27_g2_what_was_answered_survives_power_cuts() {
    let number = |name: &str, otherwise| {
        env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let cuts = number("KYC_POWER_CUTS", 300) / u64::from(ROUNDS);
    let seed = number("KYC_POWER_SEED", 1);
    let mut start = Image::default();
    let mut answered = Vec::new();
    for round in 0..ROUNDS {
        let mut tried = Tried { round, seed: seed + u64::from(round) * cuts, cuts, last: None };
        tried.run(&start, &answered);
        (start, answered) = tried.last.expect("a power cut");
    }
}

struct Tried {
    round: u32,
    seed: u64,
    cuts: u64,
    /// What the last power cut left, and what had been answered.
    last: Option<(Image, Vec<Answered>)>,
}

impl Tried {
    /// Records the store on what there is, and cuts its power again and again.
    fn run(&mut self, start: &Image, before: &[Answered]) {
        let folder = put_together(start);
        let root = folder.path().canonicalize().unwrap();
        let (mut disk, known) = Disk::of_image(start);
        let session = recorder::begin(&root, known);
        let mut recording = work::record(&root, self.round);
        recording.events = session.end();
        assert_complete(&disk, &recording.events, &root);

        let moments = moments(&recording, self.cuts, self.seed);
        let Recording { events, notes } = recording;
        let mut moments = moments.into_iter().peekable();
        for (number, event) in events.into_iter().enumerate() {
            while let Some((_, seed)) = moments.next_if(|(moment, _)| *moment == number) {
                let answered = notes.iter().filter(|(moment, _)| *moment <= number);
                let answered = before.iter().copied().chain(answered.map(|(_, what)| *what));
                self.cut(&disk, seed, answered.collect());
            }
            disk.take(number, event);
        }
    }

    fn cut(&mut self, disk: &Disk, seed: u64, answered: Vec<Answered>) {
        let image = disk.cut(&mut Chance::new(seed));
        let folder = put_together(&image);
        if let Err(lost) = work::check(folder.path(), self.round, &answered) {
            // As it was left, not as the check has left it.
            let kept = put_together(&image).keep();
            panic!("power cut with the seed {seed}: {lost}; see {}", kept.display());
        }
        self.last = Some((image, answered));
    }
}

/// At which events the power is cut, in their order, each with a seed: before and behind every sync
/// in turn, and as often anywhere.
fn moments(recording: &Recording<Answered>, cuts: u64, seed: u64) -> Vec<(usize, u64)> {
    let is_sync =
        |event: &Event| matches!(event, Event::Synced { .. } | Event::FolderSynced { .. });
    let events = &recording.events;
    let syncs: Vec<usize> = (0..events.len()).filter(|number| is_sync(&events[*number])).collect();
    let mut moments: Vec<(usize, u64)> = (0..cuts)
        .map(|cut| {
            let mut chance = Chance::new((seed + cut) ^ u64::MAX);
            let of = |count: usize, chance: &mut Chance| {
                usize::try_from(chance.below(count as u64)).unwrap()
            };
            let moment = match cut % 4 {
                0 | 1 => syncs[of(syncs.len(), &mut chance)],
                2 => syncs[of(syncs.len(), &mut chance)] + 1,
                _ => of(events.len(), &mut chance),
            };
            (moment.min(events.len() - 1), seed + cut)
        })
        .collect();
    moments.sort_unstable();
    moments
}

/// Does some work on a disk, and cuts the power so many times at every event of it: what is left then
/// has to pass.
#[track_caller]
fn cut_at_every_event(
    start: &Image,
    seeds: u64,
    work: impl FnOnce(&Path),
    check: impl Fn(&Path) -> Result<(), String>,
) {
    let (mut disk, known) = Disk::of_image(start);
    let folder = put_together(start);
    let root = folder.path().canonicalize().unwrap();
    let session = recorder::begin(&root, known);
    work(&root);
    let events = session.end();
    assert_complete(&disk, &events, &root);
    for (number, event) in events.into_iter().enumerate() {
        for seed in 0..seeds {
            let image = disk.cut(&mut Chance::new(seed << 32 | number as u64));
            let cut = put_together(&image);
            if let Err(wrong) = check(cut.path()) {
                panic!("event {number}, seed {seed}: {wrong}");
            }
        }
        disk.take(number, event);
    }
}

/// Checks that the recording leads to what is there: nothing was written past the recorder.
fn assert_complete(start: &Disk, events: &[Event], root: &Path) {
    let mut disk = start.clone();
    for (number, event) in events.iter().enumerate() {
        disk.take(number, event.clone());
    }
    let (recorded, mut there) = (disk.whole(), BTreeMap::new());
    read(root, root, &mut there);
    let names = |files: &BTreeMap<_, _>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&recorded), names(&there));
    for (path, content) in there {
        assert!(recorded[&path] == content, "{} was written past the recorder", path.display());
    }
}

fn read(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(root, &path, found);
        } else if path.extension().is_none_or(|end| end != "sqlite-shm") {
            found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
}

/// Makes the folder that a power cut left, in memory where the system has such a place.
fn put_together(image: &Image) -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let folder = folder.unwrap();
    for path in &image.folders {
        fs::DirBuilder::new().mode(0o700).create(folder.path().join(path)).unwrap();
    }
    for (path, content) in &image.files {
        let mut options = fs::OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(folder.path().join(path));
        file.unwrap().write_all(content).unwrap();
    }
    folder
}

#[test]
fn a_disk_keeps_what_was_synced_and_loses_some_of_the_rest() {
    let file = FileNumber(1);
    let mut disk = Disk::default();
    disk.take(0, Event::Made { file, path: "a".into() });
    disk.take(1, Event::FolderSynced { folder: "".into(), from: 1 });
    disk.take(2, Event::Written { file, offset: 0, bytes: vec![1; 2_000] });
    disk.take(3, Event::Synced { file, from: 3 });
    disk.take(4, Event::Written { file, offset: 0, bytes: vec![2; 2_000] });
    disk.take(5, Event::Renamed { file, from: "a".into(), to: "b".into() });
    let mut seen = [false; 4];
    for seed in 0..200 {
        let image = disk.cut(&mut Chance::new(seed));
        assert_eq!(image.files.len(), 1, "a renaming is one thing");
        let (name, content) = image.files.first_key_value().unwrap();
        assert_eq!(content.len(), 2_000);
        let sectors: Vec<&[u8]> = content.chunks(512).collect();
        assert!(sectors.iter().all(|sector| sector.iter().all(|byte| *byte == sector[0])));
        let new = sectors.iter().filter(|sector| sector[0] == 2).count();
        seen[0] |= name == Path::new("a");
        seen[1] |= name == Path::new("b");
        seen[2] |= new == 0;
        seen[3] |= new > 0 && new < sectors.len();
    }
    assert_eq!(seen, [true; 4], "both names, the old content, and a mixture");
}
