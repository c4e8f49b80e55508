//! Code of the hottest functions of a recording for its page: plain data of bounded size.
//!
//! The command reads the binaries and the sources; [`hot_functions`] selects the functions and [`PageCode::lines`] the
//! lines. The page contains, gzipped:
//!
//! ```text
//! left_out: a sentence on the functions without code here
//! files: [{path, lines: [[number, text], ...], note, whole: whether these are all lines}]
//! inlined: names of functions that are inlined
//! functions: [{fn: function of the page, weight, instructions: [{address, text, weight, file, line, inlined} or {gap}]}],
//!     where file and inlined are positions in the lists above; inlined is -1 where no function is inlined
//! ```

use crate::annotate::{AnnotatedInstruction, annotate};
use crate::source::{Source, Sources};
use crate::stacks::{FrameId, Stacks};
use crate::tally::StackTally;
use hone_profile::{BinaryId, BinaryKind, EventId, FileOffset, Interner, Profile, Svma};
use hone_symbols::{Binary, DebugInfo, demangle};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Share of the time below which a function is left out.
const SHARE_MIN: f64 = 0.002;
/// Largest number of functions on the page.
const FUNCTIONS_MAX: usize = 100;
/// Largest number of instructions of all functions together; 14,000 of clang made a page 0.15 MB larger.
const INSTRUCTIONS_MAX: usize = 50_000;
/// Number of instructions above which a function is shown only around its samples.
const WHOLE_MAX: usize = 1_500;
/// Number of instructions shown before and after an instruction with samples.
const AROUND: usize = 20;
/// Number of lines shown before and after a line that instructions come from.
const LINES_AROUND: u32 = 3;

/// A function with time in its own instructions.
#[derive(Clone, Debug)]
pub struct HotFunction {
    /// One of the function's frames.
    frame: FrameId,
    /// Binary that contains the function's code.
    pub binary: BinaryId,
    /// Weight of the samples in the function's own code.
    pub weight: u64,
    /// Weights by the file offset of the instruction.
    weights: FxHashMap<FileOffset, u64>,
}

/// Returns the functions in files that took most of the time, heaviest first. Functions are distinguished by name and
/// binary, as on the page: code inlined into a function counts as the function's own code.
pub fn hot_functions(
    profile: &Profile,
    tally: &StackTally,
    event: EventId,
    stacks: &Stacks,
) -> Vec<HotFunction> {
    let mut by_name: FxHashMap<(&str, &str, BinaryId), HotFunction> = FxHashMap::default();
    for (key, count) in tally.counts(event) {
        let stack = stacks
            .position_of(key)
            .map(|at| &stacks.stacks[at as usize]);
        let (Some(stack), Some(leaf)) = (stack, key.leaf(profile)) else {
            continue;
        };
        let location = profile.location(leaf);
        let own = stack
            .frames
            .iter()
            .find(|id| !stacks.frame(**id).is_inlined);
        let Some(&frame) = own else { continue };
        if profile.binary(location.binary).kind != BinaryKind::File {
            continue;
        }
        let named = stacks.frame(frame);
        let hot = by_name
            .entry((&named.function, &named.binary, location.binary))
            .or_insert_with(|| HotFunction {
                frame,
                binary: location.binary,
                weight: 0,
                weights: FxHashMap::default(),
            });
        hot.weight = hot.weight.saturating_add(count.weight);
        let of_place = hot
            .weights
            .entry(FileOffset(location.offset.0))
            .or_default();
        *of_place = of_place.saturating_add(count.weight);
    }
    let least = stacks.weight() as f64 * SHARE_MIN;
    let mut hot: Vec<HotFunction> = by_name.into_values().collect();
    hot.retain(|hot| hot.weight as f64 >= least);
    hot.sort_by_key(|hot| (Reverse(hot.weight), hot.frame));
    hot.truncate(FUNCTIONS_MAX);
    hot
}

/// Builder of the code for the page.
#[derive(Default, Debug)]
pub struct PageCode {
    files: Interner<String>,
    /// Interned names of inlined functions: names may be long and are repeated at each instruction.
    inlined: Interner<String>,
    sources: Sources,
    functions: Vec<FunctionCode>,
    instructions: usize,
    shown_weight: u64,
    is_without_source: bool,
}

#[derive(Debug)]
struct FunctionCode {
    frame: FrameId,
    weight: u64,
    instructions: Vec<Shown>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Shown {
    Instruction {
        address: u64,
        text: String,
        weight: u64,
        file: u32,
        line: u32,
        inlined: i64,
    },
    Gap {
        gap: usize,
    },
}

impl PageCode {
    /// True if there is no room for more code.
    pub fn is_full(&self) -> bool {
        self.instructions >= INSTRUCTIONS_MAX
    }

    /// Adds the code of a function: each piece of the binary's code that contains samples of the function.
    pub fn add(&mut self, binary: &Binary<'_>, debug: &DebugInfo<'_>, hot: &HotFunction) {
        let weights = hot.weights.iter().filter_map(|(offset, weight)| {
            let svma = binary.svma_of(*offset)?;
            Some((svma, *weight))
        });
        let weights: FxHashMap<Svma, u64> = weights.collect();
        let starts: BTreeSet<Svma> = weights
            .keys()
            .filter_map(|svma| Some(binary.function_at(*svma)?.start))
            .collect();
        for start in starts {
            let Some(function) = binary.functions().starting_at(start) else {
                continue;
            };
            let instructions = around_samples(annotate(binary, debug, function, &weights));
            let weight = weights
                .iter()
                .filter(|(svma, _)| binary.function_at(**svma).map(|at| at.start) == Some(start))
                .fold(0_u64, |sum, (_, weight)| sum.saturating_add(*weight));
            let whole = instructions.len();
            if self.instructions + whole > INSTRUCTIONS_MAX || whole == 0 {
                continue;
            }
            self.instructions += whole;
            self.shown_weight = self.shown_weight.saturating_add(weight);
            let instructions = instructions
                .into_iter()
                .map(|piece| match piece {
                    Ok(instruction) => self.shown(instruction),
                    Err(gap) => Shown::Gap { gap },
                })
                .collect();
            self.functions.push(FunctionCode {
                frame: hot.frame,
                weight,
                instructions,
            });
        }
    }

    fn shown(&mut self, of: AnnotatedInstruction) -> Shown {
        Shown::Instruction {
            address: of.address,
            text: of.text,
            weight: of.weight,
            file: self.files.intern(&of.file),
            line: of.line,
            inlined: match of.inlined.as_str() {
                "" => -1,
                name => self.inlined.intern(&demangle(name)).into(),
            },
        }
    }

    /// Returns the lines of source files that the page would show, with the lines around them, by path.
    pub fn lines(&self) -> BTreeMap<String, BTreeSet<u32>> {
        let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for shown in self.functions.iter().flat_map(|of| &of.instructions) {
            if let Shown::Instruction { file, line, .. } = shown
                && *line > 0
            {
                let path = &self.files.items()[*file as usize];
                let around =
                    line.saturating_sub(LINES_AROUND).max(1)..=line.saturating_add(LINES_AROUND);
                wanted.entry(path.clone()).or_default().extend(around);
            }
        }
        wanted
    }

    /// Adds the lines `wanted` ([`Self::lines`]) of a file's text and a note about them, as far as there is room on the page.
    pub fn add_source(&mut self, path: &str, wanted: &BTreeSet<u32>, text: &str, note: &str) {
        self.sources.add(path, wanted, text, note);
    }

    /// Adds all other lines of a file of which lines were added, if there is room for them.
    pub fn complete_source(&mut self, path: &str, text: &str) {
        self.sources.complete(path, text);
    }

    /// Notes why a file's text is not on the page.
    pub fn without_source(&mut self, path: &str, note: &str) {
        self.sources.leave_out(path, note);
    }

    /// Returns the source files from which lines were added, the one with the most time first.
    pub fn sources_by_weight(&self) -> Vec<String> {
        let mut weights: FxHashMap<u32, u64> = FxHashMap::default();
        for shown in self.functions.iter().flat_map(|of| &of.instructions) {
            if let Shown::Instruction { file, weight, .. } = shown {
                let of_file = weights.entry(*file).or_default();
                *of_file = of_file.saturating_add(*weight);
            }
        }
        let mut files: Vec<(u32, u64)> = weights.into_iter().collect();
        files.sort_by_key(|(file, weight)| (Reverse(*weight), *file));
        let paths = files
            .iter()
            .map(|(file, _)| &self.files.items()[*file as usize]);
        paths
            .filter(|path| self.sources.files.contains_key(*path))
            .cloned()
            .collect()
    }

    /// Notes that source text was not wanted.
    pub fn leave_sources_out(&mut self) {
        self.is_without_source = true;
    }

    /// Returns the code as JSON for the page; `function_of` maps a frame to its function on the page, `whole` is the
    /// weight of the recording.
    pub(crate) fn json(&self, mut function_of: impl FnMut(FrameId) -> u32, whole: u64) -> String {
        let functions = self.functions.iter().map(|of| PageFunction {
            function: function_of(of.frame),
            weight: of.weight,
            instructions: &of.instructions,
        });
        let none = Source {
            note: match self.is_without_source {
                true => "the page was made without source text",
                false => "",
            }
            .to_owned(),
            ..Source::default()
        };
        let files = self.files.items().iter().map(|path| PageFile {
            path,
            source: self.sources.files.get(path).unwrap_or(&none),
        });
        let page = Page {
            left_out: self.left_out(whole),
            files: files.collect(),
            inlined: self.inlined.items(),
            functions: functions.collect(),
        };
        serde_json::to_string(&page).unwrap_or_default()
    }

    fn left_out(&self, whole: u64) -> String {
        let share = self.shown_weight as f64 / whole.max(1) as f64;
        format!(
            "Code is here of the functions with {:.1} % of the time: of those with {} % or more, {FUNCTIONS_MAX} at most, \
             whose files lie where they were recorded. hone annotate shows any other.",
            share * 100.0,
            SHARE_MIN * 100.0
        )
    }
}

#[derive(Serialize)]
struct Page<'p> {
    left_out: String,
    files: Vec<PageFile<'p>>,
    inlined: &'p [String],
    functions: Vec<PageFunction<'p>>,
}

#[derive(Serialize)]
struct PageFile<'p> {
    path: &'p str,
    #[serde(flatten)]
    source: &'p Source,
}

#[derive(Serialize)]
struct PageFunction<'p> {
    #[serde(rename = "fn")]
    function: u32,
    weight: u64,
    instructions: &'p [Shown],
}

/// Returns all instructions of a short function; of a long function the instructions around samples, with the number of
/// instructions left out between them.
fn around_samples(all: Vec<AnnotatedInstruction>) -> Vec<Result<AnnotatedInstruction, usize>> {
    if all.len() <= WHOLE_MAX {
        return all.into_iter().map(Ok).collect();
    }
    let mut is_near = vec![false; all.len()];
    for (at, instruction) in all.iter().enumerate() {
        if instruction.weight > 0 {
            let last = (at + AROUND).min(all.len() - 1);
            is_near[at.saturating_sub(AROUND)..=last].fill(true);
        }
    }
    let mut shown = Vec::new();
    for (instruction, is_near) in all.into_iter().zip(is_near) {
        match (is_near, shown.last_mut()) {
            (true, _) => shown.push(Ok(instruction)),
            (false, Some(Err(gap))) => *gap += 1,
            (false, _) => shown.push(Err(1)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LINE_BYTES_MAX, SOURCE_BYTES_MAX};

    fn instruction(address: u64, weight: u64) -> AnnotatedInstruction {
        AnnotatedInstruction {
            address,
            text: "nop".into(),
            weight,
            file: "/s/a.c".into(),
            line: 10,
            inlined: String::new(),
        }
    }

    fn code() -> PageCode {
        let mut code = PageCode::default();
        let instructions = vec![code.shown(instruction(1, 5))];
        code.functions.push(FunctionCode {
            frame: FrameId(0),
            weight: 5,
            instructions,
        });
        code.shown_weight = 5;
        code
    }

    #[test]
    fn a_long_function_is_shown_around_its_samples() {
        let short: Vec<_> = (0..100).map(|at| instruction(at, 0)).collect();
        assert_eq!(around_samples(short).len(), 100);
        let long = (0..5_000).map(|at| instruction(at, u64::from(at == 2_000)));
        let shown = around_samples(long.collect());
        assert_eq!(shown.len(), 2 * AROUND + 1 + 2);
        assert_eq!(shown[0], Err(2_000 - AROUND));
        assert_eq!(shown.last(), Some(&Err(5_000 - 2_001 - AROUND)));
    }

    #[test]
    fn a_long_name_stands_once() {
        let mut code = PageCode::default();
        let name = "n".repeat(10_000);
        let instructions = (0..100).map(|at| AnnotatedInstruction {
            inlined: name.clone(),
            ..instruction(at, 1)
        });
        let instructions = instructions.map(|of| code.shown(of)).collect();
        code.functions.push(FunctionCode {
            frame: FrameId(0),
            weight: 100,
            instructions,
        });
        assert_eq!(code.json(|_| 0, 100).matches(&name).count(), 1);
    }

    #[test]
    fn only_lines_around_the_code_go_onto_the_page() {
        let mut code = code();
        let wanted = code.lines().remove("/s/a.c").unwrap();
        assert_eq!(wanted, (7..=13).collect());
        let text: String = (1..100).map(|n| format!("line {n}\n")).collect();
        code.add_source("/s/a.c", &wanted, &text, "");
        let lines = &code.sources.files["/s/a.c"].lines;
        assert_eq!(lines[0], (7, "line 7".to_owned()));
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn source_text_is_bounded_and_says_so() {
        let mut code = code();
        let wanted = (1..20).collect();
        let long = "é".repeat(LINE_BYTES_MAX);
        code.add_source("/s/a.c", &wanted, &format!("{long}\n").repeat(20), "");
        assert!(code.sources.files["/s/a.c"].lines[0].1.len() <= LINE_BYTES_MAX);
        let full = Source {
            lines: vec![(1, "x".repeat(SOURCE_BYTES_MAX - 3))],
            ..Source::default()
        };
        code.sources.files.insert("/s/b.c".into(), full);
        code.sources.files.remove("/s/a.c");
        code.add_source("/s/a.c", &wanted, &"words\n".repeat(20), "");
        let source = &code.sources.files["/s/a.c"];
        assert!(source.lines.is_empty() && source.note.starts_with("left out"));
    }

    #[test]
    fn a_file_is_whole_where_there_is_room() {
        let text: String = (1..100).map(|n| format!("line {n}\n")).collect();
        for (others, lines) in [(0, 99), (SOURCE_BYTES_MAX - 100, 7)] {
            let mut code = code();
            let other = Source {
                lines: vec![(1, "x".repeat(others))],
                ..Source::default()
            };
            code.sources.files.insert("/s/b.c".into(), other);
            code.add_source("/s/a.c", &(7..=13).collect(), &text, "");
            assert_eq!(code.sources_by_weight(), ["/s/a.c"]);
            code.complete_source("/s/a.c", &text);
            let source = &code.sources.files["/s/a.c"];
            assert_eq!((source.lines.len(), source.is_whole), (lines, lines == 99));
        }
    }

    #[test]
    fn a_page_without_sources_says_why() {
        let mut code = code();
        code.leave_sources_out();
        let json = code.json(|_| 3, 10);
        assert!(json.contains(r#""fn":3"#) && json.contains("made without source text"));
        assert!(json.contains("50.0 % of the time"));
    }
}
