//! A host that is collected, from its samples to the answer of a hub.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hone_batch::{Limits, wire};
use hone_collect::{Event, Figures, Options, RecordError, Token, collect};
use tempfile::tempdir;
use testkit::Spinner;

use crate::common::{ANY_PORT, Hub, PATIENCE, request, run};

#[test]
#[ignore = "finds by samples"]
fn a_collected_service_is_what_the_hub_answers_with() {
    let directory = tempdir().unwrap();
    let new = |scope: &str| {
        let output = run(directory.path(), &["token", "new", "--scopes", scope]);
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (sender, reader) = (new("ingest"), new("read"));
    let token = directory.path().join("token");
    fs::write(&token, "not-the-token\n").unwrap();
    let hub = Hub::start(directory.path(), ANY_PORT);
    let _spinner = Spinner::start(directory.path(), "collected");
    let options = Options {
        token: Some(Token::File(token.clone())),
        round: Duration::from_millis(500),
        frequency_hz: 99,
        cpu_share_max: 1.0,
        run: 1,
        ..Options::new(
            format!("http://{}", hub.address),
            "box",
            directory.path().join("collector"),
        )
    };
    let head = format!("Authorization: Bearer {reader}\r\n");
    let path = "/v1/query?service=collected&host=box";
    let (stop, figures) = (AtomicBool::new(false), Mutex::new(Figures::default()));
    let tell = |event: Event| {
        figures.lock().unwrap().note(&event);
        // A token that the hub does not know is put right while the collector runs.
        if let Event::Waiting(why) = event
            && why.contains("401")
        {
            fs::write(&token, format!("{sender}\n")).unwrap();
        }
    };
    let answer = thread::scope(|scope| {
        let collecting = scope.spawn(|| collect(&options, &stop, &tell));
        let end = std::time::Instant::now() + PATIENCE;
        let answer = loop {
            let answer = request(hub.address, "GET", path, &head, b"").unwrap();
            let is_over = answer.status == 200 || collecting.is_finished();
            if is_over || std::time::Instant::now() > end {
                break answer;
            }
            thread::sleep(Duration::from_millis(100));
        };
        stop.store(true, Ordering::Relaxed);
        match collecting.join().unwrap() {
            Ok(()) => Some(answer),
            Err(error) => match error.downcast::<RecordError>().unwrap() {
                error @ RecordError::SystemRefused { .. } => {
                    println!("skipped: {error}");
                    None
                }
                error => panic!("{error}"),
            },
        }
    });
    let Some(answer) = answer else {
        return;
    };
    assert_eq!(answer.status, 200, "{}", answer.text());
    let batch = wire::read(&answer.body, &Limits::default()).unwrap();
    let of = |group: &hone_batch::Group| (group.host == "box", group.service == "collected");
    assert!(batch.groups.iter().all(|group| of(group) == (true, true)));
    let binaries: Vec<&str> = batch.binaries.iter().map(|one| one.path.as_str()).collect();
    assert!(binaries.contains(&"collected"), "{binaries:?}");
    assert!(figures.lock().unwrap().batches_sent > 0);
}
