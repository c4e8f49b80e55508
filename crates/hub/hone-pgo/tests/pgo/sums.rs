//! What hosts sent, added up with weights.

use std::collections::{BTreeMap, BTreeSet};

use hone_batch::{Batch, Frame, FrameIndex, Group, Merging, PlaceIndex, Samples};
use hone_fdo::{Evidence, autofdo_text, convert, extbinary};
use hone_pgo::{Basis, Form, GateName, HalvesOf, Question, Strata, capped_hosts, hosts_of_few};

use crate::common::{Asked, DAY_S, NOW_S, Recording, Sent, overlap, question, settings};

#[test]
fn many_hosts_make_the_profile_of_one_recording() {
    let recording = Recording::new();
    let whole = recording.profile.clone().into();
    let path = Some(recording.path.as_str());
    let alone = convert(&[whole], Evidence::Branches, path, recording.image(0));
    let alone = alone.expect("a profile");
    let batches = recording.batches(&recording.fleet(20));
    let text = recording.text(&batches);
    assert!(text.manifest.is_fit(), "{:?}", text.manifest.gates);
    let expected = autofdo_text::write(&alone.attribution.samples);
    assert_eq!(String::from_utf8_lossy(&text.profile), expected);
    let settings = settings();
    let binary = Question {
        form: Form::AutofdoExtbinary,
        ..question(&batches, &settings)
    };
    let binary = recording.ask(&binary).expect("a profile");
    let expected = extbinary::write(&alone.attribution.samples, Some(&alone.symbols));
    assert!(binary.profile == expected, "other bytes");
    let quality = &binary.manifest.quality;
    assert_eq!(
        (quality.hosts, quality.hosts_capped, quality.builds),
        (20, 0, 1)
    );
    assert_eq!(quality.samples, recording.samples() as u64);
    assert_eq!((quality.match_share, quality.basis), (1.0, Basis::Branches));
    assert!(quality.hot_covered > 0.9, "{quality:?}");
}

#[test]
fn the_order_of_the_batches_does_not_matter_for_any_form() {
    let recording = Recording::new();
    let mut sent = recording.fleet(7);
    for (number, sent) in sent.iter_mut().enumerate() {
        sent.age_s = number as u64 * DAY_S / 2;
        sent.build = number as u8 % 2;
        sent.times = [1, 9][number / 5 % 2];
    }
    let batches = recording.batches(&sent);
    let mut other: Vec<Batch> = batches.iter().rev().cloned().collect();
    other.rotate_left(2);
    let settings = settings();
    for form in Form::ALL.into_iter().filter(|form| *form != Form::GoPgo) {
        let ask = |batches: &[Batch]| {
            let question = Question {
                form,
                ..question(batches, &settings)
            };
            recording.ask(&question).expect("an answer")
        };
        let (one, another) = (ask(&batches), ask(&other));
        assert!(!one.profile.is_empty(), "{form:?}");
        assert!(one == another, "{form:?} depends on the order");
    }
}

/// A host that has but a part of the work, many times over.
fn loud(recording: &Recording) -> Sent {
    // A part whose profile is another than that of the whole.
    Sent {
        samples: (0..recording.samples() / 40, 1),
        times: 100_000,
        ..recording.sent("loud")
    }
}

#[test]
fn one_loud_host_changes_little() {
    let recording = Recording::new();
    let fleet = recording.fleet(20);
    let quiet = recording.text(&recording.batches(&fleet));
    let with_loud = recording.batches(&[fleet, vec![loud(&recording)]].concat());
    let capped = recording.text(&with_loud);
    let mut without_caps = settings();
    without_caps.host_medians_max = u64::MAX;
    let uncapped = recording
        .ask(&question(&with_loud, &without_caps))
        .expect("an answer");
    assert_eq!(capped.manifest.quality.hosts_capped, 1);
    assert_eq!(uncapped.manifest.quality.hosts_capped, 0);
    // It weighs 3 of 23 at most.
    assert!(
        overlap(&quiet, &capped) > 1.0 - 3.0 / 23.0,
        "{}",
        overlap(&quiet, &capped)
    );
    assert!(overlap(&quiet, &uncapped) < overlap(&quiet, &capped));
}

/// Adds up batches, with other groups.
fn merged<'b>(
    batches: impl IntoIterator<Item = &'b Batch>,
    regroup: impl FnMut(Group) -> Option<Group>,
) -> Batch {
    let mut merging = Merging::new(u64::MAX, regroup);
    batches.into_iter().for_each(|batch| merging.add(batch));
    merging.finish()
}

/// Returns what each host weighs: the batch without stacks and branches.
fn sums_of(batch: &Batch) -> Batch {
    let anywhere = Frame {
        place: PlaceIndex(0),
        caller: None,
    };
    let samples = batch.samples.iter().map(|row| Samples {
        stack: FrameIndex(0),
        ip: None,
        is_leaf_only: false,
        has_branches: false,
        ..*row
    });
    let sums = Batch {
        frames: vec![anywhere],
        samples: samples.collect(),
        branches: Vec::new(),
        ranges: Vec::new(),
        ..batch.clone()
    };
    merged([&sums], Some)
}

#[test]
fn hosts_are_told_apart_by_their_sums_alone_but_those_that_weigh_too_much() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(12);
    for (number, sent) in fleet.iter_mut().enumerate() {
        sent.age_s = (number as u64 % 2) * DAY_S;
        sent.build = u8::from(number % 5 == 4);
        sent.is_plain = number % 3 == 2;
    }
    fleet.push(loud(&recording));
    let settings = settings();
    let steps = [0, 1].map(|age| {
        let of_step = fleet.iter().filter(|sent| sent.age_s / DAY_S == age);
        let batches: Vec<Batch> = of_step.map(|sent| recording.batch(sent)).collect();
        merged(&batches, Some)
    });
    let sums = steps.each_ref().map(sums_of);
    let without_hosts = |apart: &[String]| {
        steps.each_ref().map(|batch| {
            merged([batch], |group| {
                let is_apart = apart.contains(&group.host);
                let host = if is_apart { group.host } else { String::new() };
                Some(Group { host, ..group })
            })
        })
    };
    let nobody_apart = without_hosts(&[]);
    let capped = capped_hosts(&Question {
        sums: &sums,
        ..question(&nobody_apart, &settings)
    });
    assert_eq!(capped, ["loud"]);
    // A small fleet's hosts are all told apart, and those of 13 are not.
    let few = |sums: &[Batch]| {
        hosts_of_few(&Question {
            sums,
            ..question(&nobody_apart, &settings)
        })
    };
    assert!(few(&sums).is_empty());
    assert_eq!(few(&sums[1..]).len(), 6);
    let loud_apart = without_hosts(&capped);
    let hosts = |batch: &Batch| {
        let hosts = batch.groups.iter().map(|group| group.host.clone());
        hosts.collect::<BTreeSet<_>>().len()
    };
    assert_eq!([hosts(&steps[0]), hosts(&loud_apart[0])], [7, 2]);
    for form in Form::ALL.into_iter().filter(|form| *form != Form::GoPgo) {
        let of_hosts = recording.ask(&Question {
            form,
            ..question(&steps, &settings)
        });
        let of_sums = recording.ask(&Question {
            form,
            sums: &sums,
            ..question(&loud_apart, &settings)
        });
        let [of_sums, of_hosts] = [of_sums, of_hosts].map(|made| made.expect("a profile"));
        assert_eq!(of_sums.manifest.quality.hosts, 13);
        // Sums have halves of the time, and all else is the same.
        let halves = [&of_sums, &of_hosts].map(|made| made.manifest.quality.halves);
        assert_eq!(halves, [Some(HalvesOf::Times), Some(HalvesOf::Hosts)]);
        let [of_sums, of_hosts] = [of_sums, of_hosts].map(|mut made| {
            made.manifest
                .gates
                .retain(|gate| gate.name != GateName::Overlap);
            made.manifest.quality.halves = None;
            made.manifest.quality.overlap = None;
            made.manifest.quality.gain_share = None;
            made
        });
        assert!(of_sums == of_hosts, "{form:?} differs");
    }
}

#[test]
fn samples_count_half_after_a_half_life_and_nothing_before_the_window() {
    let recording = Recording::new();
    let of = |host: &str, age_s: u64, times: u64| Sent {
        age_s,
        times,
        ..recording.sent(host)
    };
    let made = |sent: &[Sent]| recording.text(&recording.batches(sent));
    let twice = made(&[of("one", 0, 1), of("two", 0, 1)]);
    let half = made(&[of("one", 0, 1), of("two", 3 * DAY_S, 2)]);
    assert_eq!(half.profile, twice.profile);
    let quarter = made(&[of("one", 0, 1), of("two", 6 * DAY_S, 4)]);
    assert_eq!(quarter.profile, twice.profile);
    let whole = made(&[of("one", 0, 1)]);
    let before = made(&[of("one", 0, 1), of("two", 8 * DAY_S, 1)]);
    assert_eq!(before.profile, whole.profile);
    let quality = half.manifest.quality;
    assert_eq!(quality.newest_age_s, 0);
    assert!(
        quality.mean_age_s.abs_diff(3 * DAY_S / 2) < 60,
        "{quality:?}"
    );
}

#[test]
fn the_same_batches_make_the_same_profile_at_any_time() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(5);
    for (number, sent) in fleet.iter_mut().enumerate() {
        sent.age_s = number as u64 * DAY_S;
    }
    let batches = recording.batches(&fleet);
    let settings = settings();
    let later = Question {
        now_s: NOW_S + 5 * DAY_S,
        ..question(&batches, &settings)
    };
    let later = recording.ask(&later).expect("an answer");
    assert_eq!(later.profile, recording.text(&batches).profile);
}

#[test]
fn strata_get_the_shares_that_they_shall_have() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(8);
    fleet[0].region = "south";
    let batches = recording.batches(&fleet);
    let ask = |shares: &[(&str, f64)]| {
        let mut settings = settings();
        let shares = shares
            .iter()
            .map(|&(value, share)| (value.to_owned(), share));
        settings.strata = Some(Strata {
            label: "region".into(),
            shares: shares.collect(),
        });
        recording
            .ask(&question(&batches, &settings))
            .expect("an answer")
    };
    let shares = |shares: &[(&str, f64)]| ask(shares).manifest.quality.strata;
    let recorded = shares(&[]);
    assert!((recorded["south"] - 1.0 / 8.0).abs() < 0.01, "{recorded:?}");
    let told = shares(&[("north", 0.5), ("south", 0.5)]);
    assert!((told["south"] - 0.5).abs() < 0.001, "{told:?}");
    let south_alone = ask(&[("south", 1.0)]);
    let expected = BTreeMap::from([("north".to_owned(), 0.0), ("south".to_owned(), 1.0)]);
    assert_eq!(south_alone.manifest.quality.strata, expected);
    assert_eq!(south_alone.profile, recording.text(&batches[..1]).profile);
}

#[test]
fn the_newest_build_that_runs_is_the_target() {
    let recording = Recording::new();
    let of = |build: u8, age_s: u64| Sent {
        build,
        age_s,
        ..recording.sent(&format!("host-{build}"))
    };
    let target = |sent: &[Sent]| {
        let made = recording.text(&recording.batches(sent));
        made.manifest.target
    };
    let id = |build: u8| recording.id(build).to_string();
    assert_eq!(target(&[of(0, 5 * DAY_S), of(0, 0), of(1, 0)]), id(1));
    // Rolled back: build 1 is newer, and does not run any more.
    assert_eq!(
        target(&[of(0, 5 * DAY_S), of(1, 3 * DAY_S), of(0, 0)]),
        id(0)
    );
    // Somebody's own build.
    let tried = Sent {
        samples: (0..20, 1),
        ..of(2, 0)
    };
    assert_eq!(target(&[of(0, 5 * DAY_S), of(0, 0), tried]), id(0));
}

#[test]
fn builds_are_added_up_by_source_and_told_apart_by_address() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(4);
    fleet[3].build = 1;
    let batches = recording.batches(&fleet);
    let settings = settings();
    let ask = |form| {
        let question = Question {
            form,
            target: Some(recording.target(1)),
            ..question(&batches, &settings)
        };
        recording.ask(&question).expect("an answer").manifest
    };
    let by_source = ask(Form::AutofdoText);
    // The optimiser removes and merges lines, so a few percent of the places are missing in the very same code.
    assert!(
        by_source.quality.match_share > 0.9,
        "{:?}",
        by_source.quality
    );
    assert_eq!(by_source.inputs.len(), 2);
    assert!(
        by_source
            .inputs
            .iter()
            .all(|input| input.left_out.is_none())
    );
    let by_address = ask(Form::BoltFdata);
    assert!((by_address.quality.match_share - 0.25).abs() < 0.02);
    assert!(!by_address.is_fit());
    assert!(by_address.inputs[0].left_out.is_some());
}
