//! The store refuses, answers late, or does what it should and reports a failure (G4): whatever the
//! service answers, the store holds what a caller may conclude from that.
//!
//! `KYC_FAULT_SEEDS` says with how many seeds, 300 unless it is set.

use std::collections::BTreeMap;
use std::sync::Arc;

use kyc_core::conformance::faulty::{Fault, Faulty};
use kyc_core::conformance::fixture::{client, form, form_aml_only, inspector};
use kyc_core::conformance::stand_in::SameAnswer;
use kyc_core::conformance::{document_store, submission_store};
use kyc_core::memory::{MemoryDocuments, MemorySubmissions};
use kyc_core::service::{Decision, Error};
use kyc_core::{
    DocumentKind, QueueFilter, RiskLevel, ScreeningQueue, Slot, StoreError, Submission,
    SubmissionId, SubmissionStore,
};

use super::world::{World, approve, by_email, reject, reopen, retake, world_around};

#[test]
fn a_store_that_never_fails_is_the_store_inside() {
    submission_store(|| Faulty::new(MemorySubmissions::default(), |_| None));
    document_store(|| Faulty::new(MemoryDocuments::default(), |_| None));
}

#[test]
fn each_fault_does_what_it_says() {
    let outcome = |fault: Fault| {
        let mut faults = [fault].into_iter();
        let store = Faulty::new(MemorySubmissions::default(), move |_| faults.next());
        let submission = kyc_core::conformance::sample();
        let told = store.insert(client(1), &submission).is_ok();
        let is_there = store.inner().insert(client(1), &submission).is_err();
        (told, is_there)
    };
    assert_eq!(outcome(Fault::Refused), (false, false));
    assert_eq!(outcome(Fault::AnswerLost), (false, true));
    assert_eq!(outcome(Fault::Busy(0)), (false, false));
    assert_eq!(outcome(Fault::Slow(std::time::Duration::ZERO)), (true, true));

    let mut faults = [Fault::Busy(2)].into_iter();
    let store = Faulty::new(MemorySubmissions::default(), move |_| faults.next());
    let checks =
        [(); 4].map(|()| store.insert(client(1), &kyc_core::conformance::sample()).is_ok());
    assert_eq!(checks, [false, false, false, true]);
}

#[test]
fn g4_the_store_holds_what_its_callers_conclude() {
    let seeds = std::env::var("KYC_FAULT_SEEDS").map_or(300, |text| text.parse().unwrap());
    let mut uncertain = 0;
    for seed in 0..seeds {
        uncertain += Trial::new(seed).run();
    }
    assert!(uncertain > seeds / 10, "outcomes are unknown often enough to be tried");
}

type Stored = BTreeMap<SubmissionId, Submission>;

/// A service whose store fails, and what a caller knows of it.
struct Trial {
    seed: u64,
    dice: u64,
    store: Arc<Faulty<MemorySubmissions>>,
    world: World,
    known: Stored,
}

impl Trial {
    fn new(seed: u64) -> Self {
        let store = Arc::new(Faulty::seeded(MemorySubmissions::default(), seed, 25));
        let world = world_around(Arc::clone(&store) as Arc<dyn SubmissionStore>);
        Self { seed, dice: seed, store, world, known: Stored::new() }
    }

    /// Says how often the outcome was unknown and yet something had been stored.
    fn run(mut self) -> u64 {
        let mut uncertain = 0;
        for _ in 0..24 {
            self.world.clock.advance_millis(1_000);
            let outcome = self.step();
            let stored = self.stored();
            match outcome {
                Ok(changed) => {
                    self.known.extend(changed.map(|changed| (changed.id(), changed)));
                }
                Err(Error::Store(StoreError::Unavailable(_))) => {
                    uncertain += u64::from(self.take_note_of_one_step(&stored));
                }
                Err(_) => (),
            }
            assert!(stored == self.known, "seed {}: the store holds something else", self.seed);
        }
        uncertain
    }

    fn step(&mut self) -> Result<Option<Submission>, Error> {
        let some = self.any_known();
        match (self.roll(8), some) {
            (0..=1, _) | (_, None) => {
                let sent = self.world.with_uploads(1, &form());
                self.world.send(client(1), &sent).map(Some)
            }
            (2, _) => {
                let sent = self.world.with_uploads(1, &form_aml_only());
                self.world.send_then(client(1), &sent).map(Some)
            }
            (3, Some(old)) => self.world.renew(client(1), &old.form().email, old.id()).map(Some),
            (4, Some(seen)) => {
                let status = self.world.status(client(1), &by_email(&seen.form().email))?;
                assert!(self.known.values().any(|known| *known == status.0), "a read is of now");
                Ok(None)
            }
            (5, Some(_)) => {
                self.screen();
                Ok(None)
            }
            (6, Some(incomplete)) => {
                let selfie = self.world.upload(1, DocumentKind::Selfie).to_text();
                let texts = [(kyc_core::Field::Selfie, selfie.as_str())];
                self.world.resupply(1, &incomplete, &texts).map(Some)
            }
            (_, Some(seen)) => self.decide_until_it_is_certain(&seen),
        }
    }

    /// Whoever asks again with the version that they saw has decided once, however often the
    /// outcome was unknown.
    fn decide_until_it_is_certain(
        &mut self,
        seen: &Submission,
    ) -> Result<Option<Submission>, Error> {
        let decisions: [fn() -> Decision; 4] =
            [approve, reject, reopen, || retake(&[Slot::Selfie])];
        let decision = decisions[usize::try_from(self.roll(4)).unwrap()];
        loop {
            let decided = self.world.decide(&inspector(), seen.id(), seen.version(), decision());
            let stored = self.stored().remove(&seen.id()).unwrap();
            match decided {
                Err(Error::Store(StoreError::Unavailable(_))) => {
                    assert!(stored.version() <= seen.version() + 1, "seed {}", self.seed);
                }
                // It had been stored.
                Err(Error::Stale) => {
                    assert_eq!(stored.version(), seen.version() + 1, "seed {}", self.seed);
                    return Ok(Some(stored));
                }
                Ok(decided) => return Ok(Some(decided.submission)),
                Err(refused) => return Err(refused),
            }
        }
    }

    /// Screens everybody who waits, until that is done. Of the steps in between each is stored
    /// once.
    fn screen(&mut self) {
        let clear = SameAnswer(Ok(RiskLevel::NotApplicable));
        let mut is_done = false;
        while !is_done {
            let pass = self.world.screen_queue(ScreeningQueue::New, &clear, &|| false, &|_| {});
            is_done = pass.is_ok();
            let stored = self.stored();
            for (id, now) in &stored {
                let before = &self.known[id];
                assert!(now.version() <= before.version() + 1, "seed {}", self.seed);
            }
            if is_done {
                self.known = stored;
            }
        }
    }

    /// A step whose outcome is unknown was done once or not at all.
    fn take_note_of_one_step(&mut self, stored: &Stored) -> bool {
        let changed: Vec<&Submission> =
            stored.values().filter(|now| self.known.get(&now.id()) != Some(now)).collect();
        assert!(changed.len() <= 1, "seed {}: more than one step", self.seed);
        assert!(stored.len() >= self.known.len(), "seed {}: something is lost", self.seed);
        let Some(changed) = changed.first() else { return false };
        if let Some(before) = self.known.get(&changed.id()) {
            assert_eq!(changed.version(), before.version() + 1, "seed {}", self.seed);
        }
        self.known.insert(changed.id(), (*changed).clone());
        true
    }

    /// What the store really holds.
    fn stored(&self) -> Stored {
        let clients = [client(1)];
        let all = self.store.inner().review_queue(&QueueFilter::all(&clients), None, 1_000);
        let all = all.unwrap().into_iter().map(|queued| queued.submission);
        all.map(|submission| (submission.id(), submission)).collect()
    }

    fn any_known(&mut self) -> Option<Submission> {
        let count = self.known.len();
        let place = self.roll(u64::try_from(count.max(1)).unwrap());
        self.known.values().nth(usize::try_from(place).unwrap()).cloned()
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.dice >> 33) % sides
    }
}
