//! How the program ends: exit codes, and failures as sentences.

use std::error::Error;

use kyc_core::{ScreenError, StoreError};
use kyc_http::server::TlsError;
use kyc_screening::LibraryError;
use kyc_store_sqlite::{AdminError, OpenError};
use kyc_vault::SourceError;

/// What a failure tells the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// It did not work.
    Failed = 1,
    /// An argument cannot be used. What needs no configuration to be told, the parser of the command
    /// line refuses with the same code.
    Usage = 2,
    /// The configuration or the folder it names cannot be used.
    Configuration = 3,
    /// What was checked is not as it should be.
    Fault = 4,
    /// Another process serves the data folder.
    InUse = 5,
}

/// The codes as `--help` lists them.
pub(crate) const HELP: &str = "\
Exit codes:
  0  it worked
  1  it failed
  2  wrong usage: a flag, an argument or a variable
  3  bad configuration: the file, a certificate or key, a data folder of another release, a
     pepper or master key that others can read
  4  a check found something: a damaged data folder, list, audit or backup, a missing or foreign
     pepper or master key, or a hit with `kyc screen --fail-on-hit`, also where somebody else could
     not be screened
  5  another process serves the data folder";

/// Why a command did not work, as a sentence for people.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// `None` when there is nobody left to tell.
    pub(crate) sentence: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: Code, sentence: impl Into<String>) -> Self {
        Self { code, sentence: Some(sentence.into()) }
    }

    /// The error and all its causes.
    pub(crate) fn of(code: Code, error: &(dyn Error + 'static)) -> Self {
        Self::new(code, chain(error))
    }

    /// An operation that failed, and why.
    pub(crate) fn because(operation: &str, error: &(dyn Error + 'static)) -> Self {
        Self::new(Code::Failed, format!("{operation}: {}", chain(error)))
    }

    pub(crate) fn silent() -> Self {
        Self { code: Code::Failed, sentence: None }
    }
}

/// An error and its causes in one line, outermost first.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut levels = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        levels.push(error.to_string());
        cause = error.source();
    }
    // Two layers may have the same words for the same failure; SQLite's second one adds a number.
    levels.dedup_by(|cause, effect| cause.ends_with(effect.as_str()));
    levels.join(": ")
}

/// Why somebody has no result.
pub(crate) fn no_result(error: &ScreenError) -> String {
    match error {
        // The engine's word where no list is required by name.
        ScreenError::ListMissing { list } if list == "(any)" => "no list was imported".to_owned(),
        ScreenError::ListMissing { .. }
        | ScreenError::ListTooOld { .. }
        | ScreenError::NoUsableName
        | ScreenError::Failed(_) => chain(error),
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        if let OpenError::MasterKey(error) = error {
            return error.into();
        }
        let code = match &error {
            OpenError::InUse => Code::InUse,
            OpenError::NoFolder { .. }
            | OpenError::NotOurDatabase
            | OpenError::NewerSchema { .. }
            | OpenError::OlderSchema { .. }
            | OpenError::PepperReadable
            | OpenError::Sealed => Code::Configuration,
            OpenError::DatabaseMissing
            | OpenError::Damaged(_)
            | OpenError::ChangedStep { .. }
            | OpenError::PepperMissing
            | OpenError::PepperWrong => Code::Fault,
            OpenError::Folder { .. } | OpenError::Backup(_) | OpenError::Database(_) | _ => {
                Code::Failed
            }
        };
        Self::of(code, &error)
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let mut sentence = chain(&error);
        if matches!(error, SourceError::Missing) {
            sentence +=
                ": `master.key` in the data folder, with mode 600, or what --master-key-file names";
        }
        Self::new(code_of_key(&error), sentence)
    }
}

fn code_of_key(error: &SourceError) -> Code {
    match error {
        SourceError::ReadableByOthers { .. }
        | SourceError::NextMissing
        | SourceError::NextInUse
        | SourceError::InvalidText(_)
        | SourceError::Shares(_) => Code::Configuration,
        SourceError::Missing | SourceError::OtherKey => Code::Fault,
        SourceError::Exists { .. }
        | SourceError::Unwritable { .. }
        | SourceError::Waits { .. }
        | SourceError::File { .. }
        | SourceError::NoRandomness(_)
        | _ => Code::Failed,
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        let is_fault = matches!(error, LibraryError::Changed { .. } | LibraryError::Manifest(_));
        Self::of(if is_fault { Code::Fault } else { Code::Failed }, &error)
    }
}

impl From<TlsError> for Failure {
    fn from(error: TlsError) -> Self {
        Self::of(Code::Configuration, &error)
    }
}

impl From<AdminError> for Failure {
    fn from(error: AdminError) -> Self {
        let shown_by = match &error {
            AdminError::NameTaken => "client list` and `kyc inspector list",
            AdminError::NoSuchClient | AdminError::NoSandbox => "client list",
            AdminError::NoSuchKey => "key list",
            AdminError::NoSuchInspector => "inspector list",
            AdminError::MasterKey(key) => return Self::of(code_of_key(key), &error),
            AdminError::TooManyClients | AdminError::Store(_) | _ => {
                return Self::of(Code::Failed, &error);
            }
        };
        Self::new(Code::Failed, format!("{error}: see `kyc {shown_by}`"))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let is_fault = matches!(error, StoreError::Corrupt { .. });
        Self::of(if is_fault { Code::Fault } else { Code::Failed }, &error)
    }
}

impl From<kyc_core::service::Error> for Failure {
    fn from(error: kyc_core::service::Error) -> Self {
        Self::of(Code::Failed, &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: impl Into<Failure>, code: Code, sentence: &str) {
        assert_eq!(error.into(), Failure::new(code, sentence));
    }

    #[test]
    fn a_failure_says_every_cause_once() {
        let full = std::io::Error::other("no space left on device");
        check(
            OpenError::Folder { action: "make the folder documents".into(), source: full },
            Code::Failed,
            "cannot make the folder documents in the data folder: check the path, the permissions \
             and the disk: no space left on device",
        );
        let store = StoreError::Unavailable("the disk is gone".into());
        check(AdminError::Store(store), Code::Failed, "the storage failed: the disk is gone");
        let damage = |source| StoreError::Corrupt { table: "client", key: "7".into(), source };
        check(
            damage("its name is not readable".into()),
            Code::Fault,
            "stored client record 7 is corrupt: its name is not readable",
        );
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        /// As the database words it: the message, and below it the message with a number.
        #[derive(Debug, thiserror::Error)]
        #[error("database disk image is malformed")]
        struct Malformed(#[source] Numbered);

        #[derive(Debug, thiserror::Error)]
        #[error("Error code 11: database disk image is malformed")]
        struct Numbered;

        check(
            StoreError::Unavailable(Malformed(Numbered).into()),
            Code::Failed,
            "the storage failed: database disk image is malformed",
        );
    }

    #[test]
    fn every_kind_of_unusable_folder_has_its_code() {
        assert_eq!(Failure::from(OpenError::InUse).code, Code::InUse);
        let newer = OpenError::NewerSchema { found: 9, known: 1 };
        assert_eq!(Failure::from(newer).code, Code::Configuration);
        assert_eq!(Failure::from(OpenError::PepperReadable).code, Code::Configuration);
        assert_eq!(Failure::from(OpenError::PepperWrong).code, Code::Fault);
        assert_eq!(Failure::from(OpenError::DatabaseMissing).code, Code::Fault);
        assert_eq!(Failure::from(OpenError::Damaged("a page is missing".into())).code, Code::Fault);
    }
}
