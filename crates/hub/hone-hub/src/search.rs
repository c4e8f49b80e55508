//! A function over the whole fleet: which services run it, how many CPU cores it takes there, and who calls it.
//!
//! Services are asked for one after the other, so that memory grows with the largest of them and not with the fleet. What
//! of a service counts is what its [series](crate::series) counts: the heaviest event of time, in whole minutes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hone_batch::{BUCKET_S, whole_buckets};
use hone_profile::Profile;
use hone_views::{BROKEN, FrameId, Names, Stack, Stacks, TRUNCATED};
use serde::Serialize;

use crate::question::{NoAnswer, Question, answer};
use crate::series::Sum;
use crate::store::Store;
use crate::view::{Places, stacks};

/// Bytes of the longest name, or part of one, that can be asked for.
pub const NAME_BYTES_MAX: usize = 4096;
/// Rows of the longest answer.
pub const ROWS_MAX: usize = 1_000;

/// CPU cores in use, with their standard error: samples are a part of what ran.
pub type Cores = (f64, f64);

/// Returns cores as text for people, as findings tell them.
pub fn in_words((value, standard_error): Cores) -> String {
    let cores = hone_diagnose::Cores {
        value,
        standard_error,
    };
    cores.in_words()
}

/// What is searched, and within which limits.
#[derive(Clone, Copy)]
pub struct Fleet<'f> {
    /// The store.
    pub store: &'f Store,
    /// The tenant, of which alone services are searched.
    pub tenant: &'f str,
    /// Services, or all if it names none, with the time and whatever else samples are chosen by: what
    /// [`Question::for_stacks`] makes.
    pub question: &'f Question,
    /// Different rows of one service in memory, as for [`answer`].
    pub samples_max: usize,
    /// Rows of the answer, at most [`ROWS_MAX`].
    pub rows_max: usize,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<R> {
    /// Rows, those with most cores first.
    pub rows: Vec<R>,
    /// Rows beyond the wanted number, which are left out.
    pub left_out: usize,
    /// Services with samples of CPU time in that time, all of which were looked through.
    pub services: usize,
    /// Services that were not looked through, since they have more different rows than the limit allows.
    pub too_large: Vec<String>,
}

/// A function in a service.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Function {
    /// Name of the function.
    pub function: String,
    /// Name of the service.
    pub service: String,
    /// Cores in the function itself.
    #[serde(rename = "self")]
    pub own: Cores,
    /// Cores in the function and in what it calls; a stack counts once, also where the function calls itself.
    pub total: Cores,
}

/// A caller of a function in a service.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Caller {
    /// Name of the service.
    pub service: String,
    /// Name of the function that calls; `None` where the function is the outermost one.
    pub caller: Option<String>,
    /// Cores in the called function and in what it calls, when it is called from there.
    pub cores: Cores,
}

/// Searches for functions whose names contain a text, in capital or small letters. `names` gives the names of places, as
/// far as they are known, beside those that hosts sent.
///
/// # Errors
///
/// Returns an error if there is nothing of all that was asked for, and if the store failed.
pub fn functions(
    fleet: &Fleet<'_>,
    text: &str,
    names: impl Fn(&Profile, &Places) -> Names,
) -> Result<Found<Function>, NoAnswer> {
    let text = text.to_lowercase();
    let total = |row: &Function| row.total.0;
    over_services(fleet, names, total, |service, stacks, seconds| {
        functions_in(service, stacks, seconds, &text)
    })
}

/// Searches for the direct callers of the function of a name. A stack counts once: where the function calls itself, its
/// innermost call counts, and its caller is the next other function. `names` as for [`functions`].
///
/// # Errors
///
/// As for [`functions`].
pub fn callers(
    fleet: &Fleet<'_>,
    function: &str,
    names: impl Fn(&Profile, &Places) -> Names,
) -> Result<Found<Caller>, NoAnswer> {
    let cores = |row: &Caller| row.cores.0;
    over_services(fleet, names, cores, |service, stacks, seconds| {
        callers_in(service, stacks, seconds, function)
    })
}

/// Passes the stacks of each service to `look`, with the seconds that they are of, and keeps the rows with most `cores`.
fn over_services<R>(
    fleet: &Fleet<'_>,
    names: impl Fn(&Profile, &Places) -> Names,
    cores: impl Fn(&R) -> f64,
    look: impl Fn(&str, &Stacks, f64) -> Vec<R>,
) -> Result<Found<R>, NoAnswer> {
    let mut found = Found {
        rows: Vec::new(),
        left_out: 0,
        services: 0,
        too_large: Vec::new(),
    };
    let mut nothing = None;
    for service in services(fleet)? {
        let (stacks, seconds) = match stacks_of(fleet, &service, &names) {
            Ok(Some(stacks)) => stacks,
            Ok(None) => continue,
            Err(NoAnswer::TooManyRows { .. }) => {
                found.too_large.push(service);
                continue;
            }
            Err(error @ (NoAnswer::Store(_) | NoAnswer::Service { .. })) => return Err(error),
            Err(error) => {
                nothing = Some(error);
                continue;
            }
        };
        found.services += 1;
        found.rows.extend(look(&service, &stacks, seconds));
        found.rows.sort_by(|a, b| cores(b).total_cmp(&cores(a)));
        found.left_out += found.rows.len().saturating_sub(fleet.rows_max);
        found.rows.truncate(fleet.rows_max);
    }
    match nothing {
        Some(nothing) if found.services == 0 && found.too_large.is_empty() => Err(nothing),
        _ => Ok(found),
    }
}

/// Returns the services that are asked for, each once.
fn services(fleet: &Fleet<'_>) -> Result<Vec<String>, NoAnswer> {
    let mut services = fleet.question.services.clone();
    if services.is_empty() {
        let span_s = fleet.question.span_s.clone();
        let there = fleet.store.services(fleet.tenant, span_s)?;
        services.extend(there.into_iter().map(|service| service.name));
    }
    services.sort_unstable();
    services.dedup();
    Ok(services)
}

/// Returns the stacks of a service and the seconds that they are of; `None` if it has no samples of CPU time then.
fn stacks_of(
    fleet: &Fleet<'_>,
    service: &str,
    names: impl Fn(&Profile, &Places) -> Names,
) -> Result<Option<(Stacks, f64)>, NoAnswer> {
    let question = Question {
        services: vec![service.to_owned()],
        ..fleet.question.clone()
    };
    let Some(asked_s) = whole_buckets(&question.span_s) else {
        return Ok(None);
    };
    let mut batch = answer(fleet.store, fleet.tenant, &question, fleet.samples_max)?.batch;
    let is_asked = |bucket: u64| asked_s.contains(&bucket.saturating_mul(BUCKET_S));
    batch.samples.retain(|row| is_asked(row.bucket));
    let seconds = (asked_s.end - asked_s.start) as f64;
    Ok(stacks(&batch, names).map(|stacks| (stacks, seconds)))
}

fn sum_of(stack: &Stack) -> Sum {
    Sum {
        weight: stack.weight,
        squares: stack.squares,
    }
}

/// Returns the functions of a service whose names contain a text in small letters.
fn functions_in(service: &str, stacks: &Stacks, seconds: f64, text: &str) -> Vec<Function> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut matches: Vec<Option<usize>> = Vec::with_capacity(stacks.frame_count());
    for id in 0..stacks.frame_count() as u32 {
        let name = stacks.frame(FrameId(id)).function.as_str();
        let next = known.len();
        matches.push(match known.entry(name) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) if is_function(name) && name.to_lowercase().contains(text) => {
                Some(*new.insert(next))
            }
            Entry::Vacant(_) => None,
        });
    }
    let mut sums = vec![(Sum::default(), Sum::default()); known.len()];
    let mut seen: Vec<usize> = Vec::new();
    for stack in &stacks.stacks {
        seen.clear();
        for (level, frame) in stack.frames.iter().enumerate() {
            let Some(at) = matches[frame.0 as usize] else {
                continue;
            };
            let (own, total) = &mut sums[at];
            if level == 0 {
                own.add(sum_of(stack));
            }
            if !seen.contains(&at) {
                seen.push(at);
                total.add(sum_of(stack));
            }
        }
    }
    let row = |(name, at): (&str, usize)| Function {
        function: name.to_owned(),
        service: service.to_owned(),
        own: sums[at].0.cores(seconds),
        total: sums[at].1.cores(seconds),
    };
    known.into_iter().map(row).collect()
}

/// Returns the direct callers of a function in a service.
fn callers_in(service: &str, stacks: &Stacks, seconds: f64, function: &str) -> Vec<Caller> {
    if !is_function(function) {
        return Vec::new();
    }
    let name = |frame: &FrameId| stacks.frame(*frame).function.as_str();
    let mut sums: BTreeMap<Option<&str>, Sum> = BTreeMap::new();
    for stack in &stacks.stacks {
        let mut frames = stack.frames.iter().map(name);
        if frames.any(|name| name == function) {
            let caller = frames.find(|name| *name != function);
            sums.entry(caller).or_default().add(sum_of(stack));
        }
    }
    let row = |(caller, sum): (Option<&str>, Sum)| Caller {
        service: service.to_owned(),
        caller: caller.map(str::to_owned),
        cores: sum.cores(seconds),
    };
    sums.into_iter().map(row).collect()
}

/// Returns false for what stands in place of callers that are not known.
fn is_function(name: &str) -> bool {
    ![BROKEN, TRUNCATED].contains(&name)
}
