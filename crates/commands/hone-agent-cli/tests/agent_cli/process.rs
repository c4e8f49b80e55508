//! The agent as a process: from clients' sockets to a back end, and what it says at its end.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Command, Output};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use hone_agent::aggregate::{Aggregate, Interval, Point};
use hone_agent::compress::Compression;
use hone_agent::sample::Kind;
use hone_agent::series::Series;
use hone_agent::wire;
use hone_agent::wire::relay;
use hone_agent::wire::relay::frame::{self, Status};
use testkit::certificate;

use crate::common::{Agent, figure};

/// A back end that takes Graphite's lines, until all connections are closed.
fn graphite() -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let lines = thread::spawn(move || {
        let (connection, _) = listener.accept().unwrap();
        BufReader::new(connection)
            .lines()
            .map(Result::unwrap)
            .collect()
    });
    (address, lines)
}

/// An array of one point, each string short.
fn packet(strings: &[&str]) -> Vec<u8> {
    let mut packet = vec![0x91, 0x90 | strings.len() as u8];
    for string in strings {
        packet.push(0xa0 | string.len() as u8);
        packet.extend(string.as_bytes());
    }
    packet
}

/// What a counter came to in all intervals: Graphite's lines tell by how much it grew in each.
fn grown(lines: &[String], head: &str) -> f64 {
    let values = lines.iter().filter_map(|line| line.strip_prefix(head));
    let values = values.map(|rest| rest.split(' ').next().unwrap_or(rest));
    values.map(|value| value.parse::<f64>().unwrap()).sum()
}

/// With so many workers.
fn all_that_was_sent(workers: usize) {
    let directory = tempfile::tempdir().unwrap();
    let (address, lines) = graphite();
    let config = format!(
        "[aggregate]\ninterval_s = 1\nworkers = {workers}\n\
         [labels]\nhost = \"here\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n\
         [[listen]]\naddress = \"udp:127.0.0.1:0\"\n\
         [[send]]\nformat = \"graphite\"\naddress = \"{address}\"\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let unix = UnixDatagram::unbound().unwrap();
    let file = directory.path().join("agent.sock");
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = agent.listens("udp:127.0.0.1:0");
    for number in 0..3000 {
        unix.send_to(b"hits:2|c|#a:b\n", &file).unwrap();
        unix.send_to(&packet(&["counter", "hits", "1", "a=b"]), &file)
            .unwrap();
        if number % 30 == 0 {
            udp.send_to(b"level:7|g\nbroken\n", port).unwrap();
        }
    }
    let said = agent.end();
    let lines = lines.join().unwrap();
    assert_eq!(grown(&lines, "hits;a=b;host=here "), 9000.0, "{lines:#?}");
    let values = grown(&lines, "hone.agent.values;host=here ");
    assert_eq!(values, 6100.0, "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("level;host=here 7 "))
    );
    assert_eq!(figure(&said, "hone.agent.malformed"), 100.0);
    assert_eq!(figure(&said, "hone.agent.values"), 6100.0);
    assert_eq!(figure(&said, "hone.agent.values.stored"), 6100.0);
    assert!(!file.exists());
}

#[test]
fn all_that_was_sent_before_the_end_reaches_the_back_end() {
    all_that_was_sent(0);
}

#[test]
fn nothing_is_lost_on_the_way_to_workers() {
    all_that_was_sent(2);
}

#[test]
fn one_agent_relays_to_another() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    relays(&directories, ["", ""]);
}

/// Each has a certificate, and trusts the other's alone.
#[test]
fn one_agent_relays_to_another_over_tls() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let paths = directories.each_ref().map(tempfile::TempDir::path);
    let made = paths.map(|path| certificate(path, "own"));
    if made.iter().any(Option::is_none) {
        return;
    }
    let tls = [paths[1], paths[0]].map(|other| {
        let authorities = other.join("own.pem");
        let own = "certificate = \"own.pem\", key = \"own.key\"";
        format!("tls = {{ {own}, authorities = {authorities:?} }}\n")
    });
    relays(&directories, tls.each_ref().map(String::as_str));
}

/// With these keys of TLS.
fn relays(directories: &[tempfile::TempDir; 2], [of_first, of_second]: [&str; 2]) {
    let (address, lines) = graphite();
    let config = format!(
        "[aggregate]\ninterval_s = 1\nworkers = 1\n[labels]\nhost = \"second\"\n\
         [[listen]]\naddress = \"tcp:127.0.0.1:0\"\nprotocol = \"relay\"\n{of_second}\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n\
         [[send]]\nformat = \"graphite\"\naddress = \"{address}\"\n"
    );
    let second = Agent::start(directories[1].path(), &config);
    let relay = second.listens("tcp:127.0.0.1:0");
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[labels]\nhost = \"first\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n\
         [[send]]\nformat = \"relay\"\naddress = \"{relay}\"\n{of_first}"
    );
    let first = Agent::start(directories[0].path(), &config);
    let unix = UnixDatagram::unbound().unwrap();
    let files = [0, 1].map(|level| directories[level as usize].path().join("agent.sock"));
    for _ in 0..500 {
        for file in &files {
            unix.send_to(b"hits:2|c|#a:b\ntook:3:5|ms\n", file).unwrap();
        }
        unix.send_to(b"hits:1|c|#a:b,host:first\n", &files[1])
            .unwrap();
    }
    let said = first.end();
    let delivered = format!("hone.agent.points.delivered endpoint={relay}");
    let points = figure(&said, &delivered);
    assert!(!said.contains("lost at"), "{said}");
    let said = second.end();
    let lines = lines.join().unwrap();
    // What came to the first, and what came to the second in its name.
    assert_eq!(grown(&lines, "hits;a=b;host=first "), 1500.0, "{lines:#?}");
    assert_eq!(grown(&lines, "hits;a=b;host=second "), 1000.0);
    assert_eq!(grown(&lines, "took.count;host=first "), 1000.0);
    assert_eq!(figure(&said, "hone.agent.values"), points + 2000.0);
    assert!(figure(&said, "hone.agent.frames ") >= 1.0);
}

/// A frame of one counter, as another agent sends it.
fn relayed(sequence: u64) -> Vec<u8> {
    let series = Series::new(Kind::Counter, "hits", &[]).unwrap();
    let value = Aggregate::Counter {
        total: 5.0,
        delta: 5.0,
        since_ms: 0,
        is_new: false,
    };
    let series = Arc::new(series);
    let interval = Interval {
        points: vec![Point { series, value }],
        ..Interval::default()
    };
    let origin = relay::Origin {
        source: 7,
        sequence,
    };
    let part = wire::parts(&interval, 10).next().unwrap();
    let body = relay::encode(part, &[], origin).body;
    frame::framed(&body, Compression::None).unwrap()
}

/// What is answered to a frame.
fn answered(connection: &mut TcpStream, frame: &[u8]) -> [u8; frame::ANSWER_BYTES] {
    connection.write_all(frame).unwrap();
    let mut answer = [0; frame::ANSWER_BYTES];
    connection.read_exact(&mut answer).unwrap();
    answer
}

#[test]
fn what_is_relayed_counts_once_and_nonsense_is_refused_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let (address, lines) = graphite();
    let config = format!(
        "[aggregate]\ninterval_s = 3600\n[labels]\nhost = \"here\"\n\
         [[listen]]\naddress = \"tcp:127.0.0.1:0\"\nprotocol = \"relay\"\n\
         [[send]]\nformat = \"graphite\"\naddress = \"{address}\"\n"
    );
    let agent = Agent::start(directory.path(), &config);
    let connect = || TcpStream::connect(agent.listens("tcp:127.0.0.1:0")).unwrap();
    let mut connection = connect();
    for sequence in [1, 2, 2, 1] {
        let frame = relayed(sequence);
        let taken = frame::answer(&frame, Status::Taken);
        assert_eq!(answered(&mut connection, &frame), taken);
    }
    // The answer is lost: the frame comes again over another connection.
    let mut broken = connect();
    broken.write_all(&relayed(3)).unwrap();
    drop(broken);
    let frame = relayed(3);
    let taken = frame::answer(&frame, Status::Taken);
    assert_eq!(answered(&mut connect(), &frame), taken);
    // What is no points is refused, and the connection goes on.
    let nonsense = frame::framed(b"nonsense", Compression::None).unwrap();
    let refused = frame::answer(&nonsense, Status::Refused);
    assert_eq!(answered(&mut connection, &nonsense), refused);
    assert_eq!(answered(&mut connection, &frame), taken);
    // What is no frame ends its connection.
    let mut foreign = connect();
    foreign
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    // Closed, or reset since there was more to read.
    let _ = foreign.read_to_end(&mut Vec::new());
    // Half of one is waited for, until the connection ends.
    let mut half = connect();
    half.write_all(&relayed(4)[..20]).unwrap();
    let said = agent.end();
    assert_eq!(
        grown(&lines.join().unwrap(), "hits;host=here "),
        15.0,
        "{said}"
    );
    assert_eq!(figure(&said, "hone.agent.frames "), 3.0, "{said}");
    // Of frame 3 it is not known which of the two came first, only that the other one came again.
    assert_eq!(figure(&said, "hone.agent.frames.repeated"), 4.0);
    assert_eq!(figure(&said, "hone.agent.malformed"), 1.0);
    let listener = |name: &str| figure(&said, &format!("{name} listener=tcp:127.0.0.1:0"));
    assert_eq!(listener("hone.agent.frames.foreign"), 1.0);
    assert_eq!(listener("hone.agent.frames.broken_off"), 1.0);
    assert_eq!(listener("hone.agent.packets"), 8.0);
}

fn hone_agent(arguments: &[&str]) -> Output {
    let mut agent = Command::new(env!("CARGO_BIN_EXE_hone-agent"));
    agent.args(arguments).output().unwrap()
}

#[test]
fn a_configuration_is_checked_before_anything_is_opened() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("agent.toml");
    let path = file.to_str().unwrap();
    let example = String::from_utf8(hone_agent(&["config", "--example"]).stdout).unwrap();
    let here = example.replace("/run/hone-agent", directory.path().to_str().unwrap());
    fs::write(&file, here).unwrap();
    assert!(hone_agent(&["config", "--check", path]).status.success());
    fs::write(&file, "[limit]\n").unwrap();
    for command in [["config", "--check", path], ["run", "--config", path]] {
        let output = hone_agent(&command);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("agent.toml") && said.contains("limit"),
            "{said}"
        );
    }
}

#[test]
fn why_an_agent_cannot_listen_is_said_once_and_with_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("agent.toml");
    let socket = directory.path().join("not-there/agent.sock");
    let listen = format!("[[listen]]\naddress = \"unixgram:{}\"\n", socket.display());
    fs::write(&file, format!("[http]\nlisten = \"off\"\n{listen}")).unwrap();
    let output = hone_agent(&["run", "--config", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("os error").count(), 1, "{said}");
    assert!(
        said.contains("config --check") && said.contains("not-there"),
        "{said}"
    );
}

/// A process that uses CPU time until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Self {
        let mut shell = Command::new("sh");
        Self(shell.args(["-c", "while :; do :; done"]).spawn().unwrap())
    }
}

/// User and system time of a process so far, in ticks.
fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
    fields[12].parse::<u64>().unwrap() + fields[13].parse::<u64>().unwrap()
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

#[test]
fn services_are_reported_and_work_gets_the_build_that_did_it() {
    services_and_work(0);
}

#[test]
fn work_keeps_the_build_that_did_it_on_the_way_to_workers() {
    services_and_work(2);
}

/// With so many workers. Of all processes of this machine, the agent is shown two.
fn services_and_work(workers: usize) {
    let directory = tempfile::tempdir().unwrap();
    let proc = directory.path().join("proc");
    fs::create_dir(&proc).unwrap();
    let busy = Busy::start();
    let pids = [busy.0.id(), std::process::id()];
    for pid in pids {
        symlink(format!("/proc/{pid}"), proc.join(pid.to_string())).unwrap();
    }
    let (address, lines) = graphite();
    let config = format!(
        "[aggregate]\ninterval_s = 1\nworkers = {workers}\n\
         [labels]\nhost = \"here\"\n\
         [services]\nreport = true\nwork = [\"hits\"]\nproc = \"{}\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n\
         [[send]]\nformat = \"graphite\"\naddress = \"{address}\"\n",
        proc.display()
    );
    let agent = Agent::start(directory.path(), &config);
    let ticks_then = pids.map(ticks);
    let unix = UnixDatagram::unbound().unwrap();
    let file = directory.path().join("agent.sock");
    unix.send_to(b"hits:3|c|#path:a\nother:1|c", file).unwrap();
    // Ten more than are asked for below: the agent counts from its own first look, which a busy machine delays.
    while ticks(pids[0]) < ticks_then[0] + 30 || ticks(pids[1]) < ticks_then[1] + 3 {
        thread::yield_now();
    }
    agent.end();
    let lines = lines.join().unwrap();
    let line = |start: &str, part: &str| {
        let mut lines = lines.iter();
        lines.find(|line| line.starts_with(start) && line.contains(part))
    };
    let ours = fs::read_link("/proc/self/exe").unwrap();
    let ours = ours.file_name().unwrap().to_string_lossy();
    let ours = line(
        "hone.service.processes;",
        &format!(";executable={}", &ours[..8]),
    )
    .unwrap();
    let tag = |name: &str| {
        let mut tags = ours.split([';', ' ']);
        tags.find(|tag| tag.starts_with(name)).unwrap()
    };
    let (build_id, service) = (tag("build_id="), tag("service="));
    let hits = format!("hits;{build_id};host=here;path=a;{service} ");
    assert_eq!(grown(&lines, &hits), 3.0, "{hits} in {lines:#?}");
    assert_eq!(grown(&lines, "other;host=here "), 1.0, "{lines:#?}");
    let shell = fs::read_link(format!("/proc/{}/exe", busy.0.id())).unwrap();
    let shell = format!(
        ";executable={};",
        shell.file_name().unwrap().to_string_lossy()
    );
    let cpu = lines
        .iter()
        .filter(|line| line.starts_with("hone.service.cpu.seconds;") && line.contains(&shell));
    let cpu_s: f64 = cpu
        .map(|line| line.split(' ').nth(1).unwrap().parse::<f64>().unwrap())
        .sum();
    // Twenty ticks, of which each is no exact number.
    assert!(cpu_s > 0.195, "{cpu_s} in {lines:#?}");
}
