//! Stacks of a recording with the names of their functions, and what has no names.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use hone_fdo::Warning;
use hone_files::advice::Advise;
use hone_inputs::vdso::recorded_vdso;
use hone_profile::{Binary as Recorded, BinaryKind, EventId, Label, Profile};
use hone_symbols::{Binary, DebugInfo};
use hone_views::{Frame, KERNEL, Names, Place, Stacks, names_in};
use regex::Regex;

use crate::generated_code;
use crate::kernel;
use crate::recording::Recording;
use crate::selection::Selection;

/// Reason why addresses without a mapping have no names.
const UNMAPPED: &str = "the recording does not tell what lay at these addresses: the kernel's report of a mapping was lost, or \
    the code was not in executable memory when the recording began; record again";

/// The selected stacks of a recording with their names. All other fields are about the stacks of the whole event.
pub struct Named {
    /// The selected stacks.
    pub stacks: Stacks,
    /// Files without names, those with the most time first.
    pub unnamed: Vec<Unnamed>,
    /// Files whose names are the recording's own, those with the most time first.
    pub own_names: Vec<Unnamed>,
    /// Missing parts of the debug information.
    pub warnings: Vec<Warning>,
    /// True if any sample has a call stack.
    pub has_stacks: bool,
    /// Part of the time whose stacks are longer than what was copied of them.
    pub truncated_share: f64,
    /// Part of the time whose stacks break off.
    pub broken_share: f64,
}

/// A file whose code is not named by symbols.
pub struct Unnamed {
    /// Path as recorded.
    pub path: String,
    /// Part of the time that went to code without a symbol there.
    pub share: f64,
    /// Reason for the missing symbols, if something went wrong.
    pub reason: Option<String>,
}

/// Names the stacks of a recording.
///
/// # Errors
///
/// Returns an error if the selection leaves no stack.
pub fn named(recording: &Recording<'_>, selection: &Selection) -> Result<Named> {
    let event = recording.event();
    let (mut stacks, naming) = name_stacks(recording, event);
    let samples = recording.tally().samples(event);
    let all = stacks.weight().max(1) as f64;
    let [truncated_share, broken_share] =
        [stacks.truncated, stacks.broken].map(|weight| weight as f64 / all);
    let unnamed = naming.unnamed(&stacks, &stacks.unknown.by_binary);
    let own_names = naming.unnamed(&stacks, &stacks.own_names);
    filter(&mut stacks, selection);
    if stacks.stacks.is_empty() {
        return Err(anyhow!(
            "of {samples} samples none is left by {}",
            selection.filters().join(" and ")
        ))
        .with_context(|| recording.path().display().to_string())
        .next(
            "try other patterns: they are matched against names as hone top prints them, and labels as hone top --by label does",
        );
    }
    Ok(Named {
        stacks,
        unnamed,
        own_names,
        warnings: naming.warnings,
        has_stacks: recording.tally().without_stack(event) < samples,
        truncated_share,
        broken_share,
    })
}

/// Returns the stacks of one event of a recording, with their names.
pub(crate) fn stacks_of(recording: &Recording<'_>, event: EventId) -> Stacks {
    name_stacks(recording, event).0
}

fn name_stacks<'r, 'q>(recording: &'r Recording<'q>, event: EventId) -> (Stacks, Naming<'r, 'q>) {
    let profile = recording.profile();
    let mut naming = Naming {
        recording,
        names: Names::default(),
        reasons: Vec::new(),
        warnings: Vec::new(),
    };
    for (binary, places) in recording.tally().places(profile, event) {
        naming.add(profile.binary(binary), &places);
    }
    let stacks = Stacks::new(profile, recording.tally(), event, &naming.names);
    (stacks, naming)
}

fn filter(stacks: &mut Stacks, selection: &Selection) {
    let by_function = |pattern: &Option<Regex>| {
        let pattern = pattern.clone();
        pattern.map(|pattern| move |frame: &Frame| pattern.is_match(&frame.function))
    };
    let by_label = |pattern: &Option<Regex>| {
        let pattern = pattern.clone();
        pattern.map(|pattern| move |label: &Label| pattern.is_match(&label.to_string()))
    };
    let [focus, ignore] = [&selection.focus, &selection.ignore].map(by_function);
    stacks.filter(
        focus.as_ref().map(|accepts| accepts as _),
        ignore.as_ref().map(|accepts| accepts as _),
    );
    let [focus, ignore] = [&selection.focus_label, &selection.ignore_label].map(by_label);
    stacks.filter_labels(
        focus.as_ref().map(|accepts| accepts as _),
        ignore.as_ref().map(|accepts| accepts as _),
    );
}

/// Collector of names, binary by binary.
struct Naming<'r, 'q> {
    recording: &'r Recording<'q>,
    names: Names,
    /// Paths as recorded, and why there are no names for them.
    reasons: Vec<(String, String)>,
    /// Missing parts of the debug information.
    warnings: Vec<Warning>,
}

impl Naming<'_, '_> {
    fn add(&mut self, binary: &Recorded, places: &[Place]) {
        let profile = self.recording.profile();
        let named = match binary.kind {
            BinaryKind::File => self.of_file(binary, places),
            BinaryKind::Kernel => kernel::names(profile, binary, places),
            BinaryKind::Vdso => of_vdso(profile, places),
            BinaryKind::Anonymous => Err(anyhow!("{}", generated_code::advice(profile))),
            BinaryKind::Unmapped => Err(anyhow!("{UNMAPPED}")),
        };
        match named {
            Ok(names) => self.names.extend(names),
            Err(reason) => {
                let path = match binary.kind {
                    BinaryKind::Kernel => KERNEL.to_owned(),
                    _ => binary.path.clone(),
                };
                self.reasons.push((path, format!("{reason:#}")));
            }
        }
    }

    fn of_file(&mut self, recorded: &Recorded, places: &[Place]) -> Result<Names> {
        let profile = self.recording.profile();
        let opened = self.recording.open(recorded)?;
        let debug = opened.debug()?;
        let names = names_in(opened.binary, debug, profile, places);
        let unread = debug.unread_units().clone();
        if unread.units > 0 {
            self.warnings.push(Warning::UnreadUnits { unread });
        }
        let addresses = places.iter();
        let addresses = addresses.filter_map(|place| place.svma_in(opened.binary, profile));
        let losses = debug.split_losses_at(addresses);
        if losses.units() > 0 {
            self.warnings.push(Warning::SplitDebugInfo { losses });
        }
        Ok(names)
    }

    fn unnamed(&self, stacks: &Stacks, by_binary: &BTreeMap<String, u64>) -> Vec<Unnamed> {
        let all = stacks.weight().max(1) as f64;
        let reason = |path: &String| {
            let found = self.reasons.iter().find(|(of, _)| of == path);
            found.map(|(_, reason)| reason.clone())
        };
        let mut unnamed: Vec<Unnamed> = by_binary
            .iter()
            .map(|(path, weight)| Unnamed {
                path: path.clone(),
                share: *weight as f64 / all,
                reason: reason(path),
            })
            .collect();
        unnamed.sort_by(|a, b| b.share.total_cmp(&a.share));
        unnamed
    }
}

fn of_vdso(profile: &Profile, places: &[Place]) -> Result<Names> {
    if profile.meta.kernel.is_empty() {
        return Err(anyhow!("the recording does not tell of which kernel it is"));
    }
    let bytes = recorded_vdso(&profile.meta.kernel)
        .ok_or_else(|| anyhow!("another kernel was recorded than the one that runs"))?;
    let binary = Binary::parse(&bytes)?;
    let debug = DebugInfo::parse(&binary)?;
    Ok(names_in(&binary, &debug, profile, places))
}
