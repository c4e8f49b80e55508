//! The checker itself: `hone-hub check-batches`, which the hub starts.

use std::io;
use std::process::ExitCode;

use hone_hub::check;
use hone_hub::store::limits::BATCH_BYTES_MAX;

use super::confine;
use super::frames::{self, Hello, Verdict};

/// Checks batches from the standard input until there are no more.
pub(crate) fn run(confined: bool) -> ExitCode {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let closed = confine::close_others().map_err(|error| format!("other files: {error}"));
    let limited = confine::limit().map_err(|error| format!("limits of resources: {error}"));
    let filtered = match confined {
        true => confine::leave_few_calls().map_err(|error| format!("{error:#}")),
        false => Err("it was not asked to be".to_owned()),
    };
    let hello = Hello {
        not_confined: closed.and(limited).and(filtered).err(),
    };
    if frames::write_json(&mut output, &hello).is_err() {
        return ExitCode::FAILURE;
    }
    while let Ok(batch) = frames::read(&mut input, BATCH_BYTES_MAX) {
        let verdict = Verdict::of(check::check(&batch));
        drop(batch);
        if frames::write_json(&mut output, &verdict).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
