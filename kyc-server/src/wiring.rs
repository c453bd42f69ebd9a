//! How the parts are put together.

use std::path::Path;
use std::sync::Arc;

use kyc_core::service::{Keeper, Options, Service};
use kyc_core::{OsIds, SystemClock};
use kyc_screening::Library;
use kyc_store_sqlite::SqliteStore;

use crate::config::Settings;

/// The service over an embedded store.
pub(crate) fn service(store: SqliteStore, options: Options) -> Service {
    let store = Arc::new(store);
    Service::new(
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        Arc::new(SystemClock),
        Arc::new(OsIds),
        options,
    )
    .with_retention(store)
}

/// What erases from an embedded store.
pub(crate) fn keeper(store: SqliteStore, settings: &Settings) -> Keeper {
    let service = service(store.clone(), Options::default());
    Keeper::new(service, Arc::new(store), settings.retention, settings.retention_run)
}

/// The lists of a data folder.
pub(crate) fn library(data: &Path) -> Library {
    Library::new(data.join("lists"))
}
