//! The results of a walk, some at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use kyc_core::service::Service;
use kyc_core::{Covered, QueuePlace, Queued, Screening, Subject, Walk};
use kyc_screening::{Applicants, Options};

use super::Lists;
use super::change::{Change, Changes, lists_of};
use crate::exit::Failure;

/// Some results that follow each other, and whom of them to screen again.
pub(super) struct Portion {
    /// How many they are.
    pub(super) results: u64,
    /// The last of them.
    pub(super) last: Option<QueuePlace>,
    /// Whether no result follows.
    pub(super) is_last: bool,
    again: Again,
}

/// Who is screened again.
enum Again {
    Everybody(Vec<Queued>),
    /// Few of many, so they are read once more rather than all kept.
    Some(Vec<QueuePlace>),
}

impl Portion {
    /// All of them are screened.
    pub(super) fn of_everybody(service: &Service, walk: &Walk) -> Result<Self, Failure> {
        let page = service.screened_behind(walk.after, PAGE)?;
        Ok(Self {
            results: page.len() as u64,
            last: page.last().map(Queued::place).or(walk.after),
            is_last: page.is_empty(),
            again: Again::Everybody(page),
        })
    }

    /// Those are screened whom the changes may concern; `None` when it was interrupted.
    pub(super) fn of_concerned(
        service: &Service,
        changes: &mut Changes,
        walk: &Walk,
        covered: Option<&Covered>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Failure> {
        let mut groups: BTreeMap<Lists, Group> = BTreeMap::new();
        let (mut results, mut last, mut is_last) = (0, walk.after, false);
        while results < RESULTS_MAX && !is_last {
            if is_over() {
                return Ok(None);
            }
            let page = service.screened_behind(last, PAGE)?;
            for queued in &page {
                let Some(result) = queued.submission.result() else { continue };
                let lists = lists_of(&result.screening, covered);
                if lists == walk.target.lists {
                    continue;
                }
                if !groups.contains_key(&lists) {
                    let change = changes.since(&lists, &walk.target.lists)?;
                    groups.insert(lists.clone(), Group::new(change));
                }
                if let Some(group) = groups.get_mut(&lists) {
                    group.add(queued, &result.screening);
                }
            }
            results += page.len() as u64;
            is_last = page.is_empty();
            last = page.last().map(Queued::place).or(last);
        }
        let again = groups.into_values().flat_map(Group::concerned).collect();
        Ok(Some(Self { results, last, is_last, again: Again::Some(again) }))
    }

    /// Some of those who are screened again, and not yet taken; `None` at the end.
    pub(super) fn next_batch(
        &mut self,
        service: &Service,
        count: usize,
    ) -> Result<Option<Vec<Queued>>, Failure> {
        Ok(match &mut self.again {
            Again::Everybody(people) => last_of(people, count),
            Again::Some(places) => match last_of(places, count) {
                None => None,
                Some(places) => {
                    let people = places.into_iter().map(|place| service.queued_at(place));
                    Some(people.filter_map(Result::transpose).collect::<Result<_, _>>()?)
                }
            },
        })
    }
}

/// Takes some out of what is left.
fn last_of<T>(left: &mut Vec<T>, count: usize) -> Option<Vec<T>> {
    (!left.is_empty()).then(|| left.split_off(left.len().saturating_sub(count)))
}

/// People whose results agree with the same lists.
struct Group {
    change: Arc<Change>,
    people: Applicants<QueuePlace>,
}

impl Group {
    fn new(change: Arc<Change>) -> Self {
        Self { change, people: Applicants::new(Options::default()) }
    }

    fn add(&mut self, queued: &Queued, screening: &Screening) {
        let subject = Subject::of(queued.submission.form());
        self.people.add(queued.place(), &subject, screening);
    }

    /// Those of them whom the changes may concern.
    fn concerned(self) -> Vec<QueuePlace> {
        match &*self.change {
            Change::Records(delta) => self.people.affected(delta).into_iter().copied().collect(),
            Change::Unknown => self.people.keys().to_vec(),
        }
    }
}

const PAGE: usize = if cfg!(test) { 2 } else { 1_024 };

/// Enough that the search for each changed name is worth its while, few enough for the memory: some
/// hundred bytes each.
const RESULTS_MAX: u64 = if cfg!(test) { 3 } else { 65_536 };
