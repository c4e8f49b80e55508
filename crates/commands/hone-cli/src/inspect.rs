//! `hone inspect`: layout of a binary's code, by the code that recordings saw run.

mod static_layout;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use hone_fdo::dispatch::{Dispatch, dispatches};
use hone_fdo::layout::{CacheShape, FetchFigures, FunctionLayout, Layout, Touches};
use hone_files::advice::Advise;
use hone_inputs::debug_file::Loaded;
use hone_look::binaries::with_binary;
use hone_look::cache::{own_l1i, shape, tlb};
use hone_look::function_pattern::FunctionPattern;
use hone_look::laid_out::{Question, laid_out};
use hone_symbols::Binary;
use indicatif::{HumanBytes, HumanCount};

use crate::event::EventArgs;
use crate::output::print;
use crate::views::{Columns, percent};

/// Number of columns before a function's name.
const COLUMNS_BEFORE: usize = 66;

/// Show how the hot code of a binary lies: hot, cold, error handling, footprint, misses of a cache model
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone record --branches walk -- ./server --once && hone inspect --binary ./server\n  \
    hone inspect --binary ./server monday.data tuesday.data --l1i 48K,12,64 --json\n  \
    hone inspect --binary ./server --static --function '/ReadThrift$/'\n\n\
    Sizes are of code that the recordings saw run, and of code that lies unused between. Without branch records only \
    sampled code is known to run, and there is no model of the caches. With --static the machine code alone says what \
    lies between a function's entry and its last return.")]
pub(crate) struct Args {
    /// The binary that was recorded, whose layout to look at
    #[arg(long, alias = "layout", value_name = "FILE")]
    binary: PathBuf,
    /// Recordings of it: perf.data, perf script text, pprof, or hub:SERVICE
    #[arg(default_value = "hone.data", conflicts_with = "is_static")]
    recordings: Vec<PathBuf>,
    /// Look at the machine code alone, without recordings
    #[arg(long = "static")]
    is_static: bool,
    /// Only this function: its name without arguments too, or those of a pattern in slashes, /ReadThrift$/
    #[arg(long, value_name = "FUNCTION")]
    function: Option<String>,
    /// The modelled instruction cache: size, ways, bytes of a line [default: this CPU's]
    #[arg(long, value_name = "SIZE,WAYS,LINE", value_parser = shape)]
    l1i: Option<CacheShape>,
    /// Entries of the modelled TLB for code, for pages of 4 KiB
    #[arg(long, value_name = "ENTRIES", default_value = "64", value_parser = tlb)]
    itlb: CacheShape,
    /// Functions to list; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 25)]
    limit: usize,
    #[command(flatten)]
    events: EventArgs,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the largest number of functions to list.
    fn shown(&self, functions: usize) -> usize {
        match self.limit {
            0 => functions,
            limit => limit,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    with_binary(&args.binary, |loaded, binary| {
        let wanted = args
            .function
            .as_deref()
            .map(FunctionPattern::parse)
            .transpose()?;
        match args.is_static {
            true => static_layout::run(&args, binary, wanted.as_ref()),
            false => by_recordings(&args, loaded, binary, wanted.as_ref()),
        }
    })
}

fn by_recordings(
    args: &Args,
    loaded: &Loaded,
    binary: &Binary<'_>,
    wanted: Option<&FunctionPattern>,
) -> Result<ExitCode> {
    let question = Question {
        recordings: &args.recordings,
        events: args.events.choice(),
        l1i: args.l1i.or_else(own_l1i).unwrap_or(CacheShape::L1I),
        itlb: args.itlb,
    };
    let laid_out = laid_out(loaded, binary, &question)?;
    if let Some(error) = &laid_out.without_branches {
        eprintln!("note: {error}; the sampled instructions are shown alone");
    }
    let mut laid = laid_out.layout;
    if let Some(wanted) = wanted {
        laid.functions.retain(|function| wanted.is(&function.name));
    }
    if laid.functions.is_empty() {
        return Err(none_like(args, " that ran")).next(
            "leave --function away to see which ran; write a pattern in slashes, /ReadThrift$/",
        );
    }
    let are_sums = laid_out.are_sums;
    let dispatches = match args.json {
        true => Vec::new(),
        false => dispatches(binary)?,
    };
    print(&laid, args.json, || {
        describe(args, &laid, are_sums) + &describe_dispatches(&laid, &dispatches)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the error that no function matches the one that the user named.
fn none_like(args: &Args, which: &str) -> anyhow::Error {
    let problem = match &args.function {
        Some(function) => anyhow!("no function {function}{which}"),
        None => anyhow!("no functions{which}"),
    };
    problem.context(args.binary.display().to_string())
}

fn describe(args: &Args, laid: &Layout, are_sums: bool) -> String {
    let like = args.function.as_ref();
    let like = like.map_or(String::new(), |name| format!(" like {name}"));
    let mut text = format!(
        "{}: {} functions{like} ran, by {}\n",
        args.binary.display(),
        laid.functions.len(),
        laid.unit
    );
    for footprint in &laid.footprint {
        let lines = footprint.lines.saturating_mul(laid.l1i.line_bytes);
        let _ = writeln!(
            text,
            "{:>4.0} % of the work: {} of code, in {} lines ({}, {:.1} times the L1i cache of {}) and {} pages of 4 KiB",
            footprint.share * 100.0,
            HumanBytes(footprint.bytes),
            HumanCount(footprint.lines),
            HumanBytes(lines),
            lines as f64 / laid.l1i.bytes as f64,
            HumanBytes(laid.l1i.bytes),
            HumanCount(footprint.pages),
        );
    }
    match &laid.model {
        Some(model) => describe_model(&mut text, laid, model),
        None if are_sums => {
            text += "no cache is modelled: a hub keeps how often code ran, and not in which order; name a recording for that\n"
        }
        None => {
            text += "no branch records: code that was not sampled may run too, and no cache can be modelled\n"
        }
    }
    let _ = writeln!(
        text,
        "\n{:>7} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9}  function",
        "share", "hot", "cold", "inside", "blocks", "errors", "misses"
    );
    let columns = Columns::of_stdout();
    for function in laid.functions.iter().take(args.shown(laid.functions.len())) {
        let _ = writeln!(text, "{}", row(function, laid, &columns));
    }
    text += "\nhot, cold: bytes seen to run and not; inside: cold bytes between hot ones, in so many blocks; errors: bytes \
             that only\nlead to a throw, a panic or an abort; misses: of the L1i model, in 1,000 instructions of the \
             program\n";
    text
}

/// Describes the functions that ran and jump to many labels by few jumps.
fn describe_dispatches(laid: &Layout, dispatches: &[Dispatch]) -> String {
    let mut text = String::new();
    let joined = dispatches.iter().filter(|dispatch| dispatch.is_joined());
    for dispatch in joined {
        if laid
            .functions
            .iter()
            .any(|ran| ran.name == dispatch.function)
        {
            let _ = writeln!(
                text,
                "{} {}: the compiler has joined them (hone optimize --levers dispatch)",
                dispatch.function,
                dispatch.in_words()
            );
        }
    }
    text
}

fn describe_model(text: &mut String, laid: &Layout, model: &FetchFigures) {
    let l1i = laid.l1i;
    let _ = writeln!(
        text,
        "model of {} walks, {} instructions, in 1,000 instructions:",
        HumanCount(model.walks),
        HumanCount(model.instructions)
    );
    let cache = format!(
        "L1i, {} of {} ways, {} bytes a line",
        HumanBytes(l1i.bytes),
        l1i.ways,
        l1i.line_bytes
    );
    let tlb = format!("iTLB, {} pages of 4 KiB", model.itlb.ways);
    for (name, touches) in [(cache, &model.l1i_touches), (tlb, &model.itlb_touches)] {
        let _ = writeln!(text, "  {name}: {}", misses(model, touches));
    }
}

fn misses(model: &FetchFigures, touches: &Touches) -> String {
    format!(
        "{:.2} misses ({:.2} certain, at most {:.2}); {} of them are cold start",
        model.per_1000(touches.misses_likely()),
        model.per_1000(touches.misses),
        model.per_1000(touches.misses_max()),
        percent(touches.cold_start_share())
    )
}

fn row(function: &FunctionLayout, laid: &Layout, columns: &Columns) -> String {
    let misses = match (&laid.model, &function.l1i_touches) {
        (Some(model), Some(touches)) => format!("{:.2}", model.per_1000(touches.misses_likely())),
        _ => "-".to_owned(),
    };
    let part = if function.is_cold_part {
        " [split off]"
    } else {
        ""
    };
    format!(
        "{:>7} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9}  {}",
        percent(function.share),
        function.hot_bytes,
        function.cold_bytes,
        function.cold_bytes_inside,
        function.cold_blocks_inside,
        function.error_bytes,
        misses,
        columns.fit(&format!("{}{part}", function.name), COLUMNS_BEFORE)
    )
}
