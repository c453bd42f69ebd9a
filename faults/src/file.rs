//! The content of one file: what is durable, and what came since.

use crate::Chance;

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;

#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    durable: Vec<u8>,
    /// In the order in which they were made, with their number.
    since: Vec<(usize, Change)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Length(usize),
}

/// What a power cut keeps of the changes of a file since its last sync.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    Nothing,
    Everything,
    /// The first ones.
    Beginning,
    /// Each one or not: as if they had been written in another order.
    Some,
    /// Each sector of each or not.
    Torn,
}

impl Fate {
    pub(crate) fn of(chance: &mut Chance) -> Self {
        match chance.below(8) {
            0 => Self::Nothing,
            1 => Self::Everything,
            2 => Self::Beginning,
            3 | 4 => Self::Some,
            _ => Self::Torn,
        }
    }
}

impl File {
    pub(crate) fn change(&mut self, number: usize, change: Change) {
        self.since.push((number, change));
    }

    /// Makes durable what happened before `from`.
    pub(crate) fn sync(&mut self, from: usize) {
        let pending = self.since.partition_point(|(number, _)| *number < from);
        for (_, change) in self.since.drain(..pending) {
            change.apply(&mut self.durable);
        }
    }

    pub(crate) fn whole(&self) -> Vec<u8> {
        let mut content = self.durable.clone();
        self.since.iter().for_each(|(_, change)| change.apply(&mut content));
        content
    }

    pub(crate) fn cut(&self, fate: Fate, chance: &mut Chance) -> Vec<u8> {
        let mut content = self.durable.clone();
        let beginning = usize::try_from(chance.below(self.since.len() as u64 + 1)).unwrap_or(0);
        let percent = chance.below(101);
        for (place, (_, change)) in self.since.iter().enumerate() {
            let is_kept = match fate {
                Fate::Nothing => false,
                Fate::Everything => true,
                Fate::Beginning => place < beginning,
                Fate::Some => chance.percent(percent),
                Fate::Torn => {
                    change.apply_torn(&mut content, percent, chance);
                    false
                }
            };
            if is_kept {
                change.apply(&mut content);
            }
        }
        content
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write { offset, bytes } => write(content, *offset, bytes),
            Self::Length(length) => content.resize(*length, 0),
        }
    }

    fn apply_torn(&self, content: &mut Vec<u8>, percent: u64, chance: &mut Chance) {
        let Self::Write { offset, bytes } = self else {
            if chance.percent(percent) {
                self.apply(content);
            }
            return;
        };
        let (mut at, mut left) = (*offset, bytes.as_slice());
        while !left.is_empty() {
            let (sector, rest) = left.split_at(left.len().min(SECTOR - at % SECTOR));
            if chance.percent(percent) {
                write(content, at, sector);
            } else if chance.percent(20) && content.len() < at + sector.len() {
                content.resize(at + sector.len(), 0);
            }
            (at, left) = (at + sector.len(), rest);
        }
    }
}

fn write(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    if let Some(place) = content.get_mut(offset..end) {
        place.copy_from_slice(bytes);
    }
}
