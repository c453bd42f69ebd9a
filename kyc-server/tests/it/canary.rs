//! Nothing personal and no key in the log, at its most talkative (T23).

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde_json::json;

use crate::fixture::{Applicant, approve, decision, try_upload, upload};
use crate::program::{Site, eventually};

/// One value in every form in which it could have been written.
fn forms(value: &str) -> Vec<String> {
    let hex = value.bytes().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    let escaped = value.bytes().fold(String::new(), |mut escaped, byte| {
        write!(escaped, "%{byte:02x}").unwrap();
        escaped
    });
    let url = value.replace('@', "%40").replace(' ', "+");
    let mut forms = vec![value.to_lowercase(), url.to_lowercase(), hex, escaped];
    // Base64 of a text inside of another depends on where it begins, so the outer characters are
    // cut away for each of the three places.
    for place in 0..3 {
        for engine in [STANDARD, URL_SAFE] {
            let encoded = engine.encode([&" ".repeat(place), value].concat());
            let inner = &encoded.trim_end_matches('=')[4..];
            let inner = inner[..inner.len() - 2].to_lowercase();
            // Fewer letters are in a log by chance, as in the name of the folder.
            if inner.len() > 3 {
                forms.push(inner);
            }
        }
    }
    forms
}

#[test]
fn t23_no_personal_value_and_no_key_is_logged() {
    let site = Site::new();
    let service = site.serve(&["--listen", "127.0.0.1:0", "--log", "trace"]);
    let (client, inspector) = (service.client(), service.inspector());
    let applicant = Applicant {
        email: "canary-mail-7731@example.org".to_owned(),
        ..Applicant::named("Canaryfirstname", "Canarylastname")
    };
    let handle = upload(&client, "passport", "canary-document-content");
    let selfie = upload(&client, "selfie", "canary-selfie-content");
    let form = format!(
        "{}&userid=canary-user-5520&id_number=canary-number-8812&wallet_address=canarywallet9913\
         &contribution_type=canary-coin-1234&estimated_amount=canary-amount-4321",
        applicant.form(&handle, &selfie),
    );
    let id = client.post_form("/v2/submissions", &form).ok()["id"].as_str().unwrap().to_owned();
    let extra = "&ip_address=203.0.113.77&cf1=canary-custom-6650";
    client.post_form("/f1/submissions", &format!("{form}{extra}")).ok();

    // What fails is logged, too.
    client.post_form("/v2/submissions", "email=canary-bad-2290&first_name=Canaryfirstname");
    client.get("/v2/submissions/canary-lost-3341@example.org");
    client.get("/canary-path-9902?canary-query-1187=1");
    try_upload(&client, "canary-kind-6673", b"canary-bytes-5561").unwrap();
    service.client_with("canary-key-7788").get("/v2/submissions/resultall");
    client.get(&format!("/f1/submissions?userid=canary-user-5520&email={}", applicant.email));
    let reject = json!({"version": 1, "comment": "canary-comment-8870"});
    inspector.post_json(&decision("00000000000000000000000000", "reject"), &reject);
    inspector.get(&format!("/review/v1/submissions/{id}/documents/photoid_res"));
    approve(&inspector, &id);
    eventually(|| applicant.status(&client)["aml_result"]["score"] != "-");
    site.stdout(&["submission", "show", &id]);

    let secrets = [
        service.ready["api_key"].as_str().unwrap().to_owned(),
        service.ready["inspector_token"].as_str().unwrap().to_owned(),
    ];
    let log_so_far = service.log();
    let (routes, log) = (log_so_far.matches("\"request\"").count(), log_so_far.to_lowercase());
    assert!(routes > 12, "the requests were not logged");
    service.stop();

    let personal = [
        "canary",
        "Canaryfirstname",
        "Canarylastname",
        "canary-mail-7731",
        "203.0.113.77",
        "1990-05-17",
        "Albania",
        &handle,
        &id,
    ];
    let personal = personal.iter().map(ToString::to_string).chain(secrets);
    for value in personal.flat_map(|value| forms(&value)) {
        assert!(!log.contains(&value), "the log holds {value}");
    }
}

#[test]
fn a_value_is_found_in_every_form() {
    let value = "canary-mail-7731@example.org";
    let written = [
        value.to_owned(),
        value.replace('@', "%40"),
        STANDARD.encode(value),
        STANDARD.encode(format!("a{value}")),
        URL_SAFE.encode(format!("ab{value}cd")),
    ];
    for text in written {
        let text = text.to_lowercase();
        assert!(forms(value).iter().any(|form| text.contains(form)), "{text}");
    }
}
