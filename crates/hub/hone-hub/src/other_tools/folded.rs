//! Stacks as text, a line each: `main;work;inner 12`, outermost first.

use hone_profile::LocationId;

use super::Refusal;
use super::draft::{Counted, Making, Recorded};
use super::limits::{DEPTH_MAX, ENTRIES_MAX};
use super::parameters::Parameters;

/// Adds the samples of a text. In the format `lines` each line is one sample, and has no number.
pub(super) fn add(
    making: &mut Making,
    text: &[u8],
    parameters: &Parameters,
    recorded: Recorded,
) -> Result<(), Refusal> {
    let text = std::str::from_utf8(text)
        .map_err(|_| Refusal::Bad("the text with stacks is not UTF-8".to_owned()))?;
    let rate_hz = parameters.rate_hz()?;
    let has_numbers = parameters.format != "lines";
    let thread = making.thread(parameters.group.clone(), &parameters.group);
    let mut levels: Vec<LocationId> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if number >= ENTRIES_MAX {
            return Err(Refusal::TooLarge(format!(
                "the text has more than {ENTRIES_MAX} lines"
            )));
        }
        if line.trim().is_empty() {
            continue;
        }
        let (stack, times) = match has_numbers {
            false => (line, Some(1)),
            true => {
                let (stack, times) = line.trim_end().rsplit_once(' ').unwrap_or(("", line));
                (stack, times.parse::<u64>().ok())
            }
        };
        let times = times.filter(|_| !stack.is_empty());
        let weight_ns = times.and_then(|times| times.checked_mul(1_000_000_000));
        let (Some(times), Some(weight_ns)) = (times, weight_ns) else {
            return Err(Refusal::Bad(format!(
                "line {} of the text is no stack with a number: write main;work;inner 12",
                number + 1
            )));
        };
        if times == 0 {
            continue;
        }
        levels.clear();
        for name in stack.rsplit(';').take(DEPTH_MAX + 1) {
            levels.push(making.named(None, "", name));
        }
        let counted = Counted {
            thread,
            times,
            weight_ns: weight_ns / rate_hz.max(1),
        };
        making.add(counted, recorded, &levels)?;
    }
    Ok(())
}
