//! Profiles beside the metrics: what the agent sends to a hub, and that no failure of it touches the metrics.

use std::fs;
use std::net::UdpSocket;
use std::path::Path;

use testkit::until;
use testkit::{Receiver, Spinner};

use super::support::{get, post, scraped};
use crate::common::{Agent, figure};

fn config(profiles: &str) -> String {
    format!(
        "[aggregate]\ninterval_s = 1\n[labels]\nhost = \"box\"\n[http]\nlisten = \"127.0.0.1:0\"\nmetrics = \"all\"\n\
         [[listen]]\naddress = \"udp:127.0.0.1:0\"\n[profiles]\n{profiles}"
    )
}

fn profiles(hub: &str, folder: &Path) -> String {
    let folder = folder.display();
    format!("hub = \"{hub}\"\nround_s = 0.5\nhz = 99\ncpu_share = 1.0\nfolder = \"{folder}\"\n")
}

/// True if the kernel lets this user record everybody.
fn may_record(agent: &Agent) -> bool {
    let http = agent.http();
    let may = until("a round is over, or fails", || {
        let of = |name: &str| scraped(http, name).filter(|rounds| *rounds > 0.0);
        let failed = || of("hone_agent_profiles_rounds_failed_total").map(|_| false);
        of("hone_agent_profiles_rounds_total")
            .map(|_| true)
            .or_else(failed)
    });
    if !may {
        let (_, text) = get(http, "/metrics").unwrap();
        println!("skipped: this machine cannot be recorded here: {text}");
    }
    may
}

/// Sends a metric, and waits until it is told: the metrics work.
fn is_measured(agent: &Agent, metric: &str) {
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    let listens = agent.listens("udp:127.0.0.1:0");
    client
        .send_to(format!("{metric}:1|c").as_bytes(), listens)
        .unwrap();
    let http = agent.http();
    until(metric, || scraped(http, &format!("{metric} ")));
}

#[test]
#[ignore = "finds by samples"]
fn an_agent_sends_profiles_tells_what_they_cost_and_stops_at_a_reload() {
    let directory = tempfile::tempdir().unwrap();
    let _spinner = Spinner::start(directory.path(), "spinner");
    let receiver = Receiver::start(true);
    fs::write(directory.path().join("token"), "the-token\n").unwrap();
    let folder = directory.path().join("profiles");
    let token = "token_file = \"token\"\n";
    let with = config(&format!("{}{token}", profiles(&receiver.url(), &folder)));
    let agent = Agent::start(directory.path(), &with);
    if !may_record(&agent) {
        return;
    }
    let got = receiver.next();
    assert!(
        got.head.contains("authorization: bearer the-token"),
        "{}",
        got.head
    );
    assert!(got.batch.starts_with(b"HONB"));
    let http = agent.http();
    until("what was sent is counted", || {
        let sent = scraped(http, "hone_agent_profiles_batches_sent_total ")?;
        (sent > 0.0).then_some(())
    });
    assert!(scraped(http, "hone_agent_profiles_samples_total ").unwrap() > 0.0);
    assert!(scraped(http, "hone_agent_profiles_cpu_seconds_total ").unwrap() > 0.0);
    assert_eq!(
        scraped(http, "hone_agent_profiles_frequency_hertz "),
        Some(99.0)
    );
    is_measured(&agent, "hits");

    fs::write(directory.path().join("agent.toml"), config("")).unwrap();
    let (status, said) = post(http, "/-/reload");
    assert_eq!(status, 200, "{said}");
    assert!(said.contains("profiles"), "{said}");
    // The round under way is still sent; then nothing holds the folder.
    until("the collector has left its folder", || {
        let lock = fs::File::open(folder.join("lock")).unwrap();
        lock.try_lock().ok()
    });
    is_measured(&agent, "more");
    let said = agent.end();
    assert!(
        figure(&said, "hone.agent.profiles.batches.sent ") > 0.0,
        "{said}"
    );
}

#[test]
fn a_collector_that_fails_ends_nothing_and_goes_on_when_it_can() {
    let directory = tempfile::tempdir().unwrap();
    let receiver = Receiver::start(true);
    // There is a file where the folder should be.
    let folder = directory.path().join("profiles");
    fs::write(&folder, "in the way").unwrap();
    let agent = Agent::start(
        directory.path(),
        &config(&profiles(&receiver.url(), &folder)),
    );
    let http = agent.http();
    until("the failure is counted", || {
        let failed = scraped(http, "hone_agent_profiles_rounds_failed_total ")?;
        (failed > 0.0).then_some(())
    });
    is_measured(&agent, "hits");
    fs::remove_file(&folder).unwrap();
    until("the folder is used once it can be", || {
        folder.join("lock").exists().then_some(())
    });
    assert_eq!(get(http, "/healthz").unwrap().0, 200);
    agent.end();
}

#[test]
#[ignore = "finds by samples"]
fn what_the_hub_does_not_take_waits_on_disk_beyond_the_end_of_the_agent() {
    let directory = tempfile::tempdir().unwrap();
    let closed = Receiver::start(false);
    let folder = directory.path().join("profiles");
    let agent = Agent::start(directory.path(), &config(&profiles(&closed.url(), &folder)));
    if !may_record(&agent) {
        return;
    }
    let http = agent.http();
    until("batches wait", || {
        let waiting = scraped(http, "hone_agent_profiles_batches_waiting ")?;
        (waiting > 1.0).then_some(())
    });
    agent.end();
    let waiting = fs::read_dir(folder.join("queue")).unwrap().count();
    assert!(waiting > 1);
    let receiver = Receiver::start(true);
    let agent = Agent::start(
        directory.path(),
        &config(&profiles(&receiver.url(), &folder)),
    );
    for _ in 0..waiting {
        receiver.next();
    }
    agent.end();
}
