//! `hone annotate`: the machine code and the source of one function, with the time that went there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use hone_profile::{BinaryKind, Svma};
use hone_symbols::{Binary, DebugInfo, Function, canonical_name, demangle};
use hone_views::{AnnotatedInstruction, Stacks, annotate, weights_in, weights_of_functions};
use rustc_hash::FxHashMap;

use crate::function_pattern::{in_order, is_called};
use crate::output::print;
use crate::views::{self, Notes, Recording, Selection, percent};
use hone_run::advice::Advise;

/// Show the code of a function with the time that went there
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone annotate 'Server::handle'\n\n\
    Shares are of the function's own time. Without precise hardware events, a sample is often counted one or a few \
    instructions after the one that took the time.")]
pub(crate) struct Args {
    /// The function: its name as hone top prints it, without arguments too
    function: String,
    /// The recording: perf.data, perf script text or pprof
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Print the instructions as JSON
    #[arg(long)]
    json: bool,
}

/// A function's code and its weight.
struct Found {
    name: String,
    binary: PathBuf,
    weight: u64,
    instructions: Vec<AnnotatedInstruction>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    in_order("annotate", &args.function, &args.recording)?;
    let recording = views::read(&args.recording, &args.selection)?;
    // Naming all stacks is expensive, and the names serve only to choose some of the stacks.
    let kept = match args.selection.filters() {
        true => Some(views::named(&recording, &args.recording, &args.selection)?.stacks),
        false => None,
    };
    let Some(found) = heaviest(&recording, &args, kept.as_ref())? else {
        return none_found(&recording, &args);
    };
    print(&found.instructions, args.json, || describe(&found))?;
    Notes::of_unused(recording.profile(), &args.selection).say();
    Ok(ExitCode::SUCCESS)
}

/// Returns the error that says why there is no code.
fn none_found(recording: &Recording, args: &Args) -> Result<ExitCode> {
    let viewed = views::named(recording, &args.recording, &args.selection)?;
    Err(viewed.none_in("sample's own instruction", &args.function))
        .with_context(|| args.recording.display().to_string())
        .next("name a function as hone top prints it; one that is always inlined has no code of its own")
}

/// Returns the heaviest of all functions with the wanted name.
fn heaviest(recording: &Recording, args: &Args, kept: Option<&Stacks>) -> Result<Option<Found>> {
    let mut heaviest: Option<Found> = None;
    for id in recording.binaries() {
        let recorded = recording.profile().binary(id);
        if recorded.kind != BinaryKind::File {
            continue;
        }
        let found = views::look_into(recorded, &args.selection, |path, binary| {
            let event = recording.event();
            let (profile, tally) = (recording.profile(), recording.tally());
            let weights = weights_in(binary, profile, id, tally, event, kept);
            heaviest_in(binary, path, &weights, &args.function)
        });
        // A file that is gone, or is another build, has no code to show.
        let Some(found) = found.ok().transpose()?.flatten() else {
            continue;
        };
        if heaviest
            .as_ref()
            .is_none_or(|so_far| found.weight > so_far.weight)
        {
            heaviest = Some(found);
        }
    }
    Ok(heaviest)
}

fn heaviest_in(
    binary: &Binary<'_>,
    path: &Path,
    weights: &FxHashMap<Svma, u64>,
    wanted: &str,
) -> Result<Option<Found>> {
    if weights.is_empty() {
        return Ok(None);
    }
    let debug = DebugInfo::parse(binary)?;
    let by_start = weights_of_functions(binary, weights).into_iter();
    let named = by_start.filter_map(|(start, weight)| {
        let function = binary.functions().starting_at(start)?;
        let name = wanted_name(function, &debug, wanted)?;
        Some((weight, function, name))
    });
    let heaviest = named.max_by_key(|(weight, function, _)| (*weight, Reverse(function.start)));
    let Some((weight, function, name)) = heaviest else {
        return Ok(None);
    };
    Ok(Some(Found {
        name,
        binary: path.to_owned(),
        weight,
        instructions: annotate(binary, &debug, function, weights),
    }))
}

/// Returns the name by which a function is the wanted one: its name in the debug information, or one of its symbols.
fn wanted_name(function: &Function<'_>, debug: &DebugInfo<'_>, wanted: &str) -> Option<String> {
    let stack = debug.inline_stack(function.start);
    let own = stack.last().map(|frame| frame.function);
    let symbols = std::iter::once(function.name).chain(function.aliases.iter().copied());
    let all = own.into_iter().chain(symbols);
    let mut names = all.map(|name| demangle(canonical_name(name)));
    names.find(|name| is_called(name, wanted))
}

fn describe(found: &Found) -> String {
    let mut text = format!("{} in {}\n", found.name, found.binary.display());
    let mut sources = Sources::default();
    let mut before = (String::new(), 0);
    for instruction in &found.instructions {
        let place = (instruction.file.clone(), instruction.line);
        if place != before && instruction.line > 0 {
            let file = Path::new(&instruction.file).file_name().unwrap_or_default();
            let source = sources.line(&instruction.file, instruction.line);
            let inlined = match instruction.inlined.as_str() {
                "" => String::new(),
                name => format!(" ({})", demangle(name)),
            };
            let _ = writeln!(
                text,
                "\n         {}:{}{inlined}  {}",
                file.to_string_lossy(),
                instruction.line,
                source.trim()
            );
            before = place;
        }
        let share = instruction.weight as f64 / found.weight.max(1) as f64;
        let shown = if instruction.weight == 0 {
            String::new()
        } else {
            percent(share)
        };
        let _ = writeln!(
            text,
            "{shown:>8}  {:>8x}:  {}",
            instruction.address, instruction.text
        );
    }
    text
}

/// Source files, read when the first of their lines is asked for.
#[derive(Default)]
struct Sources {
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// Returns the line, counted from 1; empty if the file or the line is missing.
    fn line(&mut self, path: &str, line: u32) -> &str {
        let lines = self.files.entry(path.to_owned()).or_insert_with(|| {
            let text = fs::read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(str::to_owned).collect()
        });
        lines.get(line as usize - 1).map_or("", String::as_str)
    }
}
