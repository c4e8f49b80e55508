//! Shared code of `hone top`, `callers`, `callees`, `diff` and others: turns a recording into stacks of named frames.

mod columns;
mod kernel;
mod notes;
mod sides;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_diagnose::Counter;
use hone_fdo::{FdoError, Recorded, WALK_EVENT, Warning};
use hone_profile::{BinaryId, BinaryKind, EventId, Losses, Profile};
use hone_symbols::{Binary, DebugInfo, MadeNames};
use hone_views::{Frame, Names, Place, StackTally, Stacks, is_time, names_in};
use regex::Regex;

use crate::event::EventArgs;
pub(crate) use columns::{Columns, binary_in_brackets, header, percent, samples_in_words};
use hone_convert::{next_step, sentence};
use hone_inputs::debug_file::{Loaded, of_recorded};
use hone_inputs::given::given_for;
use hone_inputs::recording::Reading;
use hone_inputs::vdso::recorded_vdso;
use hone_run::advice::{Advice, Advise};
pub(crate) use notes::Notes;
pub(crate) use sides::SideNames;

/// Reason for missing names where nothing went wrong.
const STRIPPED: &str = "its symbols are stripped; functions have names of place, size and section there, as far as they are known";

/// Share of the weight below which a file without names gets no note.
const WORTH_A_NOTE: f64 = 0.01;

/// Which samples, and where their names come from.
#[derive(clap::Args)]
pub(crate) struct Selection {
    #[command(flatten)]
    events: EventArgs,
    /// Only stacks with a function that this pattern matches
    #[arg(long, value_name = "REGEX")]
    focus: Option<Regex>,
    /// No stacks with a function that this pattern matches
    #[arg(long, value_name = "REGEX")]
    ignore: Option<Regex>,
    /// The binary that was recorded, where it is not where the recording says: a program or library of that build, or of that
    /// name
    #[arg(long, value_name = "FILE")]
    binary: Vec<PathBuf>,
    /// The debug file of those, where it does not lie where debuggers look
    #[arg(long, value_name = "FILE", requires = "binary")]
    debug_file: Option<PathBuf>,
}

impl Selection {
    /// True if only some stacks count.
    pub(crate) fn filters(&self) -> bool {
        self.focus.is_some() || self.ignore.is_some()
    }
}

/// A recording, counted by stacks, and the event to look at.
pub(crate) struct Recording {
    pub(crate) recorded: Recorded,
    tally: StackTally,
    event: EventId,
}

impl Recording {
    /// Reads the next recording.
    pub(crate) fn next(
        reading: &mut Reading,
        mut tally: StackTally,
        path: &Path,
        selection: &Selection,
    ) -> Result<Self> {
        reading.unwind_through(&selection.binary);
        let recorded = reading.next(path, |_, sample, _| tally.add(sample))?;
        let event = event_of(&recorded.profile, &tally, selection.events.name())
            .with_context(|| path.display().to_string())?;
        Ok(Self {
            recorded,
            tally,
            event,
        })
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.recorded.profile
    }

    pub(crate) fn tally(&self) -> &StackTally {
        &self.tally
    }

    pub(crate) fn event(&self) -> EventId {
        self.event
    }

    /// Returns the binaries that the event's stacks go through.
    pub(crate) fn binaries(&self) -> Vec<BinaryId> {
        self.tally
            .places(self.profile(), self.event)
            .into_keys()
            .collect()
    }
}

/// Reads a recording.
pub(crate) fn read(path: &Path, selection: &Selection) -> Result<Recording> {
    read_into(StackTally::default(), path, selection)
}

/// Reads a recording with the time of each sample.
pub(crate) fn read_with_times(path: &Path, selection: &Selection) -> Result<Recording> {
    read_into(StackTally::with_times(), path, selection)
}

fn read_into(tally: StackTally, path: &Path, selection: &Selection) -> Result<Recording> {
    let mut reading = Reading::of(&[path.to_owned()], None);
    Recording::next(&mut reading, tally, path, selection)
}

/// The stacks of a recording, and notes about them.
pub(crate) struct Viewed {
    pub(crate) stacks: Stacks,
    /// Text on how the stacks end, if the samples have stacks.
    pub(crate) quality: Option<String>,
    /// Notes for standard error.
    pub(crate) notes: Notes,
}

impl Viewed {
    /// Prints the notes, some of which may say why, and returns the error that no `what` (a sample, say) is in a function.
    pub(crate) fn none_in(&self, what: &str, function: &str) -> anyhow::Error {
        self.notes.say();
        let known = match self.stacks.unknown.by_binary.is_empty() {
            true => "",
            false => ", as far as names are known",
        };
        anyhow!("no {what} is in a function {function}{known}")
    }
}

/// Reads a recording and names its stacks.
pub(crate) fn view(path: &Path, selection: &Selection) -> Result<Viewed> {
    named(&read(path, selection)?, path, selection)
}

/// Returns the stacks of one event of a recording, with their names.
pub(crate) fn stacks_of(recording: &Recording, event: EventId, selection: &Selection) -> Stacks {
    name_stacks(recording, event, selection).0
}

fn name_stacks<'s>(
    recording: &Recording,
    event: EventId,
    selection: &'s Selection,
) -> (Stacks, Naming<'s>) {
    let profile = recording.profile();
    let mut naming = Naming {
        selection,
        names: Names::default(),
        reasons: Vec::new(),
        losses: Vec::new(),
    };
    for (binary, places) in recording.tally.places(profile, event) {
        naming.add(profile, profile.binary(binary), &places);
    }
    let stacks = Stacks::new(profile, &recording.tally, event, &naming.names);
    (stacks, naming)
}

/// Names the stacks of a recording.
pub(crate) fn named(recording: &Recording, path: &Path, selection: &Selection) -> Result<Viewed> {
    let (profile, event) = (recording.profile(), recording.event);
    let (mut stacks, naming) = name_stacks(recording, event, selection);
    let mut notes = naming.notes(&stacks);
    let samples = recording.tally.samples(event);
    if recording.tally.without_stack(event) == samples {
        notes.push(
            "the samples have no call stacks: only the function that ran is known, with the calls inlined into it; \
             record with -g"
                .to_owned(),
        );
    }
    let quality = (recording.tally.without_stack(event) < samples).then(|| notes::quality(&stacks));
    notes.extend(notes::on_stacks(&stacks));
    notes.extend(notes::on_losses(&profile.losses));
    filter(&mut stacks, selection);
    if stacks.stacks.is_empty() {
        return Err(anyhow!(
            "of {samples} samples none is left by --focus and --ignore"
        ))
        .with_context(|| path.display().to_string())
        .next("try other patterns: they are matched against the names that hone top prints");
    }
    Ok(Viewed {
        stacks,
        quality,
        notes: Notes {
            sentences: notes,
            ..Notes::of_unused(profile, selection)
        },
    })
}

fn filter(stacks: &mut Stacks, selection: &Selection) {
    let matches = |pattern: &Regex, frame: &Frame| pattern.is_match(&frame.function);
    let focus = selection.focus.as_ref();
    let ignore = selection.ignore.as_ref();
    let focus = focus.map(|pattern| move |frame: &Frame| matches(pattern, frame));
    let ignore = ignore.map(|pattern| move |frame: &Frame| matches(pattern, frame));
    stacks.filter(
        focus
            .as_ref()
            .map(|accepts| accepts as &dyn Fn(&Frame) -> bool),
        ignore
            .as_ref()
            .map(|accepts| accepts as &dyn Fn(&Frame) -> bool),
    );
}

/// Returns the event to look at: the one that was named; else time or cycles; else the first with samples that is no walk.
fn event_of(profile: &Profile, tally: &StackTally, name: Option<&str>) -> Result<EventId> {
    let events = (0..profile.events.len() as u32).map(EventId);
    let with_samples: Vec<EventId> = events.filter(|&event| tally.samples(event) > 0).collect();
    let name_of = |event: &EventId| profile.events[event.index()].name.as_str();
    let is_wanted = |event: &&EventId| match name {
        Some(name) => name_of(event) == name,
        None => name_of(event) != WALK_EVENT,
    };
    let is_usual = |event: &&EventId| {
        is_time(name_of(event)) || Counter::of_event(name_of(event)) == Some(Counter::Cycles)
    };
    let mut wanted = with_samples.iter().filter(is_wanted);
    let usual = with_samples.iter().filter(is_wanted).find(is_usual);
    let found = usual.or_else(|| wanted.next());
    if let Some(event) = found {
        return Ok(*event);
    }
    let there: Vec<&str> = with_samples.iter().map(name_of).collect();
    match (name, there.as_slice()) {
        (_, []) => Err(no_samples(&profile.losses)),
        (Some(name), there) => Err(anyhow!("there are no samples of an event {name}"))
            .next(format!("name one of {}", there.join(", "))),
        (None, _) => Err(anyhow!(
            "the recording holds branches only, and no samples of time"
        ))
        .next("record without --branches, or with --branches auto"),
    }
}

/// Returns the error that there are no samples, with the reason.
fn no_samples(losses: &Losses) -> anyhow::Error {
    let error = match losses.corrupt_at {
        Some(at) => FdoError::Corrupt { at },
        None if losses.unfinished => FdoError::Unfinished,
        None => {
            let next = "record for longer, or a program that uses the CPU";
            return Advice::error(FdoError::NoSamples, next);
        }
    };
    let next = next_step(&error);
    Advice::error(error, next)
}

/// Calls `look` with the file that was recorded: the file given for it, or the file at its path, or debuginfod's, if
/// that file is the recorded build.
pub(crate) fn look_into<T>(
    recorded: &hone_profile::Binary,
    selection: &Selection,
    look: impl FnOnce(&Path, &Binary<'_>) -> T,
) -> Result<T> {
    let given = given_for(recorded, &selection.binary);
    let debug_file = given.and(selection.debug_file.as_deref());
    let file = given.map_or_else(|| of_recorded(recorded), PathBuf::clone);
    let loaded = Loaded::read(&file, debug_file)?;
    let names = MadeNames::default();
    let binary = Binary::parse_with_bodies(loaded.image(), &names)?;
    if let (Some(was), Some(is)) = (&recorded.build_id, binary.build_id())
        && was != is
    {
        return Err(anyhow!(
            "the file there now is another build ({is}) than the recorded one ({was}); give a copy of that with \
             --binary"
        ));
    }
    Ok(look(loaded.path(), &binary))
}

/// Collector of names, binary by binary.
struct Naming<'s> {
    selection: &'s Selection,
    names: Names,
    /// Paths as recorded, and why there are no names for them.
    reasons: Vec<(String, String)>,
    /// Sentences on missing parts of the debug information.
    losses: Vec<String>,
}

impl Naming<'_> {
    fn add(&mut self, profile: &Profile, binary: &hone_profile::Binary, places: &[Place]) {
        let named = match binary.kind {
            BinaryKind::File => self.of_file(profile, binary, places),
            BinaryKind::Kernel => kernel::names(profile, binary, places),
            BinaryKind::Vdso => of_vdso(profile, places),
            BinaryKind::Anonymous | BinaryKind::Unmapped => return,
        };
        match named {
            Ok(names) => self.names.extend(names),
            Err(reason) => {
                let path = match binary.kind {
                    BinaryKind::Kernel => hone_views::KERNEL.to_owned(),
                    _ => binary.path.clone(),
                };
                self.reasons.push((path, format!("{reason:#}")));
            }
        }
    }

    fn of_file(
        &mut self,
        profile: &Profile,
        recorded: &hone_profile::Binary,
        places: &[Place],
    ) -> Result<Names> {
        let looked = look_into(recorded, self.selection, |_, binary| -> Result<_> {
            let debug = DebugInfo::parse(binary)?;
            let names = names_in(binary, &debug, profile, places);
            Ok((names, debug.split_losses(), debug.unread_units().clone()))
        })?;
        let (names, losses, unread) = looked?;
        if unread.units > 0 {
            self.losses.push(sentence(&Warning::UnreadUnits { unread }));
        }
        if losses.units() > 0 {
            self.losses
                .push(sentence(&Warning::SplitDebugInfo { losses }));
        }
        Ok(names)
    }

    fn notes(&self, stacks: &Stacks) -> Vec<String> {
        let all = stacks.weight().max(1) as f64;
        let mut unknown: Vec<(&String, f64)> = (stacks.unknown.by_binary.iter())
            .map(|(path, weight)| (path, *weight as f64 / all))
            .filter(|(_, share)| *share >= WORTH_A_NOTE)
            .collect();
        unknown.sort_by(|a, b| b.1.total_cmp(&a.1));
        let notes = unknown.into_iter().map(|(path, share)| {
            let reason = self.reasons.iter().find(|(of, _)| of == path);
            let reason = reason.map_or(STRIPPED, |(_, reason)| reason);
            format!(
                "no names for {} of the time, in {path}: {reason}",
                percent(share)
            )
        });
        notes.chain(self.losses.iter().cloned()).collect()
    }
}

fn of_vdso(profile: &Profile, places: &[Place]) -> Result<Names> {
    let bytes = recorded_vdso(&profile.meta.kernel)
        .ok_or_else(|| anyhow!("another kernel was recorded than the one that runs"))?;
    let binary = Binary::parse(&bytes)?;
    let debug = DebugInfo::parse(&binary)?;
    Ok(names_in(&binary, &debug, profile, places))
}
