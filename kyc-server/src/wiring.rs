//! How the parts are put together.

use std::path::Path;
use std::sync::Arc;

use kyc_core::service::{Keeper, Options, Service};
use kyc_core::{OsIds, SystemClock};
use kyc_screening::Library;
use kyc_store_sqlite::SqliteStore;

use crate::config::Settings;
use crate::exit::{Code, Failure};

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

/// As [`keeper`], for a command: it erases by the periods of the folder's service or not at all.
pub(crate) fn keeper_of_service(
    store: SqliteStore,
    settings: &Settings,
) -> Result<Keeper, Failure> {
    let told = settings.retention;
    match store.retention_policy()? {
        Some(kept) if kept != told => {
            let sentence = format!(
                "the service keeps records for {} years and unused uploads for {} days, and this \
                 command was told {} and {}: give it the service's configuration, by --config or \
                 KYC_RETENTION_YEARS and KYC_UNUSED_UPLOAD_DAYS",
                kept.years, kept.unused_upload_days, told.years, told.unused_upload_days,
            );
            Err(Failure::new(Code::Configuration, sentence))
        }
        Some(_) | None => Ok(keeper(store, settings)),
    }
}

/// The lists of a data folder.
pub(crate) fn library(data: &Path) -> Library {
    Library::new(data.join("lists"))
}
