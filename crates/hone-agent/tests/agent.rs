//! The agent as a process: from clients' sockets to a back end, and what it says at its end.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};

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

/// An agent that runs.
struct Agent {
    child: Child,
    /// The addresses that it listens at, by what was asked for.
    listens: BTreeMap<String, String>,
}

impl Agent {
    fn start(directory: &Path, config: &str) -> Self {
        fs::write(directory.join("agent.toml"), config).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hone-agent"))
            .args(["run", "--config", "agent.toml"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut listens = BTreeMap::new();
        let wanted = config.matches("[[listen]]").count();
        let mut stderr = BufReader::new(child.stderr.as_mut().unwrap());
        while listens.len() < wanted {
            let mut line = String::new();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the agent ended");
            if let Some((_, rest)) = line.split_once("listening at ") {
                let asked = rest.split([' ', ',']).next().unwrap();
                let local = rest
                    .split_once('(')
                    .and_then(|(_, rest)| rest.split_once(')'));
                let local = local.map_or("", |(local, _)| local);
                listens.insert(asked.to_owned(), local.to_owned());
            }
        }
        Self { child, listens }
    }

    /// Asks it to end; what it said from then on.
    fn end(mut self) -> String {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let mut said = String::new();
        let stderr = self.child.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {said}");
        said
    }
}

/// A figure of the account at the end.
fn figure(said: &str, name: &str) -> f64 {
    let line = said.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("no {name} in {said}"));
    value.trim().parse().unwrap()
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
    let port = &agent.listens["udp:127.0.0.1:0"];
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
    while ticks(pids[0]) < ticks_then[0] + 20 || ticks(pids[1]) < ticks_then[1] + 3 {
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
    let hits = format!("hits;{build_id};path=a;{service};host=here ");
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
    assert!(cpu_s >= 0.2, "{cpu_s} in {lines:#?}");
}
