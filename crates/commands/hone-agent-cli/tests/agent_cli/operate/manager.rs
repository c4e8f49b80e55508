//! The service manager: what it is told, and the units that are packaged for it.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use testkit::PATIENCE;

use crate::common::Agent;

const CONFIG: &str = "[aggregate]\ninterval_s = 1\n[http]\nlisten = \"off\"\n\
     [[listen]]\naddress = \"unixgram:agent.sock\"\n";

/// The next thing that the manager is told, but for that the agent is alive.
fn told(manager: &UnixDatagram) -> String {
    let mut room = [0; 1024];
    loop {
        let bytes = manager.recv(&mut room).expect("the agent tells something");
        let text = String::from_utf8_lossy(&room[..bytes]).into_owned();
        if text != "WATCHDOG=1" {
            return text;
        }
    }
}

#[test]
fn the_service_manager_is_told_what_the_agent_does() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notify.sock");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(PATIENCE)).unwrap();
    let environment = [
        ("NOTIFY_SOCKET", path.to_str().unwrap()),
        ("WATCHDOG_USEC", "300000"),
    ];
    let mut command = Agent::program();
    command.envs(environment);
    let agent = Agent::start_as(command, directory.path(), CONFIG);
    assert_eq!(told(&manager), "READY=1");
    assert!(directory.path().join("agent.sock").exists());
    let mut room = [0; 1024];
    for _ in 0..3 {
        let bytes = manager.recv(&mut room).unwrap();
        assert_eq!(&room[..bytes], b"WATCHDOG=1");
    }
    agent.signal(Signal::HUP);
    let reloading = told(&manager);
    let since = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=");
    assert!(
        since.is_some_and(|us| us.parse::<u64>().is_ok()),
        "{reloading}"
    );
    assert_eq!(told(&manager), "READY=1");
    agent.signal(Signal::TERM);
    assert_eq!(told(&manager), "STOPPING=1");
}

/// What systemd says to the units as they are packaged, but for where the program lies.
#[test]
fn systemd_takes_the_units() {
    let directory = tempfile::tempdir().unwrap();
    units_are_taken(directory.path(), Some("20"));
}

/// With the privileges that profiles need.
#[test]
fn systemd_takes_the_units_of_an_agent_with_profiles() {
    let directory = tempfile::tempdir().unwrap();
    let more = directory.path().join("hone-agent.service.d");
    std::fs::create_dir(&more).unwrap();
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../packaging/systemd");
    let conf = "hone-agent-profiles.conf";
    std::fs::copy(packaging.join(conf), more.join(conf)).unwrap();
    units_are_taken(directory.path(), None);
}

fn units_are_taken(directory: &Path, exposure_max: Option<&str>) {
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../packaging/systemd");
    for unit in ["hone-agent.service", "hone-agent.socket"] {
        let text = std::fs::read_to_string(packaging.join(unit)).unwrap();
        let here = text.replace("/usr/bin/hone-agent", env!("CARGO_BIN_EXE_hone-agent"));
        std::fs::write(directory.join(unit), here).unwrap();
    }
    let service = directory.join("hone-agent.service");
    let socket = directory.join("hone-agent.socket");
    let analyze = |arguments: &[&str]| {
        let mut analyze = Command::new("systemd-analyze");
        analyze.args(arguments).output()
    };
    let verify = [
        "verify",
        "--man=no",
        service.to_str().unwrap(),
        socket.to_str().unwrap(),
    ];
    let Ok(verified) = analyze(&verify) else {
        println!("skipped: systemd-analyze is not installed (Debian: systemd)");
        return;
    };
    let said = String::from_utf8_lossy(&verified.stderr).into_owned();
    // What it says of other units of this machine is not ours.
    let ours: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("hone-agent"))
        .collect();
    assert!(ours.is_empty(), "{said}");
    let Some(exposure_max) = exposure_max else {
        return;
    };
    let threshold = format!("--threshold={exposure_max}");
    let offline = [
        "security",
        "--offline=yes",
        threshold.as_str(),
        service.to_str().unwrap(),
    ];
    let secured = analyze(&offline).unwrap();
    let said = String::from_utf8_lossy(&secured.stdout).into_owned()
        + &String::from_utf8_lossy(&secured.stderr);
    match said.contains("Overall exposure level") {
        true => assert!(secured.status.success(), "{said}"),
        false => println!("skipped: systemd-analyze cannot judge units here: {said}"),
    }
}
