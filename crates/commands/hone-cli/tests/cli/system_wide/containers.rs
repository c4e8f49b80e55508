//! `hone record --to-hub` beside a real container: the service is the one that its labels name.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use hone_batch::{Group, Limits, wire};
use testkit::Receiver;

use crate::common::{has_tools, run_in};
use crate::system_wide::may_record_all;
use crate::system_wide::to_hub::start;

/// Where the runtime keeps what it knows of its containers.
const STATE: &str = "/run/containerd";
/// Batches within which the container must have been seen.
const BATCHES_MAX: usize = 60;

/// A containerd of this test's own, which ends with this value.
struct Runtime(Child);

impl Runtime {
    fn start(directory: &Path) -> Self {
        let state = ["--state", STATE, "--address", &socket(directory)].map(str::to_owned);
        let root = directory.join("root");
        let child = Command::new("containerd")
            .args(state)
            .args(["--root", root.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let runtime = Self(child.unwrap());
        testkit::until_true("the runtime answers", || {
            ctr(directory, &["version"]).is_ok()
        });
        runtime
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        let _ = fs::remove_dir_all(STATE);
    }
}

/// A container that runs, killed and removed with this value.
struct Container<'d> {
    directory: &'d Path,
    id: String,
}

impl Drop for Container<'_> {
    fn drop(&mut self) {
        let _ = ctr(self.directory, &["tasks", "kill", "-s", "KILL", &self.id]);
        let _ = ctr(self.directory, &["tasks", "delete", "-f", &self.id]);
        let _ = ctr(self.directory, &["containers", "delete", &self.id]);
    }
}

fn socket(directory: &Path) -> String {
    directory.join("containerd.sock").display().to_string()
}

/// Runs containerd's own client; the error is what it said.
fn ctr(directory: &Path, words: &[&str]) -> Result<(), String> {
    let output = Command::new("ctr")
        .args(["--address", &socket(directory), "--namespace", "k8s.io"])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Runs a program that never rests in a container of a pod; the error says why this machine cannot.
fn run<'d>(directory: &'d Path, id: &str) -> Result<Container<'d>, String> {
    let files = directory.join("files");
    for below in ["bin", "proc", "dev", "sys"] {
        fs::create_dir_all(files.join(below)).unwrap();
    }
    fs::write(directory.join("p.c"), "int main(void) { for (;;) ; }\n").unwrap();
    run_in(
        directory,
        "cc",
        &["-static", "p.c", "-o", "files/bin/server"],
    );
    let container = Container {
        directory,
        id: id.to_owned(),
    };
    let annotation = "io.kubernetes.cri.sandbox-name=checkout-7d9f8b6c5-x2x4z";
    let files = files.to_str().unwrap();
    let words = ["run", "--detach", "--annotation", annotation, "--rootfs"];
    ctr(
        directory,
        &[&words[..], &[files, id, "/bin/server"]].concat(),
    )?;
    Ok(container)
}

#[test]
#[ignore = "further end to end"]
fn a_container_counts_for_the_workload_of_its_pod() {
    let tools = ["containerd", "ctr", "runc", "cc"];
    if !has_tools(&tools) || !may_record_all() {
        return;
    }
    if !nix::unistd::Uid::effective().is_root() {
        println!("skipped: root alone can run containers");
        return;
    }
    if Path::new(STATE).exists() {
        println!(
            "skipped: {STATE} is there, so that a containerd runs here that is not this test's"
        );
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let id = format!("{:064x}", u128::from(std::process::id()) << 64 | 0xab);
    let _runtime = Runtime::start(directory.path());
    let _container = match run(directory.path(), &id) {
        Ok(container) => container,
        Err(why) => {
            println!("skipped: this machine runs no containers: {why}");
            return;
        }
    };
    let receiver = Receiver::start(true);
    let mut recording = start(directory.path(), &receiver.url());
    let is_checkout = |group: &Group| group.service == "checkout" && group.container == id;
    let is_there = (0..BATCHES_MAX).any(|_| {
        let batch = wire::read(&receiver.next().batch, &Limits::default()).unwrap();
        let mut rows = batch.samples.iter();
        rows.any(|row| is_checkout(&batch.groups[row.group.index()]))
    });
    fs::write(directory.path().join("over"), "").unwrap();
    recording.wait().unwrap();
    assert!(is_there, "not in {BATCHES_MAX} batches");
}
