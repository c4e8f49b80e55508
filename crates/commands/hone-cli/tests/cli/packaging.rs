//! What `make install` and `make package` put where, with commands that stand for built ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::has_tools;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// A directory with `hone`, and a `hone-agent`, `hone-hub` and `hone-mesh` that hand out the same; `hone-call` stands for the commands in Go.
fn binaries(directory: &Path) -> PathBuf {
    let binaries = directory.join("binaries");
    fs::create_dir(&binaries).unwrap();
    for name in ["hone", "hone-agent", "hone-hub", "hone-mesh", "hone-call"] {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_hone"));
        fs::write(binaries.join(name), script).unwrap();
        fs::set_permissions(binaries.join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    binaries
}

#[track_caller]
fn run(words: &[&str]) -> String {
    let output = Command::new(words[0])
        .args(&words[1..])
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_installation_has_commands_pages_completions_and_units() {
    let directory = tempfile::tempdir().unwrap();
    let built = binaries(directory.path());
    let to = directory.path().join("root");
    let install = [
        "packaging/install",
        built.to_str().unwrap(),
        to.to_str().unwrap(),
        "/usr/local",
    ];
    let said = run(&install);
    assert!(said.contains("hone-thrift is not in"), "{said}");
    for file in [
        "usr/local/bin/hone",
        "usr/local/bin/hone-call",
        "usr/local/share/man/man1/hone.1",
        "usr/local/share/man/man1/hone-record.1",
        "usr/local/share/bash-completion/completions/hone",
        "usr/local/share/zsh/site-functions/_hone",
        "usr/local/share/fish/vendor_completions.d/hone.fish",
        "etc/hone-agent/agent.toml",
        "etc/systemd/system/hone-agent.socket",
        "etc/hone-hub/hone-hub.toml",
        "etc/systemd/system/hone-hub.service",
        "usr/local/share/man/man1/hone-mesh.1",
        "etc/hone-mesh/mesh.yaml",
        "etc/systemd/system/hone-mesh.service",
    ] {
        assert!(to.join(file).is_file(), "{file}");
    }
    let unit = fs::read_to_string(to.join("etc/systemd/system/hone-agent.service")).unwrap();
    assert!(
        unit.contains("ExecStart=/usr/local/bin/hone-agent run"),
        "{unit}"
    );
    // Another installation leaves the configuration as its user made it.
    fs::write(to.join("etc/hone-agent/agent.toml"), "mine").unwrap();
    run(&install);
    assert_eq!(
        fs::read_to_string(to.join("etc/hone-agent/agent.toml")).unwrap(),
        "mine"
    );
}

/// The units of the hub and the proxy; those of the agent are tested with the agent.
#[test]
fn systemd_takes_the_units() {
    if !has_tools(&["systemd-analyze"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let built = binaries(directory.path());
    let to = directory.path().join("root");
    run(&[
        "packaging/install",
        built.to_str().unwrap(),
        to.to_str().unwrap(),
        "/usr",
    ]);
    for name in ["hone-hub.service", "hone-mesh.service"] {
        let unit = to.join("usr/lib/systemd/system").join(name);
        let text = fs::read_to_string(&unit).unwrap();
        let bin = format!("={}/usr/bin/", to.display());
        fs::write(&unit, text.replace("=/usr/bin/", &bin)).unwrap();
        let verify = ["verify", "--man=no", unit.to_str().unwrap()];
        let output = Command::new("systemd-analyze").args(verify).output();
        let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
        // What it says of other units of this machine is not ours.
        assert!(!said.contains(name), "{said}");
    }
}

#[test]
fn packages_hold_what_an_installation_has() {
    if !has_tools(&["dpkg-deb"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let built = binaries(directory.path());
    let to = directory.path().join("package");
    let made = run(&[
        "packaging/package",
        to.to_str().unwrap(),
        built.to_str().unwrap(),
    ]);
    let version = env!("CARGO_PKG_VERSION");
    let package = |name: &str| {
        to.join(format!("{name}_{version}_amd64.deb"))
            .display()
            .to_string()
    };
    let tarball = to.join(format!("hone-{version}-x86_64-linux.tar.gz"));
    assert!(tarball.is_file() && made.contains("hone-agent_"), "{made}");
    let info = run(&["dpkg-deb", "--info", &package("hone")]);
    assert!(
        info.contains(&format!("Version: {version}")) && info.contains("Architecture: amd64"),
        "{info}"
    );
    let files = run(&["dpkg-deb", "--contents", &package("hone")]);
    for file in [
        "./usr/bin/hone\n",
        "./usr/bin/hone-call\n",
        "./usr/share/man/man1/hone-top.1.gz\n",
        "./usr/share/doc/hone/copyright\n",
    ] {
        assert!(files.contains(file), "{file} is not in {files}");
    }
    assert!(
        files.lines().all(|line| line.contains(" root/root ")),
        "{files}"
    );
    let agent = run(&["dpkg-deb", "--info", &package("hone-agent"), "conffiles"]);
    assert_eq!(agent, "/etc/hone-agent/agent.toml\n");
    let files = run(&["dpkg-deb", "--contents", &package("hone-agent")]);
    assert!(
        files.contains("./usr/lib/systemd/system/hone-agent.service"),
        "{files}"
    );
    let hub = run(&["dpkg-deb", "--info", &package("hone-hub"), "conffiles"]);
    assert_eq!(hub, "/etc/hone-hub/hone-hub.toml\n");
    let mesh = run(&["dpkg-deb", "--info", &package("hone-mesh"), "conffiles"]);
    assert_eq!(mesh, "/etc/hone-mesh/mesh.yaml\n");
    // The same source and binaries give the same bytes.
    let before = fs::read(package("hone")).unwrap();
    run(&[
        "packaging/package",
        to.to_str().unwrap(),
        built.to_str().unwrap(),
    ]);
    assert!(
        fs::read(package("hone")).unwrap() == before,
        "another package of the same"
    );
}
