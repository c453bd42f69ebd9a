//! The master key: made, split between two custodians, replaced, with the program alone.

use std::fs;
use std::process::Output;

use crate::fixture::Applicant;
use crate::program::{Site, mode, text};

fn said(output: &Output) -> String {
    text(&output.stderr)
}

#[test]
fn d116_a_master_key_is_made_without_a_service_and_never_over_another_file() {
    let site = Site::new();
    let output = site.kyc(&["key", "make-master", "own.key"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""));
    let key = fs::read_to_string(site.path("own.key")).unwrap();
    assert!(!said(&output).contains(key.trim()), "the key is on the terminal");
    assert!(said(&output).contains("own.key holds a new master key: keep a copy"));
    assert_eq!(mode(&site.path("own.key")), 0o600);
    assert!(!site.data().exists());

    let refused = site.fails(&["key", "make-master", "own.key"], 1);
    assert!(refused.contains("own.key is there, and is kept: name another file"), "{refused}");
    let refused = site.fails(&["key", "make-master", "-"], 2);
    assert!(refused.contains("nothing is written to standard output: name a file"), "{refused}");
    assert_eq!(fs::read_to_string(site.path("own.key")).unwrap(), key);

    let service =
        site.serve_with(&["--listen", "127.0.0.1:0"], [("KYC_MASTER_KEY_FILE", "own.key")]);
    Applicant::named("Mira", "Kole").submit(&service.client());
    service.stop();
    assert_eq!(fs::read_to_string(site.path("own.key")).unwrap(), key);
    assert!(!site.data().join("master.key").exists());
}

/// A command whose master key comes from two custodians.
fn with<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--master-share-files", "one.share,other.share"]].concat()
}

#[test]
fn d116_two_custodians_unlock_what_one_key_sealed() {
    let site = Site::new();
    let service = site.develop();
    let id = Applicant::named("Mira", "Kole").submit(&service.client());
    let output = site.kyc(&["key", "split-master", "one.share", "other.share"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""));
    assert!(said(&output).contains("together they open "), "{}", said(&output));
    service.stop();
    let share = |name: &str| fs::read_to_string(site.path(name)).unwrap();
    for name in ["one.share", "other.share"] {
        assert_eq!(mode(&site.path(name)), 0o600);
        assert!(!said(&output).contains(share(name).trim()), "a share is on the terminal");
    }

    // The whole key is not needed any more.
    fs::rename(site.data().join("master.key"), site.path("gone.key")).unwrap();
    assert!(site.fails(&["submission", "show", &id], 4).contains("the master key is missing"));
    let show = with(&["submission", "show", &id, "--reveal"]);
    assert!(site.stdout(&show).contains("mira.kole@example.org"));
    let twice = ["client", "list", "--master-share-files", "one.share,one.share"];
    assert!(site.fails(&twice, 3).contains("do not belong together"));
    let service = site.serve(&with(&["--listen", "127.0.0.1:0"]));
    let key = site.stdout(&with(&["key", "create", "--client", "default"]));
    let before = [share("one.share"), share("other.share")];
    let output = site.kyc(&with(&["key", "rotate", "--master"]));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("keep a copy of the new one apart from the data and from backups")
    );
    assert!(share("one.share") != before[0] && share("other.share") != before[1]);
    Applicant { email: "leo@example.org".to_owned(), ..Applicant::named("Leo", "Brandt") }
        .submit(&service.client_with(key.trim()));
    service.stop();
    assert!(site.stdout(&show).contains("mira.kole@example.org"));
    assert!(site.stdout(&with(&["doctor"])).contains("ok    store"));
    // The key that was replaced opens nothing.
    let old = ["client", "list", "--master-key-file", "gone.key"];
    assert!(site.fails(&old, 4).contains("not the one that sealed"));
}

#[test]
fn d116_a_key_of_nothing_here_is_split_and_said_to_be_so() {
    let site = Site::new();
    site.develop().stop();
    site.stdout(&["key", "make-master", "next.key"]);
    let split = ["key", "split-master", "a", "b", "--master-key-file", "next.key"];
    let output = site.kyc(&split);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("note: nothing in "), "{}", said(&output));
    assert!(site.fails(&split, 1).contains("a is there, and is kept"));
    let one_alone = site.fails(&["key", "split-master", "c", "./c"], 2);
    assert!(one_alone.contains("two different files are needed"), "{one_alone}");
    let missing = ["key", "split-master", "c", "d", "--master-key-file", "nowhere.key"];
    assert!(site.fails(&missing, 4).contains("the master key is missing"));
    assert!(!site.path("c").exists() && !site.path("d").exists());
}

#[test]
fn d117_a_rotation_to_the_key_in_use_is_refused_and_says_why() {
    let site = Site::new();
    site.stdout(&["key", "make-master", "now.key"]);
    site.stdout(&["key", "make-master", "next.key"]);
    let [now, next] =
        ["now.key", "next.key"].map(|name| fs::read_to_string(site.path(name)).unwrap());
    let run = |now: &str, next: &str, arguments: &[&str]| {
        let keys = [("KYC_MASTER_KEY", now), ("KYC_MASTER_KEY_NEXT", next)];
        site.command(arguments).envs(keys).output().unwrap()
    };
    fs::create_dir(site.data()).unwrap();
    assert!(run(&now, "", &["client", "add", "acme"]).status.success());
    let rotate = ["key", "rotate", "--master"];
    let check = |output: &Output, code: i32, words: &str| {
        assert_eq!(output.status.code(), Some(code), "{}", said(output));
        assert!(said(output).contains(words), "{}", said(output));
        assert_eq!(said(output).contains("replaced"), code == 0, "{}", said(output));
    };
    let in_use = "nothing was changed: the next master key is the one in use";
    check(&run(&now, &now, &rotate), 3, in_use);
    check(&run(&now, "", &rotate), 3, "the next master key is missing");
    check(&run(&now, &next, &rotate), 0, "next: give the new one as the current one");
    check(&run(&now, &next, &rotate), 3, in_use);
    assert!(run(&next, "", &["client", "list"]).status.success());
}

#[test]
fn d130_a_next_key_that_nothing_would_use_is_refused() {
    let site = Site::new();
    site.develop().stop();
    let key = fs::read(site.data().join("master.key")).unwrap();
    for name in ["KYC_MASTER_KEY_NEXT", "KYC_MASTER_SHARE_2_NEXT"] {
        let rotate = site.command(&["key", "rotate", "--master"]).env(name, "text").output();
        let refused = rotate.unwrap();
        assert_eq!(refused.status.code(), Some(3), "{}", said(&refused));
        assert!(said(&refused).contains(&format!("{name} is set without")), "{}", said(&refused));
    }
    assert_eq!(fs::read(site.data().join("master.key")).unwrap(), key);
}

#[test]
fn d117_a_rotation_whose_key_has_no_place_changes_nothing_and_says_what_to_do() {
    let site = Site::new();
    site.develop().stop();
    let file = site.data().join("master.key");
    let key = fs::read(&file).unwrap();
    // A folder in the way is refused to everybody, also to who may write anywhere.
    fs::create_dir(site.data().join("master.key.new")).unwrap();
    let refused = site.fails(&["key", "rotate", "--master"], 1);
    assert!(refused.contains("nothing was changed, since no new key can be kept at "), "{refused}");
    assert!(refused.contains("see that its folder can be written by this user"), "{refused}");
    assert_eq!(fs::read(&file).unwrap(), key);
    site.stdout(&["client", "list"]);
}

#[test]
fn d117_a_key_file_that_is_a_mount_is_not_rotated() {
    let site = Site::new();
    site.develop().stop();
    let file = site.data().join("master.key");
    fs::copy(&file, site.path("mounted.key")).unwrap();
    let mount = |program: &str, arguments: &[&std::path::Path]| {
        let run = std::process::Command::new(program).args(arguments).output();
        run.is_ok_and(|output| output.status.success())
    };
    if !mount("mount", &["--bind".as_ref(), &site.path("mounted.key"), &file]) {
        eprintln!("NOT TRIED: this process may not mount, so no key file was a mount");
        return;
    }
    let refused = site.kyc(&["key", "rotate", "--master"]);
    let opened = site.kyc(&["client", "list"]);
    assert!(mount("umount", &[&file]));
    assert_eq!(refused.status.code(), Some(1), "{}", said(&refused));
    assert!(said(&refused).contains("the file is no mount"), "{}", said(&refused));
    assert_eq!(opened.status.code(), Some(0), "{}", said(&opened));
    assert!(!site.data().join("master.key.new").exists());
}
