//! TLS: Mozilla's roots, which are data of this binary, and the system's, which are read only when an issuer is not among the
//! first (a company's proxy). Reading them takes milliseconds that no other connection should pay.

use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
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
    system: OnceLock<Option<Arc<WebPkiServerVerifier>>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn system(&self) -> Option<&Arc<WebPkiServerVerifier>> {
        let load = || {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            verifier(roots, &self.provider).ok()
        };
        self.system.get_or_init(load).as_ref()
    }
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
        match verify(&self.built_in) {
            Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)) => match self.system() {
                Some(system) => verify(system),
                None => Err(CertificateError::UnknownIssuer.into()),
            },
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
