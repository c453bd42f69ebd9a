//! The first accounts of a development start.

use kyc_core::{AccountName, Clock, Directory, SystemClock};
use kyc_store_sqlite::{Credential, SqliteStore};

use crate::exit::{Code, Failure};

/// What is known only on the run that made it.
#[derive(Debug)]
pub(super) struct Secrets {
    pub(super) api_key: Credential,
    /// `None` where there was an inspector already.
    pub(super) token: Option<Credential>,
}

pub(super) const CLIENT: &str = "default";
const INSPECTOR: &str = "inspector";

/// Makes a client with a key, and an inspector, in a folder that never had a key.
///
/// The key comes last: a run that is cut off before it makes the key again, since nobody has seen
/// one.
pub(super) fn first(store: &SqliteStore) -> Result<Option<Secrets>, Failure> {
    if !store.keys()?.is_empty() {
        return Ok(None);
    }
    let at = SystemClock.now();
    let has_inspector = !store.inspectors()?.is_empty();
    let token = if has_inspector {
        None
    } else {
        Some(store.add_inspector(&name(INSPECTOR)?, None, at)?)
    };
    let client = match store.clients()?.into_iter().next() {
        Some(client) => client,
        None => store.add_client(&name(CLIENT)?, at)?,
    };
    let api_key = store.create_key(client.id, at)?;
    Ok(Some(Secrets { api_key, token }))
}

fn name(text: &str) -> Result<AccountName, Failure> {
    text.parse().map_err(|error| Failure::of(Code::Failed, &error))
}
