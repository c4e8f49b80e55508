//! `hone top`: time by function, file, line, binary, thread, process, command or label.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;
use hone_views::{Row, Table};

use crate::output::print;
use crate::views::{self, Columns, Rows, RowsParser, SelectionArgs, binary_in_brackets, percent};

/// Show where the time of a recording went
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone top\n  \
    hone top hone.data --by line --focus '^parse'\n  \
    hone top cpu.pprof --by label:service,method\n  \
    hone top perf.data --sort total --json\n  \
    hone top hub:checkout@1f3a,-6h.. --by label:host\n\n\
    Self is time in the function's own instructions, total also in what it called; calls that were inlined count \
    as functions. Behind each share stands its standard error: another recording of the same differs by more than \
    twice as much once in twenty times.")]
pub(crate) struct Args {
    /// The recording: perf.data, perf script text, pprof, or hub:SERVICE for what a hub has of a service
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    /// What the rows stand for
    #[arg(long, value_parser = RowsParser, default_value = "function")]
    by: Rows,
    /// Which column decides the order
    #[arg(long, value_enum, default_value_t = Order::SelfShare)]
    sort: Order,
    /// Rows to print; 0 for all
    #[arg(short = 'n', long, default_value_t = 25, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print all rows as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    #[value(name = "self")]
    SelfShare,
    #[value(name = "total")]
    TotalShare,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let viewed = views::view(&args.recording, &args.selection)?;
    let mut table = args.by.table(&viewed.stacks, &args.recording)?;
    if args.sort == Order::TotalShare {
        table
            .rows
            .sort_by_key(|row| std::cmp::Reverse(row.total_weight));
    }
    print(&table, args.json, || {
        let mut text = describe(&args, &table);
        if let Some(quality) = &viewed.quality {
            let _ = writeln!(text, "\n{quality}");
        }
        text
    })?;
    viewed.notes.say();
    Ok(ExitCode::SUCCESS)
}

fn describe(args: &Args, table: &Table) -> String {
    let mut text = format!(
        "{}\n\n",
        views::header(&args.recording, &table.event, table.samples, table.weight)
    );
    let _ = writeln!(
        text,
        "{:>8} {:>5}  {:>8} {:>5}  {}",
        "self",
        "+-",
        "total",
        "+-",
        args.by.header()
    );
    let columns = Columns::of_stdout();
    let shown = match args.limit {
        0 => table.rows.len(),
        limit => limit.min(table.rows.len()),
    };
    for row in &table.rows[..shown] {
        let _ = writeln!(text, "{}", columns.fit(&line(row), 0));
    }
    if let Some(rest) = table.rows.get(shown..).filter(|rest| !rest.is_empty()) {
        let share = rest.iter().map(|row| row.self_share).sum();
        let _ = writeln!(
            text,
            "{:>8}        in {} more rows; see them with -n 0",
            percent(share),
            rest.len()
        );
    }
    text
}

fn line(row: &Row) -> String {
    let binary = binary_in_brackets(&row.name, &row.binary);
    format!(
        "{:>8} {:>5.1}  {:>8} {:>5.1}  {}{binary}",
        percent(row.self_share),
        row.self_error * 100.0,
        percent(row.total_share),
        row.total_error * 100.0,
        row.name
    )
}
