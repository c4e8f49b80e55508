//! Sizes of `memcpy` and its like: as a table for people, and as headers for the compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_fdo::memops::{self, Place, SizeTally};
use hone_fdo::{Code, Warning, find_binaries};
use hone_symbols::{Binary, DebugInfo};
use indicatif::HumanCount;

use super::{Args, Output, Reading, explain, notes};
use crate::advice::{Advice, Advise};
use crate::files::write_whole;

/// The table.
pub(super) fn convert(args: &Args) -> Result<Output> {
    let found = Found::of(args)?;
    Ok(Output {
        bytes: memops::write_table(&found.places).into_bytes(),
        said: found.said,
    })
}

/// The headers, into the directory that was named; gives what is said about them.
pub(super) fn write_headers(args: &Args) -> Result<String> {
    let directory = args
        .output
        .as_ref()
        .ok_or_else(|| anyhow!("the headers are several files"))
        .next("name a directory for them with -o DIR")?;
    let found = Found::of(args)?;
    let chosen = found
        .units()
        .map_err(|nothing| Advice::error(anyhow!(nothing.fact), nothing.next))?;
    write(&chosen, directory)?;
    let mut said = found.said;
    for unit in &chosen {
        let sizes: Vec<String> = unit.sizes.iter().map(u64::to_string).collect();
        said += &format!(
            "{}: {} of {} bytes, {} of {} calls\n",
            unit.unit,
            unit.operation.name(),
            sizes.join(", "),
            HumanCount(unit.calls),
            HumanCount(unit.of)
        );
    }
    Ok(said)
}

/// Writes the headers of what these recordings say of a binary into a directory, in place of what it held. Where they
/// say nothing, nothing is written, and the reason is given as a clause.
pub(crate) fn headers_into(
    recordings: &[PathBuf],
    binary: &Path,
    directory: &Path,
) -> Result<Option<&'static str>> {
    let args = Args::plain(recordings, binary, super::Form::MemopsHeaders);
    let found = Found::of(&args)?;
    if directory.exists() {
        fs::remove_dir_all(directory).with_context(|| directory.display().to_string())?;
    }
    match found.units() {
        Ok(chosen) => write(&chosen, directory).map(|()| None),
        Err(nothing) => Ok(Some(nothing.fact)),
    }
}

fn write(chosen: &[memops::Chosen], directory: &Path) -> Result<()> {
    for header in memops::headers(chosen) {
        let file = directory.join(header.path);
        let parent = file.parent().unwrap_or(directory);
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        write_whole(&file, header.text.as_bytes())?;
    }
    Ok(())
}

/// Why there are no headers: the fact as a clause, and the next step.
struct Nothing {
    fact: &'static str,
    next: &'static str,
}

const NO_SIZES: Nothing = Nothing {
    fact: "the recording knows no sizes of memcpy, memmove, memset or memcmp in the program (only walked branches have them)",
    next: "record with hone record --branches walk: only walked calls have them",
};

const NO_FEW_SIZES: Nothing = Nothing {
    fact: "no file of the program has most of its copies, sets or comparisons in a few small sizes",
    next: "see them with hone convert --to memops",
};

struct Found {
    places: Vec<Place>,
    said: String,
}

impl Found {
    /// The files of the program that headers are for, or why there is none.
    fn units(&self) -> Result<Vec<memops::Chosen>, Nothing> {
        if self.places.is_empty() {
            return Err(NO_SIZES);
        }
        let chosen = memops::choose(&self.places);
        match chosen.is_empty() {
            true => Err(NO_FEW_SIZES),
            false => Ok(chosen),
        }
    }

    fn of(args: &Args) -> Result<Self> {
        let loaded = args.loaded_binary()?;
        let binary = Binary::parse(loaded.image()).map_err(|error| explain(error.into(), args))?;
        let debug = DebugInfo::parse(&binary).map_err(|error| explain(error.into(), args))?;
        let code = Code::new(&binary);
        let mut sums = BTreeMap::new();
        let mut reading = Reading::of(&args.recordings, Some(&loaded)).only(&args.events);
        for path in &args.recordings {
            let mut sizes = SizeTally::default();
            let recorded = reading.next(path, |profile, sample, branches| {
                sizes.add(profile, sample, branches);
            })?;
            let ids = find_binaries(&recorded, &binary, args.binary.to_str())
                .map_err(|error| explain(error, args))?;
            sizes.sum(&recorded.profile, &ids, &code, &mut sums);
        }
        let places = memops::memory_sizes(&sums, &code, &debug);
        let known: u64 = places.iter().map(|place| place.sizes.known()).sum();
        let unknown: u64 = places.iter().map(|place| place.sizes.unknown).sum();
        let mut said = format!(
            "{} walked calls of memcpy, memmove, memset, memcmp or bcmp with their size, {} without -> {} places\n",
            HumanCount(known),
            HumanCount(unknown),
            HumanCount(places.len() as u64)
        );
        if !debug.has_debug_info() {
            said += "note: The binary has no debug info, so the places are functions; build with \
                     -gline-tables-only, or name its debug file with --debug-file.\n";
        }
        let unread = debug.unread_units().clone();
        if unread.units > 0 {
            said += &notes(&[Warning::UnreadUnits { unread }]);
        }
        let losses = debug.split_losses();
        if losses.units() > 0 {
            said += &notes(&[Warning::SplitDebugInfo { losses }]);
        }
        Ok(Self { places, said })
    }
}
