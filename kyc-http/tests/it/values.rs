//! The values of forms: e-mails, texts, words, countries, days (D13–D22, D51, D52).

use crate::support::*;

/// Submits level 1 with one value changed and returns what is stored of it, or the reason why not.
#[track_caller]
fn stored(target: &str, name: &str, value: &str) -> Result<String, String> {
    let world = World::new();
    let form = world.l1(Acme).with(name, value);
    let answer = world.post(Acme, target, &form.body());
    if answer.status == 200 {
        return Ok(answer.text_at(&format!("/{name}")));
    }
    assert_eq!(answer.status, 400);
    assert_eq!(answer.text_at("/fields/0/name"), name);
    assert!(!answer.has("/fields/1"));
    Err(answer.text_at("/fields/0/reason"))
}

/// In both generations.
#[track_caller]
fn check(name: &str, value: &str, expected: &str) {
    assert_eq!(stored("/v2/submissions", name, value).as_deref(), Ok(expected));
    assert_eq!(stored("/f1/submissions", name, value).as_deref(), Ok(expected));
}

#[track_caller]
fn check_err(name: &str, value: &str, expected: &str) {
    assert_eq!(stored("/v2/submissions", name, value), Err(expected.to_owned()));
    assert_eq!(stored("/f1/submissions", name, value), Err(expected.to_owned()));
}

#[test]
fn d14_an_address_is_echoed_as_sent() {
    check("email", "Mira.Kole@Example.ORG", "Mira.Kole@Example.ORG");
    check("email", "mira+kyc@bücher.example", "mira+kyc@bücher.example");
    check("email", " mira@example.org ", "mira@example.org");
}

#[test]
fn d14_an_address_is_found_in_every_spelling_of_its_canonical_form() {
    let world = World::new();
    let form = world.l1(Acme).with("email", "Zoë.Kole@Bücher.Example");
    let id = world.submit(Acme, &form);
    for spelling in [
        "Zoë.Kole@Bücher.Example",
        "zoë.kole@bücher.example",
        "ZOË.KOLE@xn--bcher-kva.example",
        "zoe\u{308}.kole@bu\u{308}cher.example",
        "zo%C3%AB.kole%40xn--bcher-kva.EXAMPLE",
    ] {
        let status = world.get(Acme, &format!("/v2/submissions/{spelling}")).success();
        assert_eq!(status.text_at("/id"), id, "{spelling}");
        let item = world.get(Acme, &format!("/f1/submissions?email={spelling}")).success();
        assert_eq!(item.text_at("/Items/0/submission_id"), id, "{spelling}");
        assert_eq!(item.text_at("/Items/0/email"), "Zoë.Kole@Bücher.Example");
    }
    for other in ["zoe.kole@bücher.example", "zoë.kole@bucher.example", "zoë.kole@bücher.org"] {
        world.get(Acme, &format!("/v2/submissions/{other}")).is_not_found();
    }
}

#[test]
fn d14_look_alikes_never_share_an_answer() {
    let world = World::new();
    let alike = ["mira@example.org", "mіra@example.org", "ｍira@example.org", "mira@exаmple.org"];
    let ids: Vec<String> = alike
        .iter()
        .map(|email| {
            let form = Sent::mira_aml_only().with("email", email);
            world.post(Acme, "/v2/amlonly", &form.body()).success().text_at("/id")
        })
        .collect();
    for (email, id) in alike.iter().zip(&ids) {
        let answer = world.get(Acme, &format!("/v2/submissions/{}", escape(email))).success();
        assert_eq!(answer.text_at("/id"), *id);
    }
}

#[test]
fn d14_what_could_confuse_a_path_is_refused() {
    let characters =
        "must not contain spaces, control characters, quotes, brackets or any of / ? # % \\ , ; :";
    for email in ["a/b@c.de", "a?b@c.de", "a#b@c.de", "a%b@c.de", "a\\b@c.de", "a b@c.de"] {
        check_err("email", email, characters);
    }
    check_err("email", "\"a b\"@c.de", characters);
    check_err("email", "a@[127.0.0.1]", characters);
    check_err("email", "a@127.0.0.1", "must have a host name with a dot behind the @");
    check_err("email", "..", "must contain one @");
    check_err("email", "@", "must have a text on both sides of the @");
    let long = format!("{}@example.org", "a".repeat(243));
    check_err("email", &long, "must be at most 254 bytes long");
}

#[test]
fn d15_texts_are_trimmed_and_composed_and_keep_their_script() {
    check("first_name", "  Zoe\u{308}\u{a0}", "Zoë");
    check("last_name", "Κόλε", "Κόλε");
    check("middle_name", "山田 太郎", "山田 太郎");
    check("address_city", "São  Paulo", "São  Paulo");
    check("estimated_amount", " 1,000 € ", "1,000 €");
}

#[test]
fn d15_texts_have_no_control_characters() {
    for name in ["first_name", "middle_name", "address_street", "userid", "id_number"] {
        check_err(name, "a\nb", "must not contain control characters");
        check_err(name, "a\u{7f}b", "must not contain control characters");
        check_err(name, "a\u{85}b", "must not contain control characters");
    }
}

#[test]
fn d15_texts_are_bounded_in_characters() {
    let check_limit = |name: &str, limit: usize| {
        let longest = "𐍈".repeat(limit);
        check(name, &longest, &longest);
        let too_long = format!("must be at most {limit} characters long");
        check_err(name, &format!("{longest}a"), &too_long);
    };
    for name in ["first_name", "middle_name", "last_name"] {
        check_limit(name, 256);
    }
    for name in ["address_street", "address_city", "address_state", "address_zipcode"] {
        check_limit(name, 256);
    }
    for name in ["userid", "id_number"] {
        check_limit(name, 128);
    }
    for name in ["contribution_type", "estimated_amount"] {
        check_limit(name, 1_024);
    }
    for name in ["cf1", "cf2", "cf3"] {
        let longest = "ж".repeat(1_024);
        assert_eq!(stored("/f1/submissions", name, &longest), Ok(longest.clone()));
        let too_long = "must be at most 1024 characters long";
        assert_eq!(stored("/f1/submissions", name, &format!("{longest}a")), Err(too_long.into()));
    }
}

/// Two forms that are answered alike, but for the id.
#[track_caller]
fn check_same(world: &World, target: &str, one: &Sent, other: &Sent) {
    let answer = |form: &Sent| {
        let answer = world.post(Acme, target, &form.body()).success();
        answer.text().replace(&format!("\"id\":\"{}\"", answer.text_at("/id")), "")
    };
    assert_eq!(answer(one), answer(other));
}

#[test]
fn d16_a_blank_optional_field_is_absent() {
    let world = World::new();
    let form = world.l1(Acme);
    let blank =
        ["userid", "middle_name", "id_number", "wallet_address", "address_res", "image_res1"]
            .into_iter()
            .chain(["cf1", "ip_address", "address_country", "estimated_amount"])
            .fold(form.clone(), |form, name| form.with(name, " \t "));
    for target in ["/v2/submissions", "/f1/submissions"] {
        check_same(&world, target, &blank, &form);
    }
}

#[test]
fn d17_an_unknown_argument_is_ignored() {
    let world = World::new();
    let form = world.l1(Acme);
    let more =
        form.clone().with("colour", "green").with("", "x").with("Email", "other@example.org");
    for target in ["/v2/submissions", "/f1/submissions"] {
        check_same(&world, target, &more, &form);
    }
    // What only the other generation knows is unknown here.
    let foreign = form.with("cf1", &"x".repeat(2_000)).with("ip_address", "none");
    world.post(Acme, "/v2/submissions", &foreign.body()).success();
    let email = "mira.kole@example.org";
    world.get(Acme, &format!("/v2/submissions/{email}?colour=green")).success();
    world.get(Acme, &format!("/f1/submissions?email={email}&colour=green")).success();
}

#[test]
fn d17_a_repeated_argument_is_a_fault() {
    let world = World::new();
    let form = world.l1(Acme);
    let twice = [("email", "must be given once")];
    for target in ["/v2/submissions", "/f1/submissions", "/v2/amlonly"] {
        let body = format!("{}&email=mira.kole@example.org", form.body());
        world.post(Acme, target, &body).is_invalid(&twice);
    }
    world.get(Acme, "/f1/submissions?email=a@b.co&email=a@b.co").is_invalid(&twice);
    let unknown = format!("{}&colour=a&colour=b", form.body());
    let message = "An argument is given more than once";
    world.post(Acme, "/v2/submissions", &unknown).is_error(400, "bad_request", message);
}

#[test]
fn d18_words_are_read_in_any_case_and_written_lower() {
    check("gender", "FEMALE", "female");
    check("gender", "Male", "male");
    check("id_type", "PassPort", "passport");
    check("id_type", "Drivers_License", "drivers_license");
    assert_eq!(stored("/v2/submissions", "kyc_level", "l1").as_deref(), Ok("L1"));
}

#[test]
fn d19_spellings_of_a_government_id_are_one() {
    for spelling in ["government_id", "governmentid", "GovernmentID", "GOVERNMENT_ID"] {
        check("id_type", spelling, "government_id");
    }
}

#[test]
fn d20_countries_are_rows_of_the_list() {
    check("nationality", "South Korea, KOR", "South Korea, KOR");
    check("address_country", "Cote dIvoire, CIV", "Cote dIvoire, CIV");
    let reason = "must be `<country name>, <ISO alpha-3>` from the country list";
    for name in ["nationality", "address_country"] {
        for value in ["Korea, KOR", "South Korea,KOR", "south korea, kor", "KR", "South Korea"] {
            check_err(name, value, reason);
        }
        assert_eq!(stored("/v2/submissions", name, "KOR"), Err(reason.to_owned()));
        assert_eq!(stored("/f1/submissions", name, "KOR").as_deref(), Ok("South Korea, KOR"));
    }
}

#[test]
fn d21_dates_are_strict_and_births_plausible() {
    check("date_of_birth", "1900-01-01", "1900-01-01");
    check("date_of_birth", "2024-02-29", "2024-02-29");
    check("date_of_birth", "2026-11-20", "2026-11-20");
    check_err("date_of_birth", "2026-11-21", "must not be in the future");
    check_err("date_of_birth", "1899-12-31", "must not be before 1900-01-01");
    check_err("date_of_birth", "2023-02-29", "must be a day that exists");
    for value in ["1990-5-17", "+1990-05-1", "19900517", "1990-05-17T00:00", "１990-05-17"] {
        check_err("date_of_birth", value, "must be a date of the form YYYY-MM-DD");
    }
}

#[test]
fn d22_addresses_of_machines_and_wallets() {
    let f1 = |name, value: &str| stored("/f1/submissions", name, value);
    assert_eq!(f1("ip_address", "203.0.113.7").as_deref(), Ok("203.0.113.7"));
    for value in ["203.0.113", "203.0.113.256", "203.0.113.07", "::1", "0x7f.1", "1.2.3.4.5"] {
        assert_eq!(f1("ip_address", value), Err("must be an IPv4 address in dotted form".into()));
    }
    let longest = "!".repeat(128);
    check("wallet_address", &longest, &longest);
    let reason = "must be at most 128 visible ASCII characters";
    for value in ["!".repeat(129), "0x00 AB".into(), "0x00é".into(), "0x\u{7f}".into()] {
        check_err("wallet_address", &value, reason);
        assert_eq!(f1("wallet_address3", &value), Err(reason.into()));
    }
}

#[test]
fn d51_bodies_are_decoded_strictly() {
    let world = World::new();
    let check = |argument: &str, message: &str| {
        let body = format!("{}&x={argument}", Sent::mira_aml_only().body());
        world.post(Acme, "/v2/amlonly", &body).is_error(400, "bad_request", message);
        let target = format!("/v2/submissions/mira.kole@example.org?x={argument}");
        world.get(Acme, &target).is_error(400, "bad_request", message);
    };
    check("%zz", "A percent sign is not followed by two hexadecimal digits");
    check("%4", "A percent sign is not followed by two hexadecimal digits");
    check("%", "A percent sign is not followed by two hexadecimal digits");
    check("%FF", "The text is not UTF-8");
    check("%ED%A0%80", "The text is not UTF-8");
    check("%00", "The text contains the character NUL");
    let many =
        vec!["a"; 101].iter().enumerate().map(|(at, _)| format!("a{at}=")).collect::<Vec<_>>();
    let message = "The form has more than 100 arguments";
    world.post(Acme, "/v2/amlonly", &many.join("&")).is_error(400, "bad_request", message);
}

#[test]
fn d51_a_plus_is_a_space_in_a_body_and_itself_in_a_path() {
    check("address_street", "12 Harbour Lane", "12 Harbour Lane");
    let world = World::new();
    let form = Sent::mira_aml_only().with("email", "mira+kyc@example.org").with("last_name", "+");
    let body = form.body().replace("last_name=%2B", "last_name=de+la+Kole");
    let record = world.post(Acme, "/v2/amlonly", &body).success();
    assert_eq!(record.text_at("/last_name"), "de la Kole");
    world.get(Acme, "/v2/submissions/mira+kyc@example.org").success();
    world.get(Acme, "/v2/submissions/mira%2Bkyc@example.org").success();
    world.get(Acme, "/f1/submissions?email=mira%2Bkyc@example.org").success();
    world.get(Acme, "/f1/submissions?email=mira+kyc@example.org").is(r#"{"Items":[]}"#);
}

#[test]
fn d52_an_access_key_header_is_ignored() {
    let world = World::new();
    world.submit_aml_only(Acme);
    let request = http::Request::get("/v2/submissions/mira.kole@example.org")
        .header("x-api-key", Acme.header().unwrap().1)
        .header("access-key", "anything");
    world.handle(request.body(bytes::Bytes::new()).unwrap()).success();
}
