//! A former manifest that is damaged is an error, and never a panic or another answer.

use hone_pgo::{Former, Manifest, ManifestError};

use crate::common::{Asked, Recording};

#[test]
fn every_cut_and_most_changes_of_a_manifest_are_found() {
    let recording = Recording::new();
    let made = recording.text(&recording.batches(&recording.fleet(2)));
    let bytes = made.manifest.write();
    assert_eq!(Manifest::read(&bytes).as_ref(), Ok(&made.manifest));
    // But for the end of the last line.
    for end in 0..bytes.len() - 1 {
        assert!(Manifest::read(&bytes[..end]).is_err(), "cut at {end}");
    }
    testkit::by_chance(|u| {
        let mut damaged = bytes.clone();
        let at = u.choose_index(damaged.len())?;
        damaged[at] = u.arbitrary()?;
        // What still reads has another value somewhere; the signature is what finds that.
        if let Ok(former) = Former::read(&damaged, made.profile.clone()) {
            let _ = format!("{former:?}");
        }
        Ok(())
    });
}

#[test]
fn a_manifest_of_another_format_or_without_a_sum_is_refused() {
    let recording = Recording::new();
    let made = recording.text(&recording.batches(&recording.fleet(2)));
    let text = String::from_utf8(made.manifest.write()).unwrap();
    let newer = text.replace("hone-pgo-1", "hone-pgo-2");
    assert_eq!(
        Manifest::read(newer.as_bytes()),
        Err(ManifestError::Format("hone-pgo-2".into()))
    );
    for sum in ["../../../etc/passwd", "", "A"] {
        let path = text.replace(&made.manifest.sha256, sum);
        let error = Manifest::read(path.as_bytes());
        assert!(
            matches!(error, Err(ManifestError::Damaged(_))),
            "{sum}: {error:?}"
        );
    }
    let large = vec![b' '; (16 << 20) + 1];
    assert!(matches!(
        Manifest::read(&large),
        Err(ManifestError::TooLarge { .. })
    ));
}
