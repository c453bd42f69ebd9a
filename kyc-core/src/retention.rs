//! How long records are kept, and what is left when they are erased (D105–D107).

mod certificate;
mod document;
mod run;

use std::fmt;

use time::Date;

use crate::{Actor, Event, Forbidden, FreeText, HistoryEntry, Status, Submission, Timestamp, day};

pub use certificate::{Certificate, Erasure, ErasureCause};
pub use document::{DocumentCertificate, DocumentErasure};
pub use run::{Doubt, RunFacts, RunLimits};

/// How long records are kept.
///
/// ```
/// use kyc_core::conformance::fixture::{rejected, sample, time};
/// use kyc_core::{Actor, Keep, RetentionDecision, RetentionPolicy};
/// use time::macros::date;
///
/// let policy = RetentionPolicy::default();
/// let turned_down = rejected(sample());
/// let Keep::Until(due) = policy.keep(&turned_down) else { unreachable!("no relationship") };
/// assert_eq!(due.to_string(), "2031-11-21T00:00:00.000Z");
///
/// let hold = RetentionDecision::Hold { reason: "Case 17.".parse()?, until: None };
/// let held = turned_down.decide_retention(Actor::Operator, time(90), hold)?;
/// assert_eq!(policy.keep(&held), Keep::Hold);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// Calendar years from the end of the relationship, or from the last change of what was never
    /// approved (article 77 of Regulation (EU) 2024/1624).
    pub years: u8,
    /// Days after which an upload that no submission refers to is erased.
    pub unused_upload_days: u16,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        Self { years: 5, unused_upload_days: 30 }
    }
}

impl RetentionPolicy {
    /// How long a submission is kept.
    ///
    /// The period counts from the [day](Submission::counted_from) that the submission tells and
    /// ends with the last day of it, in UTC; a hold may lengthen it.
    pub fn keep(self, submission: &Submission) -> Keep {
        let held = submission.hold();
        if let Some(Hold { until: None, .. }) = held {
            return Keep::Hold;
        }
        let Some(from) = submission.counted_from() else { return Keep::Relationship };
        let last = self.last_day(from);
        let last = held.and_then(|hold| hold.until).map_or(last, |until| last.max(until));
        Keep::Until(end_of(last))
    }

    /// The last day from which a period can count that is over at `at`. `None` if there is none.
    ///
    /// What counts from a later day is kept, whatever else is known of it.
    ///
    /// ```
    /// use kyc_core::RetentionPolicy;
    /// use kyc_core::conformance::fixture::time;
    /// use time::macros::date;
    ///
    /// let policy = RetentionPolicy::default();
    /// assert_eq!(policy.counted_to(time(0)), Some(date!(2021 - 11 - 19)));
    /// ```
    pub fn counted_to(self, at: Timestamp) -> Option<Date> {
        let is_over = |from: &Date| end_of(self.last_day(*from)) <= at;
        let today = at.date();
        let year = today.year() - i32::from(self.years);
        // Only a 29th of February may not be there.
        let mut from = Some(today.replace_year(year).unwrap_or(today));
        while let Some(day) = from.filter(|day| !is_over(day)) {
            from = day.previous_day();
        }
        from
    }

    /// The last day of a period that counts from a day.
    fn last_day(self, from: Date) -> Date {
        day::plus_months(from, u16::from(self.years) * 12)
    }

    /// Uploads from before this time that no submission refers to are erased at `at`.
    pub fn unused_before(self, at: Timestamp) -> Timestamp {
        const DAY_MS: i64 = 24 * 60 * 60 * 1000;
        let before = at.unix_millis() - i64::from(self.unused_upload_days) * DAY_MS;
        Timestamp::from_unix_millis(before).unwrap_or(Timestamp::EARLIEST)
    }
}

/// How long something is kept.
///
/// ```
/// use kyc_core::Keep;
/// use kyc_core::conformance::fixture::time;
///
/// assert!(Keep::Until(time(60)).is_over(time(60)));
/// assert!(!Keep::Until(time(60)).is_over(time(59)));
/// assert!(!Keep::Relationship.is_over(time(9_999)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Approved, and nobody has said that the relationship with the applicant ended.
    Relationship,
    /// Held, until somebody releases it.
    Hold,
    /// Until this time, and not a millisecond longer than to the next run.
    Until(Timestamp),
}

impl Keep {
    /// Whether it is to be erased at a time.
    pub fn is_over(self, at: Timestamp) -> bool {
        match self {
            Self::Relationship | Self::Hold => false,
            Self::Until(due) => due <= at,
        }
    }
}

/// The first moment after a day, in UTC.
fn end_of(day: Date) -> Timestamp {
    day.next_day().map_or(Timestamp::LATEST, |next| Timestamp::from_utc(next.midnight().as_utc()))
}

/// What somebody says about how long a submission is kept. `Debug` is masked.
///
/// ```
/// use kyc_core::RetentionDecision;
///
/// let hold = RetentionDecision::Hold { reason: "A court asks.".parse()?, until: None };
/// assert_eq!(format!("{hold:?}"), "Hold(***)");
/// # Ok::<(), kyc_core::InvalidText>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum RetentionDecision {
    /// The relationship with the applicant ended.
    End {
        /// The last day of it, in UTC. `None` takes back what was said before.
        on: Option<Date>,
    },
    /// Keep it, whatever the period says. A second hold takes the place of the first, and cannot end
    /// before it: that takes a release.
    Hold {
        /// Why.
        reason: FreeText,
        /// The last day of the hold, in UTC. `None`: until it is released.
        until: Option<Date>,
    },
    /// The hold is over.
    Release {
        /// Why.
        reason: FreeText,
    },
}

impl fmt::Debug for RetentionDecision {
    // What is written about applicants is personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::End { on: Some(_) } => "End",
            Self::End { on: None } => "End(taken back)",
            Self::Hold { .. } => "Hold(***)",
            Self::Release { .. } => "Release(***)",
        })
    }
}

/// A hold that stands.
///
/// ```
/// use kyc_core::conformance::fixture::{sample, time};
/// use kyc_core::{Actor, RetentionDecision};
///
/// let hold = RetentionDecision::Hold { reason: "Case 17.".parse()?, until: None };
/// let held = sample().decide_retention(Actor::Operator, time(60), hold)?;
/// assert_eq!(held.hold().map(|hold| hold.reason.as_str()), Some("Case 17."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold<'s> {
    /// Why.
    pub reason: &'s FreeText,
    /// Its last day.
    pub until: Option<Date>,
}

impl Submission {
    /// Somebody says how long the submission is kept (D105). The decision stays in the history,
    /// which alone tells what stands.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, sample, time};
    /// use kyc_core::{Actor, Forbidden, Keep, RetentionDecision, RetentionPolicy};
    /// use time::macros::date;
    ///
    /// let approved = approved(sample());
    /// assert_eq!(RetentionPolicy::default().keep(&approved), Keep::Relationship);
    ///
    /// let end = |on| RetentionDecision::End { on: Some(on) };
    /// let early = approved.clone().decide_retention(Actor::Operator, time(90), end(date!(2020 - 01 - 01)));
    /// assert_eq!(early, Err(Forbidden::EndBeforeStart));
    /// let ended = approved.decide_retention(Actor::Operator, time(90), end(date!(2027 - 02 - 01)))?;
    /// assert_eq!(ended.counted_from(), Some(date!(2027 - 02 - 01)));
    /// # Ok::<(), Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::EndBeforeStart`], [`Forbidden::NotEnded`], [`Forbidden::NotHeld`],
    /// [`Forbidden::HoldOver`], [`Forbidden::HeldLonger`].
    pub fn decide_retention(
        self,
        by: Actor,
        at: Timestamp,
        decision: RetentionDecision,
    ) -> Result<Self, Forbidden> {
        match &decision {
            RetentionDecision::End { on: Some(on) } if *on < self.created_at().date() => {
                return Err(Forbidden::EndBeforeStart);
            }
            RetentionDecision::End { on: None } if self.ended().is_none() => {
                return Err(Forbidden::NotEnded);
            }
            RetentionDecision::Release { .. } if self.hold().is_none() => {
                return Err(Forbidden::NotHeld);
            }
            RetentionDecision::Hold { until: Some(until), .. } if *until < at.date() => {
                return Err(Forbidden::HoldOver);
            }
            RetentionDecision::Hold { until, .. } if self.is_held_longer_than(*until) => {
                return Err(Forbidden::HeldLonger);
            }
            RetentionDecision::End { .. }
            | RetentionDecision::Hold { .. }
            | RetentionDecision::Release { .. } => {}
        }
        Ok(self.changed(at, by, Event::Retention(decision)))
    }

    /// The last day of the relationship with the applicant, if somebody has told it.
    pub fn ended(&self) -> Option<Date> {
        self.retention_decisions().find_map(|(_, decision)| match decision {
            RetentionDecision::End { on } => Some(*on),
            RetentionDecision::Hold { .. } | RetentionDecision::Release { .. } => None,
        })?
    }

    /// The hold that stands. One with a last day stands also after it, where it means nothing.
    pub fn hold(&self) -> Option<Hold<'_>> {
        self.last_hold().map(|(_, hold)| hold)
    }

    /// Whether a hold stands that a new one until that day would shorten.
    fn is_held_longer_than(&self, until: Option<Date>) -> bool {
        let (Some(hold), Some(until)) = (self.hold(), until) else { return false };
        hold.until.is_none_or(|held| held > until)
    }

    /// Where the history tells of the hold that stands.
    pub(crate) fn hold_entry(&self) -> Option<&HistoryEntry> {
        self.last_hold().map(|(entry, _)| entry)
    }

    fn last_hold(&self) -> Option<(&HistoryEntry, Hold<'_>)> {
        self.retention_decisions().find_map(|(entry, decision)| match decision {
            RetentionDecision::End { .. } => None,
            RetentionDecision::Hold { reason, until } => {
                Some(Some((entry, Hold { reason, until: *until })))
            }
            RetentionDecision::Release { .. } => Some(None),
        })?
    }

    /// Latest first.
    fn retention_decisions(&self) -> impl Iterator<Item = (&HistoryEntry, &RetentionDecision)> {
        self.history().iter().rev().filter_map(|entry| {
            if let Event::Retention(decision) = &entry.event {
                Some((entry, decision))
            } else {
                None
            }
        })
    }

    /// The day from which the period counts: the end of the relationship; without one, the last
    /// change, unless the submission is approved. `None` while the relationship may go on.
    pub fn counted_from(&self) -> Option<Date> {
        let ended = self.ended();
        if ended.is_some() || self.status() == Status::Approved {
            return ended;
        }
        let is_change = |entry: &&HistoryEntry| !matches!(entry.event, Event::Retention(_));
        let last = self.history().iter().rev().find(is_change).map(|entry| entry.at);
        Some(last.unwrap_or(self.created_at()).max(self.created_at()).date())
    }
}
