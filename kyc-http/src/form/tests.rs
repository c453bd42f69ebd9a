use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Form, InvalidForm, Undecodable};

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let Form(arguments) = Form::parse(text.as_bytes()).map_err(|e| e.to_string()).unwrap();
    let found: Vec<_> = arguments.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_err(text: impl AsRef<[u8]>, expected: &InvalidForm) {
    assert_eq!(Form::parse(text.as_ref()).err().as_ref(), Some(expected));
}

#[test]
fn d51_a_body_joined_by_hand_is_read_as_meant() {
    check(
        "nationality=South Korea, KOR&email=a@b.c",
        &[("email", "a@b.c"), ("nationality", "South Korea, KOR")],
    );
    check("first_name=Zoë", &[("first_name", "Zoë")]);
}

#[test]
fn d51_standard_encoding_is_decoded_in_names_and_values() {
    check("nationality=South+Korea%2C+KOR", &[("nationality", "South Korea, KOR")]);
    check("email=a%2Bb%40c.d", &[("email", "a+b@c.d")]);
    check("first%5Fname=Mira", &[("first_name", "Mira")]);
}

#[test]
fn only_the_first_equals_sign_and_no_escaped_one_divides() {
    check("cf1=a=b==", &[("cf1", "a=b==")]);
    check("cf1%3Da=b", &[("cf1=a", "b")]);
    check("cf1=a%26cf2%3Db", &[("cf1", "a&cf2=b")]);
}

#[test]
fn d16_blank_values_are_kept_for_the_caller_to_judge() {
    check("middle_name=&userid=+&cf1", &[("cf1", ""), ("middle_name", ""), ("userid", " ")]);
}

#[test]
fn nothing_between_ampersands_is_no_argument() {
    check("", &[]);
    check("&", &[]);
    check("&&a=1&&b=2&", &[("a", "1"), ("b", "2")]);
}

#[test]
fn an_absent_argument_has_no_value() {
    let Ok(form) = Form::parse(b"email=a@b.c&userid=") else { panic!("the form is valid") };
    assert_eq!(form.value("email"), Some("a@b.c"));
    assert_eq!(form.value("userid"), Some(""));
    assert_eq!(form.value("Email"), None);
    assert_eq!(form.value(""), None);
}

#[test]
fn d51_what_cannot_be_decoded_is_refused_wherever_it_stands() {
    check_err("first_name=100%", &Undecodable::BrokenEscape.into());
    check_err("unknown=%ZZ", &Undecodable::BrokenEscape.into());
    check_err("%ZZ=known", &Undecodable::BrokenEscape.into());
    check_err("first_name=%FF", &Undecodable::NotUtf8.into());
    check_err(b"first_name=caf\xE9", &Undecodable::NotUtf8.into());
    check_err("first_name=Mira%00", &Undecodable::Nul.into());
    check_err("first_name=Mira\0", &Undecodable::Nul.into());
    // An escape is not continued in the next argument.
    check_err("a=%4&1=b", &Undecodable::BrokenEscape.into());
}

#[test]
fn d17_a_repeated_argument_is_refused_by_name() {
    let repeated = |name: &str| InvalidForm::Repeated { name: Some(name.to_owned()) };
    check_err("email=a@b.c&email=d@e.f", &repeated("email"));
    check_err("email=a@b.c&userid=1&email=a@b.c", &repeated("email"));
    check_err("email=a@b.c&%65mail=a@b.c", &repeated("email"));
    check_err("unknown=1&unknown=2", &repeated("unknown"));
    check_err("cf1&cf1", &repeated("cf1"));
    check("cf1=1&CF1=2", &[("CF1", "2"), ("cf1", "1")]);
}

#[test]
fn d1_a_value_that_stands_for_a_name_is_not_repeated() {
    let unnamed = InvalidForm::Repeated { name: None };
    check_err("email=&mira@example.org&mira@example.org", &unnamed);
    check_err("Mira Kole&Mira Kole", &unnamed);
    check_err([vec![b'a'; 33], vec![b'&'], vec![b'a'; 33]].concat(), &unnamed);
    assert_eq!(unnamed.to_string(), "an argument is given more than once");
}

#[test]
fn the_number_of_arguments_is_limited() {
    let arguments =
        |count: usize| (0..count).map(|n| format!("a{n}=&")).collect::<Vec<_>>().concat();
    assert!(Form::parse(arguments(100).as_bytes()).is_ok());
    check_err(arguments(101), &InvalidForm::TooManyArguments);
    // Empty ones do not count, and a rest of any length is not looked at.
    assert!(Form::parse("&".repeat(65_536).as_bytes()).is_ok());
    check_err(arguments(100) + "%ZZ", &InvalidForm::TooManyArguments);
}

proptest! {
    #[test]
    fn what_a_client_encodes_is_what_the_caller_gets(
        arguments in prop::collection::btree_map("[^\0]{1,8}", "[^\0]{0,20}", 0..12),
    ) {
        let body: Vec<String> =
            arguments.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        let Ok(Form(parsed)) = Form::parse(body.join("&").as_bytes()) else {
            return Err(TestCaseError::fail("refused"));
        };
        prop_assert_eq!(parsed, arguments);
    }

    #[test]
    fn any_bytes_have_an_answer(text in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(Form(arguments)) = Form::parse(&text) {
            let longest: usize = arguments.iter().map(|(name, value)| name.len() + value.len()).sum();
            prop_assert!(longest <= text.len());
        }
    }

    #[test]
    fn the_order_of_arguments_does_not_matter(
        arguments in prop::collection::btree_map("[a-z]{1,4}", "[a-z]{0,4}", 0..12),
    ) {
        let body = |pairs: &mut dyn Iterator<Item = (&String, &String)>| -> Option<BTreeMap<_, _>> {
            let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
            Form::parse(pairs.join("&").as_bytes()).ok().map(|form| form.0)
        };
        prop_assert_eq!(body(&mut arguments.iter()), body(&mut arguments.iter().rev()));
    }
}

/// Encodes as browsers do: letters and digits as they are, a space as `+`, the rest as `%xx`.
fn encode(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b' ' => "+".to_owned(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
