//! HTTPS.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;

use hone_batch::wire;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tempfile::tempdir;
use testkit::certificate;

use crate::common::{ANY_PORT, Hub, answer_from};
use crate::fleet::batch;

#[test]
fn a_batch_comes_by_https() {
    let directory = tempdir().unwrap();
    let Some((pem, _)) = certificate(directory.path(), "hub") else {
        return;
    };
    let settings = format!("{ANY_PORT}[tls]\ncertificate = 'hub.pem'\nkey = 'hub.key'\n");
    let hub = Hub::start(directory.path(), &settings);
    hub.hears("listening at https://");
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(&pem).unwrap())
        .unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = hub.address.ip().into();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(client, TcpStream::connect(hub.address).unwrap());
    let bytes = wire::write(&batch("one", 0, "shop"));
    let head = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
        hub.address,
        bytes.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&bytes).unwrap();
    assert_eq!(answer_from(&mut stream).unwrap().status, 204);

    // Whoever speaks plainly gets no answer, and does no harm.
    let mut plain = TcpStream::connect(hub.address).unwrap();
    plain.write_all(b"GET /healthz HTTP/1.1\r\n\r\n").unwrap();
    assert!(answer_from(&mut plain).is_none());
}
