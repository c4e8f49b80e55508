//! `hone merge`: adds up profiles of hosts, days and builds. hone-convert does the work; this module is the command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use hone_convert::checked_extbinary;
use hone_convert::merged::{Sum, Summed, aged};
use hone_fdo::autofdo_text;
use hone_fdo::merge::{Merged, NORMAL_TOTAL, Weight};
use hone_fdo::stale::Recovery;
use hone_fetch::progress::Progress;
use hone_files::advice::Advise;
use hone_files::files::{must_be_writable, write_whole};
use indicatif::HumanCount;

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

impl Form {
    fn write(self, merged: &Merged) -> Result<Vec<u8>> {
        match self {
            Self::AutofdoText => Ok(autofdo_text::write(&merged.samples).into_bytes()),
            Self::AutofdoExtbinary => checked_extbinary(&merged.samples, &merged.symbols),
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    must_be_writable(&args.output)?;
    let weights = weights(&args)?;
    let mut sum = Sum::default();
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
    let (bytes, description) = match sum.finish(args.for_build.as_deref())? {
        Summed::Samples(merged, recovery) => {
            let fitted = recovery.as_ref().map(fitted).unwrap_or_default();
            (
                args.to.write(&merged)?,
                describe(&merged, args.to) + &fitted,
            )
        }
        Summed::Fdata { text, places } => {
            let places = HumanCount(places as u64);
            let description = format!("fdata -> {places} branches and places\n");
            (text.into_bytes(), description)
        }
    };
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
    let weights: Vec<Weight> = args.profiles.iter().map(weight).collect();
    match args.half_life {
        Some(half_life) => aged(&args.profiles, &weights, half_life),
        None => Ok(weights),
    }
}

/// Describes how much of the weight was found in the build.
fn fitted(recovery: &Recovery) -> String {
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
    text
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

fn weight_of(text: &str) -> Result<(PathBuf, u32), String> {
    let (path, n) = text.rsplit_once('=').ok_or("not FILE=N")?;
    let n = n.parse().map_err(|_| "N is not a whole number")?;
    Ok((path.into(), n))
}

fn time_of(text: &str) -> Result<Duration, String> {
    let seconds = hone_build::quantity::seconds(text)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a half-life of nearly for ever".to_owned())
}
