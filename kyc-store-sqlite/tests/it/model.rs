//! Random calls give the same answers on the store and on the reference implementation, also after
//! the store was closed and opened again on the way.

use std::ops::ControlFlow;

use kyc_core::conformance::fixture::{
    client, form, form_aml_only, inspector, submission_id, time, valid,
};
use kyc_core::memory::MemorySubmissions;
use kyc_core::strategies::{Change, changes};
use kyc_core::{
    Answer, Beside, Caller, ClientId, Email, Fingerprint, Form, Kept, KeyedRequest, Listing,
    Lookup, PageKey, Preference, QueueFilter, Queued, Replay, ScreeningQueue, Status, StoreError,
    Submission, SubmissionId, SubmissionStore, Timestamp, UserId,
};
use kyc_store_sqlite::SqliteStore;
use proptest::option;
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use tempfile::TempDir;

use crate::support::{folder, open, open_sealed};

/// What a caller can do to a store. Few values of each, so that they meet often.
#[derive(Debug, Clone)]
enum Call {
    Insert {
        client: ClientId,
        submission: Box<Submission>,
        asked: Option<Asked>,
    },
    /// Changes the stored submission of that id, if there is one; `stale` with the version it had.
    Replace {
        client: ClientId,
        id: SubmissionId,
        change: Box<Change>,
        stale: bool,
        asked: Option<Asked>,
    },
    FindAnswer(Asked),
    ForgetAnswers(Timestamp),
    Find {
        client: ClientId,
        wanted: Wanted,
        preference: Preference,
    },
    List {
        client: ClientId,
        after: Option<(SubmissionId, Email)>,
        count: usize,
    },
    Screening {
        queue: ScreeningQueue,
        limit: usize,
    },
    Review {
        clients: Vec<ClientId>,
        status: Option<Status>,
        email: Option<Email>,
        needs_look: bool,
        limit: usize,
    },
    Reopen,
}

/// A request under a key.
#[derive(Debug, Clone)]
struct Asked {
    by: Caller,
    key: u8,
    what: u8,
    at: Timestamp,
}

impl Asked {
    fn replay(&self) -> Replay {
        let request = KeyedRequest {
            caller: self.by.clone(),
            key: valid(&format!("key-{}", self.key)),
            fingerprint: Fingerprint([self.what; 32]),
        };
        let answer = Answer { status: 200 + u16::from(self.what), body: vec![self.what; 300] };
        Replay { request, answer, at: self.at }
    }

    fn beside(asked: Option<&Self>) -> Beside {
        asked.map_or(Beside::NOTHING, |asked| Beside::answer(asked.replay()))
    }
}

#[derive(Debug, Clone)]
struct Wanted {
    email: Option<Email>,
    user_id: Option<UserId>,
    id: Option<SubmissionId>,
}

fn clients() -> impl Strategy<Value = ClientId> {
    (1..3_u32).prop_map(client)
}

fn ids() -> impl Strategy<Value = SubmissionId> {
    (1..12_u32).prop_map(submission_id)
}

fn emails() -> impl Strategy<Value = Email> {
    let spellings = ["mira@example.org", "MIRA@Example.org", "leo@example.org", "zoë@example.org"];
    prop::sample::select(spellings.to_vec()).prop_map(valid)
}

fn user_ids() -> impl Strategy<Value = UserId> {
    (0..2_u32).prop_map(|number| valid(&format!("user-{number}")))
}

/// Creation is in another order than the ids, and often the same.
fn submissions() -> impl Strategy<Value = Submission> {
    let forms = prop_oneof![3 => Just(form()), 1 => Just(form_aml_only())];
    let names = prop::sample::select(vec!["Mira", "MIRÁ", "Leo"]);
    (forms, emails(), option::of(user_ids()), names, ids(), 0..4_u32).prop_map(
        |(form, email, user_id, name, id, at)| {
            let mut form = Form { email, user_id, ..form };
            form.applicant.first_name = valid(name);
            Submission::new(form, id, time(at))
        },
    )
}

/// Hours, so that some answers are over and others are not, and the clock goes back now and then.
fn times() -> impl Strategy<Value = Timestamp> {
    (0..60_u32).prop_map(|hours| time(hours * 3_600))
}

fn asked() -> impl Strategy<Value = Asked> {
    let callers = [
        Caller::Client(client(1)),
        Caller::Client(client(2)),
        Caller::Inspector(inspector().into()),
    ];
    (prop::sample::select(callers.to_vec()), 0..3_u8, 0..2_u8, times())
        .prop_map(|(by, key, what, at)| Asked { by, key, what, at })
}

fn calls() -> impl Strategy<Value = Call> {
    let preferences = prop_oneof![Just(Preference::Best), Just(Preference::Latest)];
    let queues = [ScreeningQueue::New, ScreeningQueue::Stalled, ScreeningQueue::Screened];
    let queues = prop::sample::select(queues.to_vec());
    let wanted = (option::of(emails()), option::of(user_ids()), option::weighted(0.3, ids()))
        .prop_map(|(email, user_id, id)| Wanted { email, user_id, id });
    let statuses = prop::sample::select(Status::ALL.to_vec());
    prop_oneof![
        8 => (clients(), submissions(), option::of(asked())).prop_map(
            |(client, submission, asked)| {
                Call::Insert { client, submission: Box::new(submission), asked }
            },
        ),
        8 => (
            clients(),
            ids(),
            changes(),
            prop::bool::weighted(0.1),
            option::of(asked()),
        ).prop_map(|(client, id, change, stale, asked)| {
            Call::Replace { client, id, change: Box::new(change), stale, asked }
        }),
        4 => asked().prop_map(Call::FindAnswer),
        1 => times().prop_map(Call::ForgetAnswers),
        6 => (clients(), wanted, preferences).prop_map(|(client, wanted, preference)| {
            Call::Find { client, wanted, preference }
        }),
        2 => (clients(), option::of((ids(), emails())), 0..9_usize).prop_map(
            |(client, after, count)| Call::List { client, after, count },
        ),
        1 => (queues, 0..5_usize).prop_map(|(queue, limit)| Call::Screening { queue, limit }),
        2 => (
            prop::sample::subsequence(vec![client(1), client(2)], 0..3),
            option::of(statuses),
            option::of(emails()),
            any::<bool>(),
            0..5_usize,
        ).prop_map(|(clients, status, email, needs_look, limit)| {
            Call::Review { clients, status, email, needs_look, limit }
        }),
        1 => Just(Call::Reopen),
    ]
}

/// All that a caller sees of a call.
#[derive(Debug, PartialEq)]
enum Seen {
    Outcome(Result<(), String>),
    Found(Option<Box<Found>>),
    Shown(Listing, Vec<String>),
    Queue(Vec<(ClientId, Whole)>),
    Kept(Option<Kept>),
    Forgotten(usize),
    Nothing,
}

#[derive(Debug, PartialEq)]
struct Found {
    submission: Whole,
    duplicates: Vec<(SubmissionId, String)>,
}

/// A submission, and the spelling of the address, which is no part of its equality.
#[derive(Debug, PartialEq)]
struct Whole(Submission, String);

impl Whole {
    fn of(submission: &Submission) -> Self {
        Self(submission.clone(), submission.form().email.as_str().to_owned())
    }

    fn queued(queued: &Queued) -> (ClientId, Self) {
        (queued.client, Self::of(&queued.submission))
    }
}

fn observe(store: &dyn SubmissionStore, call: &Call) -> Seen {
    match call {
        Call::Insert { client, submission, asked } => {
            outcome(store.insert_with(*client, submission, Asked::beside(asked.as_ref())))
        }
        Call::FindAnswer(asked) => {
            Seen::Kept(store.find_answer(&asked.replay().request, asked.at).unwrap())
        }
        Call::ForgetAnswers(now) => Seen::Forgotten(store.forget_answers(*now, 1_000).unwrap()),
        Call::Replace { client, id, change, stale, asked } => {
            let beside = Asked::beside(asked.as_ref());
            let lookup = Lookup { id: Some(*id), ..Lookup::default() };
            let Some(stored) = store.find(*client, &lookup, Preference::Latest).unwrap() else {
                return Seen::Nothing;
            };
            if *stale {
                return outcome(store.replace_with(*client, &stored, beside));
            }
            let changed = Change::clone(change).apply(stored);
            changed.map_or(Seen::Nothing, |changed| {
                outcome(store.replace_with(*client, &changed, beside))
            })
        }
        Call::Find { client, wanted, preference } => find(store, *client, wanted, *preference),
        Call::List { client, after, count } => list(store, *client, after.clone(), *count),
        Call::Screening { queue, limit } => {
            let mut met = pages(&|after| store.awaiting_screening(*queue, after, *limit).unwrap());
            // The order is each store's own; page by page, everything is met once.
            met.sort_by_key(|(client, whole)| (*client, whole.0.id()));
            Seen::Queue(met)
        }
        Call::Review { clients, status, email, needs_look, limit } => {
            let (status, email, needs_look) = (*status, email.as_ref(), *needs_look);
            let filter = QueueFilter { clients, status, email, needs_look };
            Seen::Queue(pages(&|after| store.review_queue(&filter, after, *limit).unwrap()))
        }
        Call::Reopen => Seen::Nothing,
    }
}

fn outcome(outcome: Result<(), StoreError>) -> Seen {
    Seen::Outcome(outcome.map_err(|error| error.to_string()))
}

fn find(
    store: &dyn SubmissionStore,
    client: ClientId,
    wanted: &Wanted,
    preference: Preference,
) -> Seen {
    let Wanted { email, user_id, id } = wanted;
    let lookup = Lookup { email: email.as_ref(), user_id: user_id.as_ref(), id: *id };
    let alone = store.find(client, &lookup, preference).unwrap();
    let found = store.find_with_duplicates(client, &lookup, preference).unwrap();
    assert_eq!(alone.as_ref(), found.as_ref().map(|(submission, _)| submission));
    Seen::Found(found.map(|(submission, duplicates)| {
        let duplicates = duplicates.iter().map(|other| (other.id, other.email.as_str().to_owned()));
        let (submission, duplicates) = (Whole::of(&submission), duplicates.collect());
        Box::new(Found { submission, duplicates })
    }))
}

fn list(
    store: &dyn SubmissionStore,
    client: ClientId,
    after: Option<(SubmissionId, Email)>,
    count: usize,
) -> Seen {
    let after = after.map(|(id, email)| PageKey { email, id });
    let mut shown = Vec::new();
    let listing = store.list(client, after.as_ref(), &mut |listed| {
        shown
            .push(format!("{} {} {} {:?}", listed.id, listed.email, listed.first_name, listed.aml));
        if shown.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    Seen::Shown(listing.unwrap(), shown)
}

/// Everything in a queue, page by page.
fn pages(page: &dyn Fn(Option<&Queued>) -> Vec<Queued>) -> Vec<(ClientId, Whole)> {
    let (mut met, mut after) = (Vec::new(), None);
    loop {
        let page = page(after.as_ref());
        met.extend(page.iter().map(Whole::queued));
        assert!(met.len() < 1_000, "the pages come to an end");
        match page.into_iter().next_back() {
            Some(last) => after = Some(last),
            None => return met,
        }
    }
}

/// There is no other model than the reference implementation, which runs beside the store. The state
/// is whether the store has a vault.
struct Calls;

impl ReferenceStateMachine for Calls {
    type State = bool;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<bool> {
        any::<bool>().boxed()
    }

    fn transitions(_: &bool) -> BoxedStrategy<Call> {
        calls().boxed()
    }

    fn apply(has_vault: bool, _: &Call) -> bool {
        has_vault
    }
}

struct BothStores {
    oracle: MemorySubmissions,
    /// `None` only while it is opened again.
    store: Option<SqliteStore>,
    folder: TempDir,
}

impl StateMachineTest for BothStores {
    type SystemUnderTest = Self;
    type Reference = Calls;

    fn init_test(has_vault: &bool) -> Self {
        let folder = folder();
        let store = Some(if *has_vault { open_sealed(&folder) } else { open(&folder) });
        Self { oracle: MemorySubmissions::default(), store, folder }
    }

    fn apply(mut both: Self, has_vault: &bool, call: Call) -> Self {
        if let Call::Reopen = call {
            both.store = None;
            let open = if *has_vault { open_sealed } else { open };
            both.store = Some(open(&both.folder));
        }
        let store = both.store.as_ref().unwrap();
        assert_eq!(observe(store, &call), observe(&both.oracle, &call));
        both
    }
}

/// How many runs: `KYC_MODEL_CASES` says, 48 unless it is set (G5).
fn cases() -> u32 {
    std::env::var("KYC_MODEL_CASES").map_or(48, |count| count.parse().unwrap())
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn the_store_answers_as_the_reference_implementation(sequential 1..60 => BothStores);
}
