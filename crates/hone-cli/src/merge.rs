//! `hone merge`: adds up profiles of hosts, days and builds. Only one input is in memory at a time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use hone_fdo::merge::{
    Fdata, FdataMerger, MergeError, Merged, NORMAL_TOTAL, SampleMerger, Weight, is_fdata,
};
use hone_fdo::{Code, autofdo_text, check, extbinary, read_sample_profile, stale};
use hone_symbols::{Binary, DebugInfo};
use indicatif::HumanCount;

use hone_inputs::debug_file::Loaded;
use hone_inputs::progress::Progress;
use hone_run::advice::Advise;
use hone_run::files::{AdviseReading, must_be_writable, write_whole};

/// Number of renamed functions that are listed.
const RENAMED_SHOWN: usize = 10;

/// Add up profiles of hosts, days and builds: LLVM sample profiles, or BOLT's fdata
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone merge host-*.prof -o all.prof\n  \
    hone merge monday.prof tuesday.prof -o week.prof --half-life 7d --normalize\n  \
    hone merge old.prof -o new.prof --for-build ./server-new\n  \
    hone merge a.fdata b.fdata -o all.fdata --weight b.fdata=3\n\n\
    The order of the files does not matter. Recordings (perf.data) are added up by hone convert.")]
pub(crate) struct Args {
    /// Sample profiles (text, extended or raw binary), or fdata files
    #[arg(required = true, value_name = "FILE")]
    profiles: Vec<PathBuf>,
    /// Where the sum goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The form of a merged sample profile
    #[arg(long, value_enum, default_value = "autofdo-extbinary")]
    to: Form,
    /// Count this file N times, N a whole number. May be repeated
    #[arg(long, value_name = "FILE=N", value_parser = weight_of)]
    weight: Vec<(PathBuf, u32)>,
    /// Scale every file to the same total first, so that long recordings do not outweigh short ones
    #[arg(long)]
    normalize: bool,
    /// Fit the sum to a newer build, an ELF file with debug info: lines of a function move with its calls
    #[arg(long, value_name = "FILE")]
    for_build: Option<PathBuf>,
    /// A file counts half for each TIME (such as 12h or 7d) by which it is older than the newest file
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    half_life: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// LLVM sample profile, text
    AutofdoText,
    /// LLVM sample profile, extended binary
    AutofdoExtbinary,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    must_be_writable(&args.output)?;
    let weights = weights(&args)?;
    let mut sum = Sum::Nothing;
    let mut left_out = 0;
    let mut progress = Progress::new(args.profiles.len() as u64, "merging");
    for (done, (path, &weight)) in args.profiles.iter().zip(&weights).enumerate() {
        if weight.is_nothing() {
            left_out += 1;
        } else {
            sum.add(path, weight, args.normalize)
                .with_context(|| path.display().to_string())?;
        }
        progress.done(done as u64 + 1);
    }
    progress.finish();
    let (bytes, description) = sum.finish(args.to, args.for_build.as_deref())?;
    write_whole(&args.output, &bytes)?;
    eprint!("{description}");
    if args.normalize {
        let total = HumanCount(NORMAL_TOTAL);
        eprintln!("note: every file was scaled to a total of {total}; the counts are shares.");
    }
    if left_out > 0 {
        eprintln!(
            "note: {left_out} files are so old or weigh so little that nothing of them is left."
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the weight of each file, without the normalisation.
fn weights(args: &Args) -> Result<Vec<Weight>> {
    let mut times: BTreeMap<&Path, u32> = BTreeMap::new();
    for (path, n) in &args.weight {
        if !args.profiles.contains(path) {
            return Err(anyhow!(
                "--weight names {}, which is not merged",
                path.display()
            ))
            .next("write the file in --weight as it is written among the profiles");
        }
        times.insert(path, *n);
    }
    let weight = |path: &PathBuf| Weight::times(times.get(path.as_path()).copied().unwrap_or(1));
    let Some(half_life) = args.half_life else {
        return Ok(args.profiles.iter().map(weight).collect());
    };
    let modified: Vec<SystemTime> = args
        .profiles
        .iter()
        .map(|path| {
            let time = fs::metadata(path).and_then(|metadata| metadata.modified());
            time.next_read("name profiles that exist")
                .with_context(|| path.display().to_string())
        })
        .collect::<Result<_>>()?;
    let newest = modified.iter().max().copied();
    let aged = args.profiles.iter().zip(&modified).map(|(path, time)| {
        let age = newest.and_then(|newest| newest.duration_since(*time).ok());
        weight(path).aged(age.unwrap_or_default(), half_life)
    });
    Ok(aged.collect())
}

/// Sum of the files so far; the first file decides the kind of all files.
enum Sum {
    Nothing,
    Samples(Box<SampleMerger>),
    Fdata(FdataMerger),
}

impl Sum {
    fn add(&mut self, path: &Path, weight: Weight, normalize: bool) -> Result<()> {
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
                added.map_err(|error| hone_run::advice::Advice::error(error, next_step(error)))
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

    /// Returns the bytes of the sum, and a description for people.
    fn finish(self, form: Form, build: Option<&Path>) -> Result<(Vec<u8>, String)> {
        match self {
            Self::Samples(merger) => {
                let mut merged = merger.finish();
                if merged.samples.functions.is_empty() {
                    return Err(anyhow!("none of the profiles has a function in it"))
                        .next("hone quality says what is wrong with a profile");
                }
                let fitted = match build {
                    Some(build) => {
                        fit(&mut merged, build).with_context(|| build.display().to_string())?
                    }
                    None => String::new(),
                };
                let bytes = match form {
                    Form::AutofdoText => autofdo_text::write(&merged.samples).into_bytes(),
                    Form::AutofdoExtbinary => extended(&merged)?,
                };
                Ok((bytes, describe(&merged, form) + &fitted))
            }
            Self::Fdata(_) if build.is_some() => Err(anyhow!(
                "only sample profiles can be fitted to a build"
            ))
            .next(
                "leave out --for-build; llvm-bolt has --stale-threshold and --infer-stale-profile",
            ),
            Self::Fdata(merger) if merger.places() > 0 => {
                let places = HumanCount(merger.places() as u64);
                let description = format!("fdata -> {places} branches and places\n");
                Ok((merger.finish().into_bytes(), description))
            }
            _ => Err(anyhow!("nothing is left to merge")).next("name profiles with counts"),
        }
    }
}

/// Fits the sum to a build and reports how much of the weight was found in the build.
fn fit(merged: &mut Merged, build: &Path) -> Result<String> {
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
    hone_convert::must_be_whole(&debug)?;
    let (fitted, recovery) = stale::fit(&merged.samples, &shapes);
    merged.samples = fitted;
    let share = |part: u64| 100.0 * part as f64 / recovery.weight.max(1) as f64;
    let mut text = format!(
        "{:.1} % of the weight is where the build has it, {:.1} % was found elsewhere, {:.1} % not at all\n",
        share(recovery.unchanged),
        share(recovery.recovered),
        share(recovery.lost()),
    );
    for (old, new) in recovery.renamed.iter().take(RENAMED_SHOWN) {
        text += &format!("note: {old} looks like {new} of the build, by its calls.\n");
    }
    Ok(text)
}

/// Writes the extended binary form, and reads it back before anybody relies on it.
fn extended(merged: &Merged) -> Result<Vec<u8>> {
    let symbols = Some(merged.symbols.as_slice());
    let bytes = extbinary::write(&merged.samples, symbols);
    let read = check::read_extbinary(&bytes)
        .context("the profile that was written cannot be read back")?;
    if let Some(first) = check::compare(&merged.samples, &read).first() {
        let (what, path) = (first.what, &first.path);
        bail!("the profile that was written reads back with another {what} of {path:?}");
    }
    Ok(bytes)
}

fn describe(merged: &Merged, form: Form) -> String {
    let report = &merged.report;
    let mut text = format!(
        "{} profiles -> {} functions, total {}\n",
        HumanCount(report.profiles),
        HumanCount(merged.samples.functions.len() as u64),
        HumanCount(report.weight),
    );
    let mut note = |sentence: String| {
        text += "note: ";
        text += &sentence;
        text.push('\n');
    };
    if report.conflicts > 0 {
        let share = 100.0 * report.conflicting_weight as f64 / report.weight.max(1) as f64;
        note(format!(
            "{} functions have other control flow in other builds; their heaviest version was kept, and \
             {share:.1} % of the weight dropped.",
            report.conflicts
        ));
    }
    if report.empty > 0 {
        note(format!(
            "{} profiles have no functions in them.",
            report.empty
        ));
    }
    if report.partial > 0 {
        note(format!(
            "{} profiles are marked as partial; the sum is not.",
            report.partial
        ));
    }
    if form == Form::AutofdoText && !merged.symbols.is_empty() {
        note("text has no place for the list of functions without samples.".into());
    }
    text
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

fn weight_of(text: &str) -> Result<(PathBuf, u32), String> {
    let (path, n) = text.rsplit_once('=').ok_or("not FILE=N")?;
    let n = n.parse().map_err(|_| "N is not a whole number")?;
    Ok((path.into(), n))
}

fn time_of(text: &str) -> Result<Duration, String> {
    let seconds = hone_build::quantity::seconds(text)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a half-life of nearly for ever".to_owned())
}
