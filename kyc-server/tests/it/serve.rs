//! Starts, stops and signals.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use serde_json::json;

use crate::client::{Client, read_answer};
use crate::program::{Running, Site, mode, read_all};

/// A certificate that the test trusts by itself, as `server.pem` and `server.key`.
pub(crate) fn certify(site: &Site) {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    site.write("server.pem", made.cert.pem());
    let key = site.write("server.key", made.signing_key.serialize_pem());
    let chmod = Command::new("chmod").arg("600").arg(key).status().unwrap();
    assert!(chmod.success());
}

/// Starts the service with a certificate, which makes it a configured start.
pub(crate) fn serve_configured(site: &Site, arguments: &[&str]) -> Running {
    if !site.path("server.pem").exists() {
        certify(site);
    }
    let tls = ["--listen", "127.0.0.1:0", "--tls-cert", "server.pem", "--tls-key", "server.key"];
    let mut running = site.serve(&[&tls, arguments].concat());
    running.ca = Some(site.path("server.pem"));
    running
}

#[test]
fn a_first_start_makes_a_key_and_a_token_and_shows_them_on_standard_output_alone() {
    let site = Site::new();
    let service = site.develop();
    let shown = fs::read_to_string(site.path("stdout")).unwrap();
    for secret in ["api_key", "inspector_token"] {
        let secret = service.ready[secret].as_str().unwrap();
        assert!(shown.contains(secret));
        assert!(!service.log().contains(secret));
    }
    assert_eq!(service.client().get("/v2/submissions/resultall").ok()["data"], json!([]));
    assert_eq!(service.inspector().get("/review/v1/submissions").ok()["next"], json!(null));
    service.wait_for_log("SAMPLE LIST IN USE");
    service.stop();
}

#[test]
fn t6_secrets_are_in_files_of_their_owner_alone() {
    let site = Site::new();
    let service = site.develop();
    assert_eq!(mode(&site.path("ready.json")), 0o600);
    assert_eq!(mode(&site.data()), 0o700);
    assert_eq!(mode(&site.data().join("tls/server.pem")), 0o600);
    assert_eq!(mode(&site.data().join("tls/ca.key")), 0o600);
    service.stop();
}

#[test]
fn a_second_start_keeps_authority_and_key_and_shows_no_secret() {
    let site = Site::new();
    let first = site.develop();
    let (key, ca) = (first.ready["api_key"].clone(), fs::read(first.ca.as_ref().unwrap()).unwrap());
    first.stop();

    let second = site.develop();
    assert_eq!(second.ready.get("api_key"), None);
    assert_eq!(second.ready.get("inspector_token"), None);
    assert_eq!(fs::read_to_string(site.path("stdout")).unwrap(), "");
    assert_eq!(fs::read(second.ca.as_ref().unwrap()).unwrap(), ca);
    second.client_with(key.as_str().unwrap()).get("/f1/submissions").ok();
    second.stop();
}

#[test]
fn the_line_that_is_shown_works_when_pasted() {
    let site = Site::new();
    let service = site.develop();
    let shown = fs::read_to_string(site.path("stdout")).unwrap();
    let line = shown.lines().find(|line| line.starts_with("curl ")).unwrap();
    if Command::new("curl").arg("--version").output().is_err() {
        // Without curl the line cannot be pasted, and there is nothing to test it with.
        eprintln!("there is no curl on this machine: the line was not run");
        return;
    }
    let pasted = Command::new("sh").args(["-c", line]).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&pasted.stdout).unwrap();
    assert_eq!(answer["nextpageKey"]["id"], "NA");
    service.stop();
}

#[test]
fn without_a_command_it_serves() {
    let site = Site::new();
    let mut command = site.command(&[]);
    // A folder that is in use already tells apart what was run, without taking the usual port.
    let service = site.develop();
    assert_eq!(command.output().unwrap().status.code(), Some(5));
    service.stop();
}

#[test]
fn a_port_that_is_taken_is_named() {
    let site = Site::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = site.fails(&["serve", "--listen", &address], 1);
    assert!(said.contains(&format!("cannot listen on {address}: another program uses it")));
    // Nobody was shown a key, so none was made.
    assert_eq!(site.json(&["key", "list", "--json"]), json!([]));
}

#[test]
fn d11_plain_http_on_the_tls_port_is_told_to_use_https() {
    let site = Site::new();
    let service = site.develop();
    let mut socket = TcpStream::connect(service.address()).unwrap();
    socket.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let answer = String::from_utf8(read_all(socket)).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("HTTPS"), "{answer}");
    service.stop();
}

#[test]
fn d11_behind_a_proxy_only_requests_that_came_by_https_are_served() {
    let site = Site::new();
    let service = site.serve(&["--proxy-listen", "127.0.0.1:0", "--proxy-trusted", "127.0.0.1"]);
    assert!(service.ready["url"].as_str().unwrap().starts_with("http://"));
    service.wait_for_log("no key yet");
    let status = |head: &str| {
        let mut socket = TcpStream::connect(service.address()).unwrap();
        write!(socket, "GET /v2/amlonly HTTP/1.1\r\nHost: localhost\r\n{head}\r\n").unwrap();
        read_answer(&mut socket).unwrap().status
    };
    assert_eq!(status(""), 400);
    assert_eq!(status("X-Forwarded-Proto: http\r\n"), 400);
    assert_eq!(status("X-Forwarded-Proto: https\r\n"), 403);
    service.stop();
}

#[test]
fn d11_one_service_may_have_both_doors() {
    let site = Site::new();
    let proxy = ["--proxy-listen", "127.0.0.1:0", "--proxy-trusted", "127.0.0.1"];
    let service = serve_configured(&site, &proxy);
    assert_eq!(service.client_with("kyc_nobody").try_get_status(), Some(403));

    service.wait_for_log("\"tls\":false");
    let log = service.log();
    let line = log.lines().find(|line| line.contains("\"tls\":false")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let mut socket = TcpStream::connect(line["address"].as_str().unwrap()).unwrap();
    let head = "Host: localhost\r\nX-Forwarded-Proto: https\r\n";
    write!(socket, "GET /f1/submissions HTTP/1.1\r\n{head}\r\n").unwrap();
    assert_eq!(read_answer(&mut socket).unwrap().status, 403);
    service.stop();
}

/// Sends the head of a form, and waits until the service has begun with it.
fn begin_form(client: &Client, stream: &mut (impl Read + Write), bytes: usize) {
    let content_type = "application/x-www-form-urlencoded\r\nExpect: 100-continue";
    let head = client.head("POST", "/v2/submissions", content_type, bytes);
    stream.write_all(head.as_bytes()).unwrap();
    stream.flush().unwrap();
    assert_eq!(read_answer(stream).unwrap().status, 100);
}

#[test]
fn an_open_request_finishes_before_the_service_stops() {
    let site = Site::new();
    let mut service = site.develop();
    let client = service.client();
    let mut stream = client.connect().unwrap();
    let form = "email=mira.kole@example.org";
    begin_form(&client, &mut stream, form.len());
    stream.write_all(&form.as_bytes()[..5]).unwrap();
    stream.flush().unwrap();

    service.signal("-TERM");
    service.wait_for_log("stopping");
    stream.write_all(&form.as_bytes()[5..]).unwrap();
    stream.flush().unwrap();
    assert_eq!(read_answer(&mut stream).unwrap().status, 400);
    assert_eq!(service.end().code(), Some(0));
    assert!(service.log().contains("\"stopped\""));
    assert!(!site.data().join("kyc.sqlite-wal").exists(), "the log was not written back");
}

#[test]
fn a_second_signal_leaves_at_once() {
    let site = Site::new();
    let mut service = site.develop();
    let client = service.client();
    let mut stream = client.connect().unwrap();
    begin_form(&client, &mut stream, 100);

    service.signal("-INT");
    service.wait_for_log("stopping");
    service.signal("-INT");
    assert_eq!(service.end().code(), Some(1));
    assert!(service.log().contains("leaving at once"));
}

#[test]
fn a_hang_up_makes_it_read_the_certificate_again() {
    let site = Site::new();
    let mut service = serve_configured(&site, &[]);
    let status = |service: &Running| service.client_with("kyc_nobody").try_get_status();
    assert_eq!(status(&service), Some(403));

    certify(&site);
    service.ca = Some(site.path("server.pem"));
    assert_eq!(status(&service), None, "the new certificate is not in use yet");
    service.signal("-HUP");
    service.wait_for_log("the certificate was read again");
    assert_eq!(status(&service), Some(403));

    fs::copy(site.path("server.pem"), site.path("good.pem")).unwrap();
    site.write("server.pem", "no certificate");
    service.signal("-HUP");
    service.wait_for_log("the old certificate stays in use");
    service.ca = Some(site.path("good.pem"));
    assert_eq!(status(&service), Some(403));
    service.stop();
}

#[test]
fn level_and_form_of_the_log_are_settings() {
    let site = Site::new();
    let lines = |level: &str, form: &str| {
        let service =
            site.serve(&["--listen", "127.0.0.1:0", "--log", level, "--log-format", form]);
        assert_eq!(service.client_with("kyc_nobody").try_get_status(), Some(403));
        let path = site.path("stderr");
        service.stop();
        fs::read_to_string(path).unwrap()
    };
    let human = lines("info", "human");
    assert!(human.contains(" INFO request route=\"-\" status=403 "), "{human}");
    let json = lines("info", "json");
    assert!(json.contains("\"message\":\"request\",\"route\":\"-\",\"status\":403,"), "{json}");
    assert!(!lines("warn", "json").contains("request"));
}

#[test]
fn the_document_limit_is_a_setting() {
    let site = Site::new();
    let limit = ["--listen", "127.0.0.1:0", "--document-bytes-max", "100"];
    let service = site.serve(&limit);
    let upload = |bytes: usize| {
        let image = crate::fixture::image(&"x".repeat(bytes - 33));
        crate::fixture::try_upload(&service.client(), "selfie", &image).unwrap().status
    };
    assert_eq!((upload(100), upload(101)), (200, 413));
    service.stop();
}
