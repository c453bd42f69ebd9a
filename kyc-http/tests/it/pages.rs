//! Lists in pages of at most 1 MiB (D41, D42, D47).

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::*;

const PAGE_BYTES_MAX: usize = 1_048_576;

/// Both lists: target, name of the array, name of the id.
const LISTS: [(&str, &str, &str); 2] =
    [("/v2/submissions/resultall", "data", "id"), ("/f1/submissions", "Items", "submission_id")];

/// The longest texts of the fields that both lists show, in characters.
const NAMES_AND_ADDRESS: [&str; 7] = [
    "first_name",
    "middle_name",
    "last_name",
    "address_street",
    "address_city",
    "address_state",
    "address_zipcode",
];

/// A form in which every text of a list is `text`, repeated up to a share of its limit.
fn long_form(form: &Sent, text: &str, hundredths: usize) -> Sent {
    let fill = |chars_max: usize| {
        let count = (chars_max * hundredths / 100).max(1);
        text.chars().cycle().take(count).collect::<String>()
    };
    let form =
        NAMES_AND_ADDRESS.iter().fold(form.clone(), |form, name| form.with(name, &fill(256)));
    form.with("userid", &fill(128))
        .with("id_number", &fill(128))
        .with("wallet_address", &"\"".repeat(128))
        .with("contribution_type", &fill(1_024))
        .with("estimated_amount", &fill(1_024))
        .with("address_country", "British Indian Ocean Territory, IOT")
}

/// Texts that take more bytes in JSON than they have characters.
const TEXTS: [&str; 5] = ["a", "\"", "\\", "ж€", "𐍈\""];

/// Follows page keys and returns the items of each page.
#[track_caller]
fn pages(world: &World, (list, items, id): (&str, &str, &str)) -> Vec<Vec<Value>> {
    let mut pages = Vec::new();
    let mut target = list.to_owned();
    loop {
        let answer = world.get(Acme, &target).success();
        assert!(answer.body.len() <= PAGE_BYTES_MAX, "{}", answer.body.len());
        let page = answer.value_at(&format!("/{items}")).as_array().unwrap().clone();
        let [email, key] =
            ["email", "id"].map(|half| answer.text_at(&format!("/nextpageKey/{half}")));
        let end = page.last().cloned().unwrap_or_default();
        pages.push(page);
        if key == "NA" {
            assert_eq!(email, "NA");
            return pages;
        }
        assert_eq!((end[id].as_str(), end["email"].as_str()), (Some(&*key), Some(&*email)));
        target = format!("{list}?nextpageKeyemail={}&nextpageKeyid={key}", escape(&email));
    }
}

/// The pages have these ids in order, and none could have held the first item of the next one.
#[track_caller]
fn check(world: &World, expected: &[String]) {
    for list @ (_, _, id) in LISTS {
        let pages = pages(world, list);
        let ids: Vec<&str> =
            pages.iter().flatten().map(|item| item[id].as_str().unwrap()).collect();
        assert_eq!(ids, expected);
        for (page, next) in pages.iter().zip(pages.iter().skip(1)) {
            let size = |item: &Value| serde_json::to_vec(item).unwrap().len() + 1;
            let with_next: usize = page.iter().chain(next.first()).map(size).sum();
            // The longest page key and what surrounds the items.
            assert!(with_next + 400 > PAGE_BYTES_MAX);
        }
    }
}

#[track_caller]
fn submit(world: &World, form: &Sent) -> String {
    // Unescaped, since an escaped form of this length can be too long for a body.
    world.post(Acme, "/v2/submissions", &form.raw_body()).success().text_at("/id")
}

#[test]
fn d42_d47_a_record_with_every_field_at_its_limit_fits_a_page() {
    for text in TEXTS {
        let world = World::new();
        let longest = format!("{}@{}.example", "a".repeat(183), "b".repeat(62));
        assert_eq!(longest.len(), 254);
        let form = long_form(&world.l1(Acme), text, 100).with("email", &longest);
        let id = submit(&world, &form);
        check(&world, &[id]);
    }
}

#[test]
fn d42_the_envelope_counts() {
    let world = World::new();
    let form = long_form(&world.l1(Acme), "a", 100).with("estimated_amount", "a");
    submit(&world, &form);
    let opening = "{\"data\":[".len();
    let list = world.get(Acme, LISTS[0].0).success();
    let shortest = serde_json::to_vec(&list.value_at("/data/0")).unwrap().len() + 1;
    // Items that would fill a page to the brim, with no room for its page key.
    let gap = |chars: usize| (PAGE_BYTES_MAX - opening) % (shortest + chars - 1);
    let chars = (1..=1_024).find(|chars| gap(*chars) < 60).unwrap();
    let form = form.with("estimated_amount", &"a".repeat(chars));
    let world = World::new();
    world.l1(Acme);
    let ids: Vec<String> = (0..300).map(|_| submit(&world, &form)).collect();
    check(&world, &ids);
}

#[test]
fn d42_d47_many_records_at_their_limit_make_several_full_pages() {
    let world = World::new();
    let form = long_form(&world.l1(Acme), "𐍈\"", 100);
    let ids: Vec<String> = (0..400).map(|_| submit(&world, &form)).collect();
    check(&world, &ids);
    assert!(pages(&world, LISTS[0]).len() >= 3);
    assert!(pages(&world, LISTS[1]).len() >= 2);
}

#[test]
fn d42_d47_what_is_submitted_while_somebody_pages_comes_at_the_end() {
    let world = World::new();
    let form = long_form(&world.l1(Acme), "𐍈\"", 100);
    let ids: Vec<String> = (0..400).map(|_| submit(&world, &form)).collect();
    for (list, items, id) in LISTS {
        let first = world.get(Acme, list).success();
        let [email, key] =
            ["email", "id"].map(|half| first.text_at(&format!("/nextpageKey/{half}")));
        let late = submit(&world, &form);
        // Neither a change nor another client's submission moves anything.
        world.reject(&ids[1]);
        world.reopen(&ids[1]);
        world.submit_aml_only(Birch);
        assert_eq!(
            world.get(Acme, list).success().value_at(&format!("/{items}")),
            first.value_at(&format!("/{items}"))
        );
        let mut seen: Vec<String> = Vec::new();
        let mut page = first;
        let (mut email, mut key) = (email, key);
        loop {
            let shown = page.value_at(&format!("/{items}"));
            let shown = shown.as_array().unwrap();
            seen.extend(shown.iter().map(|item| item[id].as_str().unwrap().to_owned()));
            if key == "NA" {
                break;
            }
            let target = format!("{list}?nextpageKeyemail={email}&nextpageKeyid={key}");
            page = world.get(Acme, &target).success();
            [email, key] =
                ["email", "id"].map(|half| page.text_at(&format!("/nextpageKey/{half}")));
        }
        assert_eq!(seen[..ids.len()], ids);
        assert_eq!(seen.last(), Some(&late));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn d42_d47_pages_join_to_the_whole(
        sizes in proptest::collection::vec((0..=100_usize, select(&TEXTS)), 0..260),
    ) {
        let world = World::new();
        let form = world.l1(Acme);
        let ids: Vec<String> = sizes
            .iter()
            .enumerate()
            .map(|(number, (hundredths, text))| {
                let email = format!("m{number}@example.org");
                submit(&world, &long_form(&form, text, *hundredths).with("email", &email))
            })
            .collect();
        check(&world, &ids);
    }
}
