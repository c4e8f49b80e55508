//! Folded call stacks, for flame graph tools.

use anyhow::{Result, anyhow};
use hone_fdo::find_binaries;
use hone_fdo::folded::{self, StackTally};
use hone_symbols::{Binary, DebugInfo};
use indicatif::HumanCount;
use std::collections::BTreeMap;

use super::{Args, Output, Reading, explain, split_note};
use crate::advice::Advise;

/// Folds the stacks of all recordings.
pub(super) fn convert(args: &Args) -> Result<Output> {
    let loaded = args.loaded_binary()?;
    let binary = Binary::parse(loaded.image()).map_err(|error| explain(error.into(), args))?;
    let debug = DebugInfo::parse(&binary).map_err(|error| explain(error.into(), args))?;
    let mut sums = BTreeMap::new();
    let (mut samples, mut without_stack) = (0, 0);
    let mut reading = Reading::of(&args.recordings, Some(&loaded));
    for path in &args.recordings {
        let mut stacks = StackTally::default();
        let recorded = reading.next(path, |profile, sample| stacks.add(profile, sample))?;
        let ids = find_binaries(&recorded, &binary, args.binary.to_str())
            .map_err(|error| explain(error, args))?;
        stacks.fold(&recorded.profile, &ids, &binary, &debug, &mut sums);
        samples += stacks.samples;
        without_stack += stacks.without_stack;
    }
    if samples == 0 {
        return Err(anyhow!(
            "the recording holds branches only, and no samples of time with a stack"
        ))
        .next("record without --branches, or with --branches auto");
    }
    let mut said = format!(
        "{} samples -> {} stacks\n",
        HumanCount(samples),
        HumanCount(sums.len() as u64)
    );
    if without_stack == samples {
        said += "note: The samples have no call stacks, so each stack is the one function that ran; record with \
                 --call-chains always.\n";
    }
    said += &split_note(&debug);
    Ok(Output {
        bytes: folded::write(&sums).into_bytes(),
        said,
    })
}
