//! TLS: Mozilla's roots, which are data of this binary, and the system's, which are read only when an issuer is not among the
//! first (a company's proxy). Reading them takes milliseconds that no other connection should pay. A server's own certificate
//! among the system's (`SSL_CERT_FILE`) is trusted as it stands, whether or not it may sign others, as OpenSSL has it.

use std::sync::{Arc, OnceLock};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// The configuration of all connections.
pub(super) fn configuration() -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let verifier = Verifier {
        built_in: verifier(roots, &provider)?,
        system: OnceLock::new(),
        provider: Arc::clone(&provider),
    };
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(versions
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

fn verifier(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| error.to_string())
}

/// Whether the server showed a certificate that no root vouches for, or another host's: no repetition mends that.
pub(super) fn is_untrusted(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| {
        // An I/O error hides what it was made of from `source`.
        let hidden = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        hidden.map(|hidden| hidden as &(dyn std::error::Error + 'static)).or_else(|| error.source())
    });
    causes.any(|cause| matches!(cause.downcast_ref(), Some(Error::InvalidCertificate(_))))
}

/// Accepts what either set of roots vouches for; every check is rustls's own.
#[derive(Debug)]
struct Verifier {
    built_in: Arc<WebPkiServerVerifier>,
    system: OnceLock<Option<System>>,
    provider: Arc<CryptoProvider>,
}

/// What the system trusts.
#[derive(Debug)]
struct System {
    certificates: Vec<CertificateDer<'static>>,
    verifier: Arc<WebPkiServerVerifier>,
}

impl System {
    fn new(certificates: Vec<CertificateDer<'static>>, provider: &Arc<CryptoProvider>) -> Option<Self> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates.iter().cloned());
        Some(Self { certificates, verifier: verifier(roots, provider).ok()? })
    }
}

impl Verifier {
    fn system(&self) -> Option<&System> {
        let load = || System::new(rustls_native_certs::load_native_certs().certs, &self.provider);
        self.system.get_or_init(load).as_ref()
    }
}

/// Whether the one fault of a server's certificate is that it may sign others. Its time was checked before.
fn is_authority(error: &Error) -> bool {
    let Error::InvalidCertificate(CertificateError::Other(other)) = error else { return false };
    matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verify = |verifier: &WebPkiServerVerifier| {
            verifier.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
        };
        let error = match verify(&self.built_in) {
            Err(error) => error,
            verified => return verified,
        };
        let is_unknown = matches!(error, Error::InvalidCertificate(CertificateError::UnknownIssuer));
        let Some(system) = (is_unknown || is_authority(&error)).then(|| self.system()).flatten() else {
            return Err(error);
        };
        match verify(&system.verifier) {
            Err(error) if is_authority(&error) && system.certificates.contains(end_entity) => {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.built_in.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.built_in.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.built_in.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustls::pki_types::pem::PemObject;

    use super::*;

    fn certificate(pem: &str) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(pem.as_bytes()).unwrap()
    }

    #[test]
    fn a_trusted_certificate_of_the_server_itself() {
        let own = certificate(include_str!("../../tests/data/self-signed.pem"));
        let another = certificate(include_str!("../../tests/data/self-signed-other.pem"));
        let check =
            |trusted: &[&CertificateDer<'static>], name: &str, year: u64, expect: Result<(), &str>| {
                let provider = Arc::new(rustls::crypto::ring::default_provider());
                let mut roots = RootCertStore::empty();
                roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
                let trusted = trusted.iter().map(|certificate| (*certificate).clone()).collect();
                let verifier = Verifier {
                    built_in: verifier(roots, &provider).unwrap(),
                    system: OnceLock::from(System::new(trusted, &provider)),
                    provider,
                };
                let name = ServerName::try_from(name.to_owned()).unwrap();
                let now = UnixTime::since_unix_epoch(Duration::from_secs((year - 1970) * 31_557_600));
                let found = verifier.verify_server_cert(&own, &[], &name, &[], now);
                let found = found.map(drop).map_err(|error| format!("{error:?}"));
                match (&found, expect) {
                    (Ok(()), Ok(())) => {}
                    (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                    _ => panic!("{found:?}, expected {expect:?}"),
                }
            };
        check(&[&own], "localhost", 2060, Ok(()));
        check(&[&another, &own], "127.0.0.1", 2060, Ok(()));
        check(&[&own], "example.com", 2060, Err("NotValidForName"));
        check(&[&own], "localhost", 2500, Err("Expired"));
        check(&[&own], "localhost", 2000, Err("NotValidYet"));
        check(&[&another], "localhost", 2060, Err("CaUsedAsEndEntity"));
        check(&[], "localhost", 2060, Err("CaUsedAsEndEntity"));
    }
}
