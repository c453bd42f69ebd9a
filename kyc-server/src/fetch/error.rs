use std::io;
use std::path::{Path, PathBuf};

use hyper::StatusCode;
use kyc_core::BoxError;
use kyc_screening::LibraryError;

use super::address::{Address, InvalidAddress};

/// Why a list was not fetched. Whatever it is, the edition in use stays.
///
/// Each sentence says what to do where there is something to be done here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("another update is at work: wait until it is done")]
    Busy,
    #[error("{address} cannot be reached: check the network, the firewall and the address")]
    Unreachable { address: Address, source: io::Error },
    #[error(
        "{address} shows no certificate that this machine trusts: install its certificate \
         authorities (ca-certificates), or name one of your own in lists_ca_file"
    )]
    Untrusted { address: Address, source: io::Error },
    #[error("{address} does not answer within {seconds} s")]
    Silent { address: Address, seconds: u64 },
    #[error("{address} breaks the rules of HTTP")]
    Malformed { address: Address, source: BoxError },
    #[error("{address} answers with status {status}{hint}")]
    Status { address: Address, status: StatusCode, hint: &'static str },
    #[error("{address} sends on to another place, and that once more, {times} times")]
    Redirects { address: Address, times: u32 },
    #[error("{address} sends on to a place that is not fetched from")]
    Redirect { address: Address, source: InvalidAddress },
    #[error("{address} sends on to {to}, which is in clear")]
    Downgrade { address: Address, to: Address },
    #[error("{address} breaks off after byte {received}; the next attempt goes on where it can")]
    CutOff { address: Address, received: u64, source: BoxError },
    #[error(
        "{address} sends too slowly: less than {bytes} bytes in {seconds} s behind byte {received}"
    )]
    Slow { address: Address, received: u64, bytes: u64, seconds: u64 },
    #[error("{address} sends more than {bytes_max} bytes, which is more than any list has")]
    TooLarge { address: Address, bytes_max: u64 },
    #[error("{address} sends another part of the file than was asked for")]
    OtherPart { address: Address },
    #[error("{address} sends a body that is encoded in a way that was not asked for")]
    Encoding { address: Address },
    #[error("what {address} sends cannot be unpacked")]
    Packed { address: Address, source: UnpackError },
    #[error(
        "not done within {seconds} s; what has come is kept, and the next attempt goes on there"
    )]
    Late { seconds: u64 },
    #[error(
        "{address} sends no list: is it still where the list is published? The answer is kept in {}",
        folder.display()
    )]
    NoList { address: Address, folder: PathBuf, source: LibraryError },
    #[error("what was fetched is not taken; it is kept in {} for a look{hint}", folder.display())]
    Refused { folder: PathBuf, hint: &'static str, source: LibraryError },
    #[error("the lists cannot be kept")]
    Library(#[source] LibraryError),
    #[error("cannot read or write {}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

/// Why a packed file was not unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnpackError {
    #[error("it holds more than {bytes_max} bytes, which is more than any list has")]
    TooLarge { bytes_max: u64 },
    #[error("a zip archive has to hold one file, and this one holds {files}")]
    Files { files: usize },
    #[error("the packed data are cut off or damaged behind byte {unpacked} of what is in them")]
    Damaged { unpacked: u64, source: io::Error },
    #[error("the zip archive is cut off or damaged")]
    Archive(#[source] BoxError),
    #[error("cannot read or write {}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl FetchError {
    pub(super) fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Disk { path, source }
    }

    /// Whether asking again in a moment may help.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Silent { .. }
            | Self::Malformed { .. }
            | Self::CutOff { .. }
            | Self::OtherPart { .. }
            | Self::Slow { .. } => true,
            Self::Status { status, .. } => {
                status.is_server_error()
                    || [
                        StatusCode::REQUEST_TIMEOUT,
                        StatusCode::TOO_MANY_REQUESTS,
                        // What had come before is not what there is now, and was thrown away.
                        StatusCode::RANGE_NOT_SATISFIABLE,
                    ]
                    .contains(status)
            }
            Self::Busy
            | Self::Untrusted { .. }
            | Self::Redirects { .. }
            | Self::Redirect { .. }
            | Self::Downgrade { .. }
            | Self::TooLarge { .. }
            | Self::Encoding { .. }
            | Self::Packed { .. }
            | Self::Late { .. }
            | Self::NoList { .. }
            | Self::Refused { .. }
            | Self::Library(_)
            | Self::Disk { .. } => false,
        }
    }
}
