//! `[server]` and `[[backend]]`: how a server is started, known to be ready, and stopped.

use serde::Deserialize;

use super::{ConfigError, filled, in_range};
use crate::quantity::Seconds;

/// Default time in seconds that a server has to become ready, and to end.
const SECONDS: f64 = 10.0;
/// Highest CPU number in a list of CPUs.
const CPU_MAX: usize = 1023;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawServer {
    start: String,
    ready: Option<String>,
    ready_port: Option<bool>,
    ready_seconds: Option<Seconds>,
    #[serde(alias = "stop_signal")]
    stop: Option<String>,
    stop_command: Option<String>,
    stop_seconds: Option<Seconds>,
    cpus: Option<String>,
    load_cpus: Option<String>,
    #[serde(default)]
    ports: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBackend {
    name: String,
    start: String,
    ready: Option<String>,
}

/// Configuration of the program as a server.
#[derive(Clone, Debug)]
pub struct Server {
    /// Shell line that starts the server; Hone does not wait for its end.
    pub start: String,
    /// Condition under which the server is ready.
    pub ready: Ready,
    /// Seconds that the server has to become ready.
    pub ready_seconds: f64,
    /// Way in which the server is asked to end.
    pub stop: Stop,
    /// Seconds that the server has to end; then the server is killed.
    pub stop_seconds: f64,
    /// CPUs to which the server is pinned; all CPUs if empty.
    pub cpus: Vec<usize>,
    /// CPUs to which load generators are pinned; all CPUs if empty.
    pub load_cpus: Vec<usize>,
    /// Names of ports that the server needs beside `{port}`; `{port:NAME}` refers to the port of a name.
    pub ports: Vec<String>,
    /// Helper processes beside the server that are not measured, in the order of starting.
    pub backends: Vec<Backend>,
}

/// A helper process, such as the origin behind a proxy.
#[derive(Clone, Debug)]
pub struct Backend {
    /// Name of the backend; `{port:NAME}` is its port.
    pub name: String,
    /// Shell line that starts the backend.
    pub start: String,
    /// Condition under which the backend is ready.
    pub ready: Ready,
}

/// Condition under which a server is ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ready {
    /// The shell line exits with 0.
    Command(String),
    /// The server's port accepts a connection.
    Port,
    /// No condition: a backend that names no port is ready at once.
    Started,
}

/// Way in which a server is asked to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A signal.
    Signal(StopSignal),
    /// A shell line.
    Command(String),
}

/// Signals that ask servers to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopSignal {
    /// SIGTERM.
    Term,
    /// SIGINT.
    Int,
    /// SIGQUIT.
    Quit,
    /// SIGHUP.
    Hup,
    /// SIGUSR1.
    Usr1,
    /// SIGUSR2.
    Usr2,
}

pub(super) fn backends(raw: Vec<RawBackend>) -> Result<Vec<Backend>, ConfigError> {
    let mut all: Vec<Backend> = Vec::new();
    for raw in raw {
        filled("backend.name", &raw.name)?;
        if !is_plain(&raw.name) {
            return Err(ConfigError::NotOneOf {
                key: "backend.name".into(),
                value: raw.name,
                expected: "a name has letters, digits, - and _",
            });
        }
        let key = |key: &str| format!("backend.{}.{key}", raw.name);
        filled(&key("start"), &raw.start)?;
        let ready = match raw.ready {
            Some(command) => {
                filled(&key("ready"), &command)?;
                Ready::Command(command)
            }
            None if raw.start.contains(&format!("{{port:{}}}", raw.name)) => Ready::Port,
            None => Ready::Started,
        };
        if all.iter().any(|known| known.name == raw.name) {
            return Err(ConfigError::RepeatedBackend { name: raw.name });
        }
        all.push(Backend {
            name: raw.name,
            start: raw.start,
            ready,
        });
    }
    Ok(all)
}

pub(super) fn server(
    raw: Option<RawServer>,
    backends: Vec<Backend>,
) -> Result<Option<Server>, ConfigError> {
    let Some(raw) = raw else {
        return match backends.first() {
            None => Ok(None),
            Some(_) => Err(ConfigError::Misplaced {
                key: "backend".into(),
                why: "it is for servers, and there is no [server] table",
            }),
        };
    };
    filled("server.start", &raw.start)?;
    let ready = ready(raw.ready, raw.ready_port, &raw.start)?;
    let stop = stop(raw.stop, raw.stop_command)?;
    let ready_seconds = raw.ready_seconds.map_or(SECONDS, |given| given.0);
    let stop_seconds = raw.stop_seconds.map_or(SECONDS, |given| given.0);
    for (key, seconds) in [
        ("server.ready_seconds", ready_seconds),
        ("server.stop_seconds", stop_seconds),
    ] {
        in_range(key, seconds, 0.1, 3600.0, "0.1 to 3600")?;
    }
    Ok(Some(Server {
        start: raw.start,
        ready,
        ready_seconds,
        stop,
        stop_seconds,
        cpus: cpus("server.cpus", raw.cpus)?,
        load_cpus: cpus("server.load_cpus", raw.load_cpus)?,
        ports: ports(raw.ports, &backends)?,
        backends,
    }))
}

/// Checks the names of further ports of the server, which must differ from the names of backends.
fn ports(names: Vec<String>, backends: &[Backend]) -> Result<Vec<String>, ConfigError> {
    for (index, name) in names.iter().enumerate() {
        let is_taken =
            names[..index].contains(name) || backends.iter().any(|backend| backend.name == *name);
        if is_taken || !is_plain(name) {
            return Err(ConfigError::NotOneOf {
                key: "server.ports".into(),
                value: name.clone(),
                expected: "a name has letters, digits, - and _, is given once, and is no backend's",
            });
        }
    }
    Ok(names)
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.chars().all(plain)
}

fn ready(command: Option<String>, port: Option<bool>, start: &str) -> Result<Ready, ConfigError> {
    match (command, port) {
        (Some(_), Some(true)) => Err(ConfigError::Exclusive {
            one: "server.ready".into(),
            other: "server.ready_port".into(),
        }),
        (Some(command), _) => {
            filled("server.ready", &command)?;
            Ok(Ready::Command(command))
        }
        (None, Some(false)) => Err(ConfigError::Misplaced {
            key: "server.ready_port".into(),
            why: "where it is false, say by server.ready when the server is ready",
        }),
        (None, _) if !start.contains("{port}") => Err(ConfigError::Misplaced {
            key: "server.start".into(),
            why: "it does not name {port}, so server.ready must say when the server is ready",
        }),
        (None, _) => Ok(Ready::Port),
    }
}

fn stop(signal: Option<String>, command: Option<String>) -> Result<Stop, ConfigError> {
    match (signal, command) {
        (Some(_), Some(_)) => Err(ConfigError::Exclusive {
            one: "server.stop".into(),
            other: "server.stop_command".into(),
        }),
        (None, Some(command)) => {
            filled("server.stop_command", &command)?;
            Ok(Stop::Command(command))
        }
        (signal, None) => match signal.as_deref().unwrap_or("TERM") {
            "TERM" => Ok(Stop::Signal(StopSignal::Term)),
            "INT" => Ok(Stop::Signal(StopSignal::Int)),
            "QUIT" => Ok(Stop::Signal(StopSignal::Quit)),
            "HUP" => Ok(Stop::Signal(StopSignal::Hup)),
            "USR1" => Ok(Stop::Signal(StopSignal::Usr1)),
            "USR2" => Ok(Stop::Signal(StopSignal::Usr2)),
            other => Err(ConfigError::NotOneOf {
                key: "server.stop".into(),
                value: other.into(),
                expected: "it is TERM, INT, QUIT, HUP, USR1 or USR2; for anything else there is stop_command, in which {pid} is \
                    the server",
            }),
        },
    }
}

/// Parses a list of CPUs in the kernel's format: `0,2-3`.
fn cpus(key: &str, list: Option<String>) -> Result<Vec<usize>, ConfigError> {
    let Some(list) = list else {
        return Ok(Vec::new());
    };
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: usize = first.trim().parse().ok()?;
        let last: usize = last.trim().parse().ok()?;
        (first <= last && last <= CPU_MAX).then_some(first..=last)
    };
    let ranges: Option<Vec<_>> = list.split(',').map(part).collect();
    match ranges {
        Some(ranges) => Ok(ranges.into_iter().flatten().collect()),
        None => Err(ConfigError::NotOneOf {
            key: key.into(),
            value: list,
            expected: "a list of CPUs is such as \"0\" or \"0,2-3\"",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Compare, Project, Requests};

    const PROXY: &str = r#"
        [program]
        name = "proxy"
        binary = "proxy"
        [build]
        command = "make"
        [server]
        start = "{binary} --port {port} --to {port:origin}"
        cpus = "0,2-3"
        load_cpus = "1"
        [[backend]]
        name = "origin"
        start = "origin {port:origin}"
        [[train]]
        name = "t"
        command = "load {port} 1"
        warm_up = "load {port} 0"
        [[measure]]
        name = "m"
        command = "load {port} 2"
        requests = '(\d+) done'
    "#;

    fn error(text: &str) -> String {
        let refused = Project::parse(text).expect_err("must be refused");
        refused.to_string()
    }

    #[test]
    fn a_server_gets_its_defaults() {
        let project = Project::parse(PROXY).unwrap();
        assert!(project.counts_work());
        assert!(matches!(project.measure[0].compare, Compare::Nothing));
        assert!(matches!(
            project.measure[0].load.as_ref().unwrap().requests,
            Some(Requests::Printed(_))
        ));
        assert_eq!(project.train[0].warm_up.as_deref(), Some("load {port} 0"));
        let server = project.server.unwrap();
        assert_eq!(server.ready, Ready::Port);
        assert_eq!(server.stop, Stop::Signal(StopSignal::Term));
        assert_eq!((server.ready_seconds, server.stop_seconds), (10.0, 10.0));
        assert_eq!(server.cpus, [0, 2, 3]);
        assert_eq!(server.load_cpus, [1]);
        assert_eq!(server.backends[0].ready, Ready::Port);
    }

    #[test]
    fn a_server_has_further_ports_by_name_and_any_of_six_signals() {
        let text = PROXY.replace(
            "cpus = \"0,2-3\"",
            "ports = [\"admin\"]\nstop_signal = \"USR1\"",
        );
        let text = text.replace("--port {port} ", "--port {port} --admin {port:admin} ");
        let server = Project::parse(&text).unwrap().server.unwrap();
        assert_eq!(server.ports, ["admin"]);
        assert_eq!(server.stop, Stop::Signal(StopSignal::Usr1));
        assert!(error(&text.replace("[\"admin\"]", "[]")).contains("{port:admin}"));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_key() {
        let with = |to: &str| PROXY.replace("cpus = \"0,2-3\"", to);
        for (to, expected) in [
            ("cpus = \"0-\"", "server.cpus"),
            ("cpus = \"3-1\"", "server.cpus"),
            ("cpus = \"0-99999\"", "server.cpus"),
            ("stop = \"KILL\"", "TERM, INT, QUIT"),
            ("stop_signal = \"KILL\"", "TERM, INT, QUIT"),
            ("ports = [\"origin\"]", "server.ports"),
            ("ports = [\"a b\"]", "server.ports"),
            ("ports = [\"a\", \"a\"]", "server.ports"),
            (
                "stop = \"TERM\"\nstop_command = \"x\"",
                "exclude each other",
            ),
            ("ready = \"x\"\nready_port = true", "exclude each other"),
            ("ready_port = false", "server.ready_port"),
            ("ready_seconds = 0", "server.ready_seconds"),
            ("reddy = \"x\"", "reddy"),
        ] {
            let message = error(&with(to));
            assert!(message.contains(expected), "{to}: {message}");
        }
        for (from, to, expected) in [
            ("--port {port} ", "", "server.ready must say"),
            ("to {port:origin}", "to {port:orgin}", "{port:orgin}"),
            ("name = \"origin\"", "name = \"o n\"", "backend.name"),
            ("requests = '(\\d+) done'", "", "requests_total"),
            ("requests = '(\\d+) done'", "work = '(1)'", "measure.m.work"),
            ("'(\\d+) done'", "'done'", "no (group)"),
            ("'(\\d+) done'", "'(1)'\nlatency = '(1)'", "named p50"),
            (
                "'(\\d+) done'",
                "'(1)'\nrequests_total = 3",
                "exclude each other",
            ),
            ("'(\\d+) done'", "'(1)'\ncompare_output = true", "[check]"),
            ("'(\\d+) done'", "'(1)'\ncompare_pattern = 'x'", "[check]"),
        ] {
            let message = error(&PROXY.replace(from, to));
            assert!(message.contains(expected), "{to}: {message}");
        }
    }

    #[test]
    fn keys_of_servers_stand_with_a_server_only() {
        let start = PROXY.find("[server]").unwrap();
        let backend = PROXY.find("[[backend]]").unwrap();
        let train = PROXY.find("[[train]]").unwrap();
        let without = |until: usize| format!("{}{}", &PROXY[..start], &PROXY[until..]);
        assert!(error(&without(backend)).contains("backend"));
        assert!(error(&without(train)).contains("train.t.warm_up"));
    }
}
