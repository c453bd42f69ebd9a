use std::collections::BTreeSet;

use clap::Args as _;
use kyc_screening::PUBLISHED_LISTS;

use super::*;

/// Settings from a file and flags, without the environment of the test.
fn load(file: Option<&str>, keys: Keys) -> Result<Settings, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let config = file.map(|text| {
        let path = folder.path().join("kyc.toml");
        fs::write(&path, text).unwrap();
        path
    });
    Settings::load(&Globals { config, ..Globals::default() }, keys)
}

const TLS: &str = "tls_cert = '/c.pem'\ntls_key = '/k.pem'\n";

#[track_caller]
fn check_refused(file: Option<&str>, keys: Keys, said: &str) {
    let failure = load(file, keys).unwrap_err();
    assert_eq!(failure.code, Code::Configuration);
    let sentence = failure.sentence.unwrap();
    assert!(sentence.contains(said), "{sentence}");
}

fn names_of_flags() -> Vec<String> {
    let command = Keys::augment_args(clap::Command::new("kyc"));
    command.get_arguments().filter_map(|flag| flag.get_long()).map(str::to_owned).collect()
}

#[test]
fn every_key_is_a_flag_and_a_variable_of_the_same_name() {
    let command = Keys::augment_args(clap::Command::new("kyc"));
    for flag in command.get_arguments() {
        let name = flag.get_id().as_str();
        assert_eq!(flag.get_long().unwrap(), name.replace('_', "-"));
        assert_eq!(flag.get_env().unwrap().to_str().unwrap(), format!("KYC_{name}").to_uppercase());
    }
}

#[test]
fn the_table_of_settings_has_every_key_with_its_flag_and_variable() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operating.md");
    let page = fs::read_to_string(path).unwrap();
    let table = page.split_once("| key | flag | variable |").unwrap().1;
    let told: BTreeSet<String> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells = row.split('|').skip(1).take(3);
            // Behind the first word in it, a cell may say to whom it belongs.
            let words = cells.map(|cell| cell.split('`').nth(1).unwrap_or("-"));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let command = Globals::augment_args(Keys::augment_args(clap::Command::new("kyc")));
    let known: BTreeSet<String> = command
        .get_arguments()
        .map(|flag| {
            let (id, variable) = (flag.get_id().as_str(), flag.get_env().unwrap());
            // The file cannot name itself.
            let key = if id == "config" { "-" } else { id };
            format!("{key} --{} {}", flag.get_long().unwrap(), variable.display())
        })
        .collect();
    let differences: Vec<_> = told.symmetric_difference(&known).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn the_example_shows_every_key_once() {
    let shown: Vec<&str> = EXAMPLE
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.split_once(" = "))
        .map(|(key, _)| key)
        .filter(|key| !key.contains(' '))
        .collect();
    let of_serve = names_of_flags();
    let of_every_command = ["data", "master_key_file", "master_share_files"].map(str::to_owned);
    let of_serve = of_serve.iter().map(|flag| flag.replace('-', "_"));
    let keys: Vec<String> = of_every_command.into_iter().chain(of_serve).collect();
    assert_eq!(shown, keys);
}

#[test]
fn the_example_shows_the_defaults() {
    let settings = load(Some(&format!("{TLS}{}", uncommented())), Keys::default()).unwrap();
    let defaults = load(Some(TLS), Keys::default()).unwrap();
    assert_eq!(settings.limits, defaults.limits);
    assert_eq!((settings.rates, settings.quotas), (defaults.rates, defaults.quotas));
    assert_eq!(settings.policy, defaults.policy);
    let ca_file = Some("/etc/kyc/ca.pem".into());
    assert_eq!(settings.updates, Updates { ca_file, ..defaults.updates });
    assert_eq!(settings.document_bytes_max, defaults.document_bytes_max);
    assert_eq!(settings.log, defaults.log);
    let Start::Configured(Doors::Both(tls, proxy)) = settings.start else { panic!() };
    assert_eq!((tls.listen, proxy.trusted.len()), (LISTEN_DEFAULT, 2));
}

/// The example with every key set, but those of [`TLS`].
fn uncommented() -> String {
    let line = |line: &str| match line.strip_prefix('#') {
        Some(key) if !key.starts_with([' ', '#']) && !key.is_empty() => format!("{key}\n"),
        Some(_) | None => String::new(),
    };
    EXAMPLE.lines().map(line).filter(|line| !line.starts_with("tls_")).collect()
}

#[test]
fn nothing_set_is_a_development_start_on_loopback() {
    let settings = load(None, Keys::default()).unwrap();
    assert_eq!(settings.start, Start::Development(LISTEN_DEFAULT));
    assert_eq!(settings.mode(), Mode::Development);
    assert_eq!(settings.data, Path::new("kyc-data"));

    let listen = |text: &str| Keys { listen: Some(text.parse().unwrap()), ..Keys::default() };
    assert!(load(None, listen("[::1]:0")).is_ok());
    check_refused(None, listen("0.0.0.0:8443"), "listens on 127.0.0.1 or [::1] only");
    check_refused(None, listen("192.0.2.1:8443"), "listens on 127.0.0.1 or [::1] only");
}

#[test]
fn d34_a_configured_start_is_never_a_development_one() {
    assert_eq!(load(Some(TLS), Keys::default()).unwrap().mode(), Mode::Production);
    let by_flags =
        Keys { tls_cert: Some("/c.pem".into()), tls_key: Some("/k.pem".into()), ..Keys::default() };
    assert_eq!(load(None, by_flags).unwrap().mode(), Mode::Production);
    check_refused(Some(""), Keys::default(), "needs tls_cert and tls_key, or proxy_listen");
}

#[test]
fn half_a_door_is_refused() {
    check_refused(Some("tls_cert = 'c.pem'"), Keys::default(), "belong together");
    let listen = "proxy_listen = '127.0.0.1:80'";
    check_refused(Some(listen), Keys::default(), "name the TLS terminators");
    let trusted = format!("{TLS}proxy_trusted = ['::1']");
    check_refused(Some(&trusted), Keys::default(), "without proxy_listen");
}

#[test]
fn a_flag_stands_above_the_file_and_the_file_above_the_default() {
    let file = format!("{TLS}lists_max_age_days = 3\nlists_required = ['UN']\n");
    let policy = |days| {
        let keys = Keys { lists_max_age_days: days, ..Keys::default() };
        load(Some(&file), keys).unwrap().policy
    };
    assert_eq!(policy(None).max_age, Duration::from_secs(3 * DAY));
    assert_eq!(policy(Some(1)).max_age, Duration::from_secs(DAY));
    assert_eq!(policy(None).required, ["UN"]);
    let default = load(Some(TLS), Keys::default()).unwrap().policy;
    assert_eq!(default.max_age, Duration::from_secs(7 * DAY));
}

/// The names of the lists that are fetched.
fn fetched(file: &str) -> Vec<String> {
    let feeds = load(Some(&format!("{TLS}{file}")), Keys::default()).unwrap().updates.feeds;
    feeds.into_iter().map(|feed| feed.list).collect()
}

#[test]
fn d77_what_is_fetched_is_what_is_named_or_required_or_every_published_list() {
    assert_eq!(fetched(""), PUBLISHED_LISTS);
    assert_eq!(fetched("lists_required = ['OFAC-SDN', 'UN', 'watch']"), ["UN", "OFAC-SDN"]);
    assert_eq!(fetched("lists_required = ['watch']"), [""; 0]);
    let named = "lists_update = ['EU', 'watch=https://lists.example.org/w']";
    assert_eq!(fetched(&format!("lists_required = ['UN']\n{named}")), ["EU", "watch"]);
    assert_eq!(fetched("lists_update = []"), [""; 0]);

    let refused =
        |file: &str, said| check_refused(Some(&format!("{TLS}{file}")), Keys::default(), said);
    refused("lists_update = ['UN', 'UN=https://m.example.org/']", "lists_update names UN twice");
    refused("lists_update = ['watch']", "line 3: expected NAME=ADDRESS");
    refused("lists_update = ['UN=http://m.example.org/']", "line 3: expected https://");
}

#[test]
fn d77_a_configured_service_fetches_by_itself_unless_it_is_told_not_to() {
    let every = |file, hours| {
        let keys = Keys { lists_update_hours: hours, ..Keys::default() };
        load(file, keys).unwrap().updates.every
    };
    let hours = |hours| Some(Duration::from_secs(hours * HOUR));
    assert_eq!(every(Some(TLS), None), hours(6));
    assert_eq!(every(Some(TLS), Some(0)), None);
    assert_eq!(every(None, None), None);
    assert_eq!(every(None, Some(1)), hours(1));
}

#[test]
fn paths_in_the_file_begin_at_its_folder() {
    let keys: Keys = toml::from_str("data = 'd'\ntls_cert = '/c'\ntls_key = 'k'").unwrap();
    let keys = keys.relative_to(Path::new("/etc/kyc"));
    assert_eq!(keys.data.as_deref(), Some(Path::new("/etc/kyc/d")));
    assert_eq!(keys.tls_cert.as_deref(), Some(Path::new("/c")));
    assert_eq!(keys.tls_key.as_deref(), Some(Path::new("/etc/kyc/k")));
}

#[test]
fn a_fault_in_the_file_is_named_with_its_line() {
    check_refused(
        Some("\nlisen = '127.0.0.1:1'"),
        Keys::default(),
        "line 2: unknown field `lisen`",
    );
    check_refused(Some("listen = 'here'"), Keys::default(), "line 1: ");
    check_refused(Some("listen = "), Keys::default(), "line 1: ");
    check_refused(Some("log = 'loud'"), Keys::default(), "line 1: ");
    let days = "line 1: expected a whole number from 0 to 65535";
    for text in ["65536", "-1", "1.5", "'7'"] {
        let line = format!("lists_max_age_days = {text}");
        check_refused(Some(&line), Keys::default(), days);
    }
    let count = "line 2: expected a whole number from 1 on";
    check_refused(Some("\nconnections_max = 0"), Keys::default(), count);
    let bytes = "line 1: expected a whole number from 1 to 4294967295";
    check_refused(Some("document_bytes_max = 4294967296"), Keys::default(), bytes);
    check_refused(Some("proxy_trusted = ['10.0.0.0/33']"), Keys::default(), "a network is");
}
