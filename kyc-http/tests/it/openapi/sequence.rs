//! Many requests in a row, in which what was answered is used.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use kyc_core::{RiskLevel, Stall};
use kyc_http::{BackupReadiness, BackupState, ListReadiness, ListState, Readiness};
use serde_json::Value;

use super::change::Change;
use super::document::{Document, Exchange, Meant};
use super::request::Draft;
use super::states::settle;
use super::values::{Dice, Maker, Names};
use crate::support::*;

/// What was answered.
#[derive(Default)]
struct Known {
    /// By id.
    submissions: BTreeMap<String, Names>,
    handles: Vec<Value>,
}

impl Known {
    fn learn(&mut self, answer: &Value) {
        if let Some(handle) = answer.get("filehash") {
            self.handles.push(handle.clone());
            return;
        }
        for list in ["items", "Items", "data"] {
            answer[list].as_array().into_iter().flatten().for_each(|item| self.learn(item));
        }
        let Some(id) = answer.get("id").or_else(|| answer.get("submission_id")) else { return };
        let mut names = Names::new();
        collect(answer, &mut names);
        // What an answer calls otherwise than a request.
        for name in ["submission_id", "nextpageKeyid", "after"] {
            names.insert(name.to_owned(), vec![id.clone()]);
        }
        if let Some(emails) = names.get("email") {
            names.insert("nextpageKeyemail".to_owned(), emails.clone());
        }
        self.submissions.entry(id.as_str().unwrap().to_owned()).or_default().extend(names);
    }

    /// One submission, as its inspector sees it now: others may have changed it.
    fn subject(&mut self, world: &World, dice: &mut Dice) -> Names {
        let mut by_status: BTreeMap<Option<String>, Vec<&String>> = BTreeMap::new();
        for (id, names) in &self.submissions {
            let status = names.get("status").map(|status| status[0].to_string());
            by_status.entry(status).or_default().push(id);
        }
        let groups: Vec<Vec<&String>> = by_status.into_values().collect();
        let group = dice.pick(&groups);
        let id = (*dice.pick(group)).clone();
        let case = world.get(Ines, &format!("/review/v1/submissions/{id}"));
        if case.status == 200 {
            // What it had before may be gone.
            self.submissions.remove(&id);
            self.learn(&case.json());
        }
        self.submissions[&id].clone()
    }
}

/// Everything in an answer that is no object, under its name.
fn collect(answer: &Value, names: &mut Names) {
    for (name, value) in answer.as_object().into_iter().flatten() {
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for item in items {
            if item.is_object() {
                collect(item, names);
            } else if !item.is_null() {
                names.entry(name.clone()).or_default().push(item.clone());
            }
        }
    }
}

/// Sends these requests to each operation, by their numbers: an even number says which change is
/// made. The seed decides on everything else.
pub(super) fn sequence(
    document: &Document,
    seed: u64,
    requests: std::ops::Range<usize>,
) -> Vec<Exchange> {
    let mut dice = Dice::new(seed);
    let mut world = World::new();
    let asked = AtomicUsize::new(0);
    world.api = world.api.with_readiness(move || readiness(asked.fetch_add(1, Relaxed)));
    let mut known = Known::default();
    let mut exchanges = settle(&world);
    for exchange in &exchanges {
        known.learn(&exchange.answer.json());
    }

    let mut order: Vec<(usize, usize)> =
        requests.flat_map(|n| (0..document.operations.len()).map(move |at| (n, at))).collect();
    dice.shuffle(&mut order);
    for (number, at) in order {
        let operation = &document.operations[at];
        // Every second request is as the document says.
        let place = number / 2 % Change::ALL.len();
        let change = if number % 2 == 0 { Change::ALL[place] } else { Change::Nothing };
        let subject = known.subject(&world, &mut dice);
        let is_form = operation.body.is_some() && !operation.names_something();
        let mut maker = Maker {
            document,
            dice: &mut dice,
            subject: &subject,
            handles: &known.handles,
            reuse: if is_form { 30 } else { 90 },
            made_up: false,
        };
        let mut draft = Draft::of(operation, &mut maker);
        let meant = draft.change(change, &mut maker);
        let answer = world.handle(draft.request());
        let is_success = answer.status == 200;
        if is_success && answer.header("content-type") == Some("application/json") {
            known.learn(&answer.json());
        }
        let mut push = |meant, answer| {
            let asked = format!("{change:?} {}", draft.describe());
            exchanges.push(Exchange { operation: operation.id.clone(), asked, meant, answer });
        };
        if is_success && draft.key().is_some() {
            let again = world.handle(draft.request());
            assert_eq!((again.status, &again.body), (200, &answer.body), "{}", draft.describe());
            assert_eq!(again.header("idempotent-replayed"), Some("true"), "{}", draft.describe());
            push(Meant::Taken, again);
        }
        push(meant, answer);
        something_else_happens(&world, &mut dice);
    }
    exchanges
}

/// What neither clients nor inspectors do.
fn something_else_happens(world: &World, dice: &mut Dice) {
    let risks = [RiskLevel::NotApplicable, RiskLevel::Low, RiskLevel::Medium, RiskLevel::High];
    let stalls = [Stall::ListMissing, Stall::ListTooOld, Stall::NoUsableName, Stall::Failed];
    let born = if dice.chance(50) { "1989" } else { "1990" };
    match dice.below(40) {
        0 => drop(world.screen(Ok(*dice.pick(&risks)))),
        1 => drop(world.screen(Err(*dice.pick(&stalls)))),
        2 => drop(world.rescreen(*dice.pick(&risks), born)),
        3 => world.later(1),
        _ => {}
    }
}

/// Each number has another one.
fn readiness(number: usize) -> Readiness {
    let lists = [ListState::Current, ListState::TooOld, ListState::Missing, ListState::Sample];
    let backups = [BackupState::Current, BackupState::TooOld, BackupState::Missing];
    let age = Some(Duration::from_secs(3_600)).filter(|_| number.is_multiple_of(3));
    let list =
        ListReadiness { list: "UN".into(), state: lists[number % 4], is_required: true, age };
    let backup = BackupReadiness { state: backups[number % 3], age };
    Readiness {
        store: number.is_multiple_of(2),
        screening: true,
        loaded: true,
        retention_waits: false,
        lists: vec![list],
        backup: Some(backup).filter(|_| !number.is_multiple_of(5)),
    }
}
