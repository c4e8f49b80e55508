//! The same from a real hub: `hone-hub` beside `hone`.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use hone_batch::{BUCKET_S, Batch, NameIndex, Place, wire};
use serde_json::Value;
use testkit::{ANY_PORT, Hub};

use super::{Recorded, lines};
use crate::common::{stderr, stdout};

/// Returns a batch as if it had been recorded some minutes ago.
fn moved(mut batch: Batch) -> Batch {
    let now_s = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let (from, to) = (batch.span_s.start / BUCKET_S, (now_s - 600) / BUCKET_S);
    let at = |time_s: u64| time_s + to * BUCKET_S - from * BUCKET_S;
    batch.span_s = at(batch.span_s.start)..at(batch.span_s.end);
    for row in &mut batch.samples {
        row.bucket = row.bucket + to - from;
    }
    batch
}

#[test]
fn a_real_hub_gives_what_the_recording_gives() {
    let recorded = Recorded::new();
    let Some(hub) = Hub::start_if_built(recorded.path(), ANY_PORT) else {
        return;
    };
    hub.send(&wire::write(&moved(recorded.batch.clone())));
    hub.send(&wire::write(&moved(recorded.other_build())));
    let address = format!("http://{}", hub.address);
    let files = recorded.files.iter();
    let files = files.map(|file| format!(" --binary {}", file.display()));
    let files: String = files.collect();
    let of_build = format!("hub:shop@{}", &recorded.build[..12]);
    for view in [
        "top INPUT -n 0",
        "callees main INPUT",
        "view INPUT --to folded -o -",
    ] {
        let of = |input: &str| {
            let words = view.replace("INPUT", input) + &files;
            lines(&recorded.said(&words, &address, 0), input)
        };
        let theirs = of("p.data");
        assert!(theirs.len() > 1, "{theirs:?}");
        assert_eq!(of(&of_build), theirs, "{view}");
    }
    for to in ["autofdo-extbinary", "bolt-fdata"] {
        let of = |input: &str| {
            let words = format!("convert {input} --binary p --to {to} -o out");
            recorded.said(&words, &address, 0);
            fs::read(recorded.path().join("out")).unwrap()
        };
        let theirs = of("p.data");
        assert!(of(&of_build) == theirs, "{to}");
        // Of both builds the one whose binary is named.
        assert!(of("hub:shop,-1h..") == theirs, "{to}");
    }
    let unknown = recorded.said("top hub:shoe", &address, 2);
    let said = stderr(&unknown);
    assert!(
        said.contains("there is no service \"shoe\"; there are: shop"),
        "{said}"
    );
}

/// The findings of a hub and of `hone diagnose` are the same, with cores.
#[test]
#[ignore = "further end to end"]
fn diagnose_finds_what_a_real_hub_finds() {
    let recorded = Recorded::new();
    let Some(hub) = Hub::start_if_built(recorded.path(), ANY_PORT) else {
        return;
    };
    let mut batch = moved(recorded.batch.clone());
    let name = NameIndex(batch.names.len() as u32);
    batch.names.push("malloc".into());
    for place in &mut batch.places {
        let (Place::Code { binary, .. } | Place::Named { binary, .. }) = *place;
        *place = Place::Named { binary, name };
    }
    for row in &mut batch.samples {
        row.times *= 1000;
    }
    batch.branches.clear();
    batch.ranges.clear();
    hub.send(&wire::write(&batch));
    let address = format!("http://{}", hub.address);
    let (from, to) = (batch.span_s.start - 60, batch.span_s.end + 60);
    let words = format!("diagnose hub:shop,{from}..{to}");
    let json = recorded.said(&format!("{words} --json"), &address, 0);
    let ours: Value = serde_json::from_slice(&json.stdout).unwrap();
    let theirs = hub.get(&format!("/v1/findings?service=shop&from={from}&to={to}"));
    assert_eq!(ours, serde_json::from_slice::<Value>(&theirs.body).unwrap());
    assert_eq!(ours["findings"][0]["rule"], "allocator");
    let said = stdout(&recorded.said(&words, &address, 0));
    let cores = said.lines().find(|line| line.starts_with("   cores"));
    assert!(cores.is_some_and(|line| line.contains(" ± ")), "{said}");
    assert!(
        said.contains("\nNot looked at:\n   debug-build, "),
        "{said}"
    );
}
