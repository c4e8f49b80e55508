//! Profiles of hosts, days and builds added up. Only one input is in memory at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow};
use hone_fdo::merge::{Fdata, FdataMerger, MergeError, Merged, SampleMerger, Weight, is_fdata};
use hone_fdo::stale::{self, Recovery};
use hone_fdo::{Code, read_sample_profile};
use hone_files::advice::{Advice, Advise};
use hone_files::files::AdviseReading;
use hone_inputs::debug_file::Loaded;
use hone_inputs::hub::is_hub;
use hone_symbols::{Binary, DebugInfo};

use super::must_be_whole;

/// Sum of all files.
pub enum Summed {
    /// A sample profile, and how it was fitted to a build, if it was.
    Samples(Box<Merged>, Option<Recovery>),
    /// A profile for BOLT.
    Fdata {
        /// Content of the file.
        text: String,
        /// Number of branches and places.
        places: usize,
    },
}

/// Returns the weights of files that each count half for each `half_life` by which they are older than the newest file.
pub fn aged(files: &[PathBuf], weights: &[Weight], half_life: Duration) -> Result<Vec<Weight>> {
    let modified = |path: &PathBuf| {
        let time = fs::metadata(path).and_then(|metadata| metadata.modified());
        time.next_read("name profiles that exist")
            .with_context(|| path.display().to_string())
    };
    let modified: Vec<SystemTime> = files.iter().map(modified).collect::<Result<_>>()?;
    let newest = modified.iter().max().copied();
    let aged = weights.iter().zip(&modified).map(|(weight, time)| {
        let age = newest.and_then(|newest| newest.duration_since(*time).ok());
        weight.aged(age.unwrap_or_default(), half_life)
    });
    Ok(aged.collect())
}

/// Sum of the files so far; the first file decides the kind of all files.
#[derive(Default)]
pub enum Sum {
    /// No file was added.
    #[default]
    Nothing,
    /// LLVM sample profiles.
    Samples(Box<SampleMerger>),
    /// Profiles for BOLT.
    Fdata(FdataMerger),
}

impl Sum {
    /// Adds a file; `normalize` scales the file to [`NORMAL_TOTAL`](hone_fdo::merge::NORMAL_TOTAL) first.
    pub fn add(&mut self, path: &Path, weight: Weight, normalize: bool) -> Result<()> {
        if is_hub(path) {
            return Err(anyhow!("it is no profile, and hubs add up by themselves"))
                .next("convert what the hub has: hone convert adds up several of them");
        }
        let bytes = fs::read(path).next_read("name a profile that exists")?;
        let fdata = is_fdata(&bytes);
        if matches!(self, Self::Nothing) {
            *self = if fdata {
                Self::Fdata(FdataMerger::default())
            } else {
                Self::Samples(Box::default())
            };
        }
        let scaled = |total| {
            if normalize {
                weight.normalised(total)
            } else {
                weight
            }
        };
        match self {
            Self::Samples(merger) if !fdata => {
                let profile = read_sample_profile(&bytes)
                    .next("name LLVM sample profiles, such as hone convert writes, or fdata")?;
                drop(bytes);
                let weight = scaled(profile.samples.total());
                let added = merger.add(&profile, weight);
                added.map_err(|error| Advice::error(error, next_step(error)))
            }
            Self::Fdata(merger) if fdata => {
                let text = String::from_utf8_lossy(&bytes);
                let fdata = Fdata::read(&text).next("perf2bolt writes such files")?;
                let weight = scaled(fdata.total());
                merger
                    .add(fdata, weight)
                    .next("merge the two kinds of file apart")
            }
            _ => Err(anyhow!(
                "sample profiles for compilers and fdata for BOLT cannot be added up"
            ))
            .next("merge the two kinds of file apart"),
        }
    }

    /// Returns the sum, fitted to a build if one is given.
    pub fn finish(self, build: Option<&Path>) -> Result<Summed> {
        match self {
            Self::Samples(merger) => {
                let mut merged = merger.finish();
                if merged.samples.functions.is_empty() {
                    return Err(anyhow!("none of the profiles has a function in it"))
                        .next("hone quality says what is wrong with a profile");
                }
                let fit = |build: &Path| {
                    fit(&mut merged, build).with_context(|| build.display().to_string())
                };
                let recovery = build.map(fit).transpose()?;
                Ok(Summed::Samples(Box::new(merged), recovery))
            }
            Self::Fdata(_) if build.is_some() => Err(anyhow!(
                "only sample profiles can be fitted to a build"
            ))
            .next(
                "leave out --for-build; llvm-bolt has --stale-threshold and --infer-stale-profile",
            ),
            Self::Fdata(merger) if merger.places() > 0 => Ok(Summed::Fdata {
                places: merger.places(),
                text: merger.finish(),
            }),
            _ => Err(anyhow!("nothing is left to merge")).next("name profiles with counts"),
        }
    }
}

/// Fits the sum to a build.
fn fit(merged: &mut Merged, build: &Path) -> Result<Recovery> {
    if merged.samples.is_probe_based() {
        return Err(anyhow!(
            "profiles keyed by pseudo probes are not fitted to a build"
        ))
        .next("leave out --for-build; clang has -mllvm -salvage-stale-profile");
    }
    let loaded = Loaded::read(build, None)?;
    let binary =
        Binary::parse(loaded.image()).next("name an ELF program or shared library for x86-64")?;
    let debug = DebugInfo::parse(&binary)?;
    if !debug.has_debug_info() {
        return Err(anyhow!("the build has no debug info"))
            .next("build with -gline-tables-only -fdebug-info-for-profiling");
    }
    let shapes = stale::shapes(&Code::new(&binary), &debug);
    must_be_whole(&debug)?;
    let (fitted, recovery) = stale::fit(&merged.samples, &shapes);
    merged.samples = fitted;
    Ok(recovery)
}

fn next_step(error: MergeError) -> &'static str {
    match error {
        MergeError::OtherKeys { .. } => {
            "merge profiles by lines and by pseudo probes apart; a build can use only one kind"
        }
        MergeError::Md5Names => "merge the profiles that this one was made from, without --use-md5",
        MergeError::FlowSensitive => "merge it with llvm-profdata merge --sample",
    }
}
