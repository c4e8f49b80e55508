//! Captures parts of an output by an expression: the parts that are compared if the rest of the output holds times or
//! depends on chance.
//!
//! The expression is matched line by line, so that an output may be of any length.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Maximum number of bytes of one line that an expression is matched with.
const LINE_BYTES_MAX: u64 = 1 << 20;
/// Maximum number of matches that are kept for messages.
const SHOWN: usize = 100;
/// Maximum number of characters of one match that are kept.
const SHOWN_CHARS: usize = 120;

/// The groups of all matches, or the matches if the expression has no group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// SHA-256 over all matches, in hexadecimal.
    sha256: String,
    /// Number of matches that captured some text.
    matches: u64,
    /// The first matches that captured some text, for messages.
    first: Vec<String>,
}

impl Captured {
    /// True if there is no text that could be compared.
    pub fn is_nothing(&self) -> bool {
        self.matches == 0
    }

    /// Describes the difference from what was expected; `None` if there is none.
    pub fn difference(&self, expected: &Self) -> Option<String> {
        if self.sha256 == expected.sha256 {
            return None;
        }
        let mut pairs = self.first.iter().zip(&expected.first);
        Some(match pairs.find(|(found, expected)| found != expected) {
            Some((found, expected)) => format!("'{found}' instead of '{expected}'"),
            None if self.matches != expected.matches => {
                let plural = if self.matches == 1 { "" } else { "es" };
                format!(
                    "{} match{plural} instead of {}",
                    self.matches, expected.matches
                )
            }
            None => format!("something else after the first {SHOWN} matches"),
        })
    }
}

/// Looks for an expression in an output.
pub fn captured(expression: &Regex, output: &Path) -> Result<Captured> {
    let mut hasher = Sha256::new();
    let (mut matches, mut first) = (0, Vec::<String>::new());
    each_line(output, |line| {
        for found in expression.captures_iter(line.trim_end_matches(['\r', '\n'])) {
            // A group that took no part in the match counts as empty.
            let from = usize::from(found.len() > 1);
            let groups: Vec<&str> = (from..found.len())
                .map(|index| found.get(index).map_or("", |group| group.as_str()))
                .collect();
            hasher.update(format!("{groups:?}\n"));
            if groups.iter().all(|group| group.is_empty()) {
                continue;
            }
            matches += 1;
            if first.len() < SHOWN {
                first.push(groups.join(" ").chars().take(SHOWN_CHARS).collect());
            }
        }
    })?;
    Ok(Captured {
        sha256: hex::encode(hasher.finalize()),
        matches,
        first,
    })
}

/// Passes every line of an output, with its line end, to `look`; a very long line comes in pieces.
pub(super) fn each_line(output: &Path, mut look: impl FnMut(&str)) -> Result<()> {
    let name = || output.display().to_string();
    let mut reader = BufReader::new(File::open(output).with_context(name)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut piece = reader.by_ref().take(LINE_BYTES_MAX);
        if piece.read_until(b'\n', &mut line).with_context(name)? == 0 {
            return Ok(());
        }
        look(&String::from_utf8_lossy(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(expression: &str, text: &str) -> Captured {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        std::fs::write(&path, text).unwrap();
        captured(&Regex::new(expression).unwrap(), &path).unwrap()
    }

    #[test]
    fn only_what_is_captured_counts() {
        let expression = r"^found (\d+) of (\w+)$";
        let one = of(expression, "found 3 of a\ntook 1.2 s\nfound 4 of b\n");
        let other = of(expression, "took 9.9 s\r\nfound 3 of a\r\nfound 4 of b");
        assert_eq!(one.difference(&other), None);
        assert_eq!(one.matches, 2);
        let wrong = of(expression, "found 3 of a\nfound 5 of b\n");
        assert_eq!(
            wrong.difference(&one).as_deref(),
            Some("'5 b' instead of '4 b'")
        );
        let less = of(expression, "found 3 of a\n");
        assert_eq!(
            less.difference(&one).as_deref(),
            Some("1 match instead of 2")
        );
    }

    #[test]
    fn groups_are_told_apart_and_a_match_without_groups_counts_whole() {
        let expression = r"(\d*),(\d*)";
        let moved = of(expression, "12,3").difference(&of(expression, "1,23"));
        assert_eq!(moved.as_deref(), Some("'12 3' instead of '1 23'"));
        let whole = of("a.", "ab").difference(&of("a.", "ac"));
        assert_eq!(whole.as_deref(), Some("'ab' instead of 'ac'"));
    }

    #[test]
    fn an_expression_that_captures_no_text_says_nothing() {
        assert!(of("found", "nothing").is_nothing());
        assert!(of("x*", "nothing\nat all\n").is_nothing());
        assert!(!of("n*", "nothing").is_nothing());
    }

    #[test]
    fn a_difference_far_behind_is_one_too() {
        let many = "x1\n".repeat(SHOWN);
        let differs =
            of(r"x\d", &format!("{many}x2")).difference(&of(r"x\d", &format!("{many}x3")));
        assert!(differs.unwrap().contains("after the first 100"));
    }
}
