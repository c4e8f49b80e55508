//! TCP with TLS: frames arrive as without it, and those who are not trusted are counted.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use hone_agent::receive::{Listen, Protocol, Secure, Work};
use hone_agent::tls::{Identity, Tls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use testkit::certificate;

use super::support::*;

type Pem = (Vec<u8>, Vec<u8>);

fn listen((certificates, key): Pem, trusted: Option<&Pem>) -> Listen {
    let tls = Tls {
        authorities: trusted.map(|trusted| trusted.0.clone()),
        identity: Some(Identity { certificates, key }),
    };
    Listen {
        tls: Some(Secure::new(tls).unwrap()),
        packet_bytes_max: 1 << 20,
        ..Listen::new("tls", tcp(), Protocol::Either)
    }
}

/// A client that trusts this server, with a certificate of its own if it has one.
fn client(
    address: SocketAddr,
    server: &Pem,
    own: Option<&Pem>,
) -> rustls::StreamOwned<rustls::ClientConnection, TcpStream> {
    let mut roots = rustls::RootCertStore::empty();
    let server = CertificateDer::from_pem_slice(&server.0).unwrap();
    roots.add(server).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let config = match own {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = vec![CertificateDer::from_pem_slice(certificate).unwrap()];
            let key = PrivateKeyDer::from_pem_slice(key).unwrap();
            builder.with_client_auth_cert(chain, key).unwrap()
        }
    };
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let session = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    rustls::StreamOwned::new(session, stream)
}

#[test]
fn frames_arrive_over_tls_in_whatever_pieces() {
    let directory = tempfile::tempdir().unwrap();
    let Some(server) = certificate(directory.path(), "server") else {
        return;
    };
    let mut over_udp = listen(server.clone(), None);
    over_udp.address = udp();
    assert!(over_udp.check().is_err());
    let notes = Notes::default();
    let opened = opened(listen(server.clone(), None));
    let address = opened.local_address().unwrap();
    let receiver = started(opened, Work::default(), &notes);
    let mut connection = client(address, &server, None);
    // Records of one byte, of several frames, and frames of many records.
    let mut stream = Vec::new();
    for number in 0..300 {
        stream.extend(framed(&line(number)));
    }
    for byte in &stream[..500] {
        connection.write_all(std::slice::from_ref(byte)).unwrap();
    }
    connection.write_all(&stream[500..]).unwrap();
    let long = [line(7), vec![b'\n'; 200_000]].concat();
    connection.write_all(&framed(&long)).unwrap();
    connection.write_all(&framed(&line(8))).unwrap();
    connection.flush().unwrap();
    until_true("all is handled", || counts(&receiver).handled == 302);
    let counted = Arc::clone(receiver.opened()[0].counts());
    receiver.stop();
    let counted = counted.now();
    adds_up(&counted);
    let insecure = counted.connections_insecure;
    assert_eq!(
        (counted.packets, counted.connections, insecure),
        (302, 1, 0)
    );
}

#[test]
fn who_is_not_trusted_is_closed_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let made = ["server", "trusted", "foreign"].map(|name| certificate(directory.path(), name));
    let [Some(server), Some(trusted), Some(foreign)] = made else {
        return;
    };
    let notes = Notes::default();
    let opened = opened(listen(server.clone(), Some(&trusted)));
    let address = opened.local_address().unwrap();
    let receiver = started(opened, Work::default(), &notes);
    let mut good = client(address, &server, Some(&trusted));
    good.write_all(&framed(&line(1))).unwrap();
    good.flush().unwrap();
    until_true("it is handled", || counts(&receiver).handled == 1);
    for (number, own) in [None, Some(&foreign)].into_iter().enumerate() {
        let mut bad = client(address, &server, own);
        // With TLS 1.3 it learns only from the answer that it is not trusted.
        let _ = bad.write_all(&framed(&line(2)));
        let _ = bad.flush();
        assert!(bad.read(&mut [0]).is_err());
        let counted = || counts(&receiver).connections_insecure;
        until_true("it is counted", || counted() == number as u64 + 1);
    }
    let mut plain = TcpStream::connect(address).unwrap();
    plain.write_all(&framed(&line(3))).unwrap();
    until_true("it is counted", || {
        counts(&receiver).connections_insecure == 3
    });
    let mut rest = Vec::new();
    let _ = plain.read_to_end(&mut rest);
    assert_eq!(counts(&receiver).packets, 1);
    receiver.stop();
}
