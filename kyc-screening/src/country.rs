//! The words that lists use for countries, read as [`Country`].

use std::collections::HashMap;
use std::sync::LazyLock;

use any_ascii::any_ascii;
use kyc_core::Country;

/// Finds the country that a list means: the published name or a common variant, in any case and
/// word order, with or without accents, or the alpha-3 code. Demonyms only where lists use them.
pub(crate) fn country_of(words: &str) -> Option<Country> {
    let words = words.trim();
    if words.len() > WORDS_BYTES_MAX {
        return None;
    }
    let known = || Country::from_alpha3(words).or_else(|| words.parse().ok());
    BY_KEY.get(&key(words)).copied().or_else(known)
}

/// Finds the country of an ISO 3166-1 alpha-2 code in any case. Codes of regions and of countries
/// of the past are none.
pub(crate) fn country_of_alpha2(code: &str) -> Option<Country> {
    Country::from_alpha2(&code.trim().to_ascii_uppercase())
}

static BY_KEY: LazyLock<HashMap<String, Country>> = LazyLock::new(|| {
    let published = Country::all().map(|country| (key(country.name()), country));
    let variants = VARIANTS.iter().filter_map(|(words, alpha3)| {
        Country::from_alpha3(alpha3).map(|country| (key(words), country))
    });
    published.chain(variants).collect()
});

/// `Congo, Democratic Republic of the` and `Democratic Republic of the Congo` are the same key.
fn key(words: &str) -> String {
    let ascii = any_ascii(words).to_lowercase().replace('\'', "");
    let mut parts: Vec<&str> = ascii
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty() && !FILLERS.contains(part))
        .map(|part| if part == "saint" { "st" } else { part })
        .collect();
    parts.sort_unstable();
    parts.join(" ")
}

/// No country is called longer than this.
const WORDS_BYTES_MAX: usize = 128;

/// Words that distinguish no two countries.
const FILLERS: [&str; 5] = ["and", "of", "possibly", "state", "the"];

const VARIANTS: [(&str, &str); 64] = [
    ("Bahamas, The", "BHS"),
    ("Bolivarian Republic of Venezuela", "VEN"),
    ("Britain", "GBR"),
    ("Brunei Darussalam", "BRN"),
    ("Burma", "MMR"),
    ("Burma (Myanmar)", "MMR"),
    ("Cabo Verde", "CPV"),
    ("China, Hong Kong Special Administrative Region", "HKG"),
    ("China, Macao Special Administrative Region", "MAC"),
    ("Congo", "COG"),
    ("Congo (Brazzaville)", "COG"),
    ("Congo (Kinshasa)", "COD"),
    ("Cote d Ivoire", "CIV"),
    ("Czechia", "CZE"),
    ("DPRK", "PRK"),
    ("DR Congo", "COD"),
    ("Democratic People's Republic of Korea", "PRK"),
    ("East Timor", "TLS"),
    ("Eritrean", "ERI"),
    ("Eswatini", "SWZ"),
    ("Federated States of Micronesia", "FSM"),
    ("Former Yugoslav Republic of Macedonia", "MKD"),
    ("Great Britain", "GBR"),
    ("Holy See", "VAT"),
    ("Hong Kong SAR", "HKG"),
    ("Iran, Islamic Republic of", "IRN"),
    ("Ivory Coast", "CIV"),
    ("Korea, Republic of", "KOR"),
    ("Kyrgyz Republic", "KGZ"),
    ("Lao People's Democratic Republic", "LAO"),
    ("Libyan Arab Jamahiriya", "LBY"),
    ("Macao", "MAC"),
    ("North Macedonia", "MKD"),
    ("Occupied Palestinian Territory", "PSE"),
    ("Palestinian", "PSE"),
    ("Palestinian Territories", "PSE"),
    ("People's Republic of China", "CHN"),
    ("Plurinational State of Bolivia", "BOL"),
    ("Republic of Belarus", "BLR"),
    ("Republic of Iraq", "IRQ"),
    ("Republic of Moldova", "MDA"),
    ("Republic of Serbia", "SRB"),
    ("Republic of South Sudan", "SSD"),
    ("Republic of Sudan", "SDN"),
    ("Republic of the Congo", "COG"),
    ("Republic of the Union of Myanmar", "MMR"),
    ("Russian Federation", "RUS"),
    ("Slovak Republic", "SVK"),
    ("Swiss Confederation", "CHE"),
    ("Syrian Arab Republic", "SYR"),
    ("Taiwan, Province of China", "TWN"),
    ("Tanzania, United Republic of", "TZA"),
    ("The Gambia", "GMB"),
    ("Timor-Leste", "TLS"),
    ("Türkiye", "TUR"),
    ("U.K.", "GBR"),
    ("U.S.A.", "USA"),
    ("UK", "GBR"),
    ("USA", "USA"),
    ("United Kingdom of Great Britain and Northern Ireland", "GBR"),
    ("United States of America", "USA"),
    ("Vatican", "VAT"),
    ("Viet Nam", "VNM"),
    ("Virgin Islands, British", "VGB"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, alpha3: Option<&str>) {
        assert_eq!(country_of(words).map(Country::alpha3), alpha3, "{words}");
    }

    #[test]
    fn every_published_country_is_found_by_name_row_and_code() {
        for country in Country::all() {
            check(country.name(), Some(country.alpha3()));
            check(country.combined(), Some(country.alpha3()));
            check(country.alpha3(), Some(country.alpha3()));
        }
    }

    #[test]
    fn words_of_real_lists_are_found() {
        check("Congo, Democratic Republic of the", Some("COD"));
        check("Congo, Republic of the", Some("COG"));
        check("Congo", Some("COG"));
        check("Iran (Islamic Republic of)", Some("IRN"));
        check("Korea, North", Some("PRK"));
        check("Democratic People's Republic of Korea", Some("PRK"));
        check("Macedonia, The Former Yugoslav Republic of", Some("MKD"));
        check("Saint Kitts and Nevis", Some("KNA"));
        check("State of Palestine", Some("PSE"));
        check("possibly Palestinian", Some("PSE"));
        check("Türkiye", Some("TUR"));
        check("Côte d’Ivoire", Some("CIV"));
        check("Micronesia (Federated States of)", Some("FSM"));
        check("UNITED STATES", Some("USA"));
    }

    #[test]
    fn alpha_2_codes_are_found_in_any_case() {
        assert_eq!(country_of_alpha2("al").map(Country::alpha3), Some("ALB"));
        assert_eq!(country_of_alpha2(" XK ").map(Country::alpha3), Some("XKX"));
        for (code, alpha3) in [("AW", "ABW"), ("CD", "COD"), ("KP", "PRK"), ("ZW", "ZWE")] {
            assert_eq!(country_of_alpha2(code).map(Country::alpha3), Some(alpha3), "{code}");
        }
        for code in ["", "00", "suhh", "gb-sct", "A", "AL AO"] {
            assert_eq!(country_of_alpha2(code), None, "{code}");
        }
    }

    #[test]
    fn what_is_no_country_is_not_guessed() {
        check("", None);
        check("na", None);
        check("former Soviet Union", None);
        check(&"Iran ".repeat(100), None);
    }

    #[test]
    fn every_variant_names_a_published_country() {
        for (words, alpha3) in VARIANTS {
            check(words, Some(alpha3));
        }
    }
}
