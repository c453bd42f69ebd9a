//! Many people who were approved, put into the store without the detour over the network.

use std::sync::Arc;
use std::thread;

use kyc_core::conformance::fixture;
use kyc_core::service::{self, Decision};
use kyc_core::{
    ClientId, Clock, CountrySyntax, Field, HitVerdict, Monitoring, OsIds, Queued, ScreenError,
    Screener, ScreeningQueue, Service, Subject, SystemClock, Timestamp,
};
use kyc_screening::{Engine, Library, Options};
use kyc_store_sqlite::SqliteStore;
use kyc_vault::Source;

use crate::program::Site;

/// The name of one of many people, different enough from the others'.
pub(crate) fn name(number: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "bra", "dun", "fel", "gor", "hal", "jes", "kim", "lor", "mev", "nat", "pol", "quis", "rud",
        "sta", "tov", "wex",
    ];
    let word = |number: usize| {
        (0..3).map(|at| SYLLABLES[number / 16_usize.pow(at) % 16]).collect::<String>()
    };
    format!("{} {}", word(number * 7 + 3), word(number * 31 + 1_000))
}

/// A list of some of these people.
pub(crate) fn list(numbers: impl Iterator<Item = usize>) -> String {
    let rows = numbers.map(|number| format!("W-{number},{}\n", name(number)));
    format!("id,name\n{}", rows.collect::<String>())
}

/// A data folder that no process has open.
pub(crate) struct Store {
    store: SqliteStore,
    service: Service,
}

impl Store {
    pub(crate) fn open(site: &Site) -> Self {
        let vault = Source::file(site.data().join("master.key"));
        let options = kyc_store_sqlite::Options::default().with_vault(vault);
        let store = SqliteStore::open(&site.data(), options).unwrap();
        let shared = Arc::new(store.clone());
        let service = Service::new(
            Arc::clone(&shared) as _,
            Arc::clone(&shared) as _,
            Arc::clone(&shared) as _,
            shared,
            Arc::new(SystemClock),
            Arc::new(OsIds),
            service::Options::default(),
        );
        Self { store, service }
    }

    /// Submits so many people for screening alone, and screens them.
    pub(crate) fn approve(&self, site: &Site, count: usize) {
        let client = self.store.add_client(&"default".parse().unwrap(), SystemClock.now()).unwrap();
        let numbers: Vec<usize> = (0..count).collect();
        // Threads share the waits for the disk.
        thread::scope(|scope| {
            for numbers in numbers.chunks(count.div_ceil(32)) {
                scope.spawn(|| numbers.iter().for_each(|number| self.submit(client.id, *number)));
            }
        });
        let engine = Library::new(site.data().join("lists")).load(&Options::default()).unwrap();
        let screener = &Screening(engine);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let queue = ScreeningQueue::New;
                    self.service.screen_queue(queue, screener, &|| false, &|_| ()).unwrap();
                });
            }
        });
    }

    fn submit(&self, client: ClientId, number: usize) {
        let (name, email) = (name(number), format!("person{number}@example.org"));
        let (first, last) = name.split_once(' ').unwrap();
        let own = [(Field::FirstName, first), (Field::LastName, last), (Field::Email, &email)];
        let sent = |field| {
            let own = own.iter().find(|(of, _)| *of == field).map(|(_, text)| *text);
            own.or_else(|| fixture::sent(field))
        };
        self.service.submit_aml_only(client, &sent, CountrySyntax::Combined).unwrap();
    }

    /// What is stored of everybody: whose it is, how risky, and on which records.
    pub(crate) fn results(&self) -> Vec<(String, String)> {
        let queued = self.service.screened_behind(None, usize::MAX).unwrap();
        let told = |queued: &Queued| {
            let submission = &queued.submission;
            let hits: Vec<_> = submission
                .result()
                .unwrap()
                .screening
                .hits
                .iter()
                .map(|hit| (hit.entity.as_str(), hit.score.thousandths(), submission.standing(hit)))
                .collect();
            let email = submission.form().email.as_str().to_owned();
            (email, format!("{:?} {hits:?}", submission.risk()))
        };
        let mut results: Vec<_> = queued.iter().map(told).collect();
        results.sort();
        results
    }

    /// An inspector finds of every hit that it is somebody else.
    pub(crate) fn clear_hits(&self) {
        let inspector = fixture::inspector();
        for queued in self.service.screened_behind(None, usize::MAX).unwrap() {
            let submission = queued.submission;
            let (id, mut version) = (submission.id(), submission.version());
            for hit in &submission.result().unwrap().screening.hits {
                let (verdict, note) = (Some(HitVerdict::FalsePositive), "A namesake.");
                let note = note.parse().unwrap();
                let decision = Decision::Hit { hit: hit.key(), verdict, note };
                let case = self.service.decide(&inspector, id, version, decision).unwrap();
                version = case.submission.version();
            }
        }
    }

    /// As after an upgrade to a release that compares in another way.
    pub(crate) fn pretend_other_configuration(&self) {
        let before = self.store.monitoring().unwrap();
        let mut after = before.clone();
        let covered = after.covered.as_mut().unwrap();
        "another".clone_into(&mut covered.editions.configuration);
        self.store.advance_monitoring(&before, &after).unwrap();
    }
}

struct Screening(Engine);

impl Screener for Screening {
    fn screen(
        &self,
        subject: &Subject<'_>,
        at: Timestamp,
    ) -> Result<kyc_core::Screening, ScreenError> {
        self.0.screen(subject, at)
    }
}
