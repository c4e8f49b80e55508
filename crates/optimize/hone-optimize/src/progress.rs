//! Progress of a run, for whoever shows it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use hone_measure::{Comparison, Verdict};

/// Number of bytes at the end of a log that are read for its last line.
const TAIL_BYTES: u64 = 64 << 10;
/// Endings of source files.
const SOURCES: &[&str] = &[".c", ".C", ".cc", ".cpp", ".cxx", ".c++", ".rs", ".go"];

/// Finds out what some work is at, if nothing reports it.
pub type Look = Box<dyn Fn() -> String + Send>;

/// Shows the progress of a run.
pub trait Progress {
    /// Begins to count rungs, of which `rungs` will be tried.
    fn begin_ladder(&self, rungs: usize);
    /// Begins the next rung.
    fn next_rung(&self);
    /// Ends the ladder: all rungs are done.
    fn end_ladder(&self);
    /// Begins a new phase.
    fn phase(&self, text: &str);
    /// Adds a line to the phase.
    fn line(&self, text: &str);
    /// Begins work with a known number of steps.
    fn steps(&self, steps: usize, text: &str) -> Box<dyn Ongoing>;
    /// Begins work that takes a while; `look` finds out what the work is at.
    fn work(&self, text: &str, look: Option<Look>) -> Box<dyn Ongoing>;

    /// Shows the result of an experiment in one line.
    fn comparison(&self, comparison: &Comparison) {
        let gain = comparison.overall;
        let verdict = match comparison.verdict {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::NoProvableDifference => "no provable difference",
        };
        self.line(&format!(
            "{:.3}x [{:.3}, {:.3}] over {} blocks: {verdict}",
            gain.ratio, gain.low, gain.high, comparison.blocks
        ));
    }
}

/// Work that takes a while.
pub trait Ongoing {
    /// Sets the number of steps that are done.
    fn done(&mut self, steps: u64);
    /// Shows what the work is at.
    fn tell(&mut self, text: &str);
    /// Ends the work.
    fn finish(self: Box<Self>);
}

/// Begins a build, and shows what is being compiled, from the log of the wrappers' calls.
pub(crate) fn of_build(progress: &dyn Progress, name: &str, calls: &Path) -> Box<dyn Ongoing> {
    let calls = calls.to_owned();
    let look = move || {
        tail(&calls)
            .and_then(|text| compiling(&text))
            .unwrap_or_default()
    };
    progress.work(&format!("building {name}"), Some(Box::new(look)))
}

fn tail(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    let from = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Extracts the subject of the last line of a log of calls: a source, or the file that is linked.
fn compiling(log: &str) -> Option<String> {
    let line = log.lines().next_back()?;
    let (mode, _) = line.split_once(' ')?;
    let (_, call) = line.split_once(" -> ")?;
    let words: Vec<_> = call.split(' ').collect();
    if mode.starts_with("Link") {
        let output = words.iter().position(|word| *word == "-o");
        let output = output.and_then(|at| words.get(at + 1)).unwrap_or(&"a.out");
        return Some(format!("linking {output}"));
    }
    let is_source = |word: &&&str| SOURCES.iter().any(|ending| word.ends_with(ending));
    let source = words.iter().rev().find(is_source)?;
    Some(format!("compiling {source}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_call_tells_what_a_build_is_at() {
        let log = "Compile cc -> /usr/bin/cc -O2 -c a.c -o a.o\nCompile c++ -> /usr/bin/c++ -c src/b.cc -g\n";
        assert_eq!(compiling(log).unwrap(), "compiling src/b.cc");
        let linked = format!("{log}LinkProgram cc -> /usr/bin/cc a.o b.o -o prog -lm\n");
        assert_eq!(compiling(&linked).unwrap(), "linking prog");
        assert_eq!(compiling(""), None);
    }
}
