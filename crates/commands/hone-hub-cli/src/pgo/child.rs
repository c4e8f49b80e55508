//! The maker itself: `hone-hub make-profile`, which the hub starts for one profile.
//!
//! It parses batches and files from outside, so it is confined as those are that check batches.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::process::ExitCode;

use hone_batch::{Limits, wire};
use hone_hub::pgo::Recorded;
use hone_pgo::{Former, Made, PgoError, make};
use hone_profile::BuildId;
use hone_symbols::Image;
use rustix::process::{Signal, set_parent_process_death_signal};

use super::talk::{Ask, Has, INPUT_BYTES_MAX, MANIFEST_BYTES_MAX, PROFILE_BYTES_MAX, Said};
use crate::checker::confine;
use crate::checker::frames::{self, Hello};

/// Seconds of CPU time: a bound for a maker whose hub was killed.
const CPU_S_MAX: u64 = 600;
/// Limits of an unpacked batch, which is of many hosts.
const LIMITS: Limits = Limits {
    bytes_max: 512 << 20,
    texts_max: 1 << 24,
};

/// Files of a build, which stay in memory until the process ends.
type Kept = (String, Option<Image<'static>>);

/// Makes one profile of what comes from the standard input.
pub(crate) fn run(confined: bool, memory_bytes: u64) -> ExitCode {
    // A maker whose hub was killed would go on to the end of its profile.
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        eprintln!("hone-hub: a maker of profiles: the end of the hub: {error}");
        return ExitCode::FAILURE;
    }
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let hello = Hello {
        not_confined: confined_to(confined, memory_bytes).err(),
    };
    let said = frames::write_json(&mut output, &hello);
    match said.and_then(|()| answer(&mut input, &mut output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Leaves this process no more than it needs; the error says what could not be had.
fn confined_to(confined: bool, memory_bytes: u64) -> Result<(), String> {
    let closed = confine::close_others().map_err(|error| format!("other files: {error}"));
    let limited = confine::limit(memory_bytes, CPU_S_MAX);
    let limited = limited.map_err(|error| format!("limits of resources: {error}"));
    let filtered = match confined {
        true => confine::leave_few_calls(&[]).map_err(|error| format!("{error:#}")),
        false => Err("it was not asked to be".to_owned()),
    };
    closed.and(limited).and(filtered)
}

fn answer(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let ask: Ask = frames::read_json(input)?;
    let former = match ask.has_former {
        true => {
            let manifest = frames::read(input, MANIFEST_BYTES_MAX)?;
            let profile = frames::read(input, PROFILE_BYTES_MAX)?;
            Former::read(&manifest, profile).ok()
        }
        false => None,
    };
    let mut batches = Vec::new();
    let mut too_much = None;
    for _ in 0..ask.batches + ask.sums {
        let bytes = frames::read(input, INPUT_BYTES_MAX)?;
        // The hub reads no answer before it has written all batches.
        if too_much.is_none() {
            match wire::read(&bytes, &LIMITS) {
                Ok(batch) => batches.push(batch),
                Err(error) => too_much = Some(error),
            }
        }
    }
    if let Some(error) = too_much {
        return failed(output, &format!("what was recorded is too much: {error}"));
    }
    let sums = batches.split_off(ask.batches);
    let recorded = Recorded { batches, sums };
    let made = made(&ask, &recorded, former.as_ref(), input, output)?;
    match made {
        Ok(made) => {
            frames::write_json(output, &Said::Made(made.decision))?;
            frames::write(output, &made.manifest.write())?;
            frames::write(output, &made.profile)
        }
        Err(error) => failed(output, &told(&error)),
    }
}

fn failed(output: &mut impl Write, why: &str) -> io::Result<()> {
    frames::write_json(output, &Said::Failed(why.to_owned()))
}

/// Makes the profile. Files of builds are asked for when they are needed, each once.
fn made(
    ask: &Ask,
    recorded: &Recorded,
    former: Option<&Former>,
    input: &mut impl Read,
    output: &mut impl Write,
) -> io::Result<Result<Made, PgoError>> {
    let build = ask.build();
    let question = ask.question(build.as_ref(), recorded, former);
    let kept: RefCell<Vec<Kept>> = RefCell::default();
    let streams = RefCell::new((input, output));
    let broken = Cell::new(None);
    let image = |id: &BuildId| -> Option<Image<'static>> {
        let id = id.to_string();
        let known = kept
            .borrow()
            .iter()
            .find(|(known, _)| *known == id)
            .cloned();
        if let Some((_, image)) = known {
            return image;
        }
        let (input, output) = &mut *streams.borrow_mut();
        let image = ask_for(&id, *input, *output).unwrap_or_else(|error| {
            broken.set(Some(error));
            None
        });
        kept.borrow_mut().push((id, image));
        image
    };
    // Images that live until the end of the process are lent for as long as the profile takes.
    let made = make(&question, &|id| {
        let lent = image(id)?;
        Some(lent)
    });
    match broken.take() {
        Some(error) => Err(error),
        None => Ok(made),
    }
}

fn ask_for(
    build: &str,
    input: &mut impl Read,
    output: &mut impl Write,
) -> io::Result<Option<Image<'static>>> {
    frames::write_json(output, &Said::Needs(build.to_owned()))?;
    let has: Has = frames::read_json(input)?;
    // The process ends after this profile, and needs the files until then.
    let mut files = Vec::new();
    for _ in 0..has.files {
        let file: &'static [u8] = frames::read(input, INPUT_BYTES_MAX)?.leak();
        files.push(file);
    }
    Ok(files.first().map(|binary| Image {
        binary,
        debug: files.get(1).copied(),
        split: None,
    }))
}

/// Says why there is no profile, and what to do.
fn told(error: &PgoError) -> String {
    let next = match error {
        PgoError::NoBinary { .. } => {
            ": upload the program of that build with its debug information by hone hub symbols FILE, and ask again"
        }
        PgoError::Convert { .. } => {
            ": build with -gline-tables-only -fdebug-info-for-profiling (or -g1), and upload the program with its debug information"
        }
        PgoError::NoBranches { .. } => {
            ": record the service with branch records, or choose a form that plain samples make, such as go-pgo"
        }
        _ => "",
    };
    format!("{error}{next}")
}

#[cfg(test)]
mod tests {
    use hone_pgo::{Form, Settings};

    use super::*;

    #[test]
    fn a_batch_that_is_too_much_is_said_after_the_last_one_was_read() {
        let ask = Ask {
            service: "shop".to_owned(),
            form: Form::GoPgo,
            now_s: 0,
            target: None,
            settings: Settings::default(),
            has_former: false,
            batches: 2,
            sums: 1,
        };
        let mut asked = Vec::new();
        frames::write_json(&mut asked, &ask).unwrap();
        for _ in 0..3 {
            frames::write(&mut asked, b"no batch").unwrap();
        }
        let (mut input, mut output) = (asked.as_slice(), Vec::<u8>::new());
        answer(&mut input, &mut output).unwrap();
        assert!(input.is_empty());
        let Said::Failed(why) = frames::read_json(&mut output.as_slice()).unwrap() else {
            panic!("a profile of nothing");
        };
        assert!(why.starts_with("what was recorded is too much: "), "{why}");
    }
}
