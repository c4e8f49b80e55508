//! Every gate fails for its reason, says so, and says what to do.

use hone_pgo::{
    Basis, Form, Gate, GateName, HalvesOf, Made, PgoError, Question, Settings, Target, make,
};

use crate::common::{Asked, DAY_S, Recording, Sent, question, settings};

/// The only gate that failed.
fn failed(made: &Made) -> &Gate {
    let mut failed = made.manifest.gates.iter().filter(|gate| !gate.passed);
    let gate = failed.next().expect("a failed gate");
    assert_eq!(failed.next(), None);
    assert!(!made.manifest.is_fit());
    assert!(
        made.files(None).is_empty(),
        "what is not fit is not written"
    );
    assert!(
        gate.reason
            .as_ref()
            .is_some_and(|reason| reason.ends_with('.'))
    );
    assert!(gate.next.as_ref().is_some_and(|next| next.ends_with('.')));
    gate
}

fn reason(gate: &Gate) -> &str {
    gate.reason.as_deref().expect("a reason")
}

/// One host in one step of time has no halves.
#[test]
fn too_few_samples() {
    let recording = Recording::new();
    let batches = [recording.batch(&recording.sent("host"))];
    let usual = Settings::default();
    let made = recording
        .ask(&question(&batches, &usual))
        .expect("an answer");
    let gate = failed(&made);
    assert_eq!((gate.name, gate.limit), (GateName::Samples, 10_000.0));
    assert!(
        reason(gate).contains("samples with branch records"),
        "{gate:?}"
    );
    assert!(
        gate.next.as_ref().unwrap().contains("1.1 times as long"),
        "{gate:?}"
    );
    let quality = &made.manifest.quality;
    assert_eq!((quality.overlap, quality.halves), (None, None));
}

#[test]
fn too_thin() {
    let recording = Recording::new();
    let batches = recording.batches(&recording.fleet(2));
    let mut settings = settings();
    settings.gates.density_min = 1e6;
    let made = recording
        .ask(&question(&batches, &settings))
        .expect("an answer");
    let gate = failed(&made);
    assert_eq!(gate.name, GateName::Density);
    assert!(reason(gate).contains("executions per place"), "{gate:?}");
}

/// Hosts that say the same are enough however few samples they have, and those that do not are not however many.
#[test]
fn halves_of_the_hosts_decide() {
    let recording = Recording::new();
    let usual = Settings::default();
    let made = |batches: &[hone_batch::Batch], form| {
        let question = Question {
            form,
            ..question(batches, &usual)
        };
        recording.ask(&question).expect("an answer")
    };
    let alike = recording.batches(&recording.fleet(20));
    for form in [Form::AutofdoText, Form::BoltFdata] {
        let made = made(&alike, form);
        assert!(made.manifest.is_fit(), "{:?}", made.manifest.gates);
        let quality = &made.manifest.quality;
        assert_eq!(quality.halves, Some(HalvesOf::Hosts));
        assert!(
            (0.5..1.0).contains(&quality.overlap.unwrap()),
            "{quality:?}"
        );
        assert!(quality.gain_share > Some(0.4), "{quality:?}");
    }
    // Each host with a part of the run of its own, many times over.
    let parts = [0..30, recording.samples() - 30..recording.samples()];
    let hosts: Vec<Sent> = parts
        .into_iter()
        .enumerate()
        .map(|(number, samples)| Sent {
            samples: (samples, 1),
            times: 1_000_000,
            ..recording.sent(&format!("host-{number}"))
        })
        .collect();
    let apart = made(&recording.batches(&hosts), Form::AutofdoText);
    let gate = failed(&apart);
    assert_eq!(gate.name, GateName::Overlap, "{gate:?}");
    assert!(reason(gate).contains("halves of the hosts"), "{gate:?}");
}

/// Between both limits a profile is published, and says what it lacks; just below the lower one it is not told to record as long again.
#[test]
fn what_could_gain_more_is_published_with_a_warning() {
    let recording = Recording::new();
    let batches = recording.batches(&recording.fleet(20));
    let made = |least: f64, good: f64| {
        let mut settings = Settings::default();
        (settings.gates.overlap_min, settings.gates.overlap_good) = (least, good);
        let made = recording.ask(&question(&batches, &settings));
        made.expect("an answer")
    };
    let overlap = made(0.0, 0.0).manifest.quality.overlap.unwrap();
    let gate_of = |made: &Made| {
        let gates = &made.manifest.gates;
        let gate = gates.iter().find(|gate| gate.name == GateName::Overlap);
        gate.expect("a gate of the overlap").clone()
    };
    let good = made(overlap - 0.02, overlap - 0.01);
    assert!(!gate_of(&good).warns() && gate_of(&good).reason.is_none());
    let share = good.manifest.quality.gain_share.unwrap();
    assert!(share > 0.4 && share <= 1.0, "{share}");

    let poor = made(overlap - 0.02, overlap + 0.000_1);
    assert!(poor.manifest.is_fit() && !poor.files(None).is_empty());
    let gate = gate_of(&poor);
    assert!(gate.warns(), "{gate:?}");
    let promised = format!("promises {:.0} % of the gain", 100.0 * share);
    assert!(reason(&gate).contains(&promised), "{gate:?}");
    let next = gate.next.as_deref().unwrap();
    assert!(
        next.contains("1.1 times as long, on 21 hosts in place of 20"),
        "{next}"
    );

    let unfit = made(overlap + 0.000_1, overlap);
    let gate = failed(&unfit);
    assert!(!gate.warns());
    assert!(gate.next.as_deref().unwrap().contains("1.1 times as long"));
}

/// A hub adds hosts up.
#[test]
fn steps_of_time_are_halves_where_hosts_are_not_told_apart() {
    let recording = Recording::new();
    let steps = (0..8).map(|step| Sent {
        age_s: 60 + step * 6 * 3600,
        samples: (step as usize..recording.samples(), 8),
        ..recording.sent("host")
    });
    let batches: Vec<hone_batch::Batch> = steps.map(|sent| recording.batch(&sent)).collect();
    let usual = Settings::default();
    let made = recording
        .ask(&question(&batches, &usual))
        .expect("an answer");
    let quality = &made.manifest.quality;
    assert_eq!(quality.halves, Some(HalvesOf::Times));
    assert!(made.manifest.is_fit(), "{:?}", made.manifest.gates);
}

#[test]
fn too_little_lands_in_the_target() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(4);
    fleet[0].build = 1;
    let batches = recording.batches(&fleet);
    let settings = settings();
    // The old build's symbols are missing.
    let question = Question {
        target: Some(recording.target(1)),
        ..question(&batches, &settings)
    };
    let made = make(&question, &|id| {
        (id == recording.id(1)).then(|| recording.image(1))
    });
    let made = made.expect("an answer");
    let gate = failed(&made);
    assert_eq!(gate.name, GateName::Match);
    assert!((gate.value - 0.25).abs() < 0.02, "{gate:?}");
    let missing = format!("the binary of build {} is not known", recording.id(0));
    assert!(reason(gate).contains(&missing), "{gate:?}");
}

#[test]
fn too_stale() {
    let recording = Recording::new();
    let old = Sent {
        age_s: 15 * DAY_S,
        ..recording.sent("host")
    };
    let made = recording.text(&[recording.batch(&old)]);
    let gate = failed(&made);
    assert_eq!(
        (gate.name, gate.limit),
        (GateName::Age, 14.0 * DAY_S as f64)
    );
    assert!(reason(gate).contains("15.0 days old"), "{gate:?}");
}

#[test]
fn the_wrong_service_or_binary() {
    let recording = Recording::new();
    let batches = recording.batches(&recording.fleet(2));
    let settings = settings();
    let ask = |question: Question<'_>| recording.ask(&question).expect("an answer");
    let other = ask(Question {
        service: "mail",
        ..question(&batches, &settings)
    });
    let gate = failed(&other);
    assert_eq!(gate.name, GateName::Service);
    assert!(
        reason(gate).contains("service mail") && reason(gate).contains("of zip"),
        "{gate:?}"
    );
    let nothing = ask(question(&[], &settings));
    assert_eq!(failed(&nothing).name, GateName::Service);
    let of_other_program = ask(Question {
        target: Some(Target {
            build: recording.id(2),
            name: "mailer",
        }),
        ..question(&batches, &settings)
    });
    let gate = failed(&of_other_program);
    assert_eq!(gate.name, GateName::Service);
    assert!(
        reason(gate).contains("mailer") && reason(gate).contains("its programs are zip"),
        "{gate:?}"
    );
    // A build of this program that runs nowhere yet is what others are fitted to.
    let not_yet = ask(Question {
        target: Some(recording.target(2)),
        ..question(&batches, &settings)
    });
    assert!(not_yet.manifest.is_fit(), "{:?}", not_yet.manifest.gates);
    assert_eq!(not_yet.manifest.target, recording.id(2).to_string());
}

#[test]
fn plain_samples_make_a_profile_that_says_so() {
    let recording = Recording::new();
    let plain = Sent {
        is_plain: true,
        ..recording.sent("host")
    };
    let batches = [recording.batch(&plain)];
    let made = recording.text(&batches);
    assert_eq!(made.manifest.quality.basis, Basis::Samples);
    assert!(!made.profile.is_empty());
    let settings = settings();
    let question = Question {
        form: Form::BoltPreaggregated,
        ..question(&batches, &settings)
    };
    let error = PgoError::NoBranches {
        form: "bolt-preaggregated",
    };
    assert_eq!(recording.ask(&question), Err(error));
}

#[test]
fn a_build_with_plain_samples_alone_is_left_out_beside_branch_records() {
    let recording = Recording::new();
    let mut fleet = recording.fleet(8);
    fleet[0].build = 1;
    fleet[0].is_plain = true;
    fleet[0].age_s = DAY_S;
    let mut settings = settings();
    settings.target_share_min = 0.0;
    let batches = recording.batches(&fleet);
    let made = recording
        .ask(&question(&batches, &settings))
        .expect("an answer");
    let inputs = &made.manifest.inputs;
    let left_out = inputs
        .iter()
        .find(|input| input.build == recording.id(1).to_string());
    let why = left_out
        .and_then(|input| input.left_out.clone())
        .expect("a reason");
    assert!(why.contains("no branch records"), "{why}");
}

#[test]
fn the_binary_of_the_target_must_be_had_and_be_that_build() {
    let recording = Recording::new();
    let batches = recording.batches(&recording.fleet(2));
    let settings = settings();
    let question = question(&batches, &settings);
    let build = recording.id(0).to_string();
    let missing = PgoError::NoBinary {
        build: build.clone(),
    };
    assert_eq!(make(&question, &|_| None), Err(missing));
    let other = PgoError::OtherBinary {
        build,
        found: recording.id(1).to_string(),
    };
    assert_eq!(make(&question, &|_| Some(recording.image(1))), Err(other));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let recording = Recording::new();
    let refused = |change: fn(&mut Settings)| {
        let mut settings = settings();
        change(&mut settings);
        let answer = recording.ask(&question(&[], &settings));
        assert!(
            matches!(answer, Err(PgoError::Settings { .. })),
            "{answer:?}"
        );
    };
    refused(|settings| settings.window_s = DAY_S);
    refused(|settings| settings.window_s = 8 * DAY_S);
    refused(|settings| settings.half_life_s = 0);
    refused(|settings| settings.host_medians_max = 0);
    refused(|settings| settings.gates.match_min = 80.0);
    refused(|settings| settings.gates.overlap_min = 50.0);
    refused(|settings| settings.gates.overlap_good = 80.0);
    refused(|settings| settings.gates.density_min = f64::NAN);
    refused(|settings| settings.hysteresis.overlap_min = -0.1);
    refused(|settings| {
        settings.strata = Some(hone_pgo::Strata {
            label: "region".into(),
            shares: [("north".to_owned(), 0.0)].into(),
        });
    });
}
