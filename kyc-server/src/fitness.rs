//! Whether applicants can be screened with the lists that are there (D34).

use kyc_core::Timestamp;
use kyc_http::ListState;
use kyc_screening::{Engine, Library, LibraryError, ListStatus, Mode, Options, Policy};

/// What a policy says about the lists of a library.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fitness {
    /// Whether applicants are screened with these lists.
    pub(crate) screening: bool,
    /// Whether they are compared with invented people.
    pub(crate) is_sample: bool,
    pub(crate) lists: Vec<Fit>,
}

/// What it says about one list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    pub(crate) list: String,
    pub(crate) state: ListState,
    pub(crate) is_required: bool,
    /// `None` for a list that is missing.
    pub(crate) status: Option<ListStatus>,
}

/// What follows from lists that are missing or too old.
pub(crate) const NOBODY_IS_SCREENED: &str =
    "nobody is screened: results that are there stay as they are, others stay `-`";

impl Fitness {
    /// Looks at the lists as they are at `at`.
    pub(crate) fn of(
        library: &Library,
        mode: Mode,
        policy: &Policy,
        at: Timestamp,
    ) -> Result<Self, LibraryError> {
        let lists = library.status(at)?;
        if mode == Mode::Development && lists.is_empty() {
            return Ok(Self::of_sample(at));
        }
        Ok(Self::of_lists(policy, lists))
    }

    fn of_sample(at: Timestamp) -> Self {
        let fit = |status: ListStatus| Fit {
            list: status.version.list.clone(),
            state: ListState::Sample,
            is_required: false,
            status: Some(status),
        };
        let lists = Engine::sample(Options::default()).status(at).into_iter().map(fit).collect();
        Self { screening: true, is_sample: true, lists }
    }

    pub(crate) fn of_lists(policy: &Policy, lists: Vec<ListStatus>) -> Self {
        let is_named = |name: &str| policy.required.iter().any(|required| required == name);
        let is_there = |name: &&String| lists.iter().any(|list| list.version.list == **name);
        let missing: Vec<Fit> = policy
            .required
            .iter()
            .filter(|name| !is_there(name))
            .map(|name| Fit::missing(name))
            .collect();
        let fit = |status: ListStatus| Fit {
            state: if status.age.is_some_and(|age| age > policy.max_age) {
                ListState::TooOld
            } else {
                ListState::Current
            },
            is_required: policy.required.is_empty() || is_named(&status.version.list),
            list: status.version.list.clone(),
            status: Some(status),
        };
        let lists: Vec<Fit> = lists.into_iter().map(fit).chain(missing).collect();
        let screening = !lists.is_empty() && !lists.iter().any(Fit::is_in_the_way);
        Self { screening, is_sample: false, lists }
    }

    /// The required lists that are missing or too old.
    pub(crate) fn in_the_way(&self) -> Vec<&str> {
        let lists = self.lists.iter().filter(|fit| fit.is_in_the_way());
        lists.map(|fit| fit.list.as_str()).collect()
    }
}

impl Fit {
    fn is_in_the_way(&self) -> bool {
        self.is_required && self.state != ListState::Current
    }

    fn missing(list: &str) -> Self {
        Self { list: list.to_owned(), state: ListState::Missing, is_required: true, status: None }
    }
}

#[cfg(test)]
mod tests {
    use kyc_core::{Screener, Subject};
    use kyc_screening::{SanctionsScreener, Snapshot, read_plain};

    use super::*;

    const TODAY: i64 = 20_000 * 86_400_000;

    fn list(name: &str, age_days: i64) -> Snapshot {
        let people = read_plain("id,name\n1,Mira Kole\n".as_bytes()).unwrap().into_entities();
        let checked_at = Timestamp::from_unix_millis(TODAY - age_days * 86_400_000);
        Snapshot { checked_at, ..Snapshot::new(name, people) }
    }

    /// One policy, seen from here and by the screener.
    #[track_caller]
    fn check(required: &[&str], lists: &[(&str, i64)], states: &[ListState], screening: bool) {
        let at = Timestamp::from_unix_millis(TODAY).unwrap();
        let required = required.iter().map(|name| (*name).to_owned()).collect();
        let policy = Policy { required, ..Policy::default() };
        let snapshots = lists.iter().map(|(name, age)| list(name, *age)).collect();
        let engine = Engine::new(snapshots, Options::default());

        let fitness = Fitness::of_lists(&policy, engine.status(at));
        assert_eq!(fitness.lists.iter().map(|fit| fit.state).collect::<Vec<_>>(), states);
        assert_eq!(fitness.screening, screening);
        assert!(fitness.in_the_way().is_empty() || !screening);

        let screener = SanctionsScreener::new(Mode::Production, policy, engine);
        assert_eq!(screener.screen(&Subject::named("Mira Kole"), at).is_ok(), screening);
    }

    #[test]
    fn d34_what_is_said_is_what_the_screener_does() {
        use ListState::{Current, Missing, TooOld};
        check(&[], &[], &[], false);
        check(&[], &[("UN", 0)], &[Current], true);
        check(&[], &[("UN", 7), ("own", 8)], &[Current, TooOld], false);
        check(&["UN"], &[("UN", 7), ("own", 8)], &[Current, TooOld], true);
        check(&["UN", "OFAC-SDN"], &[("UN", 0)], &[Current, Missing], false);
    }
}
