use super::{Hit, HitKey};

/// How the hits of one screening differ from those of another one, in what matters: a score or a
/// word of a reason alone is no difference (D82).
///
/// ```
/// use kyc_core::HitChanges;
/// use kyc_core::conformance::fixture::hit;
///
/// let changes = HitChanges::between(&[hit(910), hit(905)], &[hit(910), hit(990)]);
/// assert_eq!((changes.added, changes.gone), (vec![hit(990).key()], vec![hit(905).key()]));
/// assert!(changes.altered.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HitChanges {
    /// Found now and not before.
    pub added: Vec<HitKey>,
    /// Found before and not now.
    pub gone: Vec<HitKey>,
    /// Found both times, on different evidence.
    pub altered: Vec<HitKey>,
}

impl HitChanges {
    /// Compares the hits of two screenings; each group in the order of its hits.
    pub fn between(before: &[Hit], now: &[Hit]) -> Self {
        let mut changes = Self::default();
        for hit in now {
            match before.iter().find(|other| is_same(other, hit)) {
                None => changes.added.push(hit.key()),
                Some(other) if other.evidence != hit.evidence => changes.altered.push(hit.key()),
                Some(_) => {}
            }
        }
        let gone = before.iter().filter(|hit| !now.iter().any(|other| is_same(other, hit)));
        changes.gone = gone.map(Hit::key).collect();
        changes
    }

    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        let Self { added, gone, altered } = self;
        added.is_empty() && gone.is_empty() && altered.is_empty()
    }
}

fn is_same(one: &Hit, other: &Hit) -> bool {
    (&one.list, &one.entity) == (&other.list, &other.entity)
}
