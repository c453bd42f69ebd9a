//! The keys: each is a flag, a variable and a line of the file, declared once.

use std::fmt::Display;
use std::net::SocketAddr;
use std::num::{NonZeroU8, NonZeroU16, NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, FromArgMatches};
use kyc_http::server::Network;
use serde::{Deserialize, Deserializer};
use tracing::level_filters::LevelFilter;

use crate::backup::Recipient;
use crate::fetch::Feed;
use crate::serve::LogFormat;

/// Where everything is: known to every command.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Globals {
    /// Data folder: database, documents, lists, keys [default: kyc-data]
    #[arg(long, env = "KYC_DATA", value_name = "DIR", global = true)]
    pub(crate) data: Option<PathBuf>,

    /// Configuration file; `kyc config init` writes a commented one
    #[arg(long, env = "KYC_CONFIG", value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// File of the master key, made at the first run [default: master.key in the data folder]
    #[arg(long, env = "KYC_MASTER_KEY_FILE", value_name = "FILE", global = true)]
    pub(crate) master_key_file: Option<PathBuf>,

    /// Files of the master key's two shares, one for each custodian, separated by a comma
    #[arg(
        long,
        env = "KYC_MASTER_SHARE_FILES",
        value_name = "FILE,FILE",
        value_delimiter = ',',
        global = true
    )]
    pub(crate) master_share_files: Option<Vec<PathBuf>>,
}

/// What may be set of each key. A flag stands above its variable, a variable above the file.
#[derive(Debug, Default, PartialEq, Eq, Args, Deserialize)]
#[command(next_help_heading = "Configuration, also as keys of the file")]
#[serde(deny_unknown_fields)]
pub(crate) struct Keys {
    // The flag belongs to every command, see `Globals`.
    #[arg(skip)]
    pub(crate) data: Option<PathBuf>,
    #[arg(skip)]
    pub(crate) master_key_file: Option<PathBuf>,
    #[arg(skip)]
    pub(crate) master_share_files: Option<Vec<PathBuf>>,

    /// Address and port to serve TLS on; port 0 picks one [default: 127.0.0.1:8443]
    #[arg(long, env = "KYC_LISTEN", value_name = "ADDR:PORT", value_parser = address)]
    #[serde(default, deserialize_with = "an_address")]
    pub(crate) listen: Option<SocketAddr>,

    /// PEM file of the server's certificate and those that vouch for it
    #[arg(long, env = "KYC_TLS_CERT", value_name = "FILE")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// PEM file of its private key; only its owner may be able to read it
    #[arg(long, env = "KYC_TLS_KEY", value_name = "FILE")]
    pub(crate) tls_key: Option<PathBuf>,

    /// Address and port to serve a TLS terminator on, in clear
    #[arg(long, env = "KYC_PROXY_LISTEN", value_name = "ADDR:PORT", value_parser = address)]
    #[serde(default, deserialize_with = "an_address")]
    pub(crate) proxy_listen: Option<SocketAddr>,

    /// Addresses or networks of the TLS terminators, such as 10.1.0.0/16
    #[arg(long, env = "KYC_PROXY_TRUSTED", value_name = "NETWORK", value_delimiter = ',')]
    #[serde(default, deserialize_with = "words")]
    pub(crate) proxy_trusted: Option<Vec<Network>>,

    /// Lists without which nobody is screened, separated by commas: UN, EU, UK, US-CSL, OFAC-SDN,
    /// OFAC-CONS, or an own list by its file's name [default: every imported one, at least one]
    #[arg(long, env = "KYC_LISTS_REQUIRED", value_name = "LIST", value_delimiter = ',')]
    pub(crate) lists_required: Option<Vec<String>>,

    /// Days after its last import or check for which a list may be used [default: 7]
    #[arg(long, env = "KYC_LISTS_MAX_AGE_DAYS", value_name = "DAYS", value_parser = whole::<u16>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) lists_max_age_days: Option<u16>,

    /// Lists to fetch, separated by commas: a published one by its name, or NAME=ADDRESS for one
    /// from elsewhere or of your own [default: the published ones of --lists-required, or all]
    #[arg(long, env = "KYC_LISTS_UPDATE", value_name = "LIST[=ADDRESS]", value_delimiter = ',')]
    #[serde(default, deserialize_with = "words")]
    pub(crate) lists_update: Option<Vec<Feed>>,

    /// Hours between updates of the lists; 0 for none [default: 6, and 0 in a development start]
    #[arg(long, env = "KYC_LISTS_UPDATE_HOURS", value_name = "HOURS", value_parser = whole::<u16>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) lists_update_hours: Option<u16>,

    /// Seconds that the update of one list may take [default: 900]
    #[arg(long, env = "KYC_LISTS_UPDATE_SECONDS_MAX", value_name = "SECONDS", value_parser = whole::<NonZeroU32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) lists_update_seconds_max: Option<NonZeroU32>,

    /// PEM file of certificate authorities to trust beside those of the machine when lists are
    /// fetched
    #[arg(long, env = "KYC_LISTS_CA_FILE", value_name = "FILE")]
    pub(crate) lists_ca_file: Option<PathBuf>,

    /// Years for which records are kept after the end of the relationship [default: 5]
    #[arg(long, env = "KYC_RETENTION_YEARS", value_name = "YEARS", value_parser = whole::<NonZeroU8>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) retention_years: Option<NonZeroU8>,

    /// Days after which an upload that no submission refers to is erased [default: 30]
    #[arg(long, env = "KYC_UNUSED_UPLOAD_DAYS", value_name = "DAYS", value_parser = whole::<NonZeroU16>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) unused_upload_days: Option<NonZeroU16>,

    /// Most submissions that one run of the deletion job erases [default: 1000]
    #[arg(long, env = "KYC_RETENTION_RUN_MAX", value_name = "COUNT", value_parser = whole::<NonZeroU32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) retention_run_max: Option<NonZeroU32>,
    /// File to which the service appends the end of the audit's chains, on a disk that nobody can
    /// change together with the data folder [default: none]
    #[arg(long, env = "KYC_AUDIT_ANCHOR_FILE", value_name = "FILE")]
    pub(crate) audit_anchor_file: Option<PathBuf>,

    /// Minutes between two of its entries [default: 60]
    #[arg(long, env = "KYC_AUDIT_ANCHOR_MINUTES", value_name = "MINUTES", value_parser = whole::<NonZeroU32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) audit_anchor_minutes: Option<NonZeroU32>,

    /// Largest document, in bytes [default: 3145728]
    #[arg(long, env = "KYC_DOCUMENT_BYTES_MAX", value_name = "BYTES", value_parser = whole::<NonZeroU32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) document_bytes_max: Option<NonZeroU32>,

    /// Most open connections [default: 10000]
    #[arg(long, env = "KYC_CONNECTIONS_MAX", value_name = "COUNT", value_parser = whole::<NonZeroUsize>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) connections_max: Option<NonZeroUsize>,

    /// Most open connections from one address [default: 5000]
    #[arg(long, env = "KYC_CONNECTIONS_PER_ADDRESS_MAX", value_name = "COUNT", value_parser = whole::<NonZeroUsize>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) connections_per_address_max: Option<NonZeroUsize>,

    /// Most bytes of request bodies held at once [default: 134217728]
    #[arg(long, env = "KYC_BODY_BYTES_IN_FLIGHT_MAX", value_name = "BYTES", value_parser = whole::<NonZeroUsize>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) body_bytes_in_flight_max: Option<NonZeroUsize>,

    /// Folder for the backups that the service makes by itself; without one it makes none
    #[arg(long, env = "KYC_BACKUP_FOLDER", value_name = "DIR")]
    pub(crate) backup_folder: Option<PathBuf>,

    /// Hours between two of them [default: 24]
    #[arg(long, env = "KYC_BACKUP_HOURS", value_name = "HOURS", value_parser = whole::<NonZeroU32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) backup_hours: Option<NonZeroU32>,

    /// How many of them are kept [default: 7]
    #[arg(long, env = "KYC_BACKUP_KEEP", value_name = "COUNT", value_parser = whole::<NonZeroUsize>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) backup_keep: Option<NonZeroUsize>,

    /// Public keys of age, separated by commas: nobody else can open the backups
    #[arg(long, env = "KYC_BACKUP_RECIPIENTS", value_name = "AGE-KEY", value_delimiter = ',')]
    #[serde(default, deserialize_with = "words")]
    pub(crate) backup_recipients: Option<Vec<Recipient>>,

    /// Documents that a client may store in a minute; 0 for any number [default: 3000]
    #[arg(long, env = "KYC_UPLOADS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) uploads_per_minute: Option<u32>,

    /// Forms that a client may store in a minute; 0 for any number [default: 3000]
    #[arg(long, env = "KYC_SUBMISSIONS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) submissions_per_minute: Option<u32>,

    /// Submissions that a client may read in a minute; 0 for any number [default: 60000]
    #[arg(long, env = "KYC_READS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) reads_per_minute: Option<u32>,

    /// Pages that a client may list in a minute; 0 for any number [default: 600]
    #[arg(long, env = "KYC_LISTS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) lists_per_minute: Option<u32>,

    /// Requests that an inspector may send in a minute; 0 for any number [default: 3000]
    #[arg(long, env = "KYC_REVIEWS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) reviews_per_minute: Option<u32>,

    /// Wrong or missing credentials from one address in a minute; 0 for any number [default: 60]
    #[arg(long, env = "KYC_REFUSALS_PER_MINUTE", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) refusals_per_minute: Option<u32>,

    /// Documents that a client may store on a day of UTC; 0 for any number [default: 1000000]
    #[arg(long, env = "KYC_UPLOADS_PER_DAY", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) uploads_per_day: Option<u32>,

    /// Submissions that a client may store on a day of UTC; 0 for any number [default: 1000000]
    #[arg(long, env = "KYC_SUBMISSIONS_PER_DAY", value_name = "COUNT", value_parser = whole::<u32>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) submissions_per_day: Option<u32>,

    /// Bytes of all documents of a client; 0 for any number [default: 1099511627776]
    #[arg(long, env = "KYC_DOCUMENT_BYTES_PER_CLIENT", value_name = "BYTES", value_parser = whole::<u64>)]
    #[serde(default, deserialize_with = "a_whole")]
    pub(crate) document_bytes_per_client: Option<u64>,

    /// Least level of what is logged: off, error, warn, info, debug, trace [default: info]
    #[arg(long, env = "KYC_LOG", value_name = "LEVEL")]
    #[serde(default, deserialize_with = "word")]
    pub(crate) log: Option<LevelFilter>,

    /// Form of the log; auto is human on a terminal and json elsewhere [default: auto]
    #[arg(long, env = "KYC_LOG_FORMAT", value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
}

impl Keys {
    /// What the variables say.
    pub(crate) fn of_environment() -> Self {
        let command = Self::augment_args(clap::Command::new("kyc").no_binary_name(true));
        let parsed = command.try_get_matches_from(std::iter::empty::<&str>());
        parsed
            .and_then(|matches| Self::from_arg_matches(&matches))
            .unwrap_or_else(|error| error.exit())
    }

    /// Whether they say how the service is reached, which a development start decides itself.
    pub(super) fn decides_on_doors(&self) -> bool {
        self.tls_cert.is_some()
            || self.tls_key.is_some()
            || self.proxy_listen.is_some()
            || self.proxy_trusted.is_some()
    }

    /// These, and the others where nothing is said here.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            data: self.data.or(other.data),
            master_key_file: self.master_key_file.or(other.master_key_file),
            master_share_files: self.master_share_files.or(other.master_share_files),
            listen: self.listen.or(other.listen),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            proxy_listen: self.proxy_listen.or(other.proxy_listen),
            proxy_trusted: self.proxy_trusted.or(other.proxy_trusted),
            lists_required: self.lists_required.or(other.lists_required),
            lists_max_age_days: self.lists_max_age_days.or(other.lists_max_age_days),
            lists_update: self.lists_update.or(other.lists_update),
            lists_update_hours: self.lists_update_hours.or(other.lists_update_hours),
            lists_update_seconds_max: self
                .lists_update_seconds_max
                .or(other.lists_update_seconds_max),
            lists_ca_file: self.lists_ca_file.or(other.lists_ca_file),
            audit_anchor_file: self.audit_anchor_file.or(other.audit_anchor_file),
            audit_anchor_minutes: self.audit_anchor_minutes.or(other.audit_anchor_minutes),
            document_bytes_max: self.document_bytes_max.or(other.document_bytes_max),
            retention_years: self.retention_years.or(other.retention_years),
            unused_upload_days: self.unused_upload_days.or(other.unused_upload_days),
            retention_run_max: self.retention_run_max.or(other.retention_run_max),
            connections_max: self.connections_max.or(other.connections_max),
            connections_per_address_max: self
                .connections_per_address_max
                .or(other.connections_per_address_max),
            body_bytes_in_flight_max: self
                .body_bytes_in_flight_max
                .or(other.body_bytes_in_flight_max),
            backup_folder: self.backup_folder.or(other.backup_folder),
            backup_hours: self.backup_hours.or(other.backup_hours),
            backup_keep: self.backup_keep.or(other.backup_keep),
            backup_recipients: self.backup_recipients.or(other.backup_recipients),
            uploads_per_minute: self.uploads_per_minute.or(other.uploads_per_minute),
            submissions_per_minute: self.submissions_per_minute.or(other.submissions_per_minute),
            reads_per_minute: self.reads_per_minute.or(other.reads_per_minute),
            lists_per_minute: self.lists_per_minute.or(other.lists_per_minute),
            reviews_per_minute: self.reviews_per_minute.or(other.reviews_per_minute),
            refusals_per_minute: self.refusals_per_minute.or(other.refusals_per_minute),
            uploads_per_day: self.uploads_per_day.or(other.uploads_per_day),
            submissions_per_day: self.submissions_per_day.or(other.submissions_per_day),
            document_bytes_per_client: self
                .document_bytes_per_client
                .or(other.document_bytes_per_client),
            log: self.log.or(other.log),
            log_format: self.log_format.or(other.log_format),
        }
    }

    pub(super) fn relative_to(self, folder: &Path) -> Self {
        let join = |path: Option<PathBuf>| path.map(|path| folder.join(path));
        Self {
            data: join(self.data),
            master_key_file: join(self.master_key_file),
            master_share_files: self
                .master_share_files
                .map(|files| files.into_iter().map(|file| folder.join(file)).collect()),
            tls_cert: join(self.tls_cert),
            tls_key: join(self.tls_key),
            lists_ca_file: join(self.lists_ca_file),
            backup_folder: join(self.backup_folder),
            audit_anchor_file: join(self.audit_anchor_file),
            ..self
        }
    }
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| {
        "expected an address and a port, such as 127.0.0.1:8443, 0.0.0.0:443 or [::1]:8443; names \
         of hosts are not taken"
    })
}

fn an_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    address(&text).map(Some).map_err(serde::de::Error::custom)
}

/// A whole number of a key.
trait Whole: FromStr {
    /// What else is refused with.
    const EXPECTED: &'static str;
}

impl Whole for u16 {
    const EXPECTED: &'static str = "expected a whole number from 0 to 65535";
}

impl Whole for NonZeroU8 {
    const EXPECTED: &'static str = "expected a whole number from 1 to 255";
}

impl Whole for NonZeroU16 {
    const EXPECTED: &'static str = "expected a whole number from 1 to 65535";
}

impl Whole for u32 {
    const EXPECTED: &'static str = "expected a whole number from 0 to 4294967295";
}

impl Whole for u64 {
    const EXPECTED: &'static str = "expected a whole number from 0 on";
}

impl Whole for NonZeroU32 {
    const EXPECTED: &'static str = "expected a whole number from 1 to 4294967295";
}

impl Whole for NonZeroUsize {
    const EXPECTED: &'static str = "expected a whole number from 1 on";
}

fn whole<T: Whole>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| T::EXPECTED)
}

fn a_whole<'de, T: Whole, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let number = value.as_integer().and_then(|number| number.to_string().parse().ok());
    number.map(Some).ok_or_else(|| serde::de::Error::custom(T::EXPECTED))
}

fn word<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

fn words<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let texts = Vec::<String>::deserialize(deserializer)?;
    let values: Result<_, _> = texts.iter().map(|text| text.parse()).collect();
    values.map(Some).map_err(serde::de::Error::custom)
}
