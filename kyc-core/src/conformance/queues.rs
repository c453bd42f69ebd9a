//! The queues of the screening worker and of the inspectors.

use super::assert_identical;
use super::fixture::{
    acknowledged, approved, client, every_state, form, form_aml_only, reopened, rescreened,
    screened, stalled, submission, time, valid,
};
use super::submission::insert_all;
use crate::{
    Aml, ClientId, Email, Hit, HitDecision, HitVerdict, QueueFilter, Queued, RiskLevel,
    ScreeningQueue, Stall, Status, Submission, SubmissionId, SubmissionStore,
};

const QUEUES: [ScreeningQueue; 3] =
    [ScreeningQueue::New, ScreeningQueue::Stalled, ScreeningQueue::Screened];

/// More than any case stores.
const ALL: usize = 1_000;

pub(super) fn cases<S: SubmissionStore>(open: &impl Fn() -> S) {
    each_change_moves_a_submission_through_the_queues(&open());
    pages_of_the_screening_queue_join_to_the_whole(&open());
    what_leaves_the_screening_queue_is_still_a_place_in_it(&open());
    the_review_queue_shows_what_the_filter_means(&open());
    the_review_queue_is_ordered_by_creation_client_and_id(&open());
    pages_of_the_review_queue_join_to_the_whole(&open());
}

fn each_change_moves_a_submission_through_the_queues(store: &impl SubmissionStore) {
    let pending = submission(1, form());
    let waiting = approved(pending.clone());
    let tried = stalled(waiting.clone(), Stall::ListMissing);
    let tried_again = stalled(tried.clone(), Stall::Failed);
    let done = screened(tried_again.clone(), RiskLevel::Low);
    let gone = rescreened(&done, RiskLevel::NotApplicable);
    let looked_at = acknowledged(gone.clone());
    let found_again = rescreened(&looked_at, RiskLevel::High);
    let taken_back = reopened(found_again.clone());

    store.insert(client(1), &pending).expect("insert");
    assert_queues(store, client(1), &[pending]);
    let steps = [waiting, tried, tried_again, done, gone, looked_at, found_again, taken_back];
    for next in steps {
        store.replace(client(1), &next).expect("replace the version before");
        assert_queues(store, client(1), &[next]);
    }

    let declared = submission(2, form_aml_only());
    store.insert(client(2), &declared).expect("insert");
    assert_queues(store, client(2), &[declared]);
}

fn pages_of_the_screening_queue_join_to_the_whole(store: &impl SubmissionStore) {
    store.insert(client(2), &approved(submission(7, form()))).expect("insert");
    insert_all(store, client(1), &every_state());
    insert_all(store, client(3), &every_state().into_iter().rev().collect::<Vec<_>>());

    for queue in QUEUES {
        let whole = store.awaiting_screening(queue, None, ALL).expect("screening queue");
        assert!(!whole.is_empty(), "the case has submissions for each queue");
        for limit in 1..=whole.len() + 1 {
            let pages = pages(limit, &|after| {
                store.awaiting_screening(queue, after, limit).expect("screening queue")
            });
            assert_same(&pages, &whole);
        }
        assert!(store.awaiting_screening(queue, None, 0).expect("screening queue").is_empty());
    }
}

fn what_leaves_the_screening_queue_is_still_a_place_in_it(store: &impl SubmissionStore) {
    for number in 1..=5 {
        let submission = approved(submission(number, form()));
        store.insert(client(1 + number % 2), &submission).expect("insert");
    }
    let mut met = Vec::new();
    let mut after: Option<Queued> = None;
    while let Some(queued) = store
        .awaiting_screening(ScreeningQueue::New, after.as_ref(), 1)
        .expect("screening queue")
        .pop()
    {
        let submission = queued.submission.clone();
        // One of three stays in the queue, as do those that fail again for the same reason.
        let changed = match met.len() % 3 {
            0 => None,
            1 => Some(screened(submission, RiskLevel::NotApplicable)),
            _ => Some(stalled(submission, Stall::Failed)),
        };
        if let Some(changed) = changed {
            store.replace(queued.client, &changed).expect("replace the version before");
        }
        met.push(queued.submission.id());
        assert!(met.len() <= 5, "the worker meets a submission again");
        after = Some(queued);
    }
    met.sort_unstable();
    let expected: Vec<SubmissionId> = (1..=5).map(super::fixture::submission_id).collect();
    assert_eq!(met, expected, "the worker meets each submission once");
}

fn the_review_queue_shows_what_the_filter_means(store: &impl SubmissionStore) {
    let mine = every_state();
    let theirs: Vec<Submission> =
        (21..=23).map(|number| submission(number, form())).chain(every_state()).collect();
    insert_all(store, client(1), &mine);
    insert_all(store, client(2), &theirs);
    let all: Vec<Queued> = queued(client(1), &mine).chain(queued(client(2), &theirs)).collect();

    let emails: [Email; 3] =
        ["APPLICANT-5@example.org", "mira.kole@example.org", "absent@example.org"].map(valid);
    let clients: [&[ClientId]; 4] = [&[], &[client(1)], &[client(2)], &[client(1), client(2)]];
    for clients in clients {
        for status in Status::ALL.map(Some).into_iter().chain([None]) {
            for email in emails.iter().map(Some).chain([None]) {
                for needs_look in [false, true] {
                    let filter = QueueFilter { clients, status, email, needs_look };
                    assert_same(&review_queue(store, &filter), &meant(&filter, &all));
                }
            }
        }
    }
}

fn the_review_queue_is_ordered_by_creation_client_and_id(store: &impl SubmissionStore) {
    let at = time(100);
    let of_id = |last: u8| {
        Submission::new(form(), SubmissionId::new(at, [9, 9, 9, 9, 9, 9, 9, 9, 9, last]), at)
    };
    let earlier = Submission::new(form(), SubmissionId::new(at, [0xff; 10]), time(99));
    let mine = [of_id(2), of_id(1)];
    let theirs = [of_id(3), of_id(0), earlier];
    insert_all(store, client(2), &theirs);
    insert_all(store, client(1), &mine);

    let all: Vec<Queued> = queued(client(1), &mine).chain(queued(client(2), &theirs)).collect();
    let clients = [client(1), client(2)];
    let filter = QueueFilter::all(&clients);
    assert_same(&review_queue(store, &filter), &meant(&filter, &all));
}

fn pages_of_the_review_queue_join_to_the_whole(store: &impl SubmissionStore) {
    insert_all(store, client(1), &every_state());
    insert_all(store, client(2), &every_state());
    let clients = [client(1), client(2)];

    for status in Status::ALL.map(Some).into_iter().chain([None]) {
        for needs_look in [false, true] {
            let filter = QueueFilter { status, needs_look, ..QueueFilter::all(&clients) };
            let whole = review_queue(store, &filter);
            for limit in 1..=whole.len() + 1 {
                let pages = pages(limit, &|after| {
                    store.review_queue(&filter, after, limit).expect("review queue")
                });
                assert_same(&pages, &whole);
            }
            assert!(store.review_queue(&filter, None, 0).expect("review queue").is_empty());
        }
    }
}

/// Checks that the queues show exactly what is due of these submissions of a client.
#[track_caller]
pub(super) fn assert_queues(
    store: &impl SubmissionStore,
    client: ClientId,
    expected: &[Submission],
) {
    for queue in QUEUES {
        let mut shown = store.awaiting_screening(queue, None, ALL).expect("screening queue");
        shown.retain(|queued| queued.client == client);
        shown.sort_by_key(|queued| queued.submission.id());
        let mut due: Vec<Queued> = queued(client, expected)
            .filter(|queued| match queued.submission.review().aml() {
                Some(Aml::Queued) => queue == ScreeningQueue::New,
                Some(Aml::Stalled(_)) => queue == ScreeningQueue::Stalled,
                Some(Aml::Screened(_)) => queue == ScreeningQueue::Screened,
                None => false,
            })
            .collect();
        due.sort_by_key(|queued| queued.submission.id());
        assert_same(&shown, &due);
    }
    let clients = [client];
    let all: Vec<Queued> = queued(client, expected).collect();
    for needs_look in [false, true] {
        let filter = QueueFilter { needs_look, ..QueueFilter::all(&clients) };
        assert_same(&review_queue(store, &filter), &meant(&filter, &all));
    }
}

fn queued(client: ClientId, all: &[Submission]) -> impl Iterator<Item = Queued> {
    all.iter().map(move |submission| Queued { client, submission: submission.clone() })
}

fn review_queue(store: &impl SubmissionStore, filter: &QueueFilter<'_>) -> Vec<Queued> {
    store.review_queue(filter, None, ALL).expect("review queue")
}

/// What the review queue has to show, by its own rules.
fn meant(filter: &QueueFilter<'_>, all: &[Queued]) -> Vec<Queued> {
    let mut meant: Vec<Queued> = all
        .iter()
        .filter(|queued| filter.clients.contains(&queued.client))
        .filter(|queued| filter.status.is_none_or(|status| status == queued.submission.status()))
        .filter(|queued| filter.email.is_none_or(|email| *email == queued.submission.form().email))
        .filter(|queued| !filter.needs_look || needs_look(&queued.submission))
        .cloned()
        .collect();
    meant.sort_by_key(|queued| {
        (queued.submission.created_at(), queued.client, queued.submission.id())
    });
    meant
}

/// Whether a hit was never decided, or cleared on other evidence, or something changed since.
fn needs_look(submission: &Submission) -> bool {
    let Some(result) = submission.result() else { return false };
    let is_open = |hit: &Hit| match submission.decisions().get(&hit.key()) {
        None => true,
        Some(HitDecision { verdict: HitVerdict::TruePositive, .. }) => false,
        Some(decision) => decision.evidence != hit.evidence,
    };
    result.seen.is_some() || result.screening.hits.iter().any(is_open)
}

/// Follows the pages of a queue to its end.
#[track_caller]
fn pages(limit: usize, page: &dyn Fn(Option<&Queued>) -> Vec<Queued>) -> Vec<Queued> {
    let mut joined: Vec<Queued> = Vec::new();
    loop {
        let page = page(joined.last());
        assert!(page.len() <= limit, "a page holds at most as many as asked for");
        if page.is_empty() {
            return joined;
        }
        joined.extend(page);
        assert!(joined.len() <= ALL, "the pages come to an end");
    }
}

#[track_caller]
fn assert_same(shown: &[Queued], expected: &[Queued]) {
    let ids = |queued: &[Queued]| -> Vec<(ClientId, SubmissionId)> {
        queued.iter().map(|queued| (queued.client, queued.submission.id())).collect()
    };
    assert_eq!(ids(shown), ids(expected), "the queue shows other submissions");
    for (shown, expected) in shown.iter().zip(expected) {
        assert_identical(&shown.submission, &expected.submission);
    }
}
