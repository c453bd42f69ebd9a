//! The running service: what is wired, and in which order.

mod access;
mod accounts;
mod anchoring;
mod backups;
mod banner;
mod certificate;
mod entrance;
mod log;
mod readiness;
mod ready;
mod refresh;
mod retention;
mod signals;
mod worker;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kyc_core::{Service, service};
use kyc_http::Api;
use kyc_http::server::{Server, Transport};
use kyc_http::throttle::Limiter;
use kyc_screening::Mode;
use kyc_store_sqlite::SqliteStore;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure, chain};
use crate::fetch::Updater;
use crate::{folder, privacy, wiring};
use anchoring::Anchor;
use backups::Scheduled;
use entrance::{Door, Entrance};
use log::{Log, RequestLog};
use readiness::Check;
use refresh::Refresh;
use retention::Deletion;
use signals::Signals;
use worker::{Work, Worker};

pub(crate) use anchoring::Anchoring;
pub(crate) use log::{LogFormat, LogSettings};

/// Serves until a signal says stop.
pub(crate) fn run(
    globals: &Globals,
    settings: &Settings,
    ready_file: Option<&Path>,
) -> Result<(), Failure> {
    let log = Log::start(settings.log)?;
    if privacy::keep_memory_private().is_err() {
        tracing::warn!("core files cannot be forbidden: after a crash they hold personal data");
    }
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::because("cannot start the threads of the server", &error))?;
    let served = serve(globals, settings, ready_file, &runtime, &log);
    // Answers that nobody hears any more end by themselves.
    runtime.shutdown_timeout(LAST_ANSWERS);
    served
}

fn serve(
    globals: &Globals,
    settings: &Settings,
    ready_file: Option<&Path>,
    runtime: &Runtime,
    log: &Log,
) -> Result<(), Failure> {
    folder::make(&settings.data)?;
    let data = &std::path::absolute(&settings.data)
        .map_err(|error| Failure::because("cannot find the data folder", &error))?;
    let vault = globals.vault(data)?;
    let options = kyc_store_sqlite::Options { quotas: settings.quotas, ..Default::default() };
    let options = options.with_vault(vault).with_report(|fault| {
        tracing::error!(error = chain(fault), "background work of the store failed");
    });
    let has_vault = data.join("sealed").exists();
    let store = SqliteStore::open(data, options)?;
    if !has_vault {
        tracing::warn!("a master key is in use from now on: keep a copy of it apart from the data");
    }
    if let Some(path) = ready_file {
        ready::clear(path)?;
    }
    let anchor = settings.anchoring.clone();
    let anchor = anchor.map(|anchoring| Anchor::start(store.clone(), anchoring)).transpose()?;
    let updater = Updater::new(data, &settings.updates)?;
    let _in_runtime = runtime.enter();
    let mut signals = Signals::listen()?;
    // Ports before keys: a key that nobody could be shown would be lost.
    let Entrance { doors, place, renewal } = Entrance::open(&settings.start, data)?;
    let secrets = if settings.is_development() { accounts::first(&store)? } else { None };

    let options = service::Options {
        document_bytes_max: settings.document_bytes_max,
        retention: settings.retention,
    };
    let service = wiring::service(store.clone(), options);
    let library = wiring::library(data);
    // Lists that cannot be read are no reason to search the sample.
    let has_lists = library.status(service.now()).map_or(true, |lists| !lists.is_empty());
    let uses_sample = settings.mode() == Mode::Development && !has_lists;
    let (stop, stopping) = watch::channel(());
    let are_loaded = Arc::default();
    let check = Check {
        store: store.clone(),
        library: library.clone(),
        mode: settings.mode(),
        policy: settings.policy.clone(),
        are_loaded: Arc::clone(&are_loaded),
        backups: settings.backups.clone(),
        last: Mutex::default(),
    };
    let requests = log.requests();
    let serving =
        open_doors(service.clone(), check, settings, doors, requests, &stopping, runtime)?;

    tracing::info!(data = %data.display(), "serving");
    log.flush();
    if settings.is_development() {
        if banner::show(globals, data, &place, secrets.as_ref(), uses_sample).is_err() {
            tracing::warn!("standard output is closed: nobody was shown how to begin");
        }
    } else if store.keys()?.is_empty() {
        let next = globals.command("client add NAME");
        tracing::warn!(next, "no key yet: nobody can call the service");
    }
    if let Some(path) = ready_file {
        ready::write(path, &place, secrets.as_ref())?;
    }
    drop(secrets);
    let worker = Worker::start(Work {
        service,
        store: store.clone(),
        library,
        data: data.clone(),
        mode: settings.mode(),
        policy: settings.policy.clone(),
        are_loaded,
    })?;
    store.set_retention_policy(settings.retention)?;
    let deletion = Deletion::start(wiring::keeper(store.clone(), settings), globals)?;
    let feeds = settings.updates.feeds.clone();
    let refresh =
        settings.updates.every.map(|every| Refresh::start(updater, feeds, every, stopping.clone()));
    let refresh = refresh.transpose()?;
    let scheduled = settings
        .backups
        .clone()
        .map(|backups| Scheduled::start(store.clone(), data.clone(), backups, stopping));
    let scheduled = scheduled.transpose()?;

    runtime.block_on(async {
        signals.until_stop(|| renewal.run()).await;
        tracing::info!("stopping: open requests may finish");
        drop(stop);
        tokio::select! {
            () = end_of(serving) => {}
            () = signals.until_stop(|| ()) => {
                tracing::warn!("leaving at once: open requests are cut");
                log.flush();
                std::process::exit(Code::Failed as i32);
            }
        }
    });
    drop((deletion, refresh, scheduled, worker, anchor));
    // The last handle: the write-ahead log is written back.
    drop(store);
    tracing::info!("stopped");
    Ok(())
}

/// Lets both generations and the inspectors in at every port, until `stopping` changes.
fn open_doors(
    service: Service,
    check: Check,
    settings: &Settings,
    doors: Vec<Door>,
    requests: RequestLog,
    stopping: &watch::Receiver<()>,
    runtime: &Runtime,
) -> Result<Vec<JoinHandle<()>>, Failure> {
    let api = Api::new(service)
        .with_report(|request_id, error| {
            tracing::error!(request_id, error = chain(error), "a request failed");
        })
        .with_readiness(move || check.readiness())
        .with_throttle(Limiter::new(settings.rates));
    let server = Server::new(api, settings.limits, move |event| access::log(&requests, event));
    let open = |Door { listener, address, transport }| {
        let is_tls = matches!(transport, Transport::Tls(_));
        tracing::info!(%address, tls = is_tls, "listening");
        let listener = TcpListener::from_std(listener)
            .map_err(|error| Failure::because("cannot serve the port", &error))?;
        let (server, mut stopping) = (server.clone(), stopping.clone());
        Ok(runtime.spawn(async move {
            let stop = async { drop(stopping.changed().await) };
            server.serve(listener, transport, stop).await;
        }))
    };
    doors.into_iter().map(open).collect()
}

async fn end_of(serving: Vec<JoinHandle<()>>) {
    for door in serving {
        // A panic was logged where it happened.
        let _ = door.await;
    }
}

/// How long answers that nobody hears any more may take.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
