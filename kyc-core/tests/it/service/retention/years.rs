use kyc_core::conformance::fixture::{form, handle, identification};
use kyc_core::{Evidence, Form, PartialAddress, Scope};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

/// A form with an address and documents of its own.
fn form_of(number: u32) -> Form {
    let evidence = Evidence::L1 {
        photo_id: handle(DocumentKind::Passport, 2 * number),
        selfie: handle(DocumentKind::Selfie, 2 * number + 1),
        address: PartialAddress::default(),
        proof: None,
    };
    let scope = Scope::Identity(Box::new(identification(evidence)));
    Form { email: format!("{number}@example.org").parse().unwrap(), scope, ..form() }
}

#[derive(Debug, Clone)]
enum Step {
    HandIn(fn(Submission) -> Submission),
    End { place: usize, days: u16 },
    Hold { place: usize, days: Option<u16> },
    Release { place: usize },
    Days(u16),
}

fn steps() -> impl Strategy<Value = Step> {
    let place = || 0..8_usize;
    prop_oneof![
        2 => Just(Step::HandIn(pending)),
        2 => Just(Step::HandIn(rejected)),
        2 => Just(Step::HandIn(approved)),
        4 => (place(), 0..700_u16).prop_map(|(place, days)| Step::End { place, days }),
        2 => (place(), option::of(0..900_u16)).prop_map(|(place, days)| Step::Hold { place, days }),
        2 => place().prop_map(|place| Step::Release { place }),
        8 => (1..400_u16).prop_map(Step::Days),
    ]
}

/// What is known of a submission, in other words than those of the rules.
struct Known {
    number: u32,
    changed: Date,
    is_approved: bool,
    ended: Option<Date>,
    /// The last day of a hold; the last there is, if it has none.
    held: Option<Date>,
    is_gone: bool,
}

impl Known {
    /// The first day on which it must not be there any more.
    fn due(&self) -> Option<Date> {
        let from = match (self.ended, self.is_approved) {
            (Some(ended), _) => ended,
            (None, true) => return None,
            (None, false) => self.changed,
        };
        let year = from.year() + 5;
        let last = from
            .replace_year(year)
            .unwrap_or_else(|_| Date::from_calendar_date(year, time::Month::February, 28).unwrap());
        let last = match self.held {
            None => last,
            Some(until) => last.max(until),
        };
        last.next_day()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn t31_over_six_years_just_what_is_due_and_not_held_is_erased(
        steps in vec(steps(), 1..60),
        cap in 1..4_u32,
    ) {
        let world = world(RunLimits { records_max: cap, ..RunLimits::default() });
        let mut known: Vec<Known> = Vec::new();
        let mut today = date!(2026 - 11 - 20);
        // Six years at least, and all that is due by then.
        let rest = (0..40).map(|_| Step::Days(60));
        for step in steps.into_iter().chain(rest) {
            let after = |days: u16| today + time::Duration::days(days.into());
            match step {
                Step::HandIn(state) => {
                    let number = u32::try_from(known.len()).unwrap() + 1;
                    let form = form_of(number);
                    let now = world.clock.now();
                    let one = state(Submission::new(form, submission_id(number), now));
                    world.submissions.insert(client(1), &one).unwrap();
                    known.push(Known {
                        number,
                        changed: one.history().last().map_or(now, |entry| entry.at).date(),
                        is_approved: one.status() == Status::Approved,
                        ended: None,
                        held: None,
                        is_gone: false,
                    });
                }
                Step::End { place, days } => {
                    let on = after(days);
                    if let Some(one) = known.get_mut(place).filter(|one| !one.is_gone) {
                        world.decide(one.number, &end(on)).unwrap();
                        one.ended = Some(on);
                    }
                }
                Step::Hold { place, days } => {
                    let until = days.map(after);
                    if let Some(one) = known.get_mut(place).filter(|one| !one.is_gone) {
                        let last = until.unwrap_or(Date::MAX);
                        let held = world.decide(one.number, &hold(until));
                        prop_assert_eq!(held.is_ok(), one.held.is_none_or(|held| held <= last));
                        one.held = one.held.max(Some(last));
                    }
                }
                Step::Release { place } => {
                    if let Some(one) = known.get_mut(place).filter(|one| !one.is_gone) {
                        let released = world.decide(one.number, &release());
                        prop_assert_eq!(released.is_ok(), one.held.take().is_some());
                    }
                }
                Step::Days(days) => for _ in 0..days {
                    today = today.next_day().unwrap();
                    world.clock.set(Timestamp::from_utc(today.midnight().as_utc()));
                    let run = world.keeper.run(None).unwrap();
                    prop_assert_eq!(run.doubt, None);
                    let mut due: Vec<&mut Known> = known
                        .iter_mut()
                        .filter(|one| !one.is_gone && one.due().is_some_and(|due| due <= today))
                        .collect();
                    due.sort_by_key(|one| (one.due(), one.number));
                    for (place, one) in (0..).zip(&mut due) {
                        one.is_gone = place < cap;
                    }
                    prop_assert_eq!(run.due, u64::try_from(due.len()).unwrap());
                    for one in &known {
                        prop_assert_eq!(world.is_there(1, one.number), !one.is_gone);
                    }
                },
            }
        }
    }
}
