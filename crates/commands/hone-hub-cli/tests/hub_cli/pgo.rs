//! Compiler profiles from the hub: made, kept, signed, written into a directory; and what is refused.

mod real;
mod recorded;
mod two_builds;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hone_batch::{BUCKET_S, Batch, wire};
use hone_hub::store::{Location, Options, Store};
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Symbols};
use hone_pgo::{Form, Manifest};
use tempfile::{TempDir, tempdir};
use testkit::fleet::{NOW_S, Recording, Sent};

use crate::access::{new_token, with};
use crate::common::{ANY_PORT, Hub, request};
use crate::fleet::{now_s, send};

/// The keys of RFC 8410.
const SECRET: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
    -----END PRIVATE KEY-----\n";
const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\n\
    MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
    -----END PUBLIC KEY-----\n";
/// Settings of a hub with a key. The recording has few samples.
const FEW: &str =
    "[pgo]\nkey = 'pgo.key'\nmemory_gib = 2\n[pgo.services.zip.gates]\nsamples_min = 1000\n";
const TEXT: &str = "/v1/pgo/zip?form=autofdo-text";

/// Returns a batch of a time that is now, where the batch is of [`NOW_S`].
pub(crate) fn moved(mut batch: Batch) -> Batch {
    let (from, to) = (NOW_S / BUCKET_S, now_s() / BUCKET_S);
    let at = |time_s: u64| time_s + to * BUCKET_S - from * BUCKET_S;
    batch.span_s = at(batch.span_s.start)..at(batch.span_s.end);
    for row in &mut batch.samples {
        row.bucket = row.bucket + to - from;
    }
    batch
}

/// Puts files of builds into the folder of a hub that does not run.
pub(crate) fn put<'f>(directory: &Path, files: impl IntoIterator<Item = &'f [u8]>) {
    let folder = Location::Folder(directory.join("hub-data"));
    let store = Store::open(folder, Options::default()).unwrap();
    let parser = Box::new(InProcess::default());
    let symbols = Symbols::open(store.objects(), Limits::default(), parser);
    for bytes in files {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        symbols.take("default", &file, now_s()).unwrap();
    }
}

/// Runs `hone-hub pgo` for a hub, with its public key.
pub(crate) fn pgo(directory: &Path, hub: &Hub, words: &[&str]) -> Output {
    let url = format!("http://{}", hub.address);
    Command::new(env!("CARGO_BIN_EXE_hone-hub"))
        .arg("pgo")
        .args(words)
        .args(["--url", &url])
        .env("NO_PROXY", "127.0.0.1")
        .env_remove("HONE_HUB_TOKEN")
        .current_dir(directory)
        .output()
        .unwrap()
}

#[track_caller]
pub(crate) fn says(output: &Output, status: i32, said: &str) {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(said), "{said}: {text}");
}

/// What tells whether a file was written anew.
type Written = (u64, i64, i64, Vec<u8>);

/// Files in a directory of profiles, by their names.
fn files(directory: &Path) -> BTreeMap<String, Written> {
    let Ok(entries) = fs::read_dir(directory) else {
        return BTreeMap::new();
    };
    let file = |entry: fs::DirEntry| {
        let about = entry.metadata().unwrap();
        let name = entry.file_name().into_string().unwrap();
        let content = fs::read(entry.path()).unwrap();
        (
            name,
            (about.ino(), about.mtime(), about.mtime_nsec(), content),
        )
    };
    entries.map(|entry| file(entry.unwrap())).collect()
}

/// A directory with a hub's folder, in which the files of two builds are.
struct Fleet {
    directory: TempDir,
    recording: Recording,
}

impl Fleet {
    fn new() -> Self {
        let recording = Recording::new();
        let directory = tempdir().unwrap();
        put(
            directory.path(),
            [0, 1].map(|build| recording.image(build).binary),
        );
        fs::write(directory.path().join("pgo.key"), SECRET).unwrap();
        fs::write(directory.path().join("pgo.pub"), PUBLIC).unwrap();
        Self {
            directory,
            recording,
        }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn profiles(&self) -> PathBuf {
        self.path().join("profiles/zip")
    }

    fn hub(&self, settings: &str) -> Hub {
        Hub::start(self.path(), &format!("{ANY_PORT}{settings}"))
    }

    fn send(&self, hub: &Hub, sent: &[Sent]) {
        let batches = sent.iter().map(|sent| moved(self.recording.batch(sent)));
        batches.for_each(|batch| send(hub, &batch));
    }

    /// Runs `hone-hub pgo zip` for the text form.
    fn pgo(&self, hub: &Hub, words: &[&str]) -> Output {
        let usual = ["zip", "--write", "profiles", "--form", "autofdo-text"];
        pgo(self.path(), hub, &[&usual, words].concat())
    }
}

#[test]
fn a_profile_is_made_of_all_hosts_signed_and_written_once() {
    let fleet = Fleet::new();
    let hub = fleet.hub(FEW);
    let sent = fleet.recording.fleet(4);
    fleet.send(&hub, &sent);
    let words = ["--public-key", "pgo.pub", "--copy", "now.prof"];
    says(
        &fleet.pgo(&hub, &words),
        0,
        "zip autofdo-text: new, of build 0101",
    );

    // The library makes the same of what the hosts sent.
    let batches = fleet.recording.batches(&sent);
    let expected = recorded::made(&batches, 1_000, None, Form::AutofdoText, |id| {
        fleet.recording.image_of(id)
    });
    let written = files(&fleet.profiles());
    let manifest = Manifest::read(&written["autofdo-text.json"].3).unwrap();
    let profile = format!("autofdo-text-{}.prof", &manifest.sha256[..16]);
    assert!(written[&profile].3 == expected.profile, "another profile");
    assert!(fs::read(fleet.path().join("now.prof")).unwrap() == expected.profile);
    assert_eq!(manifest.functions, expected.manifest.functions);
    assert_eq!(manifest.quality.samples, expected.manifest.quality.samples);
    assert_eq!(manifest.quality.hosts, 4);
    assert_eq!(written.len(), 3, "{:?}", written.keys());

    // Whoever has OpenSSL alone can verify it.
    let signature = format!("profiles/zip/autofdo-text-{}.sig", &manifest.sha256[..16]);
    let words = [
        "pkeyutl", "-verify", "-pubin", "-inkey", "pgo.pub", "-rawin",
    ];
    let verified = Command::new("openssl")
        .args(words)
        .args([
            "-in",
            "profiles/zip/autofdo-text.json",
            "-sigfile",
            &signature,
        ])
        .current_dir(fleet.path())
        .output();
    match verified {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(_) => println!("skipped: openssl is not installed"),
    }

    // A little more of the same changes no byte, and no file is written.
    let more = Sent {
        age_s: 180,
        samples: (0..fleet.recording.samples(), 40),
        ..fleet.recording.sent("host-1")
    };
    fleet.send(&hub, &[more]);
    says(
        &fleet.pgo(&hub, &["--public-key", "pgo.pub"]),
        0,
        "unchanged",
    );
    assert!(files(&fleet.profiles()) == written, "a file was written");
    // What was published is there for those who only read.
    says(&fleet.pgo(&hub, &["--published"]), 0, "unchanged");
    assert_eq!(
        hub.get(TEXT).header("content-type"),
        Some("application/x-tar")
    );

    // A hub that started anew keeps it too, until its settings find it different.
    drop(hub);
    let strict = format!("{FEW}[pgo.services.zip.hysteresis]\noverlap_min = 1.0\n");
    let hub = fleet.hub(&strict);
    says(&fleet.pgo(&hub, &[]), 0, "it overlaps the former one by 9");
    let now = files(&fleet.profiles());
    assert_eq!(now.len(), 3, "the former profile is gone: {:?}", now.keys());
    assert!(!now.contains_key(&profile));
    assert!(fleet.profiles().join("autofdo-text.json").exists());
}

#[test]
fn a_key_that_comes_later_signs_what_is_there() {
    let fleet = Fleet::new();
    let hub = fleet.hub(&FEW.replace("key = 'pgo.key'\n", ""));
    fleet.send(&hub, &fleet.recording.fleet(2));
    says(&fleet.pgo(&hub, &[]), 0, "new");
    let before = files(&fleet.profiles());
    assert_eq!(before.len(), 2);
    let refused = fleet.pgo(&hub, &["--public-key", "pgo.pub"]);
    says(&refused, 1, "it has no signature");
    drop(hub);
    let hub = fleet.hub(FEW);
    says(&fleet.pgo(&hub, &["--public-key", "pgo.pub"]), 0, "new");
    let mut after = files(&fleet.profiles());
    after.retain(|name, _| !name.ends_with(".sig"));
    assert!(after == before, "the manifest and the profile stay");
}

#[test]
fn a_failed_gate_says_why_and_leaves_what_is_there() {
    let fleet = Fleet::new();
    let hub = fleet.hub(&FEW.replace("samples_min = 1000", "overlap_min = 1.0"));
    // Older than the second below, however fast all of it is.
    let sent = fleet.recording.fleet(2).into_iter();
    let sent: Vec<Sent> = sent.map(|sent| Sent { age_s: 180, ..sent }).collect();
    fleet.send(&hub, &sent);
    let few = fleet.pgo(&hub, &[]);
    says(&few, 1, "two halves of the hosts");
    says(
        &few,
        1,
        "100.0 % in common are needed.\nnext: Record far longer, on far more hosts, or more often.",
    );
    assert!(!fleet.path().join("profiles").exists());
    hub.get(TEXT)
        .refuses(404, "no profile autofdo-text of zip was published");
    let made = request(hub.address, "POST", TEXT, "", b"").unwrap();
    assert_eq!(made.status, 422);
    assert!(!Manifest::read(&made.body).unwrap().is_fit());
    drop(hub);

    let hub = fleet.hub(FEW);
    says(&fleet.pgo(&hub, &[]), 0, "new");
    let written = files(&fleet.profiles());
    // Another program's file, and a service that there is not.
    let other = fleet.recording.image(2).binary;
    fs::write(fleet.path().join("other"), other).unwrap();
    let refused = fleet.pgo(&hub, &["--binary", "other"]);
    says(&refused, 1, "other with build id 0303");
    says(&refused, 1, "was never recorded in service zip");
    let unknown = pgo(fleet.path(), &hub, &["zap", "--write", "profiles"]);
    says(&unknown, 1, "there is no service \"zap\"; there are: zip");
    drop(hub);

    let hub = fleet.hub(&format!("{FEW}age_max_s = 1\n"));
    let stale = fleet.pgo(&hub, &[]);
    says(&stale, 1, "The newest samples are 0.0 days old");
    assert!(files(&fleet.profiles()) == written, "what was there stays");
    says(&fleet.pgo(&hub, &["--published"]), 0, "unchanged");
}

#[test]
fn a_build_whose_file_is_missing_is_named() {
    let fleet = Fleet::new();
    let hub = fleet.hub(FEW);
    let sent = Sent {
        build: 2,
        ..fleet.recording.sent("host")
    };
    fleet.send(&hub, &[sent]);
    let refused = fleet.pgo(&hub, &[]);
    says(&refused, 1, "the binary of build 0303");
    says(&refused, 1, "upload the program of that build");
}

#[test]
fn a_named_build_has_a_profile_of_its_own() {
    let fleet = Fleet::new();
    let hub = fleet.hub(FEW);
    fleet.send(&hub, &fleet.recording.fleet(2));
    let newer = fleet.recording.image(1).binary;
    // Its name is that of the program in the recording.
    fs::create_dir(fleet.path().join("srv")).unwrap();
    let words = ["--binary", "srv/zip"];
    fs::write(fleet.path().join("srv/zip"), newer).unwrap();
    let made = fleet.pgo(&hub, &words);
    says(&made, 0, "of build 0202");
    hub.get(TEXT).refuses(404, "no profile");
    says(
        &fleet.pgo(&hub, &[&words[..], &["--published"]].concat()),
        0,
        "unchanged",
    );
}

#[test]
fn a_profile_that_is_not_what_the_hub_signed_is_refused() {
    let fleet = Fleet::new();
    let hub = fleet.hub(FEW);
    fleet.send(&hub, &fleet.recording.fleet(2));
    let words = ["--public-key", "other.pub"];
    let other = PUBLIC.replace("Gb9E", "Gb9F");
    fs::write(fleet.path().join("other.pub"), other).unwrap();
    let refused = fleet.pgo(&hub, &words);
    says(
        &refused,
        1,
        "the signature does not belong to this manifest and key",
    );
    assert!(!fleet.path().join("profiles").exists());

    // Neither is one that is older than what is there.
    says(&fleet.pgo(&hub, &[]), 0, "new");
    let place = fleet.profiles().join("autofdo-text.json");
    let mut manifest = Manifest::read(&fs::read(&place).unwrap()).unwrap();
    manifest.created_s += 1;
    fs::write(&place, manifest.write()).unwrap();
    says(
        &fleet.pgo(&hub, &[]),
        1,
        "it is older than the one of profiles/zip",
    );
    // Nor is a damaged one in the store published again.
    drop(hub);
    fs::remove_file(&place).unwrap();
    let stored = fleet
        .path()
        .join("hub-data/default/pgo/zip/autofdo-text.tar");
    let mut bytes = fs::read(&stored).unwrap();
    bytes[600] ^= 1;
    fs::write(&stored, bytes).unwrap();
    let hub = fleet.hub(FEW);
    says(
        &fleet.pgo(&hub, &["--published"]),
        1,
        "the profile has the sha256",
    );
    says(&fleet.pgo(&hub, &["--public-key", "pgo.pub"]), 0, "new");
    assert!(
        hub.said()
            .contains("is damaged, and a new one takes its place")
    );
}

#[test]
fn making_a_profile_is_a_scope_of_its_own() {
    let fleet = Fleet::new();
    let new = |scopes: &str| new_token(fleet.path(), &["--scopes", scopes]);
    let [sender, reader, maker] = ["ingest", "read", "pgo"].map(new);
    let stranger = new_token(fleet.path(), &["--scopes", "pgo", "--tenant", "other"]);
    let hub = fleet.hub(FEW);
    for sent in fleet.recording.fleet(2) {
        let bytes = wire::write(&moved(fleet.recording.batch(&sent)));
        let sent = request(hub.address, "POST", "/v1/batch", &with(&sender), &bytes);
        assert_eq!(sent.unwrap().status, 204);
    }
    let ask = |token: &str, method| request(hub.address, method, TEXT, &with(token), b"").unwrap();
    for token in [&sender, &reader] {
        ask(token, "POST").refuses(403, "the token has not the scope pgo");
    }
    ask(&stranger, "POST").refuses(404, "there is no service");
    ask(&sender, "GET").refuses(403, "the token has not the scope read");
    ask(&maker, "DELETE").refuses(405, "or POST to make one");
    ask(&reader, "GET").refuses(404, "no profile");
    fs::write(fleet.path().join("token"), format!("{maker}\n")).unwrap();
    says(&fleet.pgo(&hub, &[]), 2, "--token-file or HONE_HUB_TOKEN");
    says(&fleet.pgo(&hub, &["--token-file", "token"]), 0, "new");
    assert_eq!(ask(&reader, "GET").body, ask(&maker, "GET").body);
    ask(&stranger, "GET").refuses(404, "no profile");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let directory = tempdir().unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    hub.get("/v1/pgo/zip").refuses(400, "add form=NAME");
    hub.get("/v1/pgo/").refuses(400, "name a service");
    let words = ["zip", "--write", "p", "--form", "profdata"];
    says(
        &pgo(directory.path(), &hub, &words),
        2,
        "needs the IR of the sources",
    );
    let words = [
        "zip",
        "--write",
        "p",
        "--form",
        "go-pgo,gcc-gcov",
        "--copy",
        "x",
    ];
    says(
        &pgo(directory.path(), &hub, &words),
        2,
        "--copy is for one form",
    );
}
