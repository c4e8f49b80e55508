//! An agent that runs in a directory of its own, and clients of it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// See the module.
pub(crate) struct Agent {
    child: Child,
    directory: PathBuf,
    said: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Agent {
    /// Starts one, with intervals of a second and a Unix socket `agent.sock`, and waits until it listens.
    pub(crate) fn start(directory: &Path, config: &str) -> Self {
        Self::start_as(
            Command::new(env!("CARGO_BIN_EXE_hone-agent")),
            directory,
            config,
        )
    }

    /// The same by another command, to which the agent's arguments are added.
    pub(crate) fn start_as(mut command: Command, directory: &Path, config: &str) -> Self {
        let config = format!(
            "[aggregate]\ninterval_s = 1\n[labels]\nhost = \"here\"\n\
             [[listen]]\naddress = \"unixgram:agent.sock\"\n{config}"
        );
        fs::write(directory.join("agent.toml"), config).unwrap();
        let mut child = command
            .args(["run", "--config", "agent.toml"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let reader = reader(child.stderr.take().unwrap(), Arc::clone(&said));
        let mut agent = Self {
            child,
            directory: directory.to_owned(),
            said,
            reader,
        };
        until("the agent listens", || {
            assert!(
                agent.child.try_wait().unwrap().is_none(),
                "{}",
                agent.said()
            );
            agent.said().contains("listening at unixgram:agent.sock")
        });
        agent
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end; the account that it prints.
    pub(crate) fn end(mut self) -> String {
        let before = self.said().len();
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let status = self.child.wait().unwrap();
        let said = Arc::clone(&self.said);
        std::mem::replace(&mut self.reader, thread::spawn(|| {}))
            .join()
            .unwrap();
        let said = said.lock().unwrap();
        assert!(status.success(), "{status}: {said}");
        said[before..].to_owned()
    }

    /// Ends it without asking.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Client {
        Client::of(&self.directory)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // Already gone, unless a test has failed.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn reader(stderr: impl Read + Send + 'static, said: Arc<Mutex<String>>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut stderr = BufReader::new(stderr);
        let mut line = String::new();
        while stderr.read_line(&mut line).is_ok_and(|length| length > 0) {
            said.lock().unwrap().push_str(&line);
            line.clear();
        }
    })
}

/// Sends packets, and waits where the agent does not take them at once: on Unix datagrams nothing is lost.
pub(crate) struct Client {
    socket: UnixDatagram,
}

impl Client {
    /// Of the agent in that directory.
    pub(crate) fn of(directory: &Path) -> Self {
        let socket = UnixDatagram::unbound().unwrap();
        socket.connect(directory.join("agent.sock")).unwrap();
        Self { socket }
    }

    pub(crate) fn send(&self, packet: impl AsRef<[u8]>) {
        self.socket.send(packet.as_ref()).unwrap();
    }

    /// Whether the agent was there to take it.
    pub(crate) fn offer(&self, packet: &str) -> bool {
        self.socket.send(packet.as_bytes()).is_ok()
    }
}

/// A figure of the account at the end, 0 where it is not named.
pub(crate) fn figure(said: &str, name: &str) -> u64 {
    let values = said.lines().filter_map(|line| line.strip_prefix(name));
    let value = values.filter_map(|rest| rest.strip_prefix(' ')).next();
    value.map_or(0, |value| value.trim().parse().unwrap())
}

/// Until it is so; gives up after two minutes.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited two minutes until {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
