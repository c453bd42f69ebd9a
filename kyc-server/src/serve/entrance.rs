//! The ports, and the certificates presented at them.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use kyc_core::{Clock, SystemClock};
use kyc_http::server::{Tls, Transport};

use super::certificate::OwnCertificate;
use super::ready::Place;
use crate::config::{Doors, ProxyDoor, Start, TlsDoor};
use crate::exit::Failure;

/// Open ports, which answer once somebody serves them.
#[derive(Debug)]
pub(super) struct Entrance {
    pub(super) listeners: Vec<(TcpListener, Transport)>,
    pub(super) place: Place,
    pub(super) renewal: Renewal,
}

impl Entrance {
    /// Reads the certificates and opens the ports.
    pub(super) fn open(start: &Start, data: &Path) -> Result<Self, Failure> {
        match start {
            Start::Development(listen) => {
                let own = OwnCertificate::ensure(data, SystemClock.now())?;
                let tls = own.files().load()?;
                let renewal = Renewal { tls: Some(tls.clone()), own_in: Some(data.to_owned()) };
                let door = (bind(*listen)?, Transport::Tls(tls));
                Self::new(vec![door], Some(own.ca_file()), renewal)
            }
            Start::Configured(Doors::Tls(door)) => {
                let (door, renewal) = tls_door(door)?;
                Self::new(vec![door], None, renewal)
            }
            Start::Configured(Doors::Proxy(door)) => {
                Self::new(vec![proxy_door(door)?], None, Renewal::default())
            }
            Start::Configured(Doors::Both(tls, proxy)) => {
                let (door, renewal) = tls_door(tls)?;
                Self::new(vec![door, proxy_door(proxy)?], None, renewal)
            }
        }
    }

    fn new(
        listeners: Vec<(TcpListener, Transport)>,
        ca_file: Option<PathBuf>,
        renewal: Renewal,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::because("cannot read the port's address", &error);
        let (listener, transport) = listeners.first().ok_or_else(Failure::silent)?;
        let address = listener.local_addr().map_err(failed)?;
        let scheme = match transport {
            Transport::Tls(_) => "https",
            Transport::BehindProxy(_) => "http",
        };
        let place = Place { address, url: format!("{scheme}://{address}"), ca_file };
        Ok(Self { listeners, place, renewal })
    }
}

/// How a certificate is read again.
#[derive(Debug, Default)]
pub(super) struct Renewal {
    tls: Option<Tls>,
    /// The data folder that holds a certificate of our own.
    own_in: Option<PathBuf>,
}

impl Renewal {
    /// Reads the certificate again, and says in the log what came of it. The old one stays in use
    /// when the new one cannot be used.
    pub(super) fn run(&self) {
        let Some(tls) = &self.tls else {
            tracing::info!("there is no certificate to read again");
            return;
        };
        match self.renew(tls) {
            Ok(()) => tracing::info!("the certificate was read again"),
            Err(failure) => {
                let reason = failure.sentence;
                tracing::error!(reason, "the old certificate stays in use");
            }
        }
    }

    fn renew(&self, tls: &Tls) -> Result<(), Failure> {
        if let Some(data) = &self.own_in {
            OwnCertificate::ensure(data, SystemClock.now())?;
        }
        Ok(tls.reload()?)
    }
}

fn tls_door(door: &TlsDoor) -> Result<((TcpListener, Transport), Renewal), Failure> {
    let tls = door.files.clone().load()?;
    let renewal = Renewal { tls: Some(tls.clone()), own_in: None };
    Ok(((bind(door.listen)?, Transport::Tls(tls)), renewal))
}

fn proxy_door(door: &ProxyDoor) -> Result<(TcpListener, Transport), Failure> {
    Ok((bind(door.listen)?, Transport::BehindProxy(door.trusted.clone())))
}

fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|error| {
        let hint =
            HINTS.iter().find(|(kind, _)| *kind == error.kind()).map_or("", |(_, hint)| hint);
        Failure::because(&format!("cannot listen on {address}{hint}"), &error)
    })
}

const HINTS: [(ErrorKind, &str); 3] = [
    (ErrorKind::AddrInUse, ": another program uses it; stop that, or choose another port"),
    (ErrorKind::AddrNotAvailable, ": this machine has no such address"),
    (ErrorKind::PermissionDenied, ": low ports need a permission of their own"),
];
