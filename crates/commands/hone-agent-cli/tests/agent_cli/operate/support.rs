//! How an agent that runs is asked, what it counted, and a back end for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Status and body of an answer; none if nobody answers.
pub(crate) fn ask(address: SocketAddr, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    ask(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    )
}

pub(crate) fn post(address: SocketAddr, path: &str) -> (u16, String) {
    let request = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    ask(address, &request).expect("an answer")
}

/// A configuration of a server that scrapes `/metrics` there.
pub(crate) fn scrapes(address: SocketAddr) -> String {
    format!(
        "scrape_configs:\n- job_name: agent\n  scrape_interval: 1s\n  static_configs:\n  - targets: ['{address}']\n"
    )
}

/// A figure of what can be scraped.
pub(crate) fn scraped(address: SocketAddr, series: &str) -> Option<f64> {
    let (status, text) = get(address, "/metrics")?;
    assert_eq!(status, 200);
    let line = text.lines().find_map(|line| line.strip_prefix(series));
    Some(line?.trim().parse().unwrap())
}

/// What the figures of the account at the end that begin so add up to.
pub(crate) fn total(said: &str, head: &str) -> f64 {
    let figures = said.lines().filter(|line| line.starts_with(head));
    let values = figures.map(|line| line.rsplit(' ').next().unwrap_or(line));
    values.map(|value| value.parse::<f64>().unwrap()).sum()
}

/// A back end that takes Graphite's lines over as many connections as there come.
pub(crate) struct Graphite {
    pub(crate) address: String,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Graphite {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&lines);
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, all) = (connection.unwrap(), Arc::clone(&all));
                thread::spawn(move || {
                    for line in BufReader::new(connection).lines().map_while(Result::ok) {
                        all.lock().unwrap().push(line);
                    }
                });
            }
        });
        Self { address, lines }
    }

    /// What the values of all lines that begin so add up to.
    pub(crate) fn sum(&self, head: &str) -> f64 {
        let lines = self.lines.lock().unwrap();
        let values = lines.iter().filter_map(|line| line.strip_prefix(head));
        let values = values.map(|rest| rest.split(' ').next().unwrap_or(rest));
        values.map(|value| value.parse::<f64>().unwrap()).sum()
    }

    /// Whether any line begins so.
    pub(crate) fn has(&self, head: &str) -> bool {
        let lines = self.lines.lock().unwrap();
        lines.iter().any(|line| line.starts_with(head))
    }
}
