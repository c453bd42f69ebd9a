use std::collections::BTreeSet;

use kyc_core::conformance::fixture::{
    acknowledged, altered, approved, cleared, confirmed, form, form_aml_only, hit, inspector,
    rejected, reopened, rescreened_altered, sample, screened, screening, stalled, submission,
    submission_id, time, valid,
};
use kyc_core::strategies::{Action, changes, hits, risk_levels, screenings, submissions};
use kyc_core::{
    Actor, Event, FactChange, Forbidden, Hit, HitChanges, HitKey, HitStanding, HitVerdict,
    Rescreening, RiskLevel, Screening, Stall, Submission,
};
use proptest::prelude::*;

const FALSE: HitVerdict = HitVerdict::FalsePositive;
const TRUE: HitVerdict = HitVerdict::TruePositive;

fn found(risk: RiskLevel) -> Submission {
    screened(approved(submission(1, form())), risk)
}

fn decide(submission: Submission, key: &HitKey, verdict: HitVerdict) -> Submission {
    submission.decide_hit(&inspector(), time(900), key, verdict, valid("A note.")).unwrap()
}

fn hits_of(submission: &Submission) -> &[Hit] {
    &submission.result().unwrap().screening.hits
}

/// The result of a later screening with these hits.
fn with_hits(submission: &Submission, hits: Vec<Hit>) -> Screening {
    let result = submission.result().unwrap().screening.clone();
    Screening { at: time(1_000), hits, ..result }
}

#[track_caller]
fn changed(submission: &Submission, screening: Screening) -> Submission {
    let Ok(Rescreening::Changed(changed)) = submission.rescreened(screening) else {
        unreachable!("it differs in what matters")
    };
    changed
}

#[test]
fn d80_a_false_positive_counts_nothing() {
    let [first, second] = [hit(1_000).key(), hit(985).key()];
    let one = decide(found(RiskLevel::High), &first, FALSE);
    assert_eq!((one.risk(), one.needs_look()), (Some(RiskLevel::High), true));
    let both = decide(one, &second, FALSE);
    assert_eq!((both.risk(), both.needs_look()), (Some(RiskLevel::NotApplicable), false));
}

#[test]
fn d80_a_true_positive_is_high_whatever_the_engine_says() {
    let submission = found(RiskLevel::Low);
    let confirmed = decide(submission, &hit(820).key(), TRUE);
    assert_eq!(confirmed.risk(), Some(RiskLevel::High));
    let other = decide(confirmed, &hit(815).key(), FALSE);
    assert_eq!((other.risk(), other.needs_look()), (Some(RiskLevel::High), false));
}

#[test]
fn d80_what_was_not_reported_cannot_be_cleared() {
    let result = Screening { unreported: RiskLevel::Medium, ..screening(RiskLevel::High, time(9)) };
    let cleared = cleared(approved(sample()).screened(result).unwrap());
    assert_eq!((cleared.risk(), cleared.needs_look()), (Some(RiskLevel::Medium), false));
}

#[test]
fn d80_a_decision_says_who_when_why_and_on_what() {
    let submission = found(RiskLevel::Medium);
    let version = submission.version();
    let decided = decide(submission, &hit(910).key(), FALSE);
    let decision = &decided.decisions()[&hit(910).key()];
    assert_eq!((decision.verdict, decision.at, &decision.by), (FALSE, time(900), &valid("ines")));
    assert_eq!((decision.note.as_str(), &decision.evidence), ("A note.", &hit(910).evidence));
    assert_eq!(decided.version(), version + 1);
    let last = decided.history().last().unwrap();
    assert_eq!((last.at, &last.by), (time(900), &Actor::Inspector(valid("ines"))));
    let event = Event::HitDecided {
        hit: hit(910).key(),
        verdict: Some(FALSE),
        note: valid("A note."),
        risk: RiskLevel::Medium,
    };
    assert_eq!(last.event, event);
}

#[test]
fn d80_a_decision_can_be_replaced_and_taken_back() {
    let key = hit(910).key();
    let cleared = decide(found(RiskLevel::Medium), &key, FALSE);
    let confirmed = decide(cleared, &key, TRUE);
    assert_eq!(confirmed.decisions().len(), 1);
    assert_eq!(confirmed.risk(), Some(RiskLevel::High));

    let open = confirmed.undecide_hit(&inspector(), time(950), &key, valid("Unsure.")).unwrap();
    assert!(open.decisions().is_empty());
    assert_eq!((open.risk(), open.needs_look()), (Some(RiskLevel::Medium), true));
    let events = &open.history().last().unwrap().event;
    assert!(matches!(events, Event::HitDecided { verdict: None, .. }));
    let twice = open.undecide_hit(&inspector(), time(960), &key, valid("Unsure."));
    assert_eq!(twice, Err(Forbidden::NotDecided));
}

#[test]
fn d80_only_hits_of_a_result_are_decided() {
    let key = hit(910).key();
    let decide = |submission: Submission, key: &HitKey| {
        submission.decide_hit(&inspector(), time(900), key, TRUE, valid("?")).map(drop)
    };
    let waiting = approved(submission(1, form()));
    for none in [
        sample(),
        rejected(sample()),
        waiting.clone(),
        stalled(waiting, Stall::Failed),
        reopened(found(RiskLevel::Medium)),
        submission(1, form_aml_only()),
    ] {
        let undone = none.clone().undecide_hit(&inspector(), time(900), &key, valid("?"));
        assert_eq!(undone.map(drop), Err(Forbidden::NotScreened));
        let looked = none.clone().acknowledge(&inspector(), time(900));
        assert_eq!(looked.map(drop), Err(Forbidden::NotScreened));
        let again = none.rescreened(screening(RiskLevel::Low, time(900))).map(drop);
        assert_eq!(again, Err(Forbidden::NotScreened));
        assert_eq!(decide(none, &key), Err(Forbidden::NotScreened));
    }
    let submission = found(RiskLevel::Medium);
    assert_eq!(decide(submission.clone(), &hit(911).key()), Err(Forbidden::NoSuchHit));
    let elsewhere = HitKey { list: "other".to_owned(), ..key.clone() };
    assert_eq!(decide(submission.clone(), &elsewhere), Err(Forbidden::NoSuchHit));
    assert_eq!(decide(submission, &key), Ok(()));
}

#[test]
fn d81_what_was_cleared_stays_cleared_while_the_evidence_is_the_same() {
    let cleared = cleared(found(RiskLevel::High));
    let rescored = |hit: &Hit| Hit {
        score: hit.score.min(kyc_core::Score::from_thousandths(990).unwrap()),
        reasons: vec!["in other words".to_owned()],
        programmes: Vec::new(),
        ..hit.clone()
    };
    let hits: Vec<Hit> = hits_of(&cleared).iter().map(rescored).collect();
    let Rescreening::Refreshed(next) = cleared.rescreened(with_hits(&cleared, hits)).unwrap()
    else {
        panic!("words are no evidence")
    };
    assert_eq!((next.risk(), next.needs_look()), (Some(RiskLevel::NotApplicable), false));
    assert_eq!(next.history(), cleared.history());
    assert_eq!(next.version(), cleared.version() + 1);
}

#[test]
fn d81_other_evidence_reopens_with_the_difference_shown() {
    let reopened = rescreened_altered(&cleared(found(RiskLevel::High)));
    assert_eq!((reopened.risk(), reopened.needs_look()), (Some(RiskLevel::High), true));
    let HitStanding::Reopened { decision, changes } = reopened.standing(&altered(hit(1_000)))
    else {
        panic!("the evidence differs")
    };
    assert_eq!(decision.verdict, FALSE);
    let change = |field: &str, before: Option<&str>, now: Option<&str>| FactChange {
        field: field.to_owned(),
        before: before.map(str::to_owned),
        now: now.map(str::to_owned),
    };
    let expected = [
        change("date of birth", Some("1990"), Some("1990-05-18")),
        change("nationality", None, Some("ALB")),
    ];
    assert_eq!(changes, expected);
    // Cleared again on what is known now.
    assert_eq!(cleared(reopened).risk(), Some(RiskLevel::NotApplicable));
}

#[test]
fn d81_a_fact_that_is_no_longer_compared_is_a_difference() {
    let mut less = hit(900);
    less.evidence.truncate(1);
    let changes = FactChange::between(&hit(900).evidence, &less.evidence);
    assert_eq!((changes.len(), changes[0].now.as_deref()), (1, None));
}

#[test]
fn d81_a_confirmed_hit_stays_confirmed() {
    let confirmed = rescreened_altered(&confirmed(found(RiskLevel::Low)));
    assert_eq!(confirmed.risk(), Some(RiskLevel::High));
    assert!(hits_of(&confirmed).iter().all(|hit| !confirmed.standing(hit).is_open()));
    assert!(confirmed.needs_look(), "the change is to be looked at all the same");
}

#[test]
fn d81_a_list_that_drops_a_record_and_adds_it_again_loses_no_decision() {
    let cleared = cleared(found(RiskLevel::High));
    let hits = hits_of(&cleared).to_vec();
    let gone = acknowledged(changed(&cleared, with_hits(&cleared, Vec::new())));
    assert_eq!(gone.decisions(), cleared.decisions());
    let back = changed(&gone, with_hits(&gone, hits));
    assert_eq!(back.risk(), Some(RiskLevel::NotApplicable));
    assert!(!acknowledged(back).needs_look());
}

#[test]
fn d81_decisions_outlive_renewal_and_reopening() {
    let decided = cleared(found(RiskLevel::High));
    let renewed = decided.renew(submission_id(2), time(2_000)).unwrap();
    assert_eq!(screened(renewed, RiskLevel::High).risk(), Some(RiskLevel::NotApplicable));
    let again = screened(approved(reopened(decided)), RiskLevel::High);
    assert_eq!(again.risk(), Some(RiskLevel::NotApplicable));
    assert_eq!(again.history().last().unwrap().event, Event::Screened(RiskLevel::NotApplicable));
}

#[test]
fn d82_a_screening_that_finds_the_same_leaves_everything_as_it_is() {
    for risk in [RiskLevel::NotApplicable, RiskLevel::Medium] {
        let submission = found(risk);
        let mut later = screening(risk, time(5_000));
        later.lists.clear();
        later.configuration = "another".to_owned();
        assert_eq!(submission.rescreened(later), Ok(Rescreening::Same));
    }
}

#[test]
fn d82_a_change_is_told_and_marked_until_somebody_looks() {
    let before = decide(found(RiskLevel::Low), &hit(815).key(), FALSE);
    let hits = vec![hit(990), altered(hit(815))];
    let after = changed(&before, with_hits(&before, hits));
    let changes = HitChanges {
        added: vec![hit(990).key()],
        gone: vec![hit(820).key()],
        altered: vec![hit(815).key()],
    };
    let last = after.history().last().unwrap();
    assert_eq!((last.at, &last.by), (time(1_000), &Actor::Service));
    let event = Event::Rescreened { changes: changes.clone(), risk: RiskLevel::High };
    assert_eq!(last.event, event);
    let (seen, news) = after.result().unwrap().news().unwrap();
    assert_eq!((seen.risk, news), (RiskLevel::Low, changes));

    let looked = acknowledged(after.clone());
    assert!(looked.result().unwrap().news().is_none());
    assert!(looked.needs_look(), "hits are open still");
    let decided = decide(after, &hit(990).key(), TRUE);
    assert!(decided.result().unwrap().news().is_none(), "who decides has looked");
}

#[test]
fn d82_changes_add_up_until_somebody_looks_and_cancel_out() {
    let before = found(RiskLevel::NotApplicable);
    let more = changed(&before, with_hits(&before, vec![hit(820)]));
    let most = changed(&more, with_hits(&more, vec![hit(990), hit(820)]));
    let (seen, news) = most.result().unwrap().news().unwrap();
    assert_eq!(
        (seen.risk, news.added),
        (RiskLevel::NotApplicable, vec![hit(990).key(), hit(820).key()])
    );
    let as_before = changed(&most, with_hits(&most, Vec::new()));
    assert!(as_before.result().unwrap().news().is_none());
    assert!(!as_before.needs_look());
    assert_eq!(as_before.history().len(), before.history().len() + 3);
}

#[test]
fn d82_another_risk_is_a_change_even_if_no_hit_differs() {
    let before = found(RiskLevel::Low);
    let worse = hits_of(&before).iter().map(|hit| Hit { risk: RiskLevel::High, ..hit.clone() });
    let after = changed(&before, with_hits(&before, worse.collect()));
    let (seen, news) = after.result().unwrap().news().unwrap();
    assert!(news.is_empty());
    assert_eq!((seen.risk, after.risk()), (RiskLevel::Low, Some(RiskLevel::High)));
}

/// The rule of D80 and D81 once more, in other words.
fn expected_risk(submission: &Submission) -> Option<RiskLevel> {
    let screening = &submission.result()?.screening;
    let risks =
        screening.hits.iter().filter_map(|hit| match submission.decisions().get(&hit.key()) {
            None => Some(hit.risk),
            Some(decision) if decision.verdict == TRUE => Some(RiskLevel::High),
            Some(decision) => (decision.evidence != hit.evidence).then_some(hit.risk),
        });
    risks.chain([screening.unreported]).max()
}

proptest! {
    #[test]
    fn d80_the_risk_follows_from_hits_and_decisions(submission in submissions()) {
        prop_assert_eq!(submission.risk(), expected_risk(&submission));
    }

    #[test]
    fn d80_the_risk_is_monotone(
        submission in submissions(),
        more in hits(),
        unreported in risk_levels(),
    ) {
        let Some(result) = submission.result() else { return Ok(()) };
        let screening = &result.screening;
        let mut hits = screening.hits.clone();
        if hits.iter().all(|hit| hit.key() != more.key()) {
            hits.push(more);
        }
        let unreported = screening.unreported.max(unreported);
        let worse = Screening { hits, unreported, ..screening.clone() };
        let after = match submission.rescreened(worse).unwrap() {
            Rescreening::Same => submission.clone(),
            Rescreening::Refreshed(next) | Rescreening::Changed(next) => next,
        };
        prop_assert!(after.risk() >= submission.risk());
        // A verdict moves it where it points.
        for hit in hits_of(&after) {
            let confirmed = decide(after.clone(), &hit.key(), TRUE);
            prop_assert!(confirmed.risk() >= after.risk());
            let is_confirmed = matches!(after.standing(hit), HitStanding::Confirmed(_));
            let cleared = decide(after.clone(), &hit.key(), FALSE);
            prop_assert!(cleared.risk() <= after.risk() || is_confirmed);
        }
    }

    #[test]
    fn d81_clearing_never_hides_a_changed_hit(submission in submissions(), later in screenings()) {
        if submission.result().is_none() {
            return Ok(());
        }
        let keys: Vec<HitKey> = hits_of(&submission).iter().map(Hit::key).collect();
        let cleared = keys.iter().fold(submission, |all, key| decide(all, key, FALSE));
        let after = match cleared.rescreened(later).unwrap() {
            Rescreening::Same => return Ok(()),
            Rescreening::Refreshed(next) | Rescreening::Changed(next) => next,
        };
        for hit in hits_of(&after) {
            let before = hits_of(&cleared).iter().find(|other| other.key() == hit.key());
            if before.is_some_and(|before| before.evidence != hit.evidence) {
                prop_assert!(after.standing(hit).is_open());
                prop_assert!(after.needs_look());
                prop_assert!(after.risk() >= Some(hit.risk));
            }
        }
    }

    #[test]
    fn d81_only_inspectors_change_decisions(submission in submissions(), change in changes()) {
        let before = submission.decisions().clone();
        let is_decision =
            matches!(change.action, Action::DecideHit { .. } | Action::UndecideHit { .. });
        if let Ok(changed) = change.apply(submission) {
            prop_assert!(is_decision || *changed.decisions() == before);
        }
    }

    #[test]
    fn d82_two_screenings_in_a_row_tell_the_second_result(
        submission in submissions(),
        first in screenings(),
        second in screenings(),
    ) {
        if submission.result().is_none() {
            return Ok(());
        }
        let stored = [first, second.clone()].into_iter().fold(submission, |stored, result| {
            match stored.rescreened(result).unwrap() {
                Rescreening::Same => stored,
                Rescreening::Refreshed(next) | Rescreening::Changed(next) => next,
            }
        });
        prop_assert_eq!(hits_of(&stored), second.hits.as_slice());
        prop_assert_eq!(stored.result().unwrap().screening.unreported, second.unreported);
        prop_assert_eq!(stored.rescreened(second), Ok(Rescreening::Same));
    }

    #[test]
    fn d82_changes_between_hits_name_each_difference_once(one in screenings(), other in screenings()) {
        let changes = HitChanges::between(&one.hits, &other.hits);
        let keys = |hits: &[Hit]| hits.iter().map(Hit::key).collect::<BTreeSet<_>>();
        let (before, now) = (keys(&one.hits), keys(&other.hits));
        prop_assert_eq!(changes.added.into_iter().collect::<BTreeSet<_>>(), &now - &before);
        prop_assert_eq!(changes.gone.into_iter().collect::<BTreeSet<_>>(), &before - &now);
        for key in changes.altered {
            prop_assert!(before.contains(&key) && now.contains(&key));
        }
        prop_assert!(HitChanges::between(&one.hits, &one.hits).is_empty());
    }
}
