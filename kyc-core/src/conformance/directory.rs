use std::sync::Arc;

use crate::{Client, Directory, Inspector};

/// The contract of [`Directory`], except when changes take effect. `keys` and `tokens` are what
/// the directory knows, each text with its owner; at least one of each.
///
/// ```
/// use kyc_core::conformance::directory;
/// use kyc_core::conformance::fixture::{client_record, inspector};
/// use kyc_core::memory::MemoryDirectory;
///
/// let known = MemoryDirectory::default()
///     .with_client("the key of client 1", client_record(1))
///     .with_inspector("the token of ines", inspector());
/// directory(
///     &known,
///     &[("the key of client 1", client_record(1))],
///     &[("the token of ines", inspector())],
/// );
/// ```
///
/// # Panics
///
/// When the directory breaks its contract.
pub fn directory(
    directory: &impl Directory,
    keys: &[(&str, Client)],
    tokens: &[(&str, Inspector)],
) {
    assert!(!keys.is_empty() && !tokens.is_empty(), "something has to be known to the directory");
    let client_of = |key: &str| directory.client_of_key(key).expect("client of a key");
    let inspector_of = |token: &str| directory.inspector_of_token(token).expect("inspector");

    for (key, client) in keys {
        assert_eq!(client_of(key).as_deref(), Some(client), "a key finds its client");
        assert!(inspector_of(key).is_none(), "a key is no token");
        for wrong in near_misses(key, keys) {
            assert!(client_of(&wrong).is_none(), "only the exact key is let in");
        }
    }
    for (token, inspector) in tokens {
        assert_eq!(inspector_of(token).as_deref(), Some(inspector), "a token finds its inspector");
        assert!(client_of(token).is_none(), "a token is no key");
        for wrong in near_misses(token, tokens) {
            assert!(inspector_of(&wrong).is_none(), "only the exact token is let in");
        }
    }

    let clients = directory.clients().expect("clients");
    assert!(
        clients.is_sorted_by(|left, right| left.id < right.id),
        "every client once, ordered by id"
    );
    for (_, client) in keys {
        let is_it = |listed: &Arc<Client>| **listed == *client;
        assert!(clients.iter().any(is_it), "every client is listed");
    }
}

/// Texts that are almost the credential, and no known one.
fn near_misses<T>(credential: &str, known: &[(&str, T)]) -> Vec<String> {
    let mut misses = vec![
        String::new(),
        " ".to_owned(),
        "\0".to_owned(),
        "_".to_owned(),
        "x".repeat(10_000),
        format!(" {credential}"),
        format!("{credential} "),
        format!("{credential}\0"),
        format!("{credential}\n"),
        credential.repeat(2),
    ];
    misses.extend([credential.to_uppercase(), credential.to_lowercase()]);
    for (at, letter) in credential.char_indices() {
        let (head, tail) = credential.split_at(at);
        let rest = tail.strip_prefix(letter).unwrap_or(tail);
        let other = if letter == 'x' { 'y' } else { 'x' };
        misses.push(head.to_owned());
        misses.push(format!("{head}{rest}"));
        misses.push(format!("{head}{other}{rest}"));
        if let Some(next) = rest.chars().next() {
            let rest = rest.strip_prefix(next).unwrap_or(rest);
            misses.push(format!("{head}{next}{letter}{rest}"));
        }
    }
    misses.retain(|miss| known.iter().all(|(known, _)| known != miss));
    misses
}
