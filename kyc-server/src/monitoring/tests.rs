//! Two processes over the same stores, interrupted, killed and overtaken by new lists: at the end
//! every result is what screening everybody gives.

use kyc_core::conformance::fixture::{self, client, time};
use kyc_core::conformance::stand_in::{CountingIds, ManualClock};
use kyc_core::memory::{
    MemoryAudit, MemoryDirectory, MemoryDocuments, MemoryMonitoring, MemorySubmissions,
};
use kyc_core::{Clock, CountrySyntax, Field, ScreeningQueue, Subject, service};
use kyc_screening::{Mode, Options, Policy, Revision, SanctionsScreener, Shrinkage};
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// What can happen, in any order. `usize` is one of the two processes.
#[derive(Debug, Clone)]
enum Event {
    /// Somebody is approved.
    Approve(&'static str),
    /// A process screens who waits, with the lists that it has.
    Screen(usize),
    /// A new edition is imported.
    Import(Vec<(u8, &'static str)>),
    /// A process takes the current lists.
    Reload(usize),
    /// A process walks, and is interrupted when it asks for the last time.
    Walk(usize, Extent, u8),
    /// A process is killed, and another one starts.
    Kill(usize),
    Minutes(u32),
}

const NAMES: [&str; 6] =
    ["Mira Kole", "Mirra Kohle", "Tormund Vexley", "Tormunt Wexley", "Basil Quandary", "M. Kole"];

fn events() -> impl Strategy<Value = Vec<Event>> {
    let name = || prop::sample::select(NAMES.to_vec());
    let process = 0..2_usize;
    let extent = prop::sample::select(vec![
        Extent::Concerned,
        Extent::Concerned,
        Extent::Concerned,
        Extent::Everybody,
    ]);
    let event = prop_oneof![
        3 => name().prop_map(Event::Approve),
        3 => process.clone().prop_map(Event::Screen),
        2 => prop::collection::vec((0..4_u8, name()), 1..4).prop_map(Event::Import),
        2 => process.clone().prop_map(Event::Reload),
        6 => (process.clone(), extent, 0..12_u8)
            .prop_map(|(process, extent, asks)| Event::Walk(process, extent, asks)),
        1 => process.prop_map(Event::Kill),
        1 => prop::sample::select(vec![1, 30]).prop_map(Event::Minutes),
    ];
    prop::collection::vec(event, 1..40)
}

struct World {
    folder: TempDir,
    clock: Arc<ManualClock>,
    service: Service,
    store: Arc<MemoryMonitoring>,
    processes: Vec<Process>,
}

struct Process {
    monitor: Monitor,
    screener: SanctionsScreener,
    revision: Revision,
    loaded_at: Timestamp,
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::at(time(0)));
        let service = Service::new(
            Arc::new(MemorySubmissions::default()),
            Arc::new(MemoryDocuments::default()),
            Arc::new(MemoryDirectory::default()),
            Arc::new(MemoryAudit::default()),
            Arc::clone(&clock) as _,
            Arc::new(CountingIds::default()),
            service::Options::default(),
        );
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(MemoryMonitoring::default());
        let mut world = Self { folder, clock, service, store, processes: Vec::new() };
        world.import(&[(0, "Perpetua Nightjar")]);
        world.processes = vec![world.process(), world.process()];
        world
    }

    fn library(&self) -> Library {
        Library::new(self.folder.path().join("lists"))
    }

    fn process(&self) -> Process {
        let library = self.library();
        let store = Arc::clone(&self.store) as _;
        let monitor = Monitor::new(self.service.clone(), store, library.clone(), 2);
        Process {
            monitor,
            revision: library.revision().unwrap(),
            loaded_at: self.clock.now(),
            screener: self.screener(),
        }
    }

    fn screener(&self) -> SanctionsScreener {
        let engine = self.library().load(&Options::default()).unwrap();
        SanctionsScreener::new(Mode::Production, Policy::default(), engine)
    }

    fn import(&self, people: &[(u8, &str)]) {
        // The column of the row keeps ids apart.
        let rows =
            people.iter().enumerate().map(|(row, (id, name))| format!("{id}-{row},{name}\n"));
        let file = self.folder.path().join("watch.csv");
        std::fs::write(&file, format!("id,name\n{}", rows.collect::<String>())).unwrap();
        self.library().import(&[file], self.clock.now(), Shrinkage::Accept).unwrap();
    }

    fn approve(&self, name: &'static str) {
        let (first, last) = name.split_once(' ').unwrap();
        let own = [(Field::FirstName, first), (Field::LastName, last)];
        let sent = |field| {
            let own = own.iter().find(|(of, _)| *of == field).map(|(_, text)| *text);
            own.or_else(|| fixture::sent(field))
        };
        self.service.submit_aml_only(client(1), &sent, CountrySyntax::Combined).unwrap();
    }

    fn screen(&self, process: usize) {
        let screener = &self.processes[process].screener;
        self.service.screen_queue(ScreeningQueue::New, screener, &|| false, &|_| ()).unwrap();
    }

    fn reload(&mut self, process: usize) {
        let (revision, loaded_at) = (self.library().revision().unwrap(), self.clock.now());
        let screener = self.screener();
        let process = &mut self.processes[process];
        (process.revision, process.loaded_at, process.screener) = (revision, loaded_at, screener);
    }

    fn step(&mut self, process: usize, extent: Extent, asks: u8) -> Step {
        let Process { monitor, screener, .. } = &mut self.processes[process];
        let goal = Goal { screener, editions: screener.editions(), extent, failed: &|_| () };
        let mut left = asks;
        monitor
            .step(&goal, &mut || {
                left = left.saturating_sub(1);
                left == 0
            })
            .unwrap()
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Approve(name) => self.approve(name),
            Event::Screen(process) => self.screen(process),
            Event::Import(people) => self.import(&people),
            Event::Reload(process) => self.reload(process),
            Event::Walk(process, extent, asks) => {
                // The command walks with the current lists alone; the service may lag behind, and
                // then walks once more.
                if process == 1 && self.processes[1].revision != self.library().revision().unwrap()
                {
                    self.reload(1);
                }
                let _ = self.step(process, extent, asks);
            }
            Event::Kill(process) => self.processes[process] = self.process(),
            Event::Minutes(minutes) => self.clock.advance_millis(minutes * 60_000),
        }
        self.clock.advance_millis(1);
    }

    /// What the service does after new lists came.
    fn catch_up(&mut self) {
        self.reload(0);
        self.screen(0);
        loop {
            if let Step::Ended(_, end) = self.step(0, Extent::Concerned, u8::MAX)
                && end.begun >= self.processes[0].loaded_at
            {
                return;
            }
        }
    }

    #[track_caller]
    fn check(&self) {
        let screener = self.screener();
        for queued in self.service.screened_behind(None, usize::MAX).unwrap() {
            let full = screener.screen(&Subject::of(queued.submission.form()), self.clock.now());
            let stored = &queued.submission.result().unwrap().screening;
            assert_eq!(stored.hits, full.unwrap().hits);
        }
        let state = self.store.monitoring().unwrap();
        assert_eq!(state.covered.unwrap().editions, screener.editions());
        assert_eq!(state.under_way, None);
    }
}

proptest! {
    #[test]
    fn d86_whatever_comes_in_between_every_result_is_what_a_full_screening_gives(events in events()) {
        let mut world = World::new();
        for event in events {
            world.happen(event);
        }
        world.catch_up();
        world.check();
    }
}
