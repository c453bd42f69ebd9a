//! Stores that fail at random, before a change and after it, and clients that send again under the
//! same key until they are answered (G4): every request has one effect and one answer.
//!
//! `KYC_FAULT_SEEDS` says how many courses of events are tried; 10,000 unless it is set. A failure names
//! its seed, and `KYC_FAULT_SEED` tries that one alone.

use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;

use kyc_core::conformance::faulty::{Call, Fault, Faulty};
use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};
use kyc_core::{AuditEvent, AuditLog};

use crate::idempotency::Post;
use crate::support::*;

/// Random numbers that a seed repeats (`SplitMix64`).
struct Dice(AtomicU64);

impl Dice {
    fn below(&self, sides: u64) -> u64 {
        let step = 0x9e37_79b9_7f4a_7c15;
        let mut mixed = self.0.fetch_add(step, Ordering::Relaxed).wrapping_add(step);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    /// What goes wrong in a call: a change often, and then mostly after it was made.
    fn fault(&self, call: Call) -> Option<Fault> {
        match (call, self.below(12)) {
            (Call::Write, 0..4) => Some(Fault::AnswerLost),
            (Call::Write, 4) | (Call::Read, 0) => Some(Fault::Refused),
            (_, 5) => Some(Fault::Busy(1)),
            _ => None,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Upload,
    Submit,
    Approve,
    Reopen,
    ScreenAlone,
    Renew,
}

impl Step {
    /// The request, about the submission of that id.
    fn post(self, id: &str) -> Post {
        match self {
            Self::Upload => Post::upload("/v2/submissions/upload", "passport", &pdf()),
            Self::Submit => Post::form("/v2/submissions", &FORM),
            Self::Approve => {
                let body = r#"{"version":1,"id_expired_date":"2031-03-02"}"#;
                Post::decision(id, "approve", body)
            }
            Self::Reopen => Post::decision(id, "reopen", r#"{"version":2,"reason":"Too early"}"#),
            Self::ScreenAlone => Post::form("/v2/amlonly", &Sent::mira_aml_only().body()),
            Self::Renew => {
                let path = "/v2/submissions/renewaml/mira.kole@example.org";
                Post::form(&format!("{path}/{id}"), "")
            }
        }
    }

    /// What is asked for next, once this was answered.
    fn next(self) -> Option<Self> {
        match self {
            Self::Submit => Some(Self::Approve),
            Self::Approve => Some(Self::Reopen),
            Self::ScreenAlone => Some(Self::Renew),
            Self::Upload | Self::Reopen | Self::Renew => None,
        }
    }
}

/// A request that is sent until it was answered some times.
struct Pending {
    step: Step,
    id: String,
    key: String,
    first: Option<Answer>,
    answers_missing: u64,
}

/// Forms for two documents that were uploaded: the same in every course of events.
static FORM: LazyLock<String> = LazyLock::new(|| World::new().l1(Acme).body());

fn run(seed: u64) {
    let dice = Arc::new(Dice(AtomicU64::new(seed)));
    let (audit, is_bad) = (Arc::new(MemoryAudit::default()), Arc::new(AtomicBool::new(false)));
    let faults = || {
        let (dice, is_bad) = (Arc::clone(&dice), Arc::clone(&is_bad));
        move |call| is_bad.load(Ordering::Relaxed).then(|| dice.fault(call)).flatten()
    };
    let submissions = MemorySubmissions::default().with_audit(Arc::clone(&audit));
    let documents = MemoryDocuments::default().with_audit(Arc::clone(&audit));
    let world = World::over(
        Arc::new(Faulty::new(submissions, faults())),
        Arc::new(Faulty::new(documents, faults())),
        Arc::new(directory()),
        audit.clone(),
    );
    // Every change has a row in the audit; so has an answer that an inspector is given again.
    let changes = || {
        let rows = audit.audited(Some(client_id(Acme)), 0, 1_000).unwrap();
        rows.iter().filter(|row| row.entry.event != AuditEvent::AnswerRepeated).count() as u64
    };
    assert_eq!(world.l1(Acme).body(), *FORM);
    let before = changes();
    is_bad.store(true, Ordering::Relaxed);

    let mut asked = 0;
    let mut ask = |step, id: &str| {
        asked += 1;
        let answers_missing = 1 + dice.below(3);
        let (id, key) = (id.to_owned(), format!("request-{asked}"));
        Pending { step, id, key, first: None, answers_missing }
    };
    let mut pending =
        vec![ask(Step::Upload, ""), ask(Step::Submit, ""), ask(Step::ScreenAlone, "")];
    let mut sent = 0;
    while !pending.is_empty() {
        sent += 1;
        assert!(sent < 1_000, "the failures do not end");
        let place = usize::try_from(dice.below(pending.len() as u64)).unwrap();
        let Pending { step, id, key, first, answers_missing } = &mut pending[place];
        let answer = step.post(id).keyed(&world, key);
        if answer.status == 500 {
            continue;
        }
        assert_eq!(answer.status, 200, "{step:?}: {}", answer.text());
        *answers_missing -= 1;
        let is_over = *answers_missing == 0;
        let mut follow_up = None;
        if let Some(first) = first {
            assert_eq!(answer.body, first.body, "{step:?}: every answer is the first one");
        } else {
            let is_new = matches!(step, Step::Submit | Step::ScreenAlone);
            let about = if is_new { answer.text_at("/id") } else { id.clone() };
            follow_up = step.next().map(|next| ask(next, &about));
            *first = Some(answer);
        }
        if is_over {
            pending.remove(place);
        }
        pending.extend(follow_up);
    }
    assert_eq!(changes() - before, asked, "one effect each");
}

#[test]
fn t28_g4_under_a_key_no_failure_doubles_an_effect() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    if let Some(seed) = number("KYC_FAULT_SEED") {
        return run(seed);
    }
    let seeds = number("KYC_FAULT_SEEDS").unwrap_or(10_000);
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut seed = next.fetch_add(1, Ordering::Relaxed);
                while seed < seeds {
                    let course = catch_unwind(|| run(seed));
                    assert!(course.is_ok(), "it failed with KYC_FAULT_SEED={seed}");
                    seed = next.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
}
