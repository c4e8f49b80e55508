//! Back ends that are away, slow, refuse, or cut connections; and queues that are full.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use testkit::until_true;

use super::agent::{Client, figure, start, start_as};
use super::back_end::{BackEnd, Mood};

/// How long a back end fails: ten minutes as in the field where `HONE_LONG` is set.
fn trouble() -> Duration {
    let is_long = std::env::var_os("HONE_LONG").is_some();
    Duration::from_secs(if is_long { 600 } else { 6 })
}

/// Sends all the time; how much it was.
fn count_for(directory: &Path, time: Duration) -> u64 {
    let client = Client::of(directory);
    let start = Instant::now();
    let mut sent = 0;
    while start.elapsed() < time {
        client.send("hits:1|c\nhits:2|c\nlevel:7|g");
        sent += 3;
        thread::sleep(Duration::from_millis(2));
    }
    sent
}

fn survives(mood: Mood, queue: &str) {
    let directory = tempfile::tempdir().unwrap();
    let (troubled, well) = (BackEnd::start(Mood::Well), BackEnd::start(Mood::Well));
    let config = troubled.config() + queue + &well.config();
    let agent = start(directory.path(), &config);
    let mut sent = count_for(directory.path(), Duration::from_secs(2));
    until_true("the first interval arrives", || troubled.last("hits") > 0.0);
    troubled.becomes(mood);
    sent += count_for(directory.path(), trouble());
    troubled.becomes(Mood::Well);
    sent += count_for(directory.path(), Duration::from_secs(1));
    until_true("all has arrived", || troubled.last("hits") == sent as f64);
    let account = agent.end();
    assert_eq!(well.last("hits"), sent as f64);
    assert!(troubled.taken() == well.taken(), "{mood:?}: {account}");
    assert_eq!(
        points(&account, "lost", &troubled),
        0,
        "{mood:?}: {account}"
    );
}

/// Points of one fate at a back end, by the account.
fn points(account: &str, fate: &str, back_end: &BackEnd) -> u64 {
    let address = back_end.url();
    figure(
        account,
        &format!("hone.agent.points.{fate} endpoint={address}"),
    )
}

#[test]
#[ignore = "waits on a clock"]
fn whatever_a_back_end_does_no_accepted_sample_is_lost() {
    let moods = [
        Mood::Away,
        Mood::Slow,
        Mood::Refuses(429),
        Mood::Refuses(500),
        Mood::Cuts,
        Mood::CutsAfterTaking,
    ];
    thread::scope(|scope| {
        for mood in moods {
            scope.spawn(move || survives(mood, ""));
        }
        scope.spawn(|| survives(Mood::Away, "queue_directory = \"queue\"\n"));
    });
}

/// Bytes of a directory's files.
fn size(directory: &Path) -> u64 {
    let files = fs::read_dir(directory).unwrap().flatten();
    files
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum()
}

/// Sends so many series that an interval takes some tens of kilobytes.
fn send_many(directory: &Path) {
    let client = Client::of(directory);
    for number in 0..2000 {
        client.send(format!("many:1|c|#number:{number},of:{number}{number}"));
    }
}

#[test]
#[ignore = "waits on a clock"]
fn a_full_disk_queue_drops_the_oldest_and_the_agent_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let back_end = BackEnd::start(Mood::Away);
    let queue = "queue_bytes = 100_000\nqueue_directory = \"queue\"\n";
    let agent = start(directory.path(), &(back_end.config() + queue));
    for _ in 0..8 {
        send_many(directory.path());
        count_for(directory.path(), Duration::from_secs(1));
        assert!(size(&directory.path().join("queue")) <= 100_000);
    }
    back_end.becomes(Mood::Well);
    Client::of(directory.path()).send("last:1|c");
    until_true("the newest arrives", || back_end.last("last") == 1.0);
    let newest = "many{number=7,of=77}";
    until_true("the newest of many arrives", || {
        back_end.last(newest) == 8.0
    });
    let account = agent.end();
    let of = |fate: &str| points(&account, fate, &back_end);
    assert!(of("lost") > 2000, "{account}");
    assert_eq!(of("accepted"), of("delivered") + of("lost"), "{account}");
    let values = figure(&account, "hone.agent.values");
    assert_eq!(figure(&account, "hone.agent.values.stored"), values);
}

/// The agent in a mount namespace of its own, where the queue's directory is a very small file system, in which this is
/// done first.
fn with_a_small_disk(directory: &Path, first: &str) -> Option<Command> {
    let queue = directory.join("queue");
    fs::create_dir(&queue).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k none {0} && (cd {0}; {first}) && exec \"$@\"",
        queue.display()
    );
    let command = |program: &str| {
        let mut command = Command::new("unshare");
        command.args([
            "--mount",
            "--map-root-user",
            "sh",
            "-c",
            &script,
            "sh",
            program,
        ]);
        command
    };
    if !command("true")
        .status()
        .is_ok_and(|status| status.success())
    {
        println!("skipped: no mount namespace can be made here");
        return None;
    }
    Some(command(env!("CARGO_BIN_EXE_hone-agent")))
}

/// By this account, the disk did not take some points, and none was lost.
fn waited_in_memory_and_came(account: &str, back_end: &BackEnd) {
    let of = |fate: &str| points(account, fate, back_end);
    assert!(of("unwritten") > 0, "{account}");
    assert_eq!(
        (of("lost"), of("accepted")),
        (0, of("delivered")),
        "{account}"
    );
}

#[test]
#[ignore = "waits on a clock"]
fn an_outage_on_a_disk_that_gets_full_is_bridged_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let Some(command) = with_a_small_disk(directory.path(), ":") else {
        return;
    };
    let back_end = BackEnd::start(Mood::Away);
    let config = back_end.config() + "queue_directory = \"queue\"\n";
    let agent = start_as(command, directory.path(), &config);
    for _ in 0..6 {
        send_many(directory.path());
        count_for(directory.path(), Duration::from_secs(1));
    }
    agent.hears("No space left on device");
    back_end.becomes(Mood::Well);
    Client::of(directory.path()).send("last:1|c");
    until_true("the newest arrives", || back_end.last("last") == 1.0);
    assert_eq!(back_end.last("many{number=7,of=77}"), 6.0);
    waited_in_memory_and_came(&agent.end(), &back_end);
}

/// The disk is somebody else's too, who fills it.
#[test]
fn a_full_disk_loses_nothing_that_a_back_end_takes_and_is_used_again_when_there_is_room() {
    let directory = tempfile::tempdir().unwrap();
    // It is to fail: then there is no room left.
    let fill = "head -c 1000000 /dev/zero > filler 2> /dev/null; true";
    let Some(command) = with_a_small_disk(directory.path(), fill) else {
        return;
    };
    let back_end = BackEnd::start(Mood::Well);
    let config = back_end.config() + "queue_directory = \"queue\"\n";
    let agent = start_as(command, directory.path(), &config);
    let client = Client::of(directory.path());
    client.send("hits:1|c");
    // While it runs, and not only at its end.
    let said = agent.hears("cannot be written: ");
    assert!(
        said.starts_with("No space left on device") && said.contains("make room"),
        "{said}"
    );
    until_true("it arrives all the same", || back_end.last("hits") == 1.0);
    let queue = directory.path().canonicalize().unwrap().join("queue");
    let filler = format!("/proc/{}/root{}/filler", agent.pid(), queue.display());
    fs::remove_file(filler).unwrap();
    client.send("hits:1|c");
    agent.hears("is written to its queue on disk again");
    until_true("the next arrives", || back_end.last("hits") == 2.0);
    waited_in_memory_and_came(&agent.end(), &back_end);
}
