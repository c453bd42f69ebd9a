use std::cell::RefCell;
use std::sync::Arc;

use kyc_core::conformance;
use kyc_core::conformance::fixture::{time, valid};
use kyc_core::{Client, Inspector};
use kyc_store_sqlite::SqliteStore;
use tempfile::TempDir;

use crate::support::{folder, open, open_sealed};

/// How stores are opened: in clear, and with a vault.
const OPENERS: [fn(&TempDir) -> SqliteStore; 2] = [open, open_sealed];

/// Opens a store in a new folder each time; the folders go at the end.
fn in_new_folders(suite: impl Fn(&dyn Fn() -> SqliteStore)) {
    for open in OPENERS {
        let folders: RefCell<Vec<TempDir>> = RefCell::default();
        suite(&|| {
            let folder = folder();
            let store = open(&folder);
            folders.borrow_mut().push(folder);
            store
        });
    }
}

#[test]
fn submissions_conform() {
    in_new_folders(|open| conformance::submission_store(open));
}

#[test]
fn submissions_survive() {
    for open in OPENERS {
        let folder = folder();
        conformance::submission_store_survives(|| open(&folder));
    }
}

#[test]
fn documents_conform() {
    in_new_folders(|open| conformance::document_store(open));
}

#[test]
fn documents_survive() {
    for open in OPENERS {
        let folder = folder();
        conformance::document_store_survives(|| open(&folder));
    }
}

#[test]
fn monitoring_conforms() {
    in_new_folders(|open| conformance::monitoring(open));
}

#[test]
fn monitoring_survives() {
    for open in OPENERS {
        let folder = folder();
        conformance::monitoring_survives(|| open(&folder));
    }
}

#[test]
fn the_audit_conforms() {
    in_new_folders(|open| conformance::audit_log(open));
}

#[test]
fn the_audit_survives() {
    let folder = folder();
    conformance::audit_log_survives(|| open(&folder));
}

#[test]
fn d95_every_change_is_audited() {
    in_new_folders(|open| {
        conformance::changes_are_audited(|| {
            let store = open();
            (store.clone(), store.clone(), Arc::new(store))
        });
    });
}

#[test]
fn the_directory_conforms() {
    OPENERS.into_iter().for_each(check_directory);
}

fn check_directory(open: fn(&TempDir) -> SqliteStore) {
    let folder = folder();
    let store = open(&folder);
    let clients = ["acme", "zeta"].map(|name| store.add_client(&valid(name), time(0)).unwrap());
    // Two keys for each client.
    let keys = [0, 1, 0, 1].map(|place| {
        let client: &Client = &clients[place];
        (store.create_key(client.id, time(1)).unwrap(), client.clone())
    });
    let tokens = [("ines", None), ("ivo", Some(vec![clients[1].id]))].map(|(name, clients)| {
        let name = valid(name);
        let token = store.add_inspector(&name, clients.as_deref(), time(1)).unwrap();
        (token, Inspector { name, clients })
    });
    let keys = keys.each_ref().map(|(key, client)| (key.as_str(), client.clone()));
    let tokens = tokens.each_ref().map(|(token, inspector)| (token.as_str(), inspector.clone()));
    conformance::directory(&store, &keys, &tokens);
}
