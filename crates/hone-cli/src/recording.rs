//! Recordings of every kind, told apart by their first bytes and read into one form.
//!
//! perf.data is taken sample by sample, because such files are large; the other kinds are texts or small.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hone_fdo::{Recorded, Tally};
use hone_profile::{BinaryKind, KIND_BYTES, Kind, Profile, Sample, kind_of};
use hone_profile::{perf_data, perf_script, pprof};

use crate::advice::Advise;

/// Counts a recording.
pub(crate) fn read(path: &Path) -> Result<Recorded> {
    read_and(path, |_, _| {})
}

/// The same, and shows every sample to `also`.
pub(crate) fn read_and(path: &Path, mut also: impl FnMut(&Profile, &Sample)) -> Result<Recorded> {
    let name = || path.display().to_string();
    let mut file = File::open(path)
        .with_context(name)
        .next("name a recording, such as hone.data from hone record")?;
    let mut start = Vec::new();
    file.by_ref()
        .take(KIND_BYTES as u64)
        .read_to_end(&mut start)
        .with_context(name)?;
    let kind = kind_of(&start);
    let profile = match kind {
        Kind::PerfScript => read_script(path),
        Kind::Pprof => read_pprof(path),
        Kind::BoltPreaggregated => Err(anyhow!(
            "this is BOLT's pre-aggregated text, which has no samples to convert"
        ))
        .next("give it to perf2bolt -pa as it is, or name the recording that it was made from"),
        Kind::PerfData | Kind::Unknown => {
            file.rewind().with_context(name)?;
            return read_perf_data(file, also).with_context(name);
        }
    };
    let profile = profile.with_context(name)?;
    for sample in &profile.samples {
        also(&profile, sample);
    }
    Ok(profile.into())
}

fn read_perf_data(file: File, mut also: impl FnMut(&Profile, &Sample)) -> Result<Recorded> {
    let mut tally = Tally::default();
    let profile = perf_data::stream(file, |profile, sample, branches| {
        tally.add(profile, sample, branches);
        also(profile, sample);
    })
    .next("hone record and perf record make such files")?;
    Ok(Recorded::new(profile, tally))
}

fn read_script(path: &Path) -> Result<Profile> {
    let profile = perf_script::read(&fs::read(path)?).next(
        "print it with perf script --show-mmap-events -F pid,tid,time,event,ip,sym,dso,brstack",
    )?;
    let is_file = |binary: &hone_profile::Binary| binary.kind == BinaryKind::File;
    if !profile.binaries.iter().any(is_file) {
        return Err(anyhow!(
            "its {} samples cannot be placed: the text has no lines of mappings",
            profile.samples.len()
        ))
        .next("print it again with perf script --show-mmap-events");
    }
    Ok(profile)
}

fn read_pprof(path: &Path) -> Result<Profile> {
    pprof::read(&fs::read(path)?).next("name a CPU profile that has addresses and mappings")
}
