//! A process that is killed while it writes its disk queue.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use hone_agent::compress::Compression;
use hone_agent::send::Parcel;
use hone_agent::send::queue::{DiskOptions, DiskQueue, Fsync, Queue};

const DIRECTORY: &str = "HONE_AGENT_TEST_QUEUE";

fn open(directory: &Path) -> Queue {
    let options = DiskOptions {
        directory: directory.to_owned(),
        bytes_max: 1 << 30,
        fsync: Fsync::Never,
    };
    Queue::Disk(DiskQueue::open(options).unwrap())
}

fn parcel(number: u64) -> Parcel {
    Parcel {
        body: Arc::from(vec![number as u8; 3000 + number as usize % 5000]),
        compression: Compression::Snappy,
        points: 1,
        samples: number,
        histograms: 0,
    }
}

/// Not a test by itself: the process that the next one kills.
#[test]
fn child_that_writes_until_it_is_killed() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let mut queue = open(&PathBuf::from(directory));
    for number in 1u64.. {
        queue.push(parcel(number));
        println!("\npushed {number}");
    }
}

#[test]
fn kill_9_loses_nothing_that_the_queue_took() {
    let directory = tempfile::tempdir().unwrap();
    let queue = directory.path().join("queue");
    for enough in [1, 40, 300] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "send::killed::child_that_writes_until_it_is_killed",
                "--exact",
                "--nocapture",
            ])
            .env(DIRECTORY, &queue)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut last = 0;
        let mut is_killed = false;
        for line in lines.map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("pushed ") {
                last = number.parse().unwrap_or(last);
            }
            if last >= enough && !is_killed {
                child.kill().unwrap();
                is_killed = true;
            }
        }
        child.wait().unwrap();
        assert!(is_killed);
        let mut queue = open(&queue);
        let mut found = 0;
        while let (Some(parcel), cost) = queue.take() {
            found += 1;
            assert_eq!(cost.damaged, 0);
            assert_eq!(parcel, self::parcel(found));
            queue.done();
        }
        // One more may have been written than was told.
        assert!(found == last || found == last + 1, "{found} of {last}");
    }
}
