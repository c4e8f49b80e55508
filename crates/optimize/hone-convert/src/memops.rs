//! Sizes of `memcpy` and similar functions: as a table for people, and as headers for the compiler.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_fdo::memops::{self, Place, SizeTally};
use hone_fdo::{Code, FdoError, Warning, find_binaries};
use hone_symbols::{Binary, DebugInfo};
use indicatif::HumanCount;

use super::{Profile, Program, Reading, Request, explain_of, notes};
use hone_files::advice::{Advice, Advise};
use hone_files::files::write_whole;
use hone_inputs::debug_file::Loaded;
use hone_inputs::hub::is_hub;

/// Converts recordings to the table.
pub(super) fn convert(request: &Request) -> Result<Profile> {
    let found = Found::of(request)?;
    Ok(Profile {
        bytes: memops::write_table(&found.places).into_bytes(),
        said: found.said,
    })
}

/// Writes the headers that the recordings of a program lead to into a directory; returns a description.
///
/// # Errors
///
/// Returns an error if a file cannot be read or written, or if the recordings hold no sizes that are worth a header.
pub fn write_headers(request: &Request, directory: &Path) -> Result<String> {
    let found = Found::of(request)?;
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

/// Writes the headers that the recordings of a program lead to into a directory, in place of its old content. If no
/// header is worth while, only removes the old content, and returns the reason as a clause.
pub fn headers_into(
    recordings: &[PathBuf],
    program: &Program,
    directory: &Path,
) -> Result<Option<&'static str>> {
    let request = Request::new(recordings, program, super::Form::MemopsHeaders);
    let found = Found::of(&request)?;
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

/// The reason why there are no headers: the fact as a clause, and the next step.
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
    /// Chooses the files of the program that headers are for, or returns the reason why there is no such file.
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

    fn of(request: &Request) -> Result<Self> {
        let mut places = Vec::new();
        let mut hints = String::new();
        for loaded in request.loaded()? {
            let (of_file, hint) = places_in(&loaded, request)?;
            places.extend(of_file);
            hints += &hint;
        }
        places.sort_by_key(|place| Reverse(place.sizes.known()));
        let known: u64 = places.iter().map(|place| place.sizes.known()).sum();
        let unknown: u64 = places.iter().map(|place| place.sizes.unknown).sum();
        let said = format!(
            "{} walked calls of memcpy, memmove, memset, memcmp or bcmp with their size, {} without -> {} places\n{hints}",
            HumanCount(known),
            HumanCount(unknown),
            HumanCount(places.len() as u64)
        );
        Ok(Self { places, said })
    }
}

/// Refuses sums, which do not tell what calls were made with.
fn must_have_calls(path: &Path) -> Result<()> {
    match is_hub(path) {
        true => Err(anyhow!(
            "hubs keep how often calls were made, and not their sizes"
        ))
        .with_context(|| path.display().to_string())
        .next("name a recording: hone record --branches walk makes one"),
        false => Ok(()),
    }
}

/// Finds the places in one file, and notes on what lowers their worth.
fn places_in(loaded: &Loaded, request: &Request) -> Result<(Vec<Place>, String)> {
    let failed = |error: FdoError| explain_of(error, &request.recordings, loaded.path());
    let binary = Binary::parse(loaded.image()).map_err(|error| failed(error.into()))?;
    let debug = DebugInfo::parse(&binary).map_err(|error| failed(error.into()))?;
    let code = Code::new(&binary);
    let mut sums = BTreeMap::new();
    let mut reading = Reading::of(&request.recordings, Some(loaded)).only(&request.events);
    for path in &request.recordings {
        must_have_calls(path)?;
        let mut sizes = SizeTally::default();
        let recorded = reading.next(path, |profile, sample, branches| {
            sizes.add(profile, sample, branches);
        })?;
        match find_binaries(&recorded, &binary, loaded.path().to_str()) {
            Ok(ids) => sizes.sum(&recorded.profile, &ids, &code, &mut sums),
            // If there are several files, not every recording needs to have seen each of them.
            Err(FdoError::NoSamplesInBinary { .. }) if !request.program.libraries.is_empty() => {}
            Err(error) => return Err(failed(error)),
        }
    }
    let mut hints = String::new();
    let name = loaded.path().display();
    if !debug.has_debug_info() {
        hints += &format!(
            "note: {name} has no debug info, so its places are functions; build with -gline-tables-only, or name its \
             debug file with --debug-file.\n"
        );
    }
    let unread = debug.unread_units().clone();
    if unread.units > 0 {
        hints += &notes(&[Warning::UnreadUnits { unread }]);
    }
    let losses = debug.split_losses();
    if losses.units() > 0 {
        hints += &notes(&[Warning::SplitDebugInfo { losses }]);
    }
    Ok((memops::memory_sizes(&sums, &code, &debug), hints))
}
