//! Servers that have a file, another or none, and a cache.

use std::fs;

use testkit::{Answer, Canned, recorded};

use super::*;

/// A small file with a build id, `abcdef01`.
fn file() -> Vec<u8> {
    fs::read(recorded("programs/steps-debug")).unwrap()
}

fn id() -> BuildId {
    BuildId::from_hex("abcdef01").unwrap()
}

fn address_of(artifact: &str) -> String {
    format!("/buildid/abcdef01/{artifact}")
}

/// A cache, and what was said.
struct Case {
    cache: tempfile::TempDir,
    said: Vec<String>,
    limits: Limits,
}

impl Case {
    fn new() -> Self {
        Self {
            cache: tempfile::tempdir().unwrap(),
            said: Vec::new(),
            limits: Limits {
                patience: testkit::PATIENCE,
                time_max: None,
                bytes_max: 1 << 20,
            },
        }
    }

    /// Looks for debug information as another process would, which knows the cache alone.
    fn find(&mut self, servers: &[&str]) -> Option<PathBuf> {
        self.find_by(&mut self.process(servers))
    }

    fn process(&self, servers: &[&str]) -> Servers {
        let servers = servers.iter().map(|address| (*address).to_owned());
        Servers::new(servers.collect(), self.cache.path().to_owned(), self.limits)
    }

    fn find_by(&mut self, servers: &mut Servers) -> Option<PathBuf> {
        let tell = &mut |line| self.said.push(line);
        servers.find(&id(), Artifact::DebugInfo, Path::new("/srv/p"), tell)
    }

    /// Size of the file in the cache.
    fn cached(&self) -> Option<u64> {
        let path = self.cache.path().join("abcdef01/debuginfo");
        path.metadata().ok().map(|metadata| metadata.len())
    }
}

#[test]
fn addresses_are_told_from_settings() {
    assert_eq!(
        addresses(" https://a/ ima:enforcing  http://b/mirror\n"),
        ["https://a", "http://b/mirror"]
    );
    assert!(addresses(" ").is_empty());
}

#[test]
fn a_file_is_fetched_once_from_the_server_that_has_it() {
    let debug = address_of("debuginfo");
    let other = Canned::of(&[]);
    let server = Canned::of(&[(debug.clone(), Answer::Bytes(file()))]);
    let mut case = Case::new();
    let found = case.find(&[&other.address, &server.address]);
    let expected = case.cache.path().join("abcdef01/debuginfo");
    assert_eq!(found, Some(expected));
    assert_eq!(fs::read(found.unwrap()).unwrap(), file());
    assert_eq!(case.said.len(), 1, "{:?}", case.said);
    let said = "fetched the debug information of p (";
    assert!(case.said[0].starts_with(said), "{:?}", case.said);
    for asked in [other.asked(), server.asked()] {
        assert_eq!(asked, std::slice::from_ref(&debug));
    }

    // What came lies in the cache.
    assert!(case.find(&[&other.address, &server.address]).is_some());
    assert_eq!((other.asked().len(), server.asked().len()), (1, 1));
    assert_eq!(case.said.len(), 1);
}

#[test]
fn what_no_server_has_is_not_asked_for_again_for_a_while() {
    let server = Canned::of(&[]);
    let mut case = Case::new();
    for _ in 0..2 {
        assert_eq!(case.find(&[&server.address]), None);
    }
    assert_eq!(server.asked().len(), 1);
    assert_eq!(case.cached(), Some(0));
    assert!(case.said.is_empty());
}

#[test]
fn what_is_not_right_is_a_warning_and_never_kept() {
    let other = fs::read(recorded("programs/steps-other")).unwrap();
    let cases: [(Answer, &str); 5] = [
        (
            Answer::Bytes(other),
            "what came is another build (abcdef02)",
        ),
        (Answer::Bytes(b"<html>".to_vec()), "not an ELF file"),
        (
            Answer::Length(1 << 30),
            "DEBUGINFOD_MAXSIZE allows 1.00 MiB",
        ),
        (
            Answer::Said(406, "too large"),
            "it has more, and DEBUGINFOD_MAXSIZE",
        ),
        (Answer::Said(500, "no"), "status 500"),
    ];
    for (answer, reason) in cases {
        let server = Canned::of(&[(address_of("debuginfo"), answer)]);
        let mut case = Case::new();
        assert_eq!(case.find(&[&server.address]), None, "{reason}");
        let said = case.said.join("\n");
        let warning = "warning: the debug information of p is not fetched from http://127.0.0.1:";
        assert!(
            said.starts_with(warning) && said.contains(reason),
            "{reason}: {said}"
        );
        assert_eq!(case.said.len(), 1, "{said}");
        assert_eq!(case.cached(), None, "{reason}");
    }
}

/// The time is short, and nothing is ever answered: no load makes it another outcome.
#[test]
fn a_server_that_never_answers_is_given_up() {
    let server = Canned::of(&[(address_of("debuginfo"), Answer::Nothing)]);
    let mut case = Case::new();
    case.limits.patience = Duration::from_millis(50);
    assert_eq!(case.find(&[&server.address]), None);
    assert!(case.said[0].contains("timeout"), "{:?}", case.said);
    assert_eq!(case.cached(), None);
}

#[test]
fn a_server_that_failed_is_not_asked_for_the_next_file() {
    let failing = Canned::of(&[(address_of("debuginfo"), Answer::Said(500, "no"))]);
    let mut case = Case::new();
    let mut process = case.process(&[&failing.address, "http://127.0.0.1:1"]);
    assert_eq!(case.find_by(&mut process), None);
    assert_eq!(case.said.len(), 2, "{:?}", case.said);
    assert_eq!(case.find_by(&mut process), None);
    assert_eq!(case.said.len(), 2, "{:?}", case.said);
    assert_eq!(failing.asked().len(), 1);
    // The server that was not asked may have it.
    assert_eq!(case.cached(), None);
}
