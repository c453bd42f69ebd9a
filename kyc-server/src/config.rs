//! What the operator set: flags, environment and file, in this order (D10–D12, D23, D34).

mod doubts;
mod keys;
mod quotas;
mod vault;

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kyc_core::{RetentionPolicy, RunLimits};
use kyc_http::server::{Limits, Network, TlsFiles};
use kyc_http::throttle::Rates;
use kyc_screening::{Mode, Policy};
use kyc_store_sqlite::Quotas;
use tracing::level_filters::LevelFilter;

use crate::backup::{Recipient, Shelf};
use crate::exit::{Code, Failure};
use crate::fetch::{self, Feed};
use crate::output::quoted;
use crate::serve::{Anchoring, LogSettings};

pub(crate) use keys::{Globals, Keys};

/// The commented example that `kyc config init` writes.
pub(crate) const EXAMPLE: &str = include_str!("config/example.toml");

const DATA_DEFAULT: &str = "kyc-data";
const LISTEN_DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8443);

/// Everything that can be set, valid and complete.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) data: PathBuf,
    /// Whether somebody named the data folder: then it is meant to be there.
    pub(crate) is_data_named: bool,
    pub(crate) start: Start,
    pub(crate) policy: Policy,
    pub(crate) updates: Updates,
    /// `None` if the service does not anchor the audit.
    pub(crate) anchoring: Option<Anchoring>,
    pub(crate) limits: Limits,
    pub(crate) rates: Rates,
    pub(crate) quotas: Quotas,
    pub(crate) document_bytes_max: u32,
    pub(crate) retention: RetentionPolicy,
    pub(crate) retention_run: RunLimits,
    /// `None` where the service makes none by itself.
    pub(crate) backups: Option<Backups>,
    pub(crate) log: LogSettings,
}

/// Which backups the service makes by itself (D112).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Backups {
    pub(crate) shelf: Shelf,
    pub(crate) every: Duration,
    pub(crate) keep: NonZero<usize>,
    pub(crate) recipients: Vec<Recipient>,
}

/// Which lists are fetched, and how.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Updates {
    /// Each list once.
    pub(crate) feeds: Vec<Feed>,
    /// How often the service fetches them; `None` if it never does (D77).
    pub(crate) every: Option<Duration>,
    pub(crate) limits: fetch::Limits,
    pub(crate) ca_file: Option<PathBuf>,
}

/// What kind of service is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Start {
    /// Nothing was configured: for trying things out on this machine alone.
    Development(SocketAddr),
    /// Somebody decided how it is reached.
    Configured(Doors),
}

/// How a configured service is reached: over TLS, from a TLS terminator (D11), or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doors {
    Tls(TlsDoor),
    Proxy(ProxyDoor),
    Both(TlsDoor, ProxyDoor),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TlsDoor {
    pub(crate) listen: SocketAddr,
    pub(crate) files: TlsFiles,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProxyDoor {
    pub(crate) listen: SocketAddr,
    pub(crate) trusted: Vec<Network>,
}

impl Settings {
    /// The settings of a command, whose flags and variables are in `keys`.
    pub(crate) fn load(globals: &Globals, keys: Keys) -> Result<Self, Failure> {
        let file = globals.config.as_deref().map(read).transpose()?;
        let is_development = file.is_none() && !keys.decides_on_doors();
        let keys = keys.or(file.unwrap_or_default());
        let (rates, quotas) = (quotas::rates(&keys), quotas::quotas(&keys));
        let Keys {
            data,
            listen,
            tls_cert,
            tls_key,
            proxy_listen,
            proxy_trusted,
            lists_required,
            lists_max_age_days,
            lists_update,
            lists_update_hours,
            lists_update_seconds_max,
            lists_ca_file,
            audit_anchor_file,
            audit_anchor_minutes,
            document_bytes_max,
            retention_years,
            unused_upload_days,
            retention_run_max,
            connections_max,
            connections_per_address_max,
            body_bytes_in_flight_max,
            backup_folder,
            backup_hours,
            backup_keep,
            backup_recipients,
            log,
            log_format,
            ..
        } = keys;

        let start = if is_development {
            development(listen)?
        } else {
            let tls = tls_door(listen, tls_cert, tls_key)?;
            let proxy = proxy_door(proxy_listen, proxy_trusted)?;
            Start::Configured(doors(tls, proxy)?)
        };
        let default = Policy::default();
        let max_age = lists_max_age_days.map(|days| Duration::from_secs(u64::from(days) * DAY));
        let policy = Policy {
            required: lists_required.unwrap_or(default.required),
            max_age: max_age.unwrap_or(default.max_age),
        };
        let hours = lists_update_hours.unwrap_or(if is_development { 0 } else { HOURS_DEFAULT });
        let mut update_limits = fetch::Limits::default();
        if let Some(seconds) = lists_update_seconds_max {
            update_limits.list = Duration::from_secs(u64::from(seconds.get()));
        }
        let updates = Updates {
            feeds: feeds(lists_update, &policy.required)?,
            every: (hours > 0).then(|| Duration::from_secs(u64::from(hours) * HOUR)),
            limits: update_limits,
            ca_file: lists_ca_file,
        };
        let minutes = audit_anchor_minutes.map_or(ANCHOR_MINUTES_DEFAULT, NonZero::get);
        let anchoring = audit_anchor_file.map(|file| Anchoring {
            file,
            every: Duration::from_secs(u64::from(minutes) * MINUTE),
        });
        let limits = Limits::default();
        let (retention, retention_run) = (RetentionPolicy::default(), RunLimits::default());
        let document_bytes_default = kyc_core::service::Options::default().document_bytes_max;
        Ok(Self {
            is_data_named: globals.data.is_some() || data.is_some(),
            data: data_folder(globals, data),
            start,
            policy,
            updates,
            anchoring,
            limits: Limits {
                connections_max: connections_max.map_or(limits.connections_max, NonZero::get),
                connections_per_address_max: connections_per_address_max
                    .map_or(limits.connections_per_address_max, NonZero::get),
                body_bytes_in_flight_max: body_bytes_in_flight_max
                    .map_or(limits.body_bytes_in_flight_max, NonZero::get),
                ..limits
            },
            rates,
            quotas,
            document_bytes_max: document_bytes_max.map_or(document_bytes_default, NonZero::get),
            retention: RetentionPolicy {
                years: retention_years.map_or(retention.years, NonZero::get),
                unused_upload_days: unused_upload_days
                    .map_or(retention.unused_upload_days, NonZero::get),
            },
            retention_run: RunLimits {
                records_max: retention_run_max.map_or(retention_run.records_max, NonZero::get),
                ..retention_run
            },
            backups: backups(backup_folder, backup_hours, backup_keep, backup_recipients)?,
            log: LogSettings {
                level: log.unwrap_or(LevelFilter::INFO),
                format: log_format.unwrap_or_default(),
            },
        })
    }

    /// The settings of a command that has no flags for them.
    pub(crate) fn of_environment(globals: &Globals) -> Result<Self, Failure> {
        Self::load(globals, Keys::of_environment())
    }

    /// Whether nobody decided how the service is reached.
    pub(crate) fn is_development(&self) -> bool {
        matches!(self.start, Start::Development(_))
    }

    /// Whether the built-in sample may stand in for lists: never for those that somebody named
    /// (D34).
    pub(crate) fn mode(&self) -> Mode {
        if self.is_development() && self.policy.required.is_empty() {
            return Mode::Development;
        }
        Mode::Production
    }
}

impl Globals {
    /// The data folder alone, for commands that need nothing else.
    pub(crate) fn data_folder(&self) -> Result<PathBuf, Failure> {
        if let Some(data) = &self.data {
            return Ok(data.clone());
        }
        let file = self.config.as_deref().map(read).transpose()?;
        Ok(data_folder(self, file.and_then(|keys| keys.data)))
    }

    /// A command of this program on the same data, as a shell takes it.
    pub(crate) fn command(&self, command: &str) -> String {
        let program = std::env::args().next().unwrap_or_else(|| "kyc".to_owned());
        let flag = |name: &str, path: &Option<PathBuf>| {
            let path = path.as_ref()?.display().to_string();
            Some(format!(" --{name} {}", quoted(&path)))
        };
        let shares = self.master_share_files.as_ref().map(|files| {
            let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
            PathBuf::from(files.join(","))
        });
        let flags = [
            flag("config", &self.config),
            flag("data", &self.data),
            flag("master-key-file", &self.master_key_file),
            flag("master-share-files", &shares),
        ];
        let flags: String = flags.into_iter().flatten().collect();
        format!("{} {command}{flags}", quoted(&program))
    }

    /// What to do where a list is missing or too old.
    pub(crate) fn lists_first(&self) -> String {
        let (update, import) = (self.command("list update"), self.command("list import FILE"));
        format!("first `{update}` or `{import}`")
    }
}

fn data_folder(globals: &Globals, in_file: Option<PathBuf>) -> PathBuf {
    globals.data.clone().or(in_file).unwrap_or_else(|| DATA_DEFAULT.into())
}

/// Reads a file. Relative paths in it begin at its folder.
fn read(path: &Path) -> Result<Keys, Failure> {
    let invalid = |why: String| {
        let sentence = format!("the configuration file {}: {why}", path.display());
        Failure::new(Code::Configuration, sentence)
    };
    let text = fs::read_to_string(path).map_err(|error| invalid(error.to_string()))?;
    let keys: Keys = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        invalid(format!("line {line}: {}", error.message()))
    })?;
    Ok(keys.relative_to(path.parent().unwrap_or(Path::new(""))))
}

fn development(listen: Option<SocketAddr>) -> Result<Start, Failure> {
    let listen = listen.unwrap_or(LISTEN_DEFAULT);
    if listen.ip() == Ipv4Addr::LOCALHOST || listen.ip() == Ipv6Addr::LOCALHOST {
        return Ok(Start::Development(listen));
    }
    Err(unusable(
        "without configuration the service is for trying out and listens on 127.0.0.1 or [::1] \
         only: to be reached from elsewhere it needs --tls-cert and --tls-key, or a configuration \
         file (`kyc config init` writes an example)",
    ))
}

fn tls_door(
    listen: Option<SocketAddr>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
) -> Result<Option<TlsDoor>, Failure> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => {
            let listen = listen.unwrap_or(LISTEN_DEFAULT);
            Ok(Some(TlsDoor { listen, files: TlsFiles { certificate, key } }))
        }
        (None, None) => Ok(None),
        _ => Err(unusable("tls_cert and tls_key belong together: set both")),
    }
}

fn proxy_door(
    listen: Option<SocketAddr>,
    trusted: Option<Vec<Network>>,
) -> Result<Option<ProxyDoor>, Failure> {
    match (listen, trusted.filter(|trusted| !trusted.is_empty())) {
        (Some(listen), Some(trusted)) => Ok(Some(ProxyDoor { listen, trusted })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(unusable(
            "proxy_listen takes requests in clear: name the TLS terminators that may send them \
             in proxy_trusted",
        )),
        (None, Some(_)) => Err(unusable("proxy_trusted has no meaning without proxy_listen")),
    }
}

/// The lists to fetch: those that are named, or else the published ones among those that are
/// required, or else every published one.
fn feeds(named: Option<Vec<Feed>>, required: &[String]) -> Result<Vec<Feed>, Failure> {
    let Some(named) = named else {
        let published = Feed::published().into_iter();
        let is_wanted = |feed: &Feed| required.is_empty() || required.contains(&feed.list);
        return Ok(published.filter(is_wanted).collect());
    };
    for (at, feed) in named.iter().enumerate() {
        if named.iter().skip(at + 1).any(|other| other.list == feed.list) {
            return Err(unusable(&format!("lists_update names {} twice", feed.list)));
        }
    }
    Ok(named)
}

fn backups(
    folder: Option<PathBuf>,
    hours: Option<NonZero<u32>>,
    keep: Option<NonZero<usize>>,
    recipients: Option<Vec<Recipient>>,
) -> Result<Option<Backups>, Failure> {
    let Some(folder) = folder else {
        if hours.is_some() || keep.is_some() || recipients.is_some() {
            return Err(unusable(
                "backup_hours, backup_keep and backup_recipients have no meaning without \
                 backup_folder",
            ));
        }
        return Ok(None);
    };
    let hours = hours.map_or(BACKUP_HOURS_DEFAULT, |hours| u64::from(hours.get()));
    Ok(Some(Backups {
        shelf: Shelf::new(folder),
        every: Duration::from_secs(hours * HOUR),
        keep: keep.unwrap_or(BACKUPS_DEFAULT),
        recipients: recipients.unwrap_or_default(),
    }))
}

fn doors(tls: Option<TlsDoor>, proxy: Option<ProxyDoor>) -> Result<Doors, Failure> {
    match (tls, proxy) {
        (Some(tls), Some(proxy)) => Ok(Doors::Both(tls, proxy)),
        (Some(tls), None) => Ok(Doors::Tls(tls)),
        (None, Some(proxy)) => Ok(Doors::Proxy(proxy)),
        (None, None) => Err(unusable(
            "a configured service needs tls_cert and tls_key, or proxy_listen and proxy_trusted \
             behind a TLS terminator; without any configuration it makes its own certificate",
        )),
    }
}

fn unusable(sentence: &str) -> Failure {
    Failure::new(Code::Configuration, sentence)
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Publishers change their lists on working days, some of them several times.
const HOURS_DEFAULT: u16 = 6;
const BACKUP_HOURS_DEFAULT: u64 = 24;
/// A week of days.
const BACKUPS_DEFAULT: NonZero<usize> = NonZero::new(7).unwrap();
/// So much of the audit can be replaced unnoticed at most.
const ANCHOR_MINUTES_DEFAULT: u32 = 60;

#[cfg(test)]
mod tests;
