//! A receiver of Prometheus' remote write 1.0 that can be made to fail, and what it took.

use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use prost::Message;
use testkit::answering::read_request;
use testkit::remote_write::{Label, WriteRequest};

/// What it does with requests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Mood {
    /// It takes them.
    Well,
    /// Nobody listens, and connections are closed.
    Away,
    /// It takes them, and answers after a second and a half.
    Slow,
    /// It answers with a status, and takes nothing.
    Refuses(u16),
    /// It reads a request and closes the connection.
    Cuts,
    /// It takes a request and closes the connection without an answer.
    CutsAfterTaking,
}

/// Of each series, by `metric{label=value,...}` without the host, the value at each moment.
pub(crate) type Taken = BTreeMap<String, BTreeMap<i64, f64>>;

#[derive(Default)]
struct Shared {
    mood: Mutex<Option<Mood>>,
    taken: Mutex<Taken>,
    /// Moments that came again with another value.
    contradicted: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Shared {
    fn mood(&self) -> Mood {
        self.mood.lock().unwrap().unwrap_or(Mood::Well)
    }
}

/// See the module.
pub(crate) struct BackEnd {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

impl BackEnd {
    /// One at an address of its own.
    pub(crate) fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind((own_host(), 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        *shared.mood.lock().unwrap() = Some(mood);
        let own = Arc::clone(&shared);
        thread::spawn(move || listen(Some(listener), address, &own));
        Self { address, shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/write", self.address)
    }

    /// A `[[send]]` to it, to be followed by more keys.
    pub(crate) fn config(&self) -> String {
        let address = self.url();
        format!("[[send]]\nformat = \"remote-write\"\naddress = \"{address}\"\ntimeout_s = 1\n")
    }

    pub(crate) fn becomes(&self, mood: Mood) {
        *self.shared.mood.lock().unwrap() = Some(mood);
    }

    /// What it has taken. No moment of a series may come with two values.
    pub(crate) fn taken(&self) -> Taken {
        let contradicted = self.shared.contradicted.lock().unwrap();
        assert!(contradicted.is_empty(), "{contradicted:?}");
        self.shared.taken.lock().unwrap().clone()
    }

    /// The last value of a series, 0 if there is none.
    pub(crate) fn last(&self, series: &str) -> f64 {
        let taken = self.shared.taken.lock().unwrap();
        let values = taken.get(series).and_then(|values| values.last_key_value());
        values.map_or(0.0, |(_, value)| *value)
    }
}

impl Drop for BackEnd {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}

/// A loopback address that no other back end has: while one is away, its port is free, and another test that asks for
/// any port of 127.0.0.1 might get that one, and its samples.
fn own_host() -> IpAddr {
    static STARTED: AtomicU8 = AtomicU8::new(1);
    let [.., high, low] = process::id().to_be_bytes();
    Ipv4Addr::new(127, high, low, STARTED.fetch_add(1, Ordering::Relaxed)).into()
}

fn listen(mut listener: Option<TcpListener>, address: SocketAddr, shared: &Arc<Shared>) {
    while !shared.is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(5));
        if shared.mood() == Mood::Away {
            listener = None;
            continue;
        }
        let Some(listener) = &listener else {
            // The port may be taken by what is left of connections for a while.
            listener = TcpListener::bind(address).ok();
            continue;
        };
        listener.set_nonblocking(true).unwrap();
        while let Ok((stream, _)) = listener.accept() {
            stream.set_nonblocking(false).unwrap();
            let shared = Arc::clone(shared);
            thread::spawn(move || serve(stream, &shared));
        }
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = read_request(&mut reader) {
        let mood = shared.mood();
        let status = match mood {
            Mood::Away | Mood::Cuts => return,
            Mood::Refuses(status) => status,
            Mood::Well | Mood::Slow | Mood::CutsAfterTaking => {
                take(&request.body, shared);
                204
            }
        };
        match mood {
            Mood::CutsAfterTaking => return,
            Mood::Slow => thread::sleep(Duration::from_millis(1500)),
            _ => {}
        }
        let length = if status == 204 {
            ""
        } else {
            "Content-Length: 0\r\n"
        };
        let answer = format!("HTTP/1.1 {status} X\r\n{length}\r\n");
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn take(body: &[u8], shared: &Shared) {
    let body = snap::raw::Decoder::new().decompress_vec(body).unwrap();
    let request = WriteRequest::decode(&*body).unwrap();
    let mut taken = shared.taken.lock().unwrap();
    for series in request.timeseries {
        let name = name(&series.labels);
        let values = taken.entry(name.clone()).or_default();
        for sample in series.samples {
            let before = values.insert(sample.timestamp, sample.value);
            if before.is_some_and(|before| before.to_bits() != sample.value.to_bits()) {
                let mut contradicted = shared.contradicted.lock().unwrap();
                contradicted.push(format!(
                    "{name} at {}: {before:?}, {}",
                    sample.timestamp, sample.value
                ));
            }
        }
    }
}

fn name(labels: &[Label]) -> String {
    let value = |name: &str| labels.iter().find(|label| label.name == name);
    let metric = value("__name__").map_or("", |label| label.value.as_str());
    let others: Vec<String> = labels
        .iter()
        .filter(|label| !["__name__", "host"].contains(&label.name.as_str()))
        .map(|label| format!("{}={}", label.name, label.value))
        .collect();
    match others.len() {
        0 => metric.to_owned(),
        _ => format!("{metric}{{{}}}", others.join(",")),
    }
}
