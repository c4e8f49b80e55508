//! `hone annotate`: the machine code and the source of one function, with the time that went there.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use hone_look::annotated::{Annotated, Sources, heaviest};
use hone_look::binaries::Binaries;
use hone_look::recording::Recording;
use hone_look::selection::Selection;
use hone_symbols::demangle;

use crate::function_first::in_order;
use crate::output::print;
use crate::views::{Notes, SelectionArgs, named_stacks, percent};
use hone_files::advice::Advise;

/// Show the code of a function with the time that went there
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone annotate 'Server::handle'\n\n\
    Shares are of the function's own time. Without precise hardware events, a sample is often counted one or a few \
    instructions after the one that took the time.")]
pub(crate) struct Args {
    /// The function: its name as hone top prints it, without arguments too
    function: String,
    /// The recording: perf.data, perf script text, pprof, or hub:SERVICE for what a hub has of a service
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print the instructions as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    in_order("annotate", &args.function, &args.recording)?;
    let selection = args.selection.selection();
    let binaries = Binaries::of(&selection);
    let recording = Recording::read(&args.recording, &selection, &binaries)?;
    let Some(found) = heaviest(&recording, &selection, &args.function)? else {
        return none_found(&recording, &selection, &args);
    };
    print(&found.instructions, args.json, || describe(&found))?;
    Notes::of_unused(&recording).say();
    Ok(ExitCode::SUCCESS)
}

/// Returns the error that says why there is no code.
fn none_found(recording: &Recording<'_>, selection: &Selection, args: &Args) -> Result<ExitCode> {
    let viewed = named_stacks(recording, selection)?;
    Err(viewed.none_in("sample's own instruction", &args.function))
        .with_context(|| args.recording.display().to_string())
        .next("name a function as hone top prints it; one that is always inlined has no code of its own")
}

fn describe(found: &Annotated) -> String {
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
