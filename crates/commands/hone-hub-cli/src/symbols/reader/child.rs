//! The reader itself: `hone-hub read-symbols`, which the hub starts for each file.

use std::io;
use std::process::ExitCode;

use anyhow::{Context, Result};
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Parser, Refused};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::{Order, Said, What, files};
use crate::checker::{confine, frames};

/// System calls of a reader beside those of a checker: its files have positions.
const CALLS: [i64; 1] = [libc::SYS_lseek];

/// Reads the file that comes over the standard input.
pub(crate) fn run(confined: bool) -> ExitCode {
    match work(confined) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hone-hub: a reader of symbols: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work(confined: bool) -> Result<()> {
    // A reader whose hub was killed would go on to the end of its table.
    set_parent_process_death_signal(Some(Signal::KILL)).context("the end of the hub")?;
    let closed = confine::close_others();
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let files = files::receive(&input).context("the files")?;
    let order: Order = frames::read_json(&mut input).context("the order")?;
    let limited = confine::limit(order.memory_bytes, order.cpu_s);
    if confined {
        closed.context("other files")?;
        limited.context("limits of resources")?;
        confine::leave_few_calls(&CALLS)?;
    }
    let parser = InProcess {
        limits: Limits {
            file_bytes: order.file_bytes,
            unpacked_bytes: order.unpacked_bytes,
            ..Limits::default()
        },
    };
    let code = files.first().context("there is no file")?;
    let read = match order.what {
        What::Inspect => parser.inspect(code).map(|file| (Said::File(file), None)),
        What::Tabulate => parser
            .tabulate(code, files.get(1))
            .map(|table| (Said::Table, Some(table))),
    };
    let (said, table) = read.unwrap_or_else(|refused| (said(&refused), None));
    frames::write_json(&mut output, &said)?;
    if let Some(table) = table {
        frames::write(&mut output, &table)?;
    }
    Ok(())
}

fn said(refused: &Refused) -> Said {
    Said::Refused {
        why: refused.to_string(),
        is_too_large: refused.is_too_large(),
    }
}
