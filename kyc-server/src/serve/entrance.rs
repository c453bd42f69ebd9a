//! The ports, and the certificates presented at them.

use std::io::ErrorKind;
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
    pub(super) doors: Vec<Door>,
    pub(super) place: Place,
    pub(super) renewal: Renewal,
}

/// One open port.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) listener: TcpListener,
    pub(super) address: SocketAddr,
    pub(super) transport: Transport,
}

impl Entrance {
    /// Reads the certificates and opens the ports.
    pub(super) fn open(start: &Start, data: &Path) -> Result<Self, Failure> {
        match start {
            Start::Development(listen) => {
                let own = OwnCertificate::ensure(data, SystemClock.now())?;
                let tls = own.files().load()?;
                let renewal = Renewal { tls: Some(tls.clone()), own_in: Some(data.to_owned()) };
                let door = Door::open(*listen, Transport::Tls(tls))?;
                Ok(Self::new(door, Some(own.ca_file()), renewal))
            }
            Start::Configured(Doors::Tls(door)) => Self::over_tls(door),
            Start::Configured(Doors::Proxy(door)) => {
                Ok(Self::new(Door::behind_proxy(door)?, None, Renewal::default()))
            }
            Start::Configured(Doors::Both(tls, proxy)) => {
                let mut entrance = Self::over_tls(tls)?;
                entrance.doors.push(Door::behind_proxy(proxy)?);
                Ok(entrance)
            }
        }
    }

    fn over_tls(door: &TlsDoor) -> Result<Self, Failure> {
        let tls = door.files.clone().load()?;
        let renewal = Renewal { tls: Some(tls.clone()), own_in: None };
        Ok(Self::new(Door::open(door.listen, Transport::Tls(tls))?, None, renewal))
    }

    fn new(door: Door, ca_file: Option<PathBuf>, renewal: Renewal) -> Self {
        let address = door.address;
        let url = match &door.transport {
            Transport::Tls(_) => format!("https://{address}"),
            Transport::BehindProxy(_) => format!("http://{address}"),
        };
        Self { doors: vec![door], place: Place { address, url, ca_file }, renewal }
    }
}

impl Door {
    fn behind_proxy(door: &ProxyDoor) -> Result<Self, Failure> {
        Self::open(door.listen, Transport::BehindProxy(door.trusted.clone()))
    }

    fn open(listen: SocketAddr, transport: Transport) -> Result<Self, Failure> {
        let opened = TcpListener::bind(listen).and_then(|listener| {
            // The standard library lets 128 wait, and the system forgets the others without a word.
            rustix::net::listen(&listener, BACKLOG)?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        });
        let (address, listener) = opened.map_err(|error| {
            let hint = HINTS.iter().find(|(kind, _)| *kind == error.kind());
            let hint = hint.map_or("", |(_, hint)| hint);
            Failure::because(&format!("cannot listen on {listen}{hint}"), &error)
        })?;
        Ok(Self { listener, address, transport })
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

/// How many connections may wait to be accepted; Linux grants no more unless it is told to.
const BACKLOG: i32 = 4_096;

const HINTS: [(ErrorKind, &str); 3] = [
    (ErrorKind::AddrInUse, ": another program uses it; stop that, or choose another port"),
    (ErrorKind::AddrNotAvailable, ": this machine has no such address"),
    (ErrorKind::PermissionDenied, ": low ports need a permission of their own"),
];

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_crowd_that_comes_at_once_may_wait() {
        let transport = Transport::BehindProxy(Vec::new());
        let door = Door::open("127.0.0.1:0".parse().unwrap(), transport).unwrap();
        let connect = |_| TcpStream::connect_timeout(&door.address, Duration::from_millis(900));
        let crowd: Result<Vec<_>, _> = (0..300).map(connect).collect();
        assert!(crowd.is_ok());
    }
}
