//! Counters of instrumented PGO from recordings of builds with probes: LLVM's `opt` reports where the counters would lie,
//! and `llvm-profdata` writes the form that the compiler reads.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use hone_fdo::counters::{self, Account, Counters, Flat, Module};

use super::join::{Joined, joined};
use super::{Form, Keys, Profile, Program, Request, as_notes, describe, sentence};
use crate::ir::Written;
use hone_files::advice::Advise;
use hone_run::process::tool;
use hone_run::tools::{Tool, Tools};

/// Options of opt that print the module after the pass that sets counters, and a marker before the pass that lowers them.
const COUNTERS_SET: &str = "-print-after=pgo-instr-gen";
const COUNTERS_LOWERED: &str = "-print-before=instrprof";

/// Maximum number of bytes of opt's first line that an error repeats.
const COMPLAINT_BYTES_MAX: u64 = 1000;

/// Smallest percentage of counts outside of all sources that is reported.
const OUTSIDE_TOLD_PERCENT: f64 = 0.1;

/// Sources that were read, and sources that could not be used.
#[derive(Default)]
struct Sources {
    read: usize,
    /// Number of sources for which clang wrote no IR.
    failed: usize,
    /// Errors of LLVM about the IR of sources, one for each source.
    unread: Vec<anyhow::Error>,
}

/// A profile with its messages.
struct Made {
    bytes: Vec<u8>,
    joined: Joined,
    /// Summary of the counters in one line.
    account: String,
    /// Losses of the conversion, one sentence each.
    lost: Vec<String>,
}

/// Converts the recordings of a program whose build left its IR in a directory. Returns the profile, and notes on what
/// lowers its worth.
pub fn counters_of(
    recordings: &[PathBuf],
    program: &Program,
    ir: &Path,
) -> Result<(Vec<u8>, Vec<String>)> {
    let request = Request {
        probes: true,
        ir: Some(ir.to_owned()),
        ..Request::new(recordings, program, Form::Profdata)
    };
    let made = make(&request)?;
    let mut notes: Vec<_> = made
        .joined
        .converted
        .warnings
        .iter()
        .map(sentence)
        .collect();
    notes.extend(made.joined.notes.lines().map(str::to_owned));
    notes.extend(made.lost);
    Ok((made.bytes, notes))
}

/// Converts recordings to the form `profdata`.
pub(super) fn convert(request: &Request) -> Result<Profile> {
    let made = make(request)?;
    Ok(Profile {
        bytes: made.bytes,
        said: describe(&made.joined.converted, Keys::Probes)
            + &as_notes(&made.joined.notes)
            + &made.account
            + &as_notes(&made.lost.join("\n")),
    })
}

fn make(request: &Request) -> Result<Made> {
    let Some(ir) = &request.ir else {
        return Err(anyhow!(
            "--to profdata needs the IR of the program's sources"
        ))
        .next("make it with: hone wrap --ir DIR -- BUILD COMMAND; then add --ir DIR");
    };
    let tools = Tools::find();
    let opt = needed(&tools.opt, "opt")?;
    let profdata = needed(&tools.llvm_profdata, "llvm-profdata")?;
    let joined = joined(request, Keys::Probes)?;
    let flat = Flat::of(
        &joined.converted.attribution.samples,
        &joined.converted.symbols,
    );
    let (counters, sources) = map(&flat, ir, opt)?;
    let account = counters.account(&flat);
    if account.functions == 0 {
        return Err(none_found(&account, ir, sources))
            .next("compile the same sources with the same flags as the build that was recorded");
    }
    Ok(Made {
        bytes: indexed(&counters::write(&counters), profdata)?,
        account: format!(
            "{} counters of {} functions in {} sources; {} functions were not seen and have counters of zero\n",
            account.counters, account.functions, sources.read, account.unseen
        ),
        lost: lost(&account, &sources),
        joined,
    })
}

fn needed<'t>(tool: &'t Option<Tool>, name: &str) -> Result<&'t Tool> {
    tool.as_ref()
        .ok_or_else(|| anyhow!("{name} is not there"))
        .next("install LLVM's tools (Debian: apt-get install llvm-19), of clang's release")
}

fn none_found(account: &Account, ir: &Path, sources: Sources) -> anyhow::Error {
    let ir = ir.display();
    let fact = match account.stale {
        0 => format!("no function of the profile was found in the IR in {ir}"),
        stale => format!(
            "the {stale} functions of the profile in the IR in {ir} have another control flow there"
        ),
    };
    match sources.unread.into_iter().next() {
        Some(first) => first.context(fact),
        None => anyhow!(fact),
    }
}

/// Maps the profile to the counters of all sources. As many sources are read at a time as there are CPUs, and no more are
/// held in memory. A source that cannot be read costs only its own functions.
fn map(flat: &Flat<'_>, ir: &Path, opt: &Tool) -> Result<(Counters, Sources)> {
    let written = Written::in_directory(ir).next("name the directory that hone wrap --ir wrote")?;
    let mut counters = Counters::default();
    let mut sources = Sources {
        failed: written.failed,
        ..Sources::default()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for files in written.files.chunks(threads) {
        let modules = thread::scope(|scope| {
            let files = files.iter();
            let started = files.map(|(file, level)| scope.spawn(|| both(opt, file, level)));
            let started: Vec<_> = started.collect();
            let ends = started.into_iter().map(|one| one.join().expect("no panic"));
            ends.collect::<Vec<_>>()
        });
        for module in modules {
            match module {
                Ok((probed, plain)) => {
                    counters.take_in(flat, &probed, &plain);
                    sources.read += 1;
                }
                Err(error) => sources.unread.push(error),
            }
        }
    }
    counters.settle();
    Ok((counters, sources))
}

/// Reads the IR of one source at the point where counters are set, with probes and without.
fn both(opt: &Tool, file: &Path, level: &str) -> Result<(Module, Module)> {
    let of = |with_probes| module(opt, file, level, with_probes);
    let both = of(true).and_then(|probed| Ok((probed, of(false)?)));
    both.with_context(|| file.display().to_string())
}

fn module(opt: &Tool, file: &Path, level: &str, with_probes: bool) -> Result<Module> {
    let first = if with_probes { "pseudo-probe," } else { "" };
    let mut child = Command::new(&opt.path)
        .arg(format!("-passes={first}default<{level}>"))
        .args(["-pgo-kind=pgo-instr-gen-pipeline", "-disable-preinline"])
        .args([COUNTERS_SET, COUNTERS_LOWERED])
        .args(["-print-module-scope", "-disable-output"])
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| opt.path.display().to_string())?;
    let module = read(&mut child);
    // Nothing needs the rest of opt's work.
    let _ = child.kill();
    child.wait().context("opt")?;
    module
}

fn read(child: &mut Child) -> Result<Module> {
    let text = child.stderr.take().context("opt's output")?;
    let mut text = BufReader::new(text);
    // If opt fails, its first line says why. opt writes that line in pieces.
    let mut first = Vec::new();
    Read::by_ref(&mut text)
        .take(COMPLAINT_BYTES_MAX)
        .read_until(b'\n', &mut first)?;
    let module = counters::read(first.chain(text))?;
    if !module.is_whole() {
        let first = String::from_utf8_lossy(&first);
        bail!("opt ended before it came to the counters: {}", first.trim());
    }
    Ok(module)
}

/// Converts counters from text to the indexed form that the compiler reads.
fn indexed(text: &str, profdata: &Tool) -> Result<Vec<u8>> {
    let directory = tempfile::tempdir().context("temporary directory")?;
    let (from, to) = (
        directory.path().join("text"),
        directory.path().join("indexed"),
    );
    fs::write(&from, text).context("temporary file")?;
    merge_counters(profdata, [&from], &to)?;
    fs::read(&to).context("the profile that llvm-profdata made")
}

/// Merges profiles of counters; `parts` may also hold options of llvm-profdata.
pub fn merge_counters(
    profdata: &Tool,
    parts: impl IntoIterator<Item = impl AsRef<OsStr>>,
    output: &Path,
) -> Result<()> {
    let mut merge = Command::new(&profdata.path);
    merge.args(["merge", "-o"]).arg(output).args(parts);
    tool::run(merge, "llvm-profdata merge").map(drop)
}

fn lost(account: &Account, sources: &Sources) -> Vec<String> {
    let mut lost = Vec::new();
    if let Some(first) = sources.unread.first() {
        let count = sources.unread.len();
        lost.push(format!(
            "the IR of {count} sources could not be read, the first: {first:#}"
        ));
    }
    let outside_percent = 100.0 * account.outside_share;
    if outside_percent >= OUTSIDE_TOLD_PERCENT {
        lost.push(format!(
            "{outside_percent:.1} % of the profile's counts are of functions in no source that has IR"
        ));
    }
    let counted = [
        (
            sources.failed,
            "sources gave no IR; the words of the compiler are beside them, in files that end in .failed",
        ),
        (
            account.stale,
            "functions have another control flow than in the build that was recorded, and get no counts",
        ),
        (
            account.unmatched,
            "functions have no probe that was found again, and get no counts",
        ),
        (
            account.too_large,
            "functions are too large for counts that do not agree, and get none",
        ),
    ];
    let counted = counted.iter().filter(|(count, _)| *count > 0);
    lost.extend(counted.map(|(count, what)| format!("{count} {what}")));
    lost
}
