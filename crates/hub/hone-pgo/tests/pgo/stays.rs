//! A former profile stays while it is about the same.

use hone_batch::Batch;
use hone_pgo::{Decision, Form, Former, Made, ManifestError, Question, Settings};

use crate::common::{Asked, DAY_S, NOW_S, Recording, Sent, question, settings};

/// The former profile as it is read from its files.
fn former(made: &Made) -> Former {
    Former::read(&made.manifest.write(), made.profile.clone()).expect("what was written")
}

fn again(
    recording: &Recording,
    batches: &[Batch],
    settings: &Settings,
    former: &Former,
    form: Form,
    later_s: u64,
) -> Made {
    let question = Question {
        now_s: NOW_S + later_s,
        former: Some(former),
        form,
        ..question(batches, settings)
    };
    recording.ask(&question).expect("an answer")
}

#[test]
fn about_the_same_samples_keep_the_very_bytes_for_a_week() {
    let recording = Recording::new();
    let settings = settings();
    let fleet = recording.fleet(20);
    let batches = recording.batches(&fleet);
    for form in [
        Form::AutofdoText,
        Form::AutofdoExtbinary,
        Form::GccGcov,
        Form::BoltFdata,
        Form::SymbolOrder,
    ] {
        let first = recording.ask(&Question {
            form,
            ..question(&batches, &settings)
        });
        let first = first.expect("an answer");
        assert_eq!(first.decision, Decision::First);
        assert_eq!(first.files(None).len(), 2);
        let before = former(&first);
        let fewer = &batches[..19];
        let day_later = again(&recording, fewer, &settings, &before, form, DAY_S);
        assert!(
            matches!(day_later.decision, Decision::Kept { .. }),
            "{form:?}: {:?}",
            day_later.decision
        );
        assert_eq!(
            (&day_later.profile, &day_later.manifest),
            (&first.profile, &first.manifest)
        );
        assert!(day_later.files(None).is_empty(), "nothing is to be written");
        let later = again(&recording, fewer, &settings, &before, form, 7 * DAY_S + 1);
        assert!(
            matches!(later.decision, Decision::Old { .. }),
            "{form:?}: {:?}",
            later.decision
        );
        assert_eq!(later.manifest.created_s, NOW_S + 7 * DAY_S + 1);
        assert_eq!(later.files(None).len(), 2);
    }
}

#[test]
fn other_work_replaces_a_profile_at_once() {
    let recording = Recording::new();
    let settings = settings();
    let part = |samples| Sent {
        samples: (samples, 1),
        ..recording.sent("host")
    };
    let half = recording.samples() / 2;
    let first = recording.text(&[recording.batch(&part(0..half))]);
    // Work of the other half, mostly in code that the first half did not reach.
    let sent = part(half..recording.samples());
    let other = [recording.batch(&sent)];
    let mut strict = settings.clone();
    strict.hysteresis.overlap_min = 1.0;
    let replaced = again(
        &recording,
        &other,
        &strict,
        &former(&first),
        Form::AutofdoText,
        0,
    );
    let Decision::Differs { overlap } = replaced.decision else {
        panic!("{:?}", replaced.decision);
    };
    assert!((0.1..1.0).contains(&overlap), "{overlap}");
    assert_ne!(replaced.profile, first.profile);
}

#[test]
fn a_profile_of_something_else_is_never_kept() {
    let recording = Recording::new();
    let settings = settings();
    let batches = recording.batches(&recording.fleet(4));
    let text = recording.text(&batches);
    let binary = again(
        &recording,
        &batches,
        &settings,
        &former(&text),
        Form::AutofdoExtbinary,
        0,
    );
    assert_eq!(binary.decision, Decision::OtherKind);
    // Addresses of another build are worth nothing.
    let fdata = recording.ask(&Question {
        form: Form::BoltFdata,
        ..question(&batches, &settings)
    });
    let before = former(&fdata.expect("an answer"));
    let newer: Vec<Sent> = recording
        .fleet(4)
        .into_iter()
        .map(|sent| Sent { build: 1, ..sent })
        .collect();
    let newer = recording.batches(&newer);
    let other = again(&recording, &newer, &settings, &before, Form::BoltFdata, 0);
    assert_eq!(other.decision, Decision::OtherKind);
    // Places in the source are about the same.
    let kept = again(
        &recording,
        &newer,
        &settings,
        &former(&text),
        Form::AutofdoText,
        0,
    );
    assert!(
        matches!(kept.decision, Decision::Kept { .. }),
        "{:?}",
        kept.decision
    );
    // A clock that was wrong.
    let mut future = text.clone();
    future.manifest.created_s = NOW_S + DAY_S;
    let old = again(
        &recording,
        &batches,
        &settings,
        &former(&future),
        Form::AutofdoText,
        0,
    );
    assert!(matches!(old.decision, Decision::Old { .. }));
}

#[test]
fn a_failed_gate_leaves_the_former_profile_alone() {
    let recording = Recording::new();
    let batches = recording.batches(&recording.fleet(4));
    let before = former(&recording.text(&batches));
    let mut strict = Settings::default();
    strict.gates.overlap_min = 1.0;
    let made = again(&recording, &batches, &strict, &before, Form::AutofdoText, 0);
    assert!(!made.manifest.is_fit());
    assert_eq!(made.decision, Decision::First);
    assert!(made.files(None).is_empty());
}

#[test]
fn a_profile_that_was_changed_is_not_the_former_one() {
    let recording = Recording::new();
    let made = recording.text(&recording.batches(&recording.fleet(2)));
    let mut changed = made.profile.clone();
    changed[0] ^= 1;
    let error = Former::read(&made.manifest.write(), changed).unwrap_err();
    assert!(
        matches!(error, ManifestError::OtherProfile { .. }),
        "{error}"
    );
}
