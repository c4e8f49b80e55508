//! The checker itself: `hone-hub check-batches`, which the hub starts.

use std::io::{self, Write};
use std::process::ExitCode;

use hone_hub::store::limits::BATCH_BYTES_MAX;
use hone_hub::{check, other_tools};

use super::confine;
use super::frames::{self, Hello, Job, Made, Told, Verdict};

/// Bytes of memory. The tables of the largest batch take up to ten times its unpacked bytes, of which there may be 64 MiB.
const MEMORY_BYTES_MAX: u64 = 2 << 30;
/// Seconds of CPU time of a checker in its life: a bound for one whose hub was killed. The batch that a checker has when
/// they are used up is checked by the next one.
const CPU_S_MAX: u64 = 3600;

/// Does jobs from the standard input until there are no more.
pub(crate) fn run(confined: bool) -> ExitCode {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let closed = confine::close_others().map_err(|error| format!("other files: {error}"));
    let limited = confine::limit(MEMORY_BYTES_MAX, CPU_S_MAX);
    let limited = limited.map_err(|error| format!("limits of resources: {error}"));
    let filtered = match confined {
        true => confine::leave_few_calls(&[]).map_err(|error| format!("{error:#}")),
        false => Err("it was not asked to be".to_owned()),
    };
    let hello = Hello {
        not_confined: closed.and(limited).and(filtered).err(),
    };
    if frames::write_json(&mut output, &hello).is_err() {
        return ExitCode::FAILURE;
    }
    while let Ok(job) = frames::read_json(&mut input) {
        let Ok(bytes) = frames::read(&mut input, BATCH_BYTES_MAX) else {
            return ExitCode::SUCCESS;
        };
        if answer(&mut output, &job, bytes).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn answer(output: &mut impl Write, job: &Job, bytes: Vec<u8>) -> io::Result<()> {
    let sent = match job {
        Job::Check => {
            let verdict = Verdict::of(check::check(&bytes));
            drop(bytes);
            return frames::write_json(output, &verdict);
        }
        Job::Take(sent) => sent,
    };
    let taken = other_tools::take(sent, &bytes);
    drop(bytes);
    let (batch, checked, left_out) = match taken {
        Err(refusal) => return frames::write_json(output, &Made::Refused(refusal)),
        Ok(taken) => match taken.batch {
            Some((batch, checked)) => (Some(batch), Some(checked), taken.left_out),
            None => (None, None, taken.left_out),
        },
    };
    frames::write_json(output, &Made::Batch(checked.map(Told::of), left_out))?;
    match batch {
        Some(batch) => frames::write(output, &batch),
        None => Ok(()),
    }
}
