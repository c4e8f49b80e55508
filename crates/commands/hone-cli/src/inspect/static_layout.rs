//! `hone inspect --binary FILE --static`: layout of functions by their machine code alone.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use hone_fdo::layout::{StaticLayout, static_layout};
use hone_look::function_pattern::FunctionPattern;
use hone_symbols::Binary;
use indicatif::HumanCount;
use serde::Serialize;

use super::{Args, none_like};
use crate::output::print;
use crate::views::{Columns, percent};
use hone_files::advice::Advise;

/// Number of columns before a function's name.
const COLUMNS_BEFORE: usize = 48;

/// Functions, and the sums of their bytes.
#[derive(Serialize)]
struct Still {
    /// Bytes of all functions.
    bytes: u64,
    hot_bytes: u64,
    cold_bytes: u64,
    error_bytes: u64,
    error_bytes_inside: u64,
    error_calls_inside: u64,
    /// Functions with most error code in their hot range first, then the largest.
    functions: Vec<StaticLayout>,
}

pub(super) fn run(
    args: &Args,
    binary: &Binary<'_>,
    wanted: Option<&FunctionPattern>,
) -> Result<ExitCode> {
    let mut functions = static_layout(binary, |name| wanted.is_none_or(|wanted| wanted.is(name)));
    if functions.is_empty() {
        return Err(none_like(args, "")).next(
            "leave --function away to see which there are; write a pattern in slashes, /ReadThrift$/",
        );
    }
    functions.sort_by(|a, b| {
        let order = |of: &StaticLayout| (of.error_bytes_inside, of.hot_bytes);
        order(b).cmp(&order(a)).then(a.start.cmp(&b.start))
    });
    let sum = |of: fn(&StaticLayout) -> u64| functions.iter().map(of).sum();
    let still = Still {
        bytes: sum(|of| of.bytes),
        hot_bytes: sum(|of| of.hot_bytes),
        cold_bytes: sum(|of| of.cold_bytes),
        error_bytes: sum(|of| of.error_bytes),
        error_bytes_inside: sum(|of| of.error_bytes_inside),
        error_calls_inside: sum(|of| of.error_calls_inside),
        functions,
    };
    print(&still, args.json, || describe(args, &still))?;
    Ok(ExitCode::SUCCESS)
}

fn describe(args: &Args, still: &Still) -> String {
    let outside = still.error_bytes - still.error_bytes_inside;
    let mut text = format!(
        "{}: {} functions by their machine code alone, {} bytes: {} hot, {} cold\n",
        args.binary.display(),
        HumanCount(still.functions.len() as u64),
        HumanCount(still.bytes),
        HumanCount(still.hot_bytes),
        HumanCount(still.cold_bytes),
    );
    let _ = match still.error_bytes {
        0 => writeln!(text, "no code for errors only"),
        all => writeln!(
            text,
            "{} bytes for errors, {} of them outside the hot ranges; {} calls that make or report errors inside",
            HumanCount(all),
            percent(outside as f64 / all as f64),
            HumanCount(still.error_calls_inside),
        ),
    };
    let _ = writeln!(
        text,
        "\n{:>9} {:>9} {:>9} {:>9} {:>6}  function",
        "hot", "cold", "errors", "inside", "calls"
    );
    let columns = Columns::of_stdout();
    for function in still
        .functions
        .iter()
        .take(args.shown(still.functions.len()))
    {
        let _ = writeln!(
            text,
            "{:>9} {:>9} {:>9} {:>9} {:>6}  {}",
            function.hot_bytes,
            function.cold_bytes,
            function.error_bytes,
            function.error_bytes_inside,
            function.error_calls_inside,
            columns.fit(&function.name, COLUMNS_BEFORE)
        );
    }
    text += "\nhot: bytes from the entry to the last return of ordinary work, without those for errors; cold: behind it; errors: \
             bytes\nthat only lead to a throw, a panic, an abort or an error value; inside, calls: of these, between entry and \
             that return\n";
    text
}
