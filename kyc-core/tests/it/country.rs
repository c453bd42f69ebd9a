use std::collections::BTreeSet;

use kyc_core::{Country, CountrySyntax, UnknownCountry};

#[track_caller]
fn check(text: &str, combined: Option<&str>, combined_or_code: Option<&str>) {
    let read = |syntax: CountrySyntax| syntax.parse(text).map(Country::alpha3);
    assert_eq!(read(CountrySyntax::Combined), combined.ok_or(UnknownCountry));
    assert_eq!(read(CountrySyntax::CombinedOrCode), combined_or_code.ok_or(UnknownCountry));
}

#[test]
fn d20_one_generation_takes_the_bare_code_as_well() {
    check("South Korea, KOR", Some("KOR"), Some("KOR"));
    check("KOR", None, Some("KOR"));
    check("Kosovo, XKX", Some("XKX"), Some("XKX"));
    check("XKX", None, Some("XKX"));
    check("Cocos (Keeling) Islands, CCK", Some("CCK"), Some("CCK"));
    check("Cote dIvoire, CIV", Some("CIV"), Some("CIV"));
    check("Aruba, ABW", Some("ABW"), Some("ABW"));
    check("Zimbabwe, ZWE", Some("ZWE"), Some("ZWE"));
}

#[test]
fn d20_the_combined_form_is_exactly_a_row_of_the_list() {
    check("south korea, KOR", None, None);
    check("South Korea,KOR", None, None);
    check("South Korea , KOR", None, None);
    check("South Korea,  KOR", None, None);
    check("South Korea, KOR ", None, None);
    check("South Korea, kor", None, None);
    check("North Korea, KOR", None, None);
    check("South Korea", None, None);
    check(", KOR", None, None);
    check("", None, None);
    check("kor", None, None);
    check("KO", None, None);
    check("KORE", None, None);
    check("XXX", None, None);
    check("AAA", None, None);
    check("ZZZ", None, None);
    // Countries, but not of the list.
    check("Åland Islands, ALA", None, None);
    check("ALA", None, None);
    check("Côte d'Ivoire, CIV", None, None);
}

#[test]
fn d20_there_are_246_countries_each_once() {
    let names: BTreeSet<&str> = Country::all().map(Country::name).collect();
    let codes: BTreeSet<&str> = Country::all().map(Country::alpha3).collect();
    assert_eq!((names.len(), codes.len(), Country::COUNT), (246, 246, 246));
    assert!(names.iter().all(|name| !name.is_empty() && name.trim() == *name));
    assert!(codes.iter().all(|code| code.len() == 3));
    assert!(Country::all().is_sorted_by(|left, right| left < right));
    assert!(Country::all().is_sorted_by(|left, right| left.alpha3() < right.alpha3()));
}

#[test]
fn d20_every_country_reads_as_itself_in_both_forms() {
    for country in Country::all() {
        assert_eq!(country.to_string(), format!("{}, {}", country.name(), country.alpha3()));
        assert_eq!(country.combined().parse(), Ok(country));
        assert_eq!(Country::from_alpha3(country.alpha3()), Some(country));
    }
}

#[test]
fn every_country_has_one_code_of_two_letters() {
    let letters = || ('A'..='Z').map(String::from);
    let codes = || letters().flat_map(|first| letters().map(move |second| first.clone() + &second));
    let found: Vec<Country> = codes().filter_map(|code| Country::from_alpha2(&code)).collect();
    let each: BTreeSet<&str> = found.iter().map(|country| country.alpha3()).collect();
    assert_eq!((found.len(), each.len()), (Country::COUNT, Country::COUNT));
    for (two, three) in [
        ("AW", "ABW"),
        ("AL", "ALB"),
        ("AT", "AUT"),
        ("AU", "AUS"),
        ("CH", "CHE"),
        ("CN", "CHN"),
        ("GB", "GBR"),
        ("KP", "PRK"),
        ("KR", "KOR"),
        ("NE", "NER"),
        ("NG", "NGA"),
        ("SK", "SVK"),
        ("SI", "SVN"),
        ("XK", "XKX"),
        ("ZW", "ZWE"),
    ] {
        assert_eq!(Country::from_alpha2(two).map(Country::alpha3), Some(three));
    }
    for text in ["", "A", "ALB", "al", "AL ", " ", "AL AM", "XX"] {
        assert_eq!(Country::from_alpha2(text), None, "{text:?}");
    }
}

/// The list in the interface's own text is the list here, where that text is at hand.
#[test]
fn d20_the_countries_are_those_of_the_interface() {
    let Some(path) = std::env::var_os("KYC_INTERFACE_FILE") else {
        eprintln!("not compared with the interface: KYC_INTERFACE_FILE names no file");
        return;
    };
    let interface = std::fs::read_to_string(path).unwrap();
    let (_, behind) = interface.split_once("The allowed values are these 246 entries:").unwrap();
    let list = behind.trim_start().lines().next().unwrap();
    let published: BTreeSet<&str> = list.trim_end_matches('.').split("; ").collect();
    let ours: BTreeSet<&str> = Country::all().map(Country::combined).collect();
    assert_eq!(ours, published);
}
