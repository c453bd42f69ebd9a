use kyc_core::conformance;
use kyc_core::conformance::fixture::{time, valid};
use kyc_core::{Client, Inspector};

use crate::support::{folder, open};

#[test]
fn submissions_conform() {
    let folders = std::cell::RefCell::new(Vec::new());
    conformance::submission_store(|| {
        let folder = folder();
        let store = open(&folder);
        folders.borrow_mut().push(folder);
        store
    });
}

#[test]
fn submissions_survive() {
    let folder = folder();
    conformance::submission_store_survives(|| open(&folder));
}

#[test]
fn documents_conform() {
    let folders = std::cell::RefCell::new(Vec::new());
    conformance::document_store(|| {
        let folder = folder();
        let store = open(&folder);
        folders.borrow_mut().push(folder);
        store
    });
}

#[test]
fn documents_survive() {
    let folder = folder();
    conformance::document_store_survives(|| open(&folder));
}

#[test]
fn the_directory_conforms() {
    let folder = folder();
    let store = open(&folder);
    let clients = ["acme", "zeta"].map(|name| store.add_client(&valid(name), time(0)).unwrap());
    let keys: Vec<(String, Client)> = clients
        .iter()
        .flat_map(|client| [client, client])
        .map(|client| {
            let key = store.create_key(client.id, time(1)).unwrap();
            (key.as_str().to_owned(), Client::clone(client))
        })
        .collect();
    let tokens: Vec<(String, Inspector)> = [("ines", None), ("ivo", Some(vec![clients[1].id]))]
        .map(|(name, clients)| {
            let name = valid(name);
            let token = store.add_inspector(&name, clients.as_deref(), time(1)).unwrap();
            (token.as_str().to_owned(), Inspector { name, clients })
        })
        .into();
    let keys: Vec<(&str, Client)> = keys.iter().map(|(k, c)| (k.as_str(), c.clone())).collect();
    let tokens: Vec<(&str, Inspector)> =
        tokens.iter().map(|(t, i)| (t.as_str(), i.clone())).collect();
    conformance::directory(&store, &keys, &tokens);
}
