//! `hone inspect`: layout of a binary's code, by the code that recordings saw run.

mod static_layout;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use hone_fdo::layout::{
    BinaryFetches, CacheShape, FetchFigures, FetchModel, FunctionLayout, Layout, Touches, layout,
};
use hone_fdo::{Code, Evidence, FdoError, count_binary, find_binaries};
use hone_symbols::{Binary, MadeNames};
use indicatif::{HumanBytes, HumanCount};

use crate::event::EventArgs;
use crate::function_pattern::FunctionPattern;
use crate::output::print;
use crate::views::{Columns, percent};
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::Reading;
use hone_run::advice::{Advice, Advise};

/// Directory in which the kernel describes the caches of the first CPU.
const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

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
    /// Recordings of it: perf.data, perf script text or pprof
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
    let l1i = args.l1i.or_else(own_l1i).unwrap_or(CacheShape::L1I);
    let loaded = Loaded::read(&args.binary, None)?;
    let names = MadeNames::default();
    let binary = Binary::parse_with_bodies(loaded.image(), &names)
        .with_context(|| args.binary.display().to_string())
        .next("name an ELF program or shared library for x86-64")?;
    let wanted = args
        .function
        .as_deref()
        .map(FunctionPattern::parse)
        .transpose()?;
    if args.is_static {
        return static_layout::run(&args, &binary, wanted.as_ref());
    }
    let code = Code::new(&binary);
    let hint = loaded.path().to_str();
    let mut reading = Reading::of(&args.recordings, Some(&loaded)).only(&args.events.choice());
    let mut recordings = Vec::new();
    let mut fetches = BinaryFetches::default();
    for path in &args.recordings {
        let mut model = FetchModel::new(l1i, args.itlb);
        let recorded = reading.next(path, |profile, sample, branches| {
            model.add(profile, sample, branches);
        })?;
        // A recording without the binary is an error below.
        let ids = find_binaries(&recorded, &binary, hint).unwrap_or_default();
        fetches.add(&model.finish(&recorded.profile, &ids, &binary));
        recordings.push(recorded);
    }
    let counted = count_binary(&recordings, Evidence::Branches, hint, &code)
        .or_else(|error| match error {
            // The sampled instructions are known without branch records.
            FdoError::PartialBranches { .. } => {
                eprintln!("note: {error}; the sampled instructions are shown alone");
                count_binary(&recordings, Evidence::IpSamples, hint, &code)
            }
            error => Err(error),
        })
        .map_err(|error| {
            let step = advice(&error, &args.binary);
            Advice::error(error, step)
        })?;
    let mut laid = layout(&counted.counts, &code, l1i).with_fetches(&fetches, args.itlb, &code);
    if let Some(wanted) = &wanted {
        laid.functions.retain(|function| wanted.is(&function.name));
    }
    if laid.functions.is_empty() {
        return Err(none_like(&args, " that ran")).next(
            "leave --function away to see which ran; write a pattern in slashes, /ReadThrift$/",
        );
    }
    print(&laid, args.json, || describe(&args, &laid))?;
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

/// Returns advice for recordings that say nothing about the binary.
fn advice(error: &FdoError, binary: &Path) -> String {
    match error {
        FdoError::NoSamplesInBinary { .. } => {
            "name one of those files with --binary, or recordings of this one".to_owned()
        }
        FdoError::BuildIdDiffers { .. } => format!(
            "name the build that was recorded, or record this one: hone record --branches walk -- {}",
            binary.display()
        ),
        other => hone_convert::next_step(other).to_owned(),
    }
}

fn describe(args: &Args, laid: &Layout) -> String {
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

/// Returns the first-level instruction cache of this CPU, if the kernel describes it.
pub(crate) fn own_l1i() -> Option<CacheShape> {
    let read = |index: usize, name: &str| {
        let path = Path::new(CACHES).join(format!("index{index}")).join(name);
        fs::read_to_string(path)
            .ok()
            .map(|text| text.trim().to_owned())
    };
    let is_it = |index: &usize| {
        read(*index, "type").as_deref() == Some("Instruction")
            && read(*index, "level").as_deref() == Some("1")
    };
    let index = (0..8).find(is_it)?;
    let size = read(index, "size")?;
    let ways = read(index, "ways_of_associativity")?;
    let line = read(index, "coherency_line_size")?;
    shape(&format!("{size},{ways},{line}")).ok()
}

/// Parses a cache as `32K,8,64` or `32768,8,64`.
fn shape(text: &str) -> Result<CacheShape> {
    let number = |part: &str| {
        let part = part.trim();
        match part.strip_suffix(['K', 'k']) {
            Some(kilo) => kilo.parse::<u64>().ok()?.checked_mul(1024),
            None => part.parse().ok(),
        }
    };
    let parts: Option<Vec<u64>> = text.split(',').map(number).collect();
    let shape = match parts.as_deref() {
        Some(&[bytes, ways, line_bytes]) => CacheShape {
            bytes,
            ways,
            line_bytes,
        },
        _ => {
            return Err(anyhow!(
                "three numbers are needed: size, ways, bytes of a line, as 32K,8,64"
            ));
        }
    };
    sound(shape)
}

fn tlb(text: &str) -> Result<CacheShape> {
    sound(CacheShape::tlb(text.parse()?))
}

fn sound(shape: CacheShape) -> Result<CacheShape> {
    match shape.is_sound() {
        true => Ok(shape),
        false => Err(anyhow!(
            "no such cache can be: lines are powers of two, the size is a whole number of sets"
        )),
    }
}
