//! Folded call stacks, for flame graph tools.

use anyhow::Result;
use hone_fdo::find_binaries;
use hone_symbols::Binary;
use hone_views::{StackTally, fold, folded};
use indicatif::HumanCount;
use std::collections::BTreeMap;

use super::{Args, Output, Reading, explain};
use crate::views::{Recording, Selection, named};

/// Folds the stacks of all recordings.
pub(super) fn convert(args: &Args) -> Result<Output> {
    let loaded = args.loaded_binary()?;
    let binary = Binary::parse(loaded.image()).map_err(|error| explain(error.into(), args))?;
    let selection = Selection::of(&args.binary, args.debug_file.as_deref());
    let mut reading = Reading::of(&args.recordings, Some(&loaded));
    let (mut sums, mut samples, mut notes) = (BTreeMap::new(), 0, Vec::new());
    for path in &args.recordings {
        let tally = StackTally::default();
        let mut recording = Recording::next(&mut reading, tally, path, &selection)?;
        let ids = find_binaries(&recording.recorded, &binary, args.binary.to_str());
        for id in ids.map_err(|error| explain(error, args))? {
            // Wherever it lay, its names are those of the file that was given.
            recording.recorded.profile.binaries[id.index()].path =
                args.binary.to_string_lossy().into_owned();
        }
        let viewed = named(&recording, path, &selection)?;
        fold(&viewed.stacks, &mut sums);
        samples += viewed.stacks.samples();
        notes.extend(viewed.notes);
    }
    let mut said = format!(
        "{} samples -> {} stacks\n",
        HumanCount(samples),
        HumanCount(sums.len() as u64)
    );
    said.extend(notes.iter().map(|note| format!("note: {note}\n")));
    Ok(Output {
        bytes: folded(&sums).into_bytes(),
        said,
    })
}
