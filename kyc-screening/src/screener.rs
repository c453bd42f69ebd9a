//! The engine behind the port [`Screener`], with a policy about lists.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use kyc_core::{Editions, ScreenError, Screener, Screening, Subject, Timestamp};

use crate::{Engine, ListStatus, Query};

/// Which lists a result needs, and how fresh they must be (D34).
///
/// ```
/// use kyc_screening::Policy;
///
/// let policy = Policy { required: vec!["UN".into()], ..Policy::default() };
/// assert_eq!(policy.max_age.as_secs(), 7 * 24 * 60 * 60);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The lists without which nobody is screened. Empty means every list that is imported, and
    /// at least one.
    pub required: Vec<String>,
    /// How long a required list may be used after it was imported, or last found to be what its
    /// publisher has (D75). People may have been added since.
    pub max_age: Duration,
}

impl Default for Policy {
    /// Every imported list, seven days.
    fn default() -> Self {
        Self { required: Vec::new(), max_age: Duration::from_secs(7 * 24 * 60 * 60) }
    }
}

/// What happens while no list is imported.
///
/// ```
/// use kyc_screening::Mode;
///
/// assert_ne!(Mode::Production, Mode::Development);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nobody is screened.
    Production,
    /// The built-in list of invented people is searched instead; every result says so.
    Development,
}

/// Screens applicants against the lists that are current, as its [`Policy`] asks.
///
/// Searching takes no lock: a new engine replaces the current one, and screenings under way finish
/// with the one they began with.
///
/// ```
/// use kyc_core::{Screener, Subject, Timestamp};
/// use kyc_screening::{Engine, Mode, Options, Policy, SanctionsScreener};
///
/// let nothing = || Engine::new(Vec::new(), Options::default());
/// let (subject, at) = (Subject::named("Mira Kole"), Timestamp::EARLIEST);
///
/// let strict = SanctionsScreener::new(Mode::Production, Policy::default(), nothing());
/// assert!(strict.screen(&subject, at).is_err());
///
/// let trial = SanctionsScreener::new(Mode::Development, Policy::default(), nothing());
/// assert!(trial.uses_sample());
/// assert!(trial.screen(&subject, at)?.lists[0].sample);
/// # Ok::<(), kyc_core::ScreenError>(())
/// ```
#[derive(Debug)]
pub struct SanctionsScreener {
    mode: Mode,
    policy: Policy,
    current: RwLock<Current>,
}

#[derive(Debug, Clone)]
struct Current {
    engine: Arc<Engine>,
    is_sample: bool,
}

impl SanctionsScreener {
    /// Screens with `engine` until it is replaced.
    pub fn new(mode: Mode, policy: Policy, engine: Engine) -> Self {
        Self { mode, policy, current: RwLock::new(Current::of(mode, engine)) }
    }

    /// Screens with `engine` from now on.
    pub fn replace(&self, engine: Engine) {
        let current = Current::of(self.mode, engine);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Whether the built-in list of invented people stands in for real ones. Say so loudly.
    pub fn uses_sample(&self) -> bool {
        self.current().is_sample
    }

    /// The lists that are searched, and their age at `at`.
    pub fn status(&self, at: Timestamp) -> Vec<ListStatus> {
        self.current().engine.status(at)
    }

    /// What results depend on besides the applicant.
    pub fn editions(&self) -> Editions {
        self.current().engine.editions()
    }

    /// Whether applicants can be screened at `at`.
    ///
    /// # Errors
    ///
    /// [`ScreenError::ListMissing`] or [`ScreenError::ListTooOld`] for the first list that breaks
    /// the policy.
    pub fn ready(&self, at: Timestamp) -> Result<(), ScreenError> {
        self.check(&self.current(), at)
    }

    /// Screens whoever is looked for, in the way of the port.
    ///
    /// # Errors
    ///
    /// As [`Screener::screen`].
    pub fn search(&self, query: &Query, at: Timestamp) -> Result<Screening, ScreenError> {
        let current = self.current();
        self.check(&current, at)?;
        current.engine.search(query, at)
    }

    fn check(&self, current: &Current, at: Timestamp) -> Result<(), ScreenError> {
        if current.is_sample {
            return Ok(());
        }
        let lists = current.engine.status(at);
        let missing = |list: &str| ScreenError::ListMissing { list: list.to_owned() };
        let find = |name: &str| lists.iter().find(|list| list.version.list == name);
        let required: Vec<&ListStatus> = if self.policy.required.is_empty() {
            lists.iter().collect()
        } else {
            let required = self.policy.required.iter();
            required
                .map(|name| find(name).ok_or_else(|| missing(name)))
                .collect::<Result<_, _>>()?
        };
        if required.is_empty() {
            return Err(missing("(any)"));
        }
        let is_old = |list: &&&ListStatus| list.age.is_some_and(|age| age > self.policy.max_age);
        match required.iter().find(is_old) {
            Some(old) => Err(ScreenError::ListTooOld { list: old.version.list.clone() }),
            None => Ok(()),
        }
    }

    fn current(&self) -> Current {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Current {
    fn of(mode: Mode, engine: Engine) -> Self {
        let is_sample = mode == Mode::Development && engine.is_empty();
        let engine = if is_sample { Engine::sample(*engine.options()) } else { engine };
        Self { engine: Arc::new(engine), is_sample }
    }
}

impl Screener for SanctionsScreener {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        self.search(&Query::from(subject), at)
    }
}
