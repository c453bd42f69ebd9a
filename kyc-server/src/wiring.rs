//! How the parts are put together.

use std::path::Path;
use std::sync::Arc;

use kyc_core::service::{Options, Service};
use kyc_core::{OsIds, SystemClock};
use kyc_screening::Library;
use kyc_store_sqlite::SqliteStore;

/// The service over an embedded store.
pub(crate) fn service(store: SqliteStore, options: Options) -> Service {
    let store = Arc::new(store);
    Service::new(
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        Arc::clone(&store) as _,
        store,
        Arc::new(SystemClock),
        Arc::new(OsIds),
        options,
    )
}

/// The lists of a data folder.
pub(crate) fn library(data: &Path) -> Library {
    Library::new(data.join("lists"))
}
