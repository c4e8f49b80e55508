//! What servers of debug information are asked for, and how often.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use hone_hub::symbols::limits::{ABSENT_S, FAILED_S, Limits};
use hone_hub::symbols::{Artifact, DebugFiles, Debuginfod, Symbols};
use hone_profile::{BuildId, FileOffset};

use super::asked::start_of;
use super::common::{NOON_S, SMALL, TENANT, build_of, split, symbols};
use crate::disk::{Disk, Kind};

/// A server that keeps account.
#[derive(Default)]
struct Server {
    files: Vec<(BuildId, Artifact, Vec<u8>)>,
    is_down: bool,
    asked: RefCell<usize>,
}

impl Server {
    fn has(&mut self, build: &BuildId, artifact: Artifact, path: &Path) {
        let bytes = std::fs::read(path).unwrap();
        self.files.push((build.clone(), artifact, bytes));
    }

    /// Number of questions since the last call.
    fn asked(&self) -> usize {
        self.asked.take()
    }
}

impl DebugFiles for Server {
    fn download(
        &self,
        build: &BuildId,
        artifact: Artifact,
        into: &mut File,
    ) -> Result<bool, String> {
        *self.asked.borrow_mut() += 1;
        if self.is_down {
            return Err("it is down".to_owned());
        }
        let mut files = self.files.iter();
        let found = files.find(|(of, is, _)| of == build && *is == artifact);
        if let Some((_, _, bytes)) = found {
            into.write_all(bytes).unwrap();
        }
        Ok(found.is_some())
    }
}

fn two_replicas() -> [Symbols; 2] {
    let disk = Arc::new(Disk::new(Kind::Bucket));
    [(); 2].map(|()| symbols(disk.clone(), Limits::default()))
}

#[test]
fn what_is_missing_is_fetched_once_and_names_code() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let build = build_of(&parts.whole);
    let mut server = Server::default();
    server.has(&build, Artifact::Executable, &parts.stripped);
    server.has(&build, Artifact::DebugInfo, &parts.debug);
    let [one, other] = two_replicas();
    let builds = [build.clone()];
    let fetched = one.fetch(TENANT, &builds, &server, NOON_S).unwrap();
    assert_eq!((fetched.found.len(), server.asked()), (2, 2));
    for replica in [&one, &other] {
        let fetched = replica.fetch(TENANT, &builds, &server, NOON_S).unwrap();
        assert_eq!((fetched, server.asked()), (Default::default(), 0));
        let offset = FileOffset(start_of(&parts.whole, "twice"));
        let names = replica.name_offset(TENANT, &build, offset, NOON_S).unwrap();
        assert_eq!(names.last().unwrap().function, "twice");
    }
}

/// Answers as many requests over HTTP as are told, with the file of this build or 404; returns the address.
fn serve(build: &BuildId, debug: Vec<u8>, requests: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let wanted = format!("GET /buildid/{build}/debuginfo HTTP/1.1");
    std::thread::spawn(move || {
        for stream in listener.incoming().take(requests) {
            let mut stream = BufReader::new(stream.unwrap());
            let mut lines = (&mut stream).lines().map(Result::unwrap);
            let request = lines.next().unwrap();
            lines.find(String::is_empty).unwrap();
            let (status, body) = if request == wanted {
                ("200 OK", debug.as_slice())
            } else {
                ("404 Not Found", &b"not here"[..])
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let stream = stream.get_mut();
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body).unwrap();
        }
    });
    format!("http://{address}/")
}

#[test]
fn servers_of_debuginfod_are_asked_over_http() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let build = build_of(&parts.whole);
    let debug = std::fs::read(&parts.debug).unwrap();
    let nothing = serve(&BuildId::new(&[1; 20]).unwrap(), Vec::new(), 2);
    let server = serve(&build, debug, 2);
    let urls = format!("{nothing} ima:enforcing {server}");
    let servers = Debuginfod::new(&urls, &Limits::default()).unwrap();
    let [symbols, _] = two_replicas();
    let builds = [build.clone()];
    let fetched = symbols.fetch(TENANT, &builds, &servers, NOON_S).unwrap();
    assert_eq!(fetched.found, [(build.clone(), Artifact::DebugInfo)]);
    assert_eq!(fetched.absent, [(build, Artifact::Executable)]);
    // Nobody listens there any more.
    let other = [BuildId::new(&[2; 20]).unwrap()];
    let fetched = symbols.fetch(TENANT, &other, &servers, NOON_S).unwrap();
    assert_eq!(fetched.failed.len(), 2, "{fetched:?}");
    assert!(Debuginfod::new(" ima:enforcing ", &Limits::default()).is_none());
}

#[test]
fn what_no_server_has_is_not_asked_for_again_for_a_day() {
    let build = BuildId::new(&[9; 20]).unwrap();
    let builds = [build.clone()];
    let server = Server::default();
    let replicas = two_replicas();
    let ask = |replica: usize, now_s| {
        let fetched = replicas[replica].fetch(TENANT, &builds, &server, now_s);
        assert!(fetched.unwrap().found.is_empty());
        server.asked()
    };
    assert_eq!(ask(0, NOON_S), 2);
    assert_eq!(ask(0, NOON_S + 1), 0);
    assert_eq!(ask(1, NOON_S + ABSENT_S - 1), 0);
    assert_eq!(ask(1, NOON_S + ABSENT_S), 2);
    assert_eq!(ask(0, NOON_S + ABSENT_S + 1), 0);
    // Marks go away with time.
    replicas[0].retain(TENANT, NOON_S + 3 * ABSENT_S).unwrap();
    assert_eq!(ask(0, NOON_S + 3 * ABSENT_S), 2);
}

#[test]
fn a_server_that_failed_is_asked_again_soon() {
    let builds = [BuildId::new(&[9; 20]).unwrap()];
    let server = Server {
        is_down: true,
        ..Server::default()
    };
    let [one, other] = two_replicas();
    let fetched = one.fetch(TENANT, &builds, &server, NOON_S).unwrap();
    assert_eq!((fetched.failed.len(), server.asked()), (2, 2));
    one.fetch(TENANT, &builds, &server, NOON_S + FAILED_S - 1)
        .unwrap();
    assert_eq!(server.asked(), 0);
    one.fetch(TENANT, &builds, &server, NOON_S + FAILED_S)
        .unwrap();
    assert_eq!(server.asked(), 2);
    other.fetch(TENANT, &builds, &server, NOON_S).unwrap();
    assert_eq!(server.asked(), 2);
}

#[test]
fn another_build_than_was_asked_for_is_not_taken() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let build = BuildId::new(&[9; 20]).unwrap();
    let mut server = Server::default();
    server.has(&build, Artifact::Executable, &parts.stripped);
    let [symbols, _] = two_replicas();
    let builds = [build.clone()];
    let fetched = symbols.fetch(TENANT, &builds, &server, NOON_S).unwrap();
    assert_eq!(fetched.failed.len(), 1, "{fetched:?}");
    // It would be refused again: nobody asks for it on that day.
    server.asked();
    symbols
        .fetch(TENANT, &builds, &server, NOON_S + FAILED_S)
        .unwrap();
    assert_eq!(server.asked(), 0);
    for build in [build, build_of(&parts.whole)] {
        let stored = symbols.get(TENANT, &build, Artifact::Executable).unwrap();
        assert!(stored.is_none());
    }
}
