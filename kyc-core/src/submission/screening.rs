//! Results of screenings, decisions on their hits, and the risk that follows (D34, D80–D82).

use std::collections::BTreeMap;

use super::Submission;
use super::transition::{Forbidden, inspector};
use crate::{
    Actor, Aml, Approval, Event, FreeText, Hit, HitChanges, HitDecision, HitKey, HitStanding,
    HitVerdict, Inspector, Review, RiskLevel, Screened, Screening, Seen, Stall, Timestamp,
};

impl Submission {
    /// The applicant's risk, as clients see it: the highest among the hits as they
    /// [stand](Self::standing) and what could not be reported (D80). `None` until there is a
    /// result.
    ///
    /// ```
    /// use kyc_core::RiskLevel;
    /// use kyc_core::conformance::fixture::{approved, cleared, sample, screened};
    ///
    /// let found = screened(approved(sample()), RiskLevel::High);
    /// assert_eq!(found.risk(), Some(RiskLevel::High));
    /// assert_eq!(cleared(found).risk(), Some(RiskLevel::NotApplicable));
    /// ```
    pub fn risk(&self) -> Option<RiskLevel> {
        self.result().map(|result| result.risk(&self.decisions))
    }

    /// The screening result; `None` until there is one.
    pub fn result(&self) -> Option<&Screened> {
        match self.review.aml()? {
            Aml::Screened(screened) => Some(screened),
            Aml::Queued | Aml::Stalled(_) => None,
        }
    }

    /// Where one of the result's hits stands.
    pub fn standing(&self, hit: &Hit) -> HitStanding<'_> {
        HitStanding::of(hit, self.decisions.get(&hit.key()))
    }

    /// What inspectors decided on hits, also on records that are no hit at present: a list may
    /// drop one and add it again.
    pub fn decisions(&self) -> &BTreeMap<HitKey, HitDecision> {
        &self.decisions
    }

    /// Whether an inspector should look at the result: a hit is open, or a later screening changed
    /// something since one looked (D83).
    ///
    /// ```
    /// use kyc_core::RiskLevel;
    /// use kyc_core::conformance::fixture::{approved, cleared, sample, screened};
    ///
    /// let found = screened(approved(sample()), RiskLevel::Low);
    /// assert!(found.needs_look());
    /// assert!(!cleared(found).needs_look());
    /// ```
    pub fn needs_look(&self) -> bool {
        self.result().is_some_and(|result| {
            let is_open = |hit: &Hit| self.standing(hit).is_open();
            result.seen.is_some() || result.screening.hits.iter().any(is_open)
        })
    }

    /// The screening gave a result (D34, D40).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, sample, screening, time};
    /// use kyc_core::{Forbidden, RiskLevel};
    ///
    /// let screened = approved(sample()).screened(screening(RiskLevel::Low, time(90)))?;
    /// let second = screened.screened(screening(RiskLevel::High, time(91)));
    /// assert_eq!(second, Err(Forbidden::NotAwaitingScreening));
    /// # Ok::<(), Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotAwaitingScreening`], so that exactly one result is kept.
    pub fn screened(mut self, screening: Screening) -> Result<Self, Forbidden> {
        let (at, result) = (screening.at, Screened::first(screening));
        let risk = result.risk(&self.decisions);
        *self.awaited_aml()? = Aml::Screened(Box::new(result));
        Ok(self.changed(at, Actor::Service, Event::Screened(risk)))
    }

    /// The screening gave no result: the score stays `-` (D34). A stall is a state, not an event:
    /// the history is left alone.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, sample};
    /// use kyc_core::{AmlSummary, Stall};
    ///
    /// let tried = approved(sample()).stalled(Stall::ListTooOld)?;
    /// assert_eq!(AmlSummary::of(&tried), AmlSummary::Stalled);
    /// # Ok::<(), kyc_core::Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotAwaitingScreening`].
    pub fn stalled(mut self, stall: Stall) -> Result<Self, Forbidden> {
        *self.awaited_aml()? = Aml::Stalled(stall);
        Ok(self.next_version(0))
    }

    /// A later screening of the same applicant gave a result (D82).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, sample, screened, screening, time};
    /// use kyc_core::{Rescreening, RiskLevel};
    ///
    /// let clear = screened(approved(sample()), RiskLevel::NotApplicable);
    /// let same = clear.rescreened(screening(RiskLevel::NotApplicable, time(900)))?;
    /// assert_eq!(same, Rescreening::Same);
    /// let Rescreening::Changed(found) = clear.rescreened(screening(RiskLevel::Low, time(901)))?
    /// else { unreachable!("hits were added") };
    /// assert!(found.needs_look());
    /// # Ok::<(), kyc_core::Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotScreened`] where there is no earlier result.
    pub fn rescreened(&self, screening: Screening) -> Result<Rescreening, Forbidden> {
        let mut next = self.clone();
        let result = result_of(&mut next.review)?;
        let (at, risk_before) = (screening.at, result.risk(&next.decisions));
        let before = std::mem::replace(&mut result.screening, screening);
        let now = &result.screening;
        if before.hits == now.hits && before.unreported == now.unreported {
            return Ok(Rescreening::Same);
        }
        let changes = HitChanges::between(&before.hits, &now.hits);
        let risk = result.risk(&next.decisions);
        let seen = result.seen.take().unwrap_or(Seen { hits: before.hits, risk: risk_before });
        let is_as_seen =
            HitChanges::between(&seen.hits, &result.screening.hits).is_empty() && seen.risk == risk;
        result.seen = (!is_as_seen).then_some(seen);
        Ok(if changes.is_empty() && risk == risk_before {
            Rescreening::Refreshed(next.next_version(0))
        } else {
            let event = Event::Rescreened { changes, risk };
            Rescreening::Changed(next.changed(at, Actor::Service, event))
        })
    }

    /// An inspector decides whether the applicant is the one whom a hit lists, on the evidence
    /// that the hit has now (D80). A decision on the same record is replaced. What changed by a
    /// later screening counts as seen.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, hit, inspector, sample, screened, time};
    /// use kyc_core::{HitVerdict, RiskLevel};
    ///
    /// let found = screened(approved(sample()), RiskLevel::Medium);
    /// let (key, note) = (hit(910).key(), "Twenty years older.".parse()?);
    /// let verdict = HitVerdict::FalsePositive;
    /// let decided = found.decide_hit(&inspector(), time(900), &key, verdict, note)?;
    /// assert_eq!(decided.decisions()[&key].verdict, verdict);
    /// assert_eq!(decided.risk(), Some(RiskLevel::Medium), "there is another hit");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotScreened`], [`Forbidden::NoSuchHit`].
    pub fn decide_hit(
        self,
        by: &Inspector,
        at: Timestamp,
        key: &HitKey,
        verdict: HitVerdict,
        note: FreeText,
    ) -> Result<Self, Forbidden> {
        let hits = &self.result().ok_or(Forbidden::NotScreened)?.screening.hits;
        let hit = hits.iter().find(|hit| hit.key() == *key).ok_or(Forbidden::NoSuchHit)?;
        let evidence = hit.evidence.clone();
        let decision =
            HitDecision { verdict, note: note.clone(), by: by.name.clone(), at, evidence };
        self.hit_decided(by, at, key, Some(decision), note)
    }

    /// An inspector takes the decision on a hit back.
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{approved, cleared, hit, inspector, sample, screened, time};
    /// use kyc_core::RiskLevel;
    ///
    /// let cleared = cleared(screened(approved(sample()), RiskLevel::High));
    /// let (key, note) = (hit(1_000).key(), "The wrong birthday.".parse()?);
    /// let taken_back = cleared.undecide_hit(&inspector(), time(900), &key, note)?;
    /// assert_eq!(taken_back.risk(), Some(RiskLevel::High));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotScreened`]; [`Forbidden::NotDecided`], also where the record is no hit.
    pub fn undecide_hit(
        self,
        by: &Inspector,
        at: Timestamp,
        key: &HitKey,
        note: FreeText,
    ) -> Result<Self, Forbidden> {
        if self.result().is_some() && !self.decisions.contains_key(key) {
            return Err(Forbidden::NotDecided);
        }
        self.hit_decided(by, at, key, None, note)
    }

    /// An inspector has looked at what a later screening changed (D82).
    ///
    /// ```
    /// use kyc_core::conformance::fixture::{
    ///     approved, inspector, rescreened, sample, screened, time,
    /// };
    /// use kyc_core::{Forbidden, RiskLevel};
    ///
    /// let gone = rescreened(&screened(approved(sample()), RiskLevel::Low), RiskLevel::NotApplicable);
    /// assert!(gone.needs_look());
    /// let looked = gone.acknowledge(&inspector(), time(900))?;
    /// assert!(!looked.needs_look());
    /// assert_eq!(looked.acknowledge(&inspector(), time(901)), Err(Forbidden::NothingNew));
    /// # Ok::<(), Forbidden>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Forbidden::NotScreened`]; [`Forbidden::NothingNew`] where nothing changed since.
    pub fn acknowledge(mut self, by: &Inspector, at: Timestamp) -> Result<Self, Forbidden> {
        result_of(&mut self.review)?.seen.take().ok_or(Forbidden::NothingNew)?;
        Ok(self.changed(at, inspector(by), Event::Acknowledged))
    }

    fn hit_decided(
        mut self,
        by: &Inspector,
        at: Timestamp,
        key: &HitKey,
        decision: Option<HitDecision>,
        note: FreeText,
    ) -> Result<Self, Forbidden> {
        let result = result_of(&mut self.review)?;
        result.seen = None;
        let verdict = decision.as_ref().map(|decision| decision.verdict);
        match decision {
            Some(decision) => self.decisions.insert(key.clone(), decision),
            None => self.decisions.remove(key),
        };
        let risk = result.risk(&self.decisions);
        let event = Event::HitDecided { hit: key.clone(), verdict, note, risk };
        Ok(self.changed(at, inspector(by), event))
    }

    fn awaited_aml(&mut self) -> Result<&mut Aml, Forbidden> {
        match &mut self.review {
            Review::Approved(Approval { aml: aml @ (Aml::Queued | Aml::Stalled(_)), .. }) => {
                Ok(aml)
            }
            Review::Approved(Approval { aml: Aml::Screened(_), .. })
            | Review::Pending
            | Review::Incomplete(_)
            | Review::Rejected(_) => Err(Forbidden::NotAwaitingScreening),
        }
    }
}

fn result_of(review: &mut Review) -> Result<&mut Screened, Forbidden> {
    match review {
        Review::Approved(Approval { aml: Aml::Screened(result), .. }) => Ok(result),
        Review::Approved(Approval { aml: Aml::Queued | Aml::Stalled(_), .. })
        | Review::Pending
        | Review::Incomplete(_)
        | Review::Rejected(_) => Err(Forbidden::NotScreened),
    }
}

/// What a later screening did to a submission.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample, screened};
/// use kyc_core::{Rescreening, RiskLevel};
///
/// let screened = screened(approved(sample()), RiskLevel::Low);
/// let result = screened.result().ok_or("it was screened")?.screening.clone();
/// assert_eq!(screened.rescreened(result)?, Rescreening::Same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rescreening {
    /// It found the same: there is nothing to store, and the earlier result stands as it is.
    Same,
    /// It differs in words or scores only: to be stored, and no event.
    Refreshed(Submission),
    /// Hits came, went or rest on other evidence, or the risk is another one: to be stored, and
    /// for an inspector to look at.
    Changed(Submission),
}
