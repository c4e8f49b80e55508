//! Files of viewers: what is refused, and damage.

use hone_profile::fuzz::read_viewers_files;
use hone_profile::viewer::{ViewerError, read_firefox, read_folded, read_speedscope};
use hone_profile::{Kind, Profile, kind_of};
use testkit::by_chance;

const SPEEDSCOPE: &str = r#"{"$schema": "https://www.speedscope.app/file-format-schema.json",
  "shared": {"frames": [{"name": "main"}, {"name": "f", "file": "/s/a.c", "line": 7}]},
  "profiles": [{"type": "sampled", "name": "server (7/9)", "unit": "milliseconds", "startValue": 0, "endValue": 3.5,
    "samples": [[0, 1], [0]], "weights": [2.5, 1]}]}"#;

const FIREFOX: &str = r#"{"meta": {"categories": [{"name": "User"}, {"name": "Kernel"}]}, "threads": [{"name": "server",
  "pid": "7", "tid": "9.1", "stringArray": ["main", "write"], "funcTable": {"name": [0, 1]},
  "frameTable": {"func": [0, 1], "category": [0, 1]}, "stackTable": {"prefix": [null, 0], "frame": [0, 1]},
  "samples": {"stack": [1, null, 0], "weight": [1, 1, 2], "threadCPUDelta": [2000, 5, 1000]}}]}"#;

const FOLDED: &str = "main;f<int, 2> 20\nmain 10\n";

/// Weights with their stacks, innermost function first.
fn told(profile: &Profile) -> Vec<(u64, String)> {
    let samples = profile.samples.iter().map(|sample| {
        let frames = profile.frames(sample.stack.expect("a stack"));
        let names: Vec<_> = frames.filter_map(|frame| profile.name(frame)).collect();
        (sample.weight, names.join(" < "))
    });
    samples.collect()
}

#[test]
fn each_form_has_its_stacks() {
    let is = |weight, stack: &str| (weight, stack.to_owned());
    let profile = read_speedscope(SPEEDSCOPE.as_bytes()).expect("stacks");
    assert_eq!(
        told(&profile),
        [is(2_500_000, "f < main"), is(1_000_000, "main")]
    );
    let thread = &profile.threads[0];
    assert_eq!((thread.pid, thread.tid, &*thread.name), (7, 9, "server"));

    let profile = read_firefox(FIREFOX.as_bytes()).expect("stacks");
    assert_eq!(
        told(&profile),
        [is(2_000_000, "write < main"), is(1_000_000, "main")]
    );
    assert_eq!(profile.samples[1].times, 2);
    let thread = &profile.threads[0];
    assert_eq!((thread.pid, thread.tid, &*thread.name), (7, 9, "server"));
    // Later versions have one table of texts.
    let shared = FIREFOX.replace(r#""stringArray": ["main", "write"], "#, "");
    let shared = shared.replacen('{', r#"{"shared": {"stringArray": ["main", "write"]}, "#, 1);
    let again = read_firefox(shared.as_bytes()).expect("stacks");
    assert_eq!(told(&again), told(&profile));

    let profile = read_folded(FOLDED.as_bytes()).expect("stacks");
    assert_eq!(told(&profile), [is(20, "f<int, 2> < main"), is(10, "main")]);
    assert_eq!(profile.samples[0].times, 2);
    for (text, kind) in [
        (SPEEDSCOPE, Kind::Speedscope),
        (FIREFOX, Kind::Firefox),
        (FOLDED, Kind::Folded),
    ] {
        assert_eq!(kind_of(text.as_bytes()), kind);
    }
}

#[test]
fn what_holds_no_sampled_stacks_is_refused() {
    let evented = r#"{"shared": {"frames": []}, "profiles": [{"type": "evented", "events": []}]}"#;
    assert_eq!(
        read_speedscope(evented.as_bytes()).err(),
        Some(ViewerError::NotSampled)
    );
    assert!(matches!(
        read_speedscope(b"{"),
        Err(ViewerError::Form { .. })
    ));
    assert!(matches!(read_firefox(b"{}"), Err(ViewerError::Form { .. })));
    assert_eq!(read_folded(b"main 0\n").err(), Some(ViewerError::NoStacks));
    // A stack of which the frames are missing, and one that leads in circles.
    let missing = SPEEDSCOPE.replace("[[0, 1], [0]]", "[[0, 5], [0]]");
    let profile = read_speedscope(missing.as_bytes()).expect("a stack");
    assert_eq!(
        (profile.samples.len(), profile.losses.malformed_records),
        (1, 1)
    );
    let circle = FIREFOX.replace("[null, 0]", "[1, 0]");
    assert!(read_firefox(circle.as_bytes()).is_ok());
}

#[test]
fn damaged_files() {
    for whole in [SPEEDSCOPE, FIREFOX, FOLDED] {
        by_chance(|u| {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..u.int_in_range(1..=4)? {
                let at = u.choose_index(bytes.len())?;
                bytes[at] = *u.choose(b"0123456789,[]{}\"; \n")?;
            }
            read_viewers_files(&bytes);
            Ok(())
        });
    }
}
