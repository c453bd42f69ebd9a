//! What can be used, and is hardly meant so.

use kyc_screening::PUBLISHED_LISTS;

use super::{DAY, HOUR, Settings};
use crate::fetch::is_own_name;

/// So long what was erased may still be in backups.
const ERASURE_DAYS: u64 = 35;

impl Settings {
    /// Sentences about settings with which nobody would be screened, at once or after a while.
    pub(crate) fn doubts(&self) -> Vec<String> {
        let doubts = [
            self.unknown_lists(),
            self.too_old_at_once(),
            self.seldom(),
            self.left_out(),
            self.kept_for_long(),
        ];
        doubts.into_iter().flatten().collect()
    }

    /// Required lists that nobody can import under this name: published ones have theirs, and
    /// others are lower case.
    fn unknown_lists(&self) -> Option<String> {
        let is_unknown = |name: &str| !PUBLISHED_LISTS.contains(&name) && !is_own_name(name);
        let unknown = self.required(is_unknown)?;
        let published = PUBLISHED_LISTS.join(", ");
        Some(format!(
            "lists_required names {unknown}, and no list can be called so: nobody would be \
             screened. The published ones are {published}; a list of your own has its file's name \
             in lower case"
        ))
    }

    fn too_old_at_once(&self) -> Option<String> {
        self.policy.max_age.is_zero().then(|| {
            "lists_max_age_days is 0: every list is too old at once, and nobody would be screened"
                .to_owned()
        })
    }

    fn seldom(&self) -> Option<String> {
        let (every, max_age) = (self.updates.every?, self.policy.max_age);
        // An update may come a tenth later.
        let is_seldom = !max_age.is_zero() && every * 11 / 10 > max_age;
        is_seldom.then(|| {
            format!(
                "lists_update_hours is {}, give or take a tenth, and lists_max_age_days {}: lists \
                 would be too old before the next update, and nobody would be screened then",
                every.as_secs() / HOUR,
                max_age.as_secs() / DAY
            )
        })
    }

    fn left_out(&self) -> Option<String> {
        self.updates.every?;
        let is_fetched = |name: &str| self.updates.feeds.iter().any(|feed| feed.list == name);
        let is_left_out = |name: &str| PUBLISHED_LISTS.contains(&name) && !is_fetched(name);
        let left_out = self.required(is_left_out)?;
        Some(format!(
            "lists_required names {left_out}, and lists_update does not: unless somebody imports \
             it in time, nobody would be screened"
        ))
    }

    fn kept_for_long(&self) -> Option<String> {
        let backups = self.backups.as_ref()?;
        let keep = u64::try_from(backups.keep.get()).unwrap_or(u64::MAX);
        let days = keep.saturating_mul(backups.every.as_secs()) / DAY;
        (days > ERASURE_DAYS).then(|| {
            format!(
                "backups are kept for {days} days: what is erased stays in them for so long, and \
                 more than {ERASURE_DAYS} days are hard to defend"
            )
        })
    }

    /// The required lists of which something holds; `None` if there is none.
    fn required(&self, holds: impl Fn(&str) -> bool) -> Option<String> {
        let required = self.policy.required.iter().map(String::as_str);
        let names: Vec<&str> = required.filter(|name| holds(name)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}
