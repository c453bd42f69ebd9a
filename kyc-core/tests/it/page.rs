use kyc_core::PageBudget;
use proptest::prelude::*;

/// How many of the items fit.
fn taken(bytes_max: usize, items: &[usize]) -> usize {
    let mut budget = PageBudget::new(bytes_max);
    items.iter().take_while(|bytes| budget.take(**bytes)).count()
}

#[test]
fn d42_a_page_ends_before_it_would_be_too_large() {
    assert_eq!(taken(10, &[4, 6, 1]), 2);
    assert_eq!(taken(10, &[4, 5, 1, 1]), 3);
    assert_eq!(taken(10, &[4, 7]), 1);
    assert_eq!(taken(10, &[]), 0);
}

#[test]
fn d42_a_page_holds_at_least_one_item() {
    assert_eq!(taken(10, &[11, 1]), 1);
    assert_eq!(taken(0, &[1, 1]), 1);
    assert_eq!(taken(10, &[usize::MAX, 1]), 1);
}

#[test]
fn d42_after_the_first_refusal_the_page_has_ended() {
    let mut budget = PageBudget::new(10);
    assert!(budget.take(6));
    assert!(!budget.take(5));
    assert!(!budget.take(4), "though it would fit");
    assert!(!budget.take(0), "though it takes no room");
    assert_eq!(budget.taken(), 1);
}

proptest! {
    #[test]
    fn d42_pages_join_to_the_whole(
        sizes in prop::collection::vec(0..50_usize, 0..30),
        bytes_max in 0..60_usize,
    ) {
        let mut rest = sizes.as_slice();
        while !rest.is_empty() {
            let (page, behind) = rest.split_at(taken(bytes_max, rest));
            prop_assert!(!page.is_empty(), "each page makes progress");
            let bytes: usize = page.iter().sum();
            prop_assert!(page.len() == 1 || bytes <= bytes_max, "a page keeps its budget");
            if let Some(next) = behind.first() {
                prop_assert!(bytes + next > bytes_max, "a page holds as much as fits");
            }
            rest = behind;
        }
    }

    #[test]
    fn d42_the_page_counts_what_it_took(
        sizes in prop::collection::vec(0..50_usize, 0..30),
        bytes_max in 0..200_usize,
    ) {
        let mut budget = PageBudget::new(bytes_max);
        let took = sizes.iter().filter(|bytes| budget.take(**bytes)).count();
        prop_assert_eq!(budget.taken(), took);
        prop_assert_eq!(took, taken(bytes_max, &sizes));
    }
}
