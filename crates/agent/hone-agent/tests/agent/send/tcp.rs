//! Lines and frames over TCP, with TLS and without.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use hone_agent::canonical::canonical;
use hone_agent::compress::Compression;
use hone_agent::send::queue::{MemoryQueue, Queue};
use hone_agent::send::{Endpoint, Lines, Outlet, Reason, Relay, Sender, TcpOptions, send_to_all};
use hone_agent::tls::Tls;
use hone_agent::wire::Format;
use hone_agent::wire::relay::duplicates::{Came, Seen};
use hone_agent::wire::relay::frame::{self, HEADER_BYTES, Status};
use hone_agent::wire::relay::{self, Origin};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use testkit::certificate;

use super::fixture::{END_MS, PATIENCE, at_once, interval, outlet, until_true};

const POINTS: u64 = 7;

fn listen() -> (TcpListener, TcpOptions) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let options = TcpOptions {
        address: listener.local_addr().unwrap().to_string(),
        tls: None,
        timeout: PATIENCE,
    };
    (listener, options)
}

fn start(endpoint: impl Endpoint + 'static, format: Format, compression: Compression) -> Outlet {
    let queue = Queue::Memory(MemoryQueue::new(1 << 20));
    let sender = Sender::start("test", Box::new(endpoint), queue, at_once()).unwrap();
    outlet(format, compression, sender)
}

#[test]
fn graphite_gets_lines_and_a_new_connection_after_the_old_was_closed() {
    let (listener, options) = listen();
    let lines = Lines::new(&options).unwrap();
    let mut outlets = [start(lines, Format::Graphite, Compression::None)];
    for _ in 0..2 {
        send_to_all(&mut outlets, &interval(), &mut Origin::default());
        let (stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream).lines();
        let first = lines.next().unwrap().unwrap();
        let seconds = END_MS / 1000;
        assert_eq!(first, format!("requests;host=h1;path=/a_b 2 {seconds}"));
        let last = lines.find(|line| line.as_ref().unwrap().starts_with("users;"));
        assert!(last.is_some());
        // The connection is closed here; the endpoint sees it before it sends again.
        until_true("it is counted", || outlets[0].outcome().queued == 0);
    }
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!((outcome.delivered, outcome.losses.total()), (2 * POINTS, 0));
}

/// The next frame of a connection, if there is one.
fn read(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut frame = vec![0; HEADER_BYTES];
    from.read_exact(&mut frame).ok()?;
    let length = frame::length(frame[..].try_into().unwrap()).unwrap();
    frame.resize(HEADER_BYTES + length, 0);
    from.read_exact(&mut frame[HEADER_BYTES..]).ok()?;
    Some(frame)
}

/// Takes frames until the connection ends. Which answers it gives, `answer` says by the number of the frame.
fn receive(
    mut stream: impl Read + Write,
    taken: &Mutex<(Seen, Vec<Vec<u8>>)>,
    mut answer: impl FnMut() -> Option<Status>,
) {
    while let Some(frame) = read(&mut stream) {
        let answer = answer();
        let body = frame::body(&frame).unwrap();
        if answer.is_none_or(|status| status == Status::Taken) {
            let (seen, bodies) = &mut *taken.lock().unwrap();
            let origin = relay::decode(&body).unwrap().origin;
            if seen.came(origin) == Came::Never {
                seen.take(origin);
                bodies.push(body);
            }
        }
        let Some(status) = answer else {
            return;
        };
        if stream.write_all(&frame::answer(&frame, status)).is_err() {
            return;
        }
    }
}

#[test]
fn the_relay_loses_nothing_and_counts_nothing_twice() {
    let (listener, options) = listen();
    let taken = Arc::new(Mutex::new((Seen::new(100), Vec::new())));
    let own = Arc::clone(&taken);
    thread::spawn(move || {
        // Taken but the answer lost; busy; taken; refused; taken.
        let mut answers = vec![
            Some(Status::Taken),
            Some(Status::Refused),
            Some(Status::Taken),
            Some(Status::Busy),
            None,
        ];
        for stream in listener.incoming().flatten() {
            receive(stream, &own, || answers.pop().unwrap());
        }
    });
    let relay = Relay::new(&options).unwrap();
    let mut outlets = [start(relay, Format::Relay, Compression::Zstd(1))];
    let mut origin = Origin {
        source: 99,
        sequence: 0,
    };
    for _ in 0..3 {
        send_to_all(&mut outlets, &interval(), &mut origin);
    }
    assert_eq!(origin.sequence, 3);
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!(outcome.delivered, 2 * POINTS);
    assert_eq!(outcome.losses.of(Reason::Refused), POINTS);
    assert_eq!((outcome.attempts, outcome.retries), (5, 2));
    were_taken(&taken.lock().unwrap().1, 2);
}

/// As often as this, the interval of all tests came.
fn were_taken(bodies: &[Vec<u8>], times: usize) {
    assert_eq!(bodies.len(), times);
    for body in bodies {
        let points = relay::decode(body).unwrap().points;
        let interval = interval();
        assert_eq!(points.len(), interval.points.len());
        for ((raw, _), point) in points.iter().zip(&interval.points) {
            assert_eq!(canonical(raw).unwrap(), *point.series);
        }
    }
}

fn serve_tls(stream: TcpStream, certificate: &[u8], key: &[u8]) -> impl Read + Write {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let chain = CertificateDer::pem_slice_iter(certificate).map(Result::unwrap);
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.collect(), PrivateKeyDer::from_pem_slice(key).unwrap())
        .unwrap();
    let session = rustls::ServerConnection::new(Arc::new(config)).unwrap();
    rustls::StreamOwned::new(session, stream)
}

#[test]
fn the_relay_speaks_tls_and_trusts_only_whom_it_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let Some((certificate, key)) = certificate(directory.path(), "server") else {
        return;
    };
    let (listener, mut options) = listen();
    let taken = Arc::new(Mutex::new((Seen::new(100), Vec::new())));
    let (own, pem) = (Arc::clone(&taken), certificate.clone());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            receive(serve_tls(stream, &pem, &key), &own, || Some(Status::Taken));
        }
    });
    options.tls = Some(Tls {
        authorities: Some(certificate),
        identity: None,
    });
    let relay = Relay::new(&options).unwrap();
    let mut outlets = [start(relay, Format::Relay, Compression::Snappy)];
    send_to_all(&mut outlets, &interval(), &mut Origin::default());
    let [outlet] = outlets;
    let outcome = outlet.stop(PATIENCE);
    assert_eq!(outcome.delivered, POINTS, "{outcome:?}");
    were_taken(&taken.lock().unwrap().1, 1);

    options.tls = Some(Tls::default());
    let Ok(relay) = Relay::new(&options) else {
        println!("skipped: this machine trusts no authority");
        return;
    };
    let mut outlets = [start(relay, Format::Relay, Compression::Snappy)];
    send_to_all(&mut outlets, &interval(), &mut Origin::default());
    until_true("it is refused", || outlets[0].outcome().retries > 0);
    assert_eq!(outlets[0].outcome().delivered, 0);
    let error = outlets[0].outcome().last_error.unwrap();
    assert!(error.contains("certificate"), "{error}");
}
