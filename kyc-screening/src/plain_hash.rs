//! A quick hash for tables whose keys nobody can choose to collide, or that are hashes already.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A table with that hash.
pub(crate) type PlainMap<K, V> = HashMap<K, V, BuildHasherDefault<PlainHasher>>;

/// A set with that hash.
pub(crate) type PlainSet<K> = HashSet<K, BuildHasherDefault<PlainHasher>>;

#[derive(Default)]
pub(crate) struct PlainHasher(u64);

impl Hasher for PlainHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0 ^ BASE, |hash, byte| mix(hash, *byte));
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = mix(self.0, byte);
    }

    fn write_u32(&mut self, key: u32) {
        self.0 = u64::from(key).wrapping_mul(PRIME);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(BASE, |hash, byte| mix(hash, *byte))
}

pub(crate) fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME).rotate_left(23)
}

/// Of the FNV and Fibonacci hashes: any odd numbers without a pattern would do.
pub(crate) const BASE: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;

    fn hash_of(value: impl Hash) -> u64 {
        let mut hasher = PlainHasher::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn every_byte_and_its_place_counts() {
        let all = [[0_u8, 0], [0, 1], [1, 0], [1, 1]].map(|[one, other]| hash_of((one, other)));
        let texts = ["", "a", "b", "ab", "ba"].map(|text| hash(text.as_bytes()));
        for hashes in [all.as_slice(), &texts] {
            let different: PlainSet<u64> = hashes.iter().copied().collect();
            assert_eq!(different.len(), hashes.len());
        }
    }
}
