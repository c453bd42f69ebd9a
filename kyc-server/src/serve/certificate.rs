//! The certificate of a development start: an authority of its own, made once and kept, and a
//! server certificate that is renewed in time.

use std::error::Error;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};

use kyc_core::{Timestamp, day};
use kyc_http::server::TlsFiles;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
};
use time::{Date, Duration, UtcOffset};

use crate::exit::Failure;
use crate::folder;

/// The files of a development certificate.
#[derive(Debug, Clone)]
pub(super) struct OwnCertificate {
    folder: PathBuf,
}

impl OwnCertificate {
    /// The certificate in a data folder. Makes the authority if there is none, and the server's
    /// certificate if it is missing or will soon expire.
    pub(super) fn ensure(data: &Path, at: Timestamp) -> Result<Self, Failure> {
        let own = Self { folder: data.join("tls") };
        folder::make(&own.folder)?;
        let cannot = |error: Box<dyn Error>| {
            let operation = format!("cannot make a certificate in {}", own.folder.display());
            Failure::because(&operation, &*error)
        };
        if !own.ca_file().exists() || !own.ca_key_file().exists() {
            own.make_authority(at).map_err(cannot)?;
        }
        // Refuses files that were damaged, exchanged or opened to others, whoever made them.
        own.authority_files().load()?;
        own.renew(at).map_err(cannot)?;
        Ok(own)
    }

    /// What a client has to trust.
    pub(super) fn ca_file(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// What the server presents. One file holds certificate and key, so that they always belong
    /// together.
    pub(super) fn files(&self) -> TlsFiles {
        TlsFiles { certificate: self.server_file(), key: self.server_file() }
    }

    fn authority_files(&self) -> TlsFiles {
        TlsFiles { certificate: self.ca_file(), key: self.ca_key_file() }
    }

    fn server_file(&self) -> PathBuf {
        self.folder.join("server.pem")
    }

    fn ca_key_file(&self) -> PathBuf {
        self.folder.join("ca.key")
    }

    fn renew(&self, at: Timestamp) -> Result<(), Box<dyn Error>> {
        let known = fs::read_to_string(self.server_file()).unwrap_or_default();
        let renewal = at.date().saturating_add(Duration::days(RENEWED_BEFORE_DAYS));
        if valid_until(&known).is_some_and(|until| until > renewal) {
            return Ok(());
        }
        let key = KeyPair::from_pem(&fs::read_to_string(self.ca_key_file())?)?;
        let server = server_certificate(&Issuer::new(authority(at), key), at)?;
        Ok(folder::write_private(&self.server_file(), &server)?)
    }

    fn make_authority(&self, at: Timestamp) -> Result<(), Box<dyn Error>> {
        // They belong to an authority that is gone. The key goes first, so that an end in between
        // leaves no half that would be taken for a whole.
        for gone in [self.ca_key_file(), self.server_file()] {
            let _ = fs::remove_file(gone);
        }
        let key = KeyPair::generate()?;
        let certificate = authority(at).self_signed(&key)?;
        folder::write_private(&self.ca_file(), &certificate.pem())?;
        Ok(folder::write_private(&self.ca_key_file(), &key.serialize_pem())?)
    }
}

/// The authority vouches for this machine alone, so whoever trusts it risks nothing else.
fn authority(at: Timestamp) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "kyc development authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params.name_constraints = Some(NameConstraints {
        permitted_subtrees: vec![
            GeneralSubtree::DnsName("localhost".to_owned()),
            GeneralSubtree::IpAddress(CidrSubnet::from_v4_prefix([127, 0, 0, 0], 8)),
            GeneralSubtree::IpAddress(CidrSubnet::from_v6_prefix(
                Ipv6Addr::LOCALHOST.octets(),
                128,
            )),
        ],
        excluded_subtrees: Vec::new(),
    });
    set_validity(&mut params, at, AUTHORITY_DAYS);
    params
}

/// Certificate and key in one text, behind a line that says how long it is valid.
fn server_certificate(
    authority: &Issuer<'_, KeyPair>,
    at: Timestamp,
) -> Result<String, rcgen::Error> {
    let addresses = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    let names = std::iter::once("localhost".to_owned()).chain(addresses.map(|ip| ip.to_string()));
    let mut params = CertificateParams::new(names.collect::<Vec<_>>())?;
    params.distinguished_name.push(DnType::CommonName, "kyc development server");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    let until = set_validity(&mut params, at, SERVER_DAYS);
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, authority)?;
    Ok(format!("{VALID_UNTIL}{until}\n{}{}", certificate.pem(), key.serialize_pem()))
}

/// Valid since yesterday, for clocks that are behind.
fn set_validity(params: &mut CertificateParams, at: Timestamp, days: i64) -> Date {
    let now = at.to_utc().to_offset(UtcOffset::UTC);
    params.not_before = now.saturating_sub(Duration::days(1));
    params.not_after = now.saturating_add(Duration::days(days));
    params.not_after.date()
}

fn valid_until(server: &str) -> Option<Date> {
    day::parse(server.lines().next()?.strip_prefix(VALID_UNTIL)?).ok()
}

/// What stands before a PEM section is ignored by its readers.
const VALID_UNTIL: &str = "valid until ";
const RENEWED_BEFORE_DAYS: i64 = 30;
/// Some clients take no longer ones.
const SERVER_DAYS: i64 = 397;
const AUTHORITY_DAYS: i64 = 3_650;

#[cfg(test)]
mod tests {
    use super::*;

    fn after_days(days: i64) -> Timestamp {
        Timestamp::from_unix_millis((20_000 + days) * 86_400_000).unwrap()
    }

    #[test]
    fn the_server_is_renewed_a_month_before_its_end_and_the_authority_stays() {
        let data = tempfile::tempdir().unwrap();
        let contents = |days| {
            let own = OwnCertificate::ensure(data.path(), after_days(days)).unwrap();
            own.files().load().unwrap();
            let read = |path| fs::read_to_string(path).unwrap();
            (read(own.ca_file()), read(own.server_file()))
        };
        let first = contents(0);
        assert_eq!(contents(300), first);
        assert_eq!(contents(366), first);
        let renewed = contents(367);
        assert_eq!(renewed.0, first.0);
        assert_ne!(renewed.1, first.1);
    }

    #[test]
    fn an_authority_that_was_removed_is_made_again_with_its_certificate() {
        let data = tempfile::tempdir().unwrap();
        let own = OwnCertificate::ensure(data.path(), after_days(0)).unwrap();
        let server = fs::read_to_string(own.server_file()).unwrap();
        fs::remove_file(own.ca_file()).unwrap();
        OwnCertificate::ensure(data.path(), after_days(0)).unwrap();
        assert_ne!(fs::read_to_string(own.server_file()).unwrap(), server);
    }

    #[test]
    fn a_server_certificate_that_is_none_is_made_again() {
        let data = tempfile::tempdir().unwrap();
        let own = OwnCertificate::ensure(data.path(), after_days(0)).unwrap();
        for garbage in [&b""[..], b"zz", b"\xff\xfe"] {
            fs::write(own.server_file(), garbage).unwrap();
            OwnCertificate::ensure(data.path(), after_days(0)).unwrap().files().load().unwrap();
        }
    }
}
