//! When the operating system has no more file descriptors.

use std::env;
use std::io::{BufRead, BufReader, Read, stdin};
use std::process::{Command, Stdio};

use kyc_http::server::Limits;

use crate::wire::{Client, Running, STATUS, connect, eventually};

/// The server runs in a process of its own, since all tests of this one share its descriptors.
#[test]
fn a_server_without_descriptors_waits_and_serves_again() {
    if env::var_os(CHILD).is_some() {
        return serve_until_stdin_ends();
    }
    let this = env::current_exe().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 40 && exec \"$0\" \"$@\""])
        .arg(this)
        .args(["--exact", "descriptors::a_server_without_descriptors_waits_and_serves_again"])
        .arg("--nocapture")
        .env(CHILD, "")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    let address = line().parse().unwrap();

    let crowd: Vec<_> = (0..50).map(|_| connect(address)).collect();
    assert!(line().contains("AcceptFailed"));
    drop(crowd);
    eventually(|| {
        let mut client = Client::new(connect(address));
        client.send(STATUS);
        client.answer().is_some_and(|answer| answer.status == 200)
    });
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

fn serve_until_stdin_ends() {
    let mut server = Running::plain(Limits::default());
    eprintln!("{}", server.address);
    eprintln!("{:?}", server.event());
    stdin().read_to_end(&mut Vec::new()).unwrap();
    server.stop();
    server.join();
}

const CHILD: &str = "KYC_WIRE_WITHOUT_DESCRIPTORS";
