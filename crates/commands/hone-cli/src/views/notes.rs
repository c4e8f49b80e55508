//! Notes on a recording that people should read before they believe its figures.

use hone_fdo::Warning;
use hone_look::names::{Named, Unnamed};
use hone_look::recording::Recording;
use hone_profile::Losses;
use hone_views::{BROKEN, TRUNCATED};
use indicatif::{HumanBytes, HumanCount};

use super::percent;
use hone_convert::sentence;
use hone_inputs::hub;
use hone_inputs::recorded_files::Unused;

/// Reason for missing names where nothing went wrong.
const STRIPPED: &str = "its symbols are stripped; functions have names of place, size and section there, as far as they are known";

/// Reason for using a recording's own names where nothing went wrong.
const NO_SYMBOLS: &str = "there are no addresses to look up, or no symbols for them";

/// Share of the weight below which a file without names gets no note.
const WORTH_A_NOTE: f64 = 0.01;

/// Notes to print on standard error beside a recording's figures.
pub(crate) struct Notes {
    sentences: Vec<String>,
    /// Files that were given with `--binary` and not used.
    unused: Vec<Unused>,
}

impl Notes {
    /// Makes all notes on a recording.
    pub(super) fn on(named: &Named, recording: &Recording<'_>) -> Self {
        let mut sentences = on_names(&named.unnamed);
        sentences.extend(on_own_names(&named.own_names));
        sentences.extend(named.warnings.iter().map(sentence));
        if !named.has_stacks {
            sentences.push(
                "the samples have no call stacks: only the function that ran is known, with the calls inlined into \
                 it; record with -g"
                    .to_owned(),
            );
        }
        sentences.extend(on_stacks(named));
        sentences.extend(on_losses(&recording.profile().losses));
        sentences.extend(on_builds(recording));
        Self {
            sentences,
            ..Self::of_unused(recording)
        }
    }

    /// Makes notes only on files that were given and not used.
    pub(crate) fn of_unused(recording: &Recording<'_>) -> Self {
        Self {
            sentences: Vec::new(),
            unused: recording.unused_files(),
        }
    }

    /// Prints the notes on a single recording.
    pub(crate) fn say(&self) {
        let unused = self.unused.iter().map(|unused| &unused.note);
        say(self.sentences.iter().chain(unused));
    }

    /// Prints the notes on two recordings. A file may be given for either recording.
    pub(crate) fn say_both(old: &Self, new: &Self) {
        let is_of_none = |unused: &&Unused| old.unused.iter().any(|old| old.file == unused.file);
        let unused = new.unused.iter().filter(is_of_none);
        say(old
            .sentences
            .iter()
            .chain(&new.sentences)
            .chain(unused.map(|unused| &unused.note)));
    }
}

fn say<'n>(notes: impl Iterator<Item = &'n String>) {
    for note in notes {
        eprintln!("note: {note}");
    }
}

/// Returns sentences about files without names.
fn on_names(unnamed: &[Unnamed]) -> Vec<String> {
    let worth_it = unnamed.iter().filter(|file| file.share >= WORTH_A_NOTE);
    let notes = worth_it.map(|file| {
        let reason = file.reason.as_deref().unwrap_or(STRIPPED);
        format!(
            "no names for {} of the time, in {}: {reason}",
            percent(file.share),
            file.path
        )
    });
    notes.collect()
}

/// Returns sentences about files whose names are the recording's own.
fn on_own_names(files: &[Unnamed]) -> Vec<String> {
    let worth_it = files.iter().filter(|file| file.share >= WORTH_A_NOTE);
    let notes = worth_it.map(|file| {
        let reason = file.reason.as_deref().unwrap_or(NO_SYMBOLS);
        format!(
            "the names for {} of the time, in {}, are the recording's own, and no machine code is known: {reason}",
            percent(file.share),
            file.path
        )
    });
    notes.collect()
}

/// Returns sentences about stacks that were not followed to their root.
fn on_stacks(named: &Named) -> Vec<String> {
    let (truncated, broken) = (named.truncated_share, named.broken_share);
    let mut notes = Vec::new();
    if broken >= WORTH_A_NOTE {
        notes.push(format!(
            "the stacks of {} of the time break off, under {BROKEN}: code there has no unwind information, or keeps \
             no frame pointers in a recording without -g",
            percent(broken)
        ));
    }
    if truncated >= WORTH_A_NOTE {
        notes.push(format!(
            "the stacks of {} of the time are longer than what was copied of them, under {TRUNCATED}; most is copied by \
             hone record --call-graph dwarf,65528",
            percent(truncated)
        ));
    }
    notes
}

/// Returns sentences about parts that the recording lacks, or that nobody can read.
fn on_losses(losses: &Losses) -> Vec<String> {
    let mut notes = Vec::new();
    if losses.not_unwound > 0 {
        notes.push(format!(
            "{} copied stacks are not of 64-bit code and were not unwound",
            HumanCount(losses.not_unwound)
        ));
    }
    if losses.lost_samples > 0 {
        notes.push(format!(
            "{} samples were lost while recording",
            HumanCount(losses.lost_samples)
        ));
    }
    if let Some(share) = losses.accounted.unsampled() {
        notes.push(format!(
            "no sample stands for {} of the CPU time that the recorded processes used, {:.2} s: shares are of the rest; {}",
            percent(share),
            losses.accounted.used_ns as f64 / 1e9,
            losses.accounted.cure()
        ));
    }
    if let Some(at) = losses.corrupt_at {
        notes.push(match losses.truncated_bytes {
            // The damage is within a compressed piece, whose rest was lost.
            0 => format!("the file is corrupt at byte {at}"),
            bytes => format!(
                "the file is corrupt at byte {at}: {} from there on were not read",
                HumanBytes(bytes)
            ),
        });
    } else if losses.truncated_bytes > 0 {
        notes.push(format!(
            "the file is cut short: its last {} are missing or hold no whole record",
            HumanBytes(losses.truncated_bytes)
        ));
    }
    if losses.unfinished {
        notes.push(sentence(&Warning::Unfinished));
    }
    if losses.malformed_records > 0 {
        notes.push(format!(
            "the file is damaged: {} of its records contradict themselves and were left out; what else is wrong in it \
             cannot be seen",
            HumanCount(losses.malformed_records)
        ));
    }
    notes
}

/// Returns the sentence that what a hub has is of several builds.
fn on_builds(recording: &Recording<'_>) -> Option<String> {
    if !hub::is_hub(recording.path()) {
        return None;
    }
    let builds = hub::builds(recording.profile()).len();
    (builds > 1).then(|| {
        format!(
            "the samples are of {builds} builds; hone top --by label:build tells them apart, and hub:SERVICE@BUILD is of one"
        )
    })
}

/// Describes how well the stacks were followed, if the samples have stacks.
pub(super) fn quality(named: &Named) -> Option<String> {
    let (truncated, broken) = (named.truncated_share, named.broken_share);
    named.has_stacks.then(|| {
        format!(
            "stacks: {} whole, {} truncated, {} broken",
            percent((1.0 - truncated - broken).max(0.0)),
            percent(truncated),
            percent(broken)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_recording_itself_are_told_with_the_reason() {
        let file = |share, reason: Option<&str>| Unnamed {
            path: "/srv/a".into(),
            share,
            reason: reason.map(str::to_owned),
        };
        let told = on_own_names(&[
            file(0.5, Some("No such file")),
            file(0.2, None),
            file(0.001, None),
        ]);
        assert_eq!(told.len(), 2);
        assert!(
            told[0].contains("50.0 % of the time, in /srv/a, are the recording's own"),
            "{told:?}"
        );
        assert!(told[0].ends_with(": No such file"), "{told:?}");
        assert!(told[1].ends_with(NO_SYMBOLS), "{told:?}");
    }

    #[test]
    fn each_loss_is_told_and_nothing_else() {
        assert!(on_losses(&Losses::default()).is_empty());
        let losses = Losses {
            lost_samples: 1_234,
            truncated_bytes: 5 << 20,
            malformed_records: 3,
            not_unwound: 7,
            ..Losses::default()
        };
        let notes = on_losses(&losses).join("\n");
        for part in [
            "1,234 samples were lost",
            "its last 5.00 MiB",
            "3 of its records",
            "7 copied stacks",
        ] {
            assert!(notes.contains(part), "{part}: {notes}");
        }
        assert_eq!(notes.lines().count(), 4);
        let losses = Losses {
            truncated_bytes: 9,
            corrupt_at: Some(1234),
            unfinished: true,
            ..Losses::default()
        };
        let notes = on_losses(&losses).join("\n");
        assert!(notes.contains("corrupt at byte 1234: 9 B"), "{notes}");
        assert!(notes.contains("did not finish its header"), "{notes}");
        assert!(!notes.contains("cut short"), "{notes}");
    }
}
