//! `hone diff`: changes from one recording to another, and which of them are more than noise.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use hone_views::{Change, FALSE_DISCOVERIES, align, diff};

use crate::output::print;
use crate::views::{
    self, Columns, Notes, Rows, RowsParser, SelectionArgs, SideNames, binary_in_brackets, percent,
};

/// Compare two recordings: exit 1 if nothing changed by more than noise
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone diff before.data after.data\n  \
    hone diff before.data after.data --by binary --json\n  \
    hone diff a/hone.data b/hone.data --old-name 1.40 --new-name 1.41\n  \
    hone diff hub:checkout@1f3a hub:checkout@9bc0\n\n\
    Functions are compared by name within their program or library, wherever that lies. Self time is compared as a share of each recording, so that their lengths do not matter. A star marks what is \
    more than the chance of sampling; two runs of the same program differ by more than that chance, so look \
    at a second pair before you believe it.")]
pub(crate) struct Args {
    /// The old recording, such as hone.data or hub:checkout,-2d..-1d
    old: PathBuf,
    /// The new recording, such as hub:checkout,-1d..
    new: PathBuf,
    /// What the rows stand for
    #[arg(long, value_parser = RowsParser, default_value = "function")]
    by: Rows,
    /// Rows to print; 0 for all
    #[arg(short = 'n', long, default_value_t = 25, value_name = "N")]
    limit: usize,
    #[command(flatten)]
    names: SideNames,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print all rows as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let [mut old, mut new] = views::view_both([&args.old, &args.new], &args.selection)?;
    align(&mut old.stacks, &mut new.stacks);
    let old_table = args.by.table(&old.stacks, &args.old)?;
    let new_table = args.by.table(&new.stacks, &args.new)?;
    let changes = diff(&old_table, &new_table);
    print(&changes, args.json, || describe(&args, &changes))?;
    Notes::say_both(&old.notes, &new.notes);
    let changed = changes.iter().any(|change| change.significant);
    Ok(ExitCode::from(u8::from(!changed)))
}

fn describe(args: &Args, changes: &[Change]) -> String {
    let [old, new] = args.names.or("old", "new");
    let [old_width, new_width] = [&old, &new].map(|name| console::measure_text_width(name).max(8));
    let mut text = format!(
        "{old:>old_width$}  {new:>new_width$}  {:>9} {:>5}    {}\n",
        "change",
        "+-",
        args.by.header()
    );
    let columns = Columns::of_stdout();
    let limit = if args.limit == 0 {
        changes.len()
    } else {
        args.limit
    };
    for change in changes.iter().take(limit) {
        let line = format!(
            "{:>old_width$}  {:>new_width$}  {:>+7.1} % {:>5.1}  {} {}{}",
            percent(change.old_share),
            percent(change.new_share),
            change.change * 100.0,
            change.error * 100.0,
            if change.significant { '*' } else { ' ' },
            change.name,
            binary_in_brackets(&change.name, &change.binary)
        );
        let _ = writeln!(text, "{}", columns.fit(&line, 0));
    }
    let marked = changes.iter().filter(|change| change.significant).count();
    let _ = match marked {
        0 => writeln!(
            text,
            "\nNothing changed by more than the chance of sampling."
        ),
        _ => writeln!(
            text,
            "\n* {marked} of {} rows changed by more than chance; of these about {:.0} % are expected to be noise.",
            changes.len(),
            FALSE_DISCOVERIES * 100.0
        ),
    };
    text
}
