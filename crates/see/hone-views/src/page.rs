//! A self-contained HTML page: flame graph, sandwich, time order, table, timeline, findings and code of one recording,
//! or of two beside each other.
//!
//! The page needs no network and no build step: its scripts (`ui/*.js`) are included as they are in the source. Names
//! are JSON; the call tree and the samples are varints (seven bits a byte, lowest first; the last byte is below 128);
//! both are gzipped and in base64:
//!
//! ```text
//! number of nodes, then for each but the first: its distance to its parent, function * 2 + whether it is inlined
//! per recording: number of samples, then for each, in order of time:
//!     microseconds since the sample before, thread, set of labels where the recording has any, node, how often it
//!     was seen, weight
//! ```
//!
//! Node 0 is the root, and a parent comes before its children. The browser computes from these data what it draws, so
//! that a filter, a part of the time or a thread needs no second file. Code ([`crate::PageCode`]) is JSON, packed like
//! the samples, and unpacked when it is first looked at.

use crate::code::PageCode;
use crate::findings::PageFindings;
use crate::stacks::{Frame, FrameId, Stacks, is_time};
use crate::timeline::{Moment, Timeline};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use hone_profile::{Interner, Labels};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write as _;

const HTML: &str = include_str!("../ui/view.html");
const STYLE: &str = include_str!("../ui/view.css");
const SCRIPTS: [&str; 23] = [
    hone_page::SCRIPT,
    include_str!("../ui/data.js"),
    include_str!("../ui/statistics.js"),
    include_str!("../ui/tree.js"),
    include_str!("../ui/model.js"),
    include_str!("../ui/figures.js"),
    COLOURS,
    NAMES,
    include_str!("../ui/flame.js"),
    include_str!("../ui/timeline.js"),
    include_str!("../ui/tracks.js"),
    include_str!("../ui/table.js"),
    include_str!("../ui/findings.js"),
    include_str!("../ui/details.js"),
    include_str!("../ui/code.js"),
    include_str!("../ui/state.js"),
    include_str!("../ui/steps.js"),
    include_str!("../ui/picture.js"),
    include_str!("../ui/formats.js"),
    include_str!("../ui/open.js"),
    include_str!("../ui/header.js"),
    include_str!("../ui/controls.js"),
    include_str!("../ui/main.js"),
];

/// Share of the weight below which nothing is said of a file's names.
const WORTH_A_WORD: f64 = 0.01;

/// Script with the page's colours, for pages beside it: `LIGHT` has the palette, `shaded` makes a colour of it.
pub const COLOURS: &str = include_str!("../ui/colour.js");

/// Script that shortens names of functions, for pages beside it: `shortened` has at most so many letters.
pub const NAMES: &str = include_str!("../ui/names.js");

/// A recording on the page.
#[derive(Clone, Copy, Debug)]
pub struct PageRecording<'r> {
    /// Name to show.
    pub name: &'r str,
    /// Stacks of the recording.
    pub stacks: &'r Stacks,
    /// Samples in order of time.
    pub timeline: &'r Timeline,
}

/// Returns the page of one recording, or of two aligned recordings ([`crate::align()`]) with the old one first. The
/// page includes the findings about the last recording, if any, and the code of its hottest functions.
pub fn page(
    recordings: &[PageRecording<'_>],
    findings: Option<&PageFindings>,
    code: &PageCode,
) -> String {
    let mut tree = Tree::default();
    let mut columns = Vec::new();
    let facts: Vec<Facts<'_>> = recordings
        .iter()
        .map(|recording| tree.add(recording, &mut columns))
        .collect();
    let code = recordings.last().map_or(String::new(), |last| {
        let function_of = |id| tree.function_of(last.stacks.frame(id));
        code.json(function_of, last.stacks.weight())
    });
    let mut numbers = Vec::new();
    tree.write(&mut numbers);
    numbers.append(&mut columns);
    let event = recordings.last().map_or("", |last| &last.stacks.event);
    let own_names = recordings.iter().flat_map(own_names_in);
    let own_names: BTreeSet<&str> = own_names.collect();
    let names = Names {
        event,
        unit: if is_time(event) { "ns" } else { "events" },
        names: tree.names.items(),
        functions: tree.functions.items(),
        recordings: facts,
        own_names,
        findings,
    };
    let title: Vec<&str> = recordings.iter().map(|recording| recording.name).collect();
    let names = serde_json::to_vec(&names).unwrap_or_default();
    fill(&[
        ("title", &hone_page::escape::escape(&title.join(" and "))),
        ("style", &[hone_page::STYLE, STYLE].concat()),
        ("names", &packed(&names)),
        ("samples", &packed(&numbers)),
        ("code", &packed(code.as_bytes())),
        ("script", &SCRIPTS.join("\n")),
    ])
}

/// Returns the files that a recording itself names, as far as they matter.
fn own_names_in<'r>(recording: &PageRecording<'r>) -> impl Iterator<Item = &'r str> {
    let all = recording.stacks.weight() as f64;
    let files = recording.stacks.own_names.iter();
    let worth_it = files.filter(move |(_, weight)| **weight as f64 >= all * WORTH_A_WORD);
    worth_it.map(|(path, _)| path.as_str())
}

/// Fills the template in one pass, so that no text in a value is taken for a placeholder.
fn fill(values: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut parts = HTML.split("{{");
    page.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (place, rest) = part.split_once("}}").unwrap_or(("", part));
        let value = values.iter().find(|(name, _)| *name == place);
        page.push_str(value.map_or("", |(_, value)| value));
        page.push_str(rest);
    }
    page
}

/// Gzips bytes, in base64, which no text can leave: no name opens or ends an element of the page.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let _ = encoder.write_all(bytes);
    BASE64.encode(encoder.finish().unwrap_or_default())
}

#[derive(Serialize)]
struct Names<'n> {
    event: &'n str,
    unit: &'n str,
    names: &'n [String],
    /// Name and binary of each function, as positions in `names`.
    functions: &'n [(u32, u32)],
    recordings: Vec<Facts<'n>>,
    /// Files whose functions are named by a recording itself.
    own_names: BTreeSet<&'n str>,
    findings: Option<&'n PageFindings>,
}

#[derive(Serialize)]
struct Facts<'f> {
    name: &'f str,
    /// Microseconds in which samples were added up; 0 where each has its own time.
    step: u64,
    threads: Vec<PageThread<'f>>,
    /// Sets of labels, each label as its key and as it is written; none where no sample has a label.
    labels: Vec<Vec<(&'f str, String)>>,
}

#[derive(Serialize)]
struct PageThread<'t> {
    pid: i32,
    tid: i32,
    name: &'t str,
}

/// The call tree of all recordings.
#[derive(Default)]
struct Tree {
    names: Interner<String>,
    functions: Interner<(u32, u32)>,
    /// Parent, and function * 2 + whether it is inlined, of each node but the root.
    nodes: Interner<(u32, u32)>,
}

impl Tree {
    /// Adds the stacks of a recording to the tree, and its samples to the columns.
    fn add<'r>(&mut self, recording: &PageRecording<'r>, columns: &mut Vec<u8>) -> Facts<'r> {
        let stacks = recording.stacks;
        let frames = (0..stacks.frame_count() as u32).map(|id| stacks.frame(FrameId(id)));
        let functions: Vec<u32> = frames.map(|frame| self.function(frame)).collect();
        let leaves: Vec<u32> = stacks
            .stacks
            .iter()
            .map(|stack| {
                let outermost_first = stack.frames.iter().rev();
                outermost_first.fold(0, |parent, frame| {
                    let function = functions[frame.0 as usize];
                    self.nodes.intern(&(parent, function)) + 1
                })
            })
            .collect();
        let mut threads: Vec<PageThread<'r>> = Vec::new();
        let mut thread_numbers: FxHashMap<(i32, i32), u32> = FxHashMap::default();
        let has_labels = stacks.stacks.iter().any(|stack| !stack.labels.is_empty());
        let mut labels: Interner<&'r Labels> = Interner::default();
        let moments = &recording.timeline.moments;
        varint(columns, moments.len() as u64);
        let mut before_us = moments.first().map_or(0, |first| first.time_ns / 1_000);
        for Moment {
            time_ns,
            stack,
            times,
            weight,
        } in moments
        {
            let of = &stacks.stacks[*stack as usize];
            let thread = *thread_numbers.entry((of.pid, of.tid)).or_insert_with(|| {
                threads.push(PageThread {
                    pid: of.pid,
                    tid: of.tid,
                    name: &of.thread,
                });
                threads.len() as u32 - 1
            });
            let time_us = (time_ns / 1_000).max(before_us);
            varint(columns, time_us - before_us);
            varint(columns, u64::from(thread));
            if has_labels {
                varint(columns, u64::from(labels.intern(&&of.labels)));
            }
            varint(columns, u64::from(leaves[*stack as usize]));
            varint(columns, *times);
            varint(columns, *weight);
            before_us = time_us;
        }
        Facts {
            name: recording.name,
            step: recording.timeline.step_ns / 1_000,
            threads,
            labels: labels.items().iter().map(|set| in_words(set)).collect(),
        }
    }

    fn function(&mut self, frame: &Frame) -> u32 {
        let name = self.names.intern(&frame.function);
        let binary = self.names.intern(&frame.binary);
        self.functions.intern(&(name, binary)) * 2 + u32::from(frame.is_inlined)
    }

    /// Returns the number of a frame's function.
    fn function_of(&mut self, frame: &Frame) -> u32 {
        self.function(frame) / 2
    }

    fn write(&self, columns: &mut Vec<u8>) {
        varint(columns, self.nodes.items().len() as u64 + 1);
        for (index, (parent, function)) in self.nodes.items().iter().enumerate() {
            varint(columns, index as u64 + 1 - u64::from(*parent));
            varint(columns, u64::from(*function));
        }
    }
}

/// Returns the labels of a set, each with its key.
fn in_words(labels: &Labels) -> Vec<(&str, String)> {
    labels
        .iter()
        .map(|label| (&*label.key, label.to_string()))
        .collect()
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;
    use testkit::view_page;

    fn numbers(bytes: &[u8]) -> Vec<u64> {
        let mut values = Vec::new();
        let (mut value, mut shift) = (0_u64, 0);
        for byte in bytes {
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                values.push(value);
                (value, shift) = (0, 0);
            }
        }
        values
    }

    #[test]
    fn a_parent_comes_before_its_children() {
        let stacks = stacks(&[("main;f;g", 1), ("main;h", 300)]);
        let timeline = Timeline {
            step_ns: 0,
            moments: vec![
                Moment {
                    time_ns: 5_000_000,
                    stack: 0,
                    times: 1,
                    weight: 1,
                },
                Moment {
                    time_ns: 7_000_000,
                    stack: 1,
                    times: 3,
                    weight: 300,
                },
            ],
        };
        let recording = PageRecording {
            name: "r",
            stacks: &stacks,
            timeline: &timeline,
        };
        let (mut tree, mut samples, mut nodes) = (Tree::default(), Vec::new(), Vec::new());
        tree.add(&recording, &mut samples);
        tree.write(&mut nodes);
        // Root and main, f, g, h: distance to the parent and twice the function.
        let functions: Vec<u64> = numbers(&nodes)[2..]
            .iter()
            .step_by(2)
            .map(|f| f / 2)
            .collect();
        let distances: Vec<u64> = numbers(&nodes)[1..].iter().step_by(2).copied().collect();
        assert_eq!(numbers(&nodes)[0], 5);
        assert_eq!(distances, [1, 1, 1, 3]);
        assert_eq!(functions.len(), 4);
        assert_eq!(numbers(&samples), [2, 0, 0, 3, 1, 1, 2_000, 0, 4, 3, 300]);
    }

    #[test]
    fn files_that_a_recording_names_itself_are_told() {
        let mut stacks = stacks(&[("main;f", 100)]);
        stacks.own_names.insert("/srv/server".into(), 60);
        stacks.own_names.insert("/lib/rare.so".into(), 0);
        let timeline = Timeline::default();
        let recording = PageRecording {
            name: "r",
            stacks: &stacks,
            timeline: &timeline,
        };
        let page = page(&[recording], None, &PageCode::default());
        assert!(view_page::names(&page).contains(r#""own_names":["/srv/server"]"#));
    }

    #[test]
    fn names_cannot_leave_their_element() {
        let stacks = stacks(&[("</script><script>alert(1)</script>{{samples}}", 1)]);
        let timeline = Timeline {
            step_ns: 0,
            moments: Vec::new(),
        };
        let recording = PageRecording {
            name: "<b>{{samples}}",
            stacks: &stacks,
            timeline: &timeline,
        };
        let findings = PageFindings {
            summary: "</script><script>alert(2)</script>".into(),
            findings: Vec::new(),
            not_looked: Vec::new(),
        };
        let page = page(&[recording], Some(&findings), &PageCode::default());
        assert!(!page.contains("<script>alert"));
        assert!(page.contains("<title>&lt;b&gt;{{samples}}</title>"));
        assert!(view_page::names(&page).contains("</script><script>alert(2)"));
    }
}
