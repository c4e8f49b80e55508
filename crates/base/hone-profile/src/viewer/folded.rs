//! Folded text: `main;work;inner 12`, a line for each stack, outermost function first.
//!
//! The counts are samples, or samples times their period: the largest number that divides all of them is taken for the period.

use super::{Making, Named, ViewerError};
use crate::limits::STRING_BYTES_MAX;
use crate::profile::{Profile, Thread};

/// Marks that stackcollapse-perf.pl puts behind functions: of the kernel, of code made at run time, inlined.
const KERNEL_MARK: &str = "_[k]";
const OTHER_MARKS: [&str; 2] = ["_[j]", "_[i]"];

/// Most samples that a file is believed to be of; with more, each line counts as one sample.
const SAMPLES_MAX: u64 = 1 << 30;

/// Reads folded text.
pub fn read(text: &[u8]) -> Result<Profile, ViewerError> {
    let text = String::from_utf8_lossy(text);
    let mut making = Making::new("samples/count");
    let lines = || text.lines().filter(|line| !is_remark(line)).map(line);
    let counts = lines().flatten().map(|(_, count)| count);
    let period = counts.clone().fold(0, greatest_common_divisor).max(1);
    let all = counts.fold(0_u64, u64::saturating_add);
    let is_believed = all / period <= SAMPLES_MAX;
    for line in lines() {
        let Some((stack, count)) = line else {
            making.profile.losses.malformed_records += 1;
            continue;
        };
        let frames: Vec<_> = stack
            .rsplit(';')
            .filter(|name| !name.is_empty())
            .map(|name| making.place(named(name)))
            .collect();
        let times = if is_believed { count / period } else { 1 };
        making.add(Thread::default(), &frames, times, count);
    }
    making.finish()
}

fn is_remark(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// Splits a line into stack and count.
pub(crate) fn line(line: &str) -> Option<(&str, u64)> {
    let (stack, count) = line.trim_end().rsplit_once(' ')?;
    let fits = stack.split(';').all(|name| name.len() <= STRING_BYTES_MAX);
    let is_count = fits && count.bytes().all(|byte| byte.is_ascii_digit());
    Some((stack.trim_end(), count.parse().ok().filter(|_| is_count)?))
}

fn named(name: &str) -> Named<'_> {
    if let Some(function) = name.strip_suffix(KERNEL_MARK) {
        return Named {
            function,
            binary: "[kernel]",
            ..Named::default()
        };
    }
    let mut marks = OTHER_MARKS.iter();
    let function = marks.find_map(|mark| name.strip_suffix(mark));
    Named {
        function: function.unwrap_or(name),
        ..Named::default()
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
