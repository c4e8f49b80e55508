//! Operands that walks met: what makes an instruction slow, or needless, and cannot be read from its code.
//!
//! Stored as text, in a feature section of Hone's own that perf skips: a line for each instruction.

use crate::address::FileOffset;
use crate::limits::{OPERANDS_MAX, STRING_BYTES_MAX};
use std::fmt::Write as _;

/// What is counted at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Watched {
    /// Additions, subtractions, multiplications, divisions, square roots and fused multiplications of floating-point numbers: odd
    /// with a denormal operand or result, unless the CPU takes these as zeros.
    Denormals,
    /// Integer divisions: odd with the usual divisor.
    Divisor,
    /// Calls of read, write and their kin with their third argument, by the place from which the function was called that made the
    /// call: odd with few bytes.
    Length,
    /// Loads by an address that can change, from the second one of a walk on: odd if they read more than one cache line away from the
    /// load before, and not at the same distance below 2 KiB as that one.
    Loads,
}

/// How most of an instruction's far loads come to their addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// By the value that the load before has brought: a chain of pointers.
    Chased,
    /// By always the same number of bytes.
    Stride(u64),
    /// In another way, such as an index that was computed.
    Scattered,
}

/// The value of [`Jump::Chased`]; no far load has this stride.
const CHASED: u64 = 1;

impl Jump {
    /// Returns the value of [`MetOperands`] that says this.
    pub fn to_value(self) -> u64 {
        match self {
            Self::Scattered => 0,
            Self::Chased => CHASED,
            Self::Stride(bytes) => bytes,
        }
    }

    /// Returns what a value of [`MetOperands`] says.
    pub fn from_value(value: u64) -> Self {
        match value {
            0 => Self::Scattered,
            CHASED => Self::Chased,
            bytes => Self::Stride(bytes),
        }
    }
}

/// Names in the text.
const NAMES: [(&str, Watched); 4] = [
    ("denormals", Watched::Denormals),
    ("divisor", Watched::Divisor),
    ("length", Watched::Length),
    ("loads", Watched::Loads),
];

/// What walks met at one instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetOperands {
    /// Path of the binary, as recorded.
    pub path: String,
    /// Position of the instruction in the file.
    pub at: FileOffset,
    /// What was counted.
    pub watched: Watched,
    /// Number of walks that came by.
    pub walks: u64,
    /// Number of executions with known operands.
    pub executions: u64,
    /// Sum of the squares of each walk's executions: those of one walk are one observation.
    pub squares: u64,
    /// Number of odd executions; not more than there were.
    pub odd: u64,
    /// The usual divisor, the largest length, or the value of the usual [`Jump`]; else 0.
    pub value: u64,
    /// Number of different cache lines that loads read, counted by one in sixteen; not more than some thousands are. Else 0.
    pub lines: u64,
}

/// What the walks of a recording met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Operands {
    /// Number of walks that looked.
    pub walks: u64,
    /// What they met, by instruction: [`OPERANDS_MAX`] at most.
    pub met: Vec<MetOperands>,
}

impl MetOperands {
    /// Returns the number of walks of equal length that would be as much evidence: by Kish, the square of the sum by the sum of the
    /// squares.
    pub fn effective_walks(&self) -> f64 {
        let executions = self.executions as f64;
        (executions * executions / self.squares.max(1) as f64).min(self.walks as f64)
    }

    fn to_line(&self) -> Option<String> {
        let (name, _) = NAMES.iter().find(|(_, watched)| *watched == self.watched)?;
        let is_one_line = !self.path.contains(['\n', '\r']);
        is_one_line.then(|| {
            format!(
                "{name} {} {} {} {} {} {} {:x} {}",
                self.walks,
                self.executions,
                self.squares,
                self.odd,
                self.value,
                self.lines,
                self.at.0,
                self.path
            )
        })
    }

    fn from_line(line: &str, version: Version) -> Option<Self> {
        let counts_lines = version == Version::WithLines;
        let mut fields = line.splitn(if counts_lines { 9 } else { 8 }, ' ');
        let mut field = || fields.next();
        let name = field()?;
        let (_, watched) = NAMES.iter().find(|(known, _)| *known == name)?;
        let mut number = || field()?.parse().ok();
        let [walks, executions, squares, odd, value] =
            [number()?, number()?, number()?, number()?, number()?];
        let lines = if counts_lines { number()? } else { 0 };
        let at = u64::from_str_radix(field()?, 16).ok()?;
        let path = field()?;
        let is_sound = odd <= executions && path.len() <= STRING_BYTES_MAX;
        is_sound.then(|| Self {
            path: path.to_owned(),
            at: FileOffset(at),
            watched: *watched,
            walks,
            executions,
            squares,
            odd,
            value,
            lines,
        })
    }
}

impl Operands {
    /// Returns the operands as text: a line for the walks, and one for each instruction.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{TITLE}\nwalks {}\n", self.walks);
        let lines = self.met.iter().filter_map(MetOperands::to_line);
        for line in lines.take(OPERANDS_MAX) {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Parses the text that [`Self::to_text`] wrote; a text is read whole or not at all.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (title, text) = text.split_once('\n')?;
        let version = match title {
            TITLE => Version::WithLines,
            TITLE_WITHOUT_LINES => Version::WithoutLines,
            _ => return None,
        };
        let mut lines = text.lines();
        let walks = lines.next()?.strip_prefix("walks ")?.parse().ok()?;
        let lines = lines.take(OPERANDS_MAX);
        let met = lines
            .map(|line| MetOperands::from_line(line, version))
            .collect::<Option<_>>()?;
        Some(Self { walks, met })
    }
}

/// Title of the text, so that another tool's section of the same number is not taken for ours.
const TITLE: &str = "hone operands 2";
/// Title of the text of recordings that counted no loads.
const TITLE_WITHOUT_LINES: &str = "hone operands 1";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    WithoutLines,
    WithLines,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands() -> Operands {
        let met = |path: &str, watched, odd| MetOperands {
            path: path.into(),
            at: FileOffset(0x12f0),
            watched,
            walks: 41,
            executions: 3412,
            squares: 3412 * 3412 / 30,
            odd,
            value: 0,
            lines: 0,
        };
        Operands {
            walks: 90,
            met: vec![
                met("/opt/a program/p", Watched::Denormals, 3344),
                MetOperands {
                    value: u64::MAX,
                    ..met("/p", Watched::Divisor, 3412)
                },
                MetOperands {
                    value: Jump::Stride(8192).to_value(),
                    lines: 1 << 20,
                    ..met("/p", Watched::Loads, 3410)
                },
            ],
        }
    }

    #[test]
    fn operands_become_text_and_back() {
        for operands in [operands(), Operands::default()] {
            assert_eq!(Operands::from_text(&operands.to_text()), Some(operands));
        }
        assert_eq!(Operands::from_text("something else"), None);
    }

    #[test]
    fn recordings_that_counted_no_loads_are_read() {
        let text = "hone operands 1\nwalks 9\ndivisor 4 12 40 11 1021 12f0 /a program\n";
        let read = Operands::from_text(text).unwrap();
        let [met] = &read.met[..] else {
            panic!("{read:?}")
        };
        assert_eq!((met.odd, met.value, met.lines), (11, 1021, 0));
        assert_eq!((met.at, &met.path[..]), (FileOffset(0x12f0), "/a program"));
    }

    #[test]
    fn damaged_text_is_read_whole_or_not_at_all() {
        let text = operands().to_text();
        for at in 0..text.len() {
            let cut = Operands::from_text(&text[..at]);
            // What is cut within the last path is a path.
            assert!(
                cut.is_none_or(|cut| cut.met.len() < 3 || text.len() - at < 4),
                "{at}"
            );
            for byte in [b'\n', b'-', b'x', b' ', 0xff] {
                let mut damaged = text.clone().into_bytes();
                damaged[at] = byte;
                if let Some(read) = Operands::from_text(&String::from_utf8_lossy(&damaged)) {
                    assert!(read.met.iter().all(|met| met.odd <= met.executions), "{at}");
                }
            }
        }
        let more_than_all = text.replace(" 3344 ", " 3413 ");
        assert_eq!(Operands::from_text(&more_than_all), None);
    }

    #[test]
    fn a_text_of_many_lines_is_cut_at_the_limit() {
        let line = "divisor 1 1 1 1 7 0 10 /p\n";
        let text = format!("{TITLE}\nwalks 1\n{}", line.repeat(OPERANDS_MAX + 5));
        let read = Operands::from_text(&text).unwrap();
        assert_eq!(read.met.len(), OPERANDS_MAX);
    }

    #[test]
    fn long_walks_are_one_observation_each() {
        let met = &operands().met[0];
        assert!((met.effective_walks() - 30.0).abs() < 0.01);
        let one = MetOperands {
            walks: 2,
            executions: 101,
            squares: 100 * 100 + 1,
            ..met.clone()
        };
        assert!(one.effective_walks() < 1.03);
    }
}
