//! The ready file: how scripts and tests find a service that has come up.

use std::fs;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::accounts::Secrets;
use crate::exit::Failure;
use crate::folder;

/// Where the service answers.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) address: SocketAddr,
    pub(super) url: String,
    /// The certificate to trust, where it is our own.
    pub(super) ca_file: Option<PathBuf>,
}

#[derive(Serialize)]
struct Ready<'a> {
    address: SocketAddr,
    url: &'a str,
    ca_file: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inspector_token: Option<&'a str>,
}

/// Removes what an earlier run wrote, so that nobody takes it for this one's.
pub(super) fn clear(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(path, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes the file, whole or not at all, for its owner's eyes alone: the secrets are in it on the
/// run that made them.
pub(super) fn write(path: &Path, place: &Place, secrets: Option<&Secrets>) -> Result<(), Failure> {
    let ready = Ready {
        address: place.address,
        url: &place.url,
        ca_file: place.ca_file.as_deref(),
        api_key: secrets.map(|secrets| secrets.api_key.as_str()),
        inspector_token: secrets.and_then(|secrets| Some(secrets.token.as_ref()?.as_str())),
    };
    let text = serde_json::to_string_pretty(&ready)
        .map_err(|error| Failure::because("cannot write the ready file", &error))?;
    folder::write_private(path, &format!("{text}\n")).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::because(&format!("cannot write the ready file {}", path.display()), error)
}
