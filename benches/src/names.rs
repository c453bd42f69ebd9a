//! Invented names in any number, some parts of them much more frequent than others.

/// Parts that names are made of.
///
/// ```
/// let names = benches::names::Names::new();
/// assert_eq!(names.full(7), names.full(7));
/// assert_ne!(names.full(7), names.full(8));
/// ```
#[derive(Debug)]
pub struct Names {
    given: Vec<String>,
    family: Vec<String>,
}

const GIVEN: u64 = 1_500;
const FAMILY: u64 = 30_000;

impl Names {
    /// Makes up the parts.
    #[expect(clippy::new_without_default, reason = "there is nothing to choose")]
    pub fn new() -> Self {
        let part = |number: u64, syllables: u64| {
            (0..syllables).map(|at| syllable(mixed(number, at))).collect::<String>()
        };
        Self {
            given: (0..GIVEN).map(|number| part(number, 2 + number % 2)).collect(),
            family: (GIVEN..GIVEN + FAMILY).map(|number| part(number, 2 + number % 3)).collect(),
        }
    }

    /// The full name of the person of this number: one or two given names and a family name.
    pub fn full(&self, person: u32) -> String {
        let pick = |parts: &[String], salt: u64| {
            // The square makes the first ones frequent.
            let share = mixed(person.into(), salt) % 1_000_000;
            let at =
                u64::try_from(parts.len()).unwrap_or(0) * share / 1_000_000 * share / 1_000_000;
            parts.get(usize::try_from(at).unwrap_or(0)).cloned().unwrap_or_default()
        };
        let (given, family) = (pick(&self.given, 1), pick(&self.family, 2));
        if !mixed(person.into(), 3).is_multiple_of(3) {
            return format!("{given} {family}");
        }
        format!("{given} {} {family}", pick(&self.given, 4))
    }
}

fn syllable(random: u64) -> &'static str {
    const SYLLABLES: [&str; 40] = [
        "ba", "ber", "bi", "da", "dor", "du", "el", "fa", "fin", "ga", "ger", "go", "ha", "hol",
        "is", "ja", "jo", "ka", "kir", "ku", "la", "len", "lo", "ma", "mir", "mo", "na", "nik",
        "or", "pa", "pet", "ra", "ros", "sa", "sel", "ta", "tov", "va", "vin", "za",
    ];
    let at = random % 40;
    SYLLABLES.get(usize::try_from(at).unwrap_or(0)).copied().unwrap_or_default()
}

/// Numbers without a pattern (splitmix64).
fn mixed(number: u64, salt: u64) -> u64 {
    let mut z = number.wrapping_mul(64).wrapping_add(salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
