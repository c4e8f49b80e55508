//! Replays simulated histories of a service, with planted regressions and without, and prints what looks every six hours told, as
//! JSON. `bench/hub/regressions/run` calls this and says what the figures mean.
//!
//!     simulate clean SEED COUNT DAYS
//!     simulate planted SEED COUNT PERCENT KIND HOSTS     where KIND is build, all_at_once or more_calls

mod fleet;
mod noise;

use std::collections::BTreeMap;
use std::error::Error;

use hone_regressions::{Cause, History, Standing, Standings, Step, Thresholds, look};
use serde_json::{Value, json};

use fleet::{Fleet, Kind, Planted, STEP_S};

/// Days before the first look that counts.
const WARM_DAYS: u64 = 7;
/// Days after a planted change for it to be told, and for all that is told of it.
const DAYS_TO_TELL: u64 = 2;
const DAYS_TO_REPEAT: u64 = 5;
const STEPS_OF_DAY: u64 = 86_400 / STEP_S;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["clean", seed, count, days] => clean(seed.parse()?, count.parse()?, days.parse()?),
        ["planted", seed, count, percent, kind, hosts] => {
            let kind = Kind::named(kind).ok_or("KIND is build, all_at_once or more_calls")?;
            planted(
                seed.parse()?,
                count.parse()?,
                percent.parse()?,
                kind,
                hosts.parse()?,
            )
        }
        _ => return Err("see the head of this file for the arguments".into()),
    };
    println!("{result}");
    Ok(())
}

/// A service whose looks are replayed.
struct Replay {
    fleet: Fleet,
    steps: Vec<Step>,
    standings: Standings,
    looks: u64,
    filtered: BTreeMap<String, u64>,
}

impl Replay {
    fn new(seed: u64, hosts: usize) -> Self {
        Self {
            fleet: Fleet::new(seed, hosts),
            steps: Vec::new(),
            standings: Standings::default(),
            looks: 0,
            filtered: BTreeMap::new(),
        }
    }

    /// Goes on for a step; returns what is told at its end.
    fn step(&mut self, looks: bool) -> Vec<Standing> {
        self.steps.push(self.fleet.step());
        let kept = (8 * STEPS_OF_DAY) as usize;
        if self.steps.len() > kept {
            self.steps.remove(0);
        }
        if !looks || self.steps.len() < kept - 1 {
            return Vec::new();
        }
        let look = look(&History::new(&self.steps, STEP_S), Thresholds::default());
        self.looks += 1;
        for filtered in &look.filtered {
            let why = json!(filtered.why);
            let why = why
                .as_str()
                .map(String::from)
                .or_else(|| Some(why.as_object()?.keys().next()?.clone()));
            *self.filtered.entry(why.unwrap_or_default()).or_default() += 1;
        }
        self.standings.add(&look)
    }
}

fn clean(seed: u64, count: u64, days: u64) -> Value {
    let (mut told, mut looks) = (Vec::new(), 0);
    let mut filtered: BTreeMap<String, u64> = BTreeMap::new();
    for history in 0..count {
        let mut replay = Replay::new(seed + history, 24);
        for step in 0..(WARM_DAYS + days) * STEPS_OF_DAY {
            told.extend(replay.step(true).into_iter().map(|told| {
                json!({"history": history, "step": step, "function": told.finding.function, "change": told.finding.change.value,
                    "q": told.finding.q, "evidence": told.finding.evidence, "true": replay.fleet.what_is(&told.finding.function)})
            }));
        }
        looks += replay.looks;
        replay
            .filtered
            .into_iter()
            .for_each(|(why, count)| *filtered.entry(why).or_default() += count);
    }
    let weeks = (count * days) as f64 / 7.0;
    json!({"histories": count, "days": days, "looks": looks, "service_weeks": weeks, "told": told.len(),
        "told_per_service_week": told.len() as f64 / weeks, "filtered": filtered, "each": told})
}

fn planted(seed: u64, count: u64, percent: f64, kind: Kind, hosts: usize) -> Value {
    let (mut found, mut by_build, mut others, mut beside) = (0, 0, 0, 0);
    let (mut hours, mut estimates) = (Vec::new(), Vec::new());
    for history in 0..count {
        let mut replay = Replay::new(seed + history, hosts);
        let before = (WARM_DAYS + 1) * STEPS_OF_DAY;
        for step in 0..before {
            // A look before the change, so that what it tells is not told of the change.
            replay.step(step + 2 >= before);
        }
        let planted = replay.fleet.plant(kind, percent / 100.0);
        let mut first: Option<(u64, Standing)> = None;
        for step in 1..=DAYS_TO_REPEAT * STEPS_OF_DAY {
            let in_time = step <= DAYS_TO_TELL * STEPS_OF_DAY;
            for told in replay.step(true) {
                let is_near = planted.near.contains(&told.finding.function);
                match is_of(&told, &planted) {
                    true if in_time && first.is_none() => first = Some((step, told)),
                    is_of_it => {
                        beside += u64::from(is_of_it || is_near);
                        others += u64::from(in_time && !is_of_it && !is_near);
                    }
                }
            }
        }
        let Some((step, told)) = first else { continue };
        found += 1;
        by_build += u64::from(matches!(told.finding.cause, Cause::NewBuild(_)));
        hours.push(step * STEP_S / 3_600);
        estimates.push(told.finding.change.value / (percent / 100.0));
    }
    hours.sort_unstable();
    estimates.sort_by(f64::total_cmp);
    json!({"kind": kind.name(), "percent": percent, "hosts": hosts, "histories": count, "found": found, "told_of_a_build": by_build,
        "hours_median": hours.get(hours.len() / 2), "estimate_median": estimates.get(estimates.len() / 2), "told_of_others": others,
        "told_beside": beside})
}

/// True if it names the function that was planted, or has it as a part.
fn is_of(told: &Standing, planted: &Planted) -> bool {
    let finding = &told.finding;
    finding.function == planted.function || finding.parts.contains(&planted.function)
}
