use kyc_core::Score;
use proptest::prelude::*;

use super::*;
use crate::{Options, QueryKind};

/// Short words of few letters, so that many are alike, and what is treated in a way of its own:
/// initials, particles, forms of one name, names written apart, other writings.
fn name() -> impl Strategy<Value = String> {
    let special = "j k m a al bin van abd abdul rahman abdulrahman khan kahn mohamed muhammad mehmet mahmud \
        yusuf joseph jose nur din nureddin ullah habib habibullah محمد عبدالرحمن 林 晓 Мира";
    let special: Vec<&str> = special.split_whitespace().collect();
    let word = prop_oneof![
        3 => "[aehkmrs]{1,6}",
        2 => "[bdk][ae][mnr][ai][lst]{0,2}",
        4 => prop::sample::select(special).prop_map(str::to_owned),
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// What a delta pass rests on: who is found by whom depends on the two names alone, and not on
    /// which of them is in the index.
    #[test]
    fn what_is_found_depends_on_two_names_alone(
        names in prop::collection::vec(name(), 1..20),
        queries in prop::collection::vec(name(), 1..8),
    ) {
        let key = |name: &String| NameKey::of_kind(name, QueryKind::Person, Options::default());
        let found = |listed: &[NameKey], query: &NameKey| -> Vec<(u32, Score)> {
            let mut builder = IndexBuilder::default();
            for name in listed {
                builder.push(name, Glance::default());
            }
            let index = Index::new(Slab::of(builder.finish()));
            let similar = index.similar(query, 620, |_| 620).into_iter();
            similar.map(|found| (found.position, found.alignment.score())).collect()
        };
        let (names, queries): (Vec<_>, Vec<_>) =
            (names.iter().map(key).collect(), queries.iter().map(key).collect());
        for (at, query) in queries.iter().enumerate() {
            let score = |found: Vec<(u32, Score)>, position| {
                found.into_iter().find(|(at, _)| *at == position).map(|(_, score)| score)
            };
            for (position, name) in (0..).zip(&names) {
                let expected = score(found(&names, query), position);
                let alone = score(found(std::slice::from_ref(name), query), 0);
                prop_assert_eq!(alone, expected, "alone: {} in {}", query, name);
                let turned = score(found(&queries, name), u32::try_from(at).unwrap());
                prop_assert_eq!(turned, expected, "turned: {} in {}", query, name);
            }
        }
    }
}
