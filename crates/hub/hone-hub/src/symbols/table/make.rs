//! Makes the table of names of a build from its files.
//!
//! The frames are those that hone-views gives to an address, so that names from a table and from the files themselves are
//! the same. They are worked out once for each run of addresses with one inline stack; where only the line changes, which
//! is most often, the frames of the run before serve again.

use std::collections::BTreeSet;
use std::ops::Range;

use hone_profile::{Interner, Svma};
use hone_symbols::{Binary, DebugInfo, Image, MadeNames, SourceFrame};
use hone_views::{NamedFrame, named_stack};

use super::super::error::Refused;
use super::super::limits::{FRAMES_MAX, INLINED_MAX, NAME_BYTES_MAX, ROWS_MAX};
use super::write::{RowFrame, TableWriter};

/// Row for addresses of which debug information tells nothing.
const UNTOLD: u32 = u32::MAX;

/// Makes the bytes of the table of names of a build: from its file with code, and the file with its debug information or
/// symbols if they are apart.
///
/// # Errors
///
/// Returns the reason if a file cannot be read, or if its debug information is larger than that of any program.
pub fn tabulate(code: &[u8], debug: Option<&[u8]>) -> Result<Vec<u8>, Refused> {
    let image = Image {
        binary: code,
        debug,
        split: None,
    };
    let names = MadeNames::default();
    let binary = Binary::parse_with_bodies(image, &names)?;
    let debug = DebugInfo::parse(&binary)?;
    let mut making = Making::new(&binary, &debug);
    debug.each_run(|run, stack| making.add_run(run, stack))?;
    making.fill_gaps()?;
    let failed = |error: std::io::Error| Refused::Parser(error.to_string());
    making.write().map_err(failed)
}

/// A frame and the frame that it is inlined into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct TreeFrame {
    frame: RowFrame,
    outer: Option<u32>,
}

struct Making<'m, 'b> {
    binary: &'m Binary<'m>,
    debug: &'m DebugInfo<'b>,
    /// Addresses at which another function begins, or none does, by the symbols.
    boundaries: Vec<u64>,
    texts: Interner<String>,
    frames: Interner<TreeFrame>,
    /// Address, and the innermost frame from there on plus 1; 0 for no frames.
    rows: Vec<(u64, u32)>,
    /// End of the run before.
    end: u64,
    before: Before,
    frames_seen: u64,
}

/// What the frames of the row before were made from.
#[derive(Default)]
struct Before {
    /// Position among the boundaries.
    part: usize,
    stack: Vec<Raw>,
    /// The row's innermost frame plus 1.
    row: u32,
    /// True if each level of the inline stack became a frame.
    is_whole: bool,
}

/// A [`SourceFrame`] that outlives its unit.
#[derive(Default)]
struct Raw {
    function: String,
    file: String,
    start_line: u32,
    line: u32,
}

impl Raw {
    fn is(&self, frame: &SourceFrame<'_>) -> bool {
        self.start_line == frame.start_line
            && self.function == frame.function
            && self.file == frame.file
    }
}

impl<'m, 'b> Making<'m, 'b> {
    fn new(binary: &'m Binary<'m>, debug: &'m DebugInfo<'b>) -> Self {
        let functions = binary.functions().iter();
        let functions = functions.flat_map(|function| [function.start.0, function.end.0]);
        let stubs = binary.plt().entries().iter();
        let stubs = stubs.flat_map(|stub| [stub.start.0, stub.end.0]);
        let boundaries: BTreeSet<u64> = functions.chain(stubs).collect();
        Self {
            binary,
            debug,
            boundaries: boundaries.into_iter().collect(),
            texts: Interner::default(),
            frames: Interner::default(),
            rows: Vec::new(),
            end: 0,
            before: Before::default(),
            frames_seen: 0,
        }
    }

    /// Adds a run of addresses with one inline stack.
    fn add_run(&mut self, run: Range<Svma>, stack: &[SourceFrame<'_>]) -> Result<(), Refused> {
        let run = run.start.0..run.end.0;
        if run.start != self.end {
            self.push(self.end, UNTOLD)?;
        }
        self.end = run.end;
        self.add(run, stack)
    }

    /// Adds rows for a range of addresses: one for each part of it that symbols tell apart.
    fn add(&mut self, range: Range<u64>, stack: &[SourceFrame<'_>]) -> Result<(), Refused> {
        let mut at = range.start;
        let mut part = self.boundaries.partition_point(|start| *start <= at);
        loop {
            let row = self.row(at, part, stack)?;
            self.push(at, row)?;
            match self.boundaries.get(part) {
                Some(next) if *next < range.end => at = *next,
                _ => return Ok(()),
            }
            part += 1;
        }
    }

    fn push(&mut self, address: u64, row: u32) -> Result<(), Refused> {
        if self.rows.len() == ROWS_MAX {
            return Err(Refused::TooMuch {
                what: "places",
                max: ROWS_MAX as u64,
            });
        }
        self.rows.push((address, row));
        Ok(())
    }

    /// Returns the row for an address, which lies before the boundary at the position `part`.
    fn row(&mut self, at: u64, part: usize, stack: &[SourceFrame<'_>]) -> Result<u32, Refused> {
        self.frames_seen += stack.len() as u64 + 1;
        if self.frames_seen > FRAMES_MAX {
            return Err(Refused::TooMuch {
                what: "inlined calls",
                max: FRAMES_MAX,
            });
        }
        if let Some(row) = self.other_line(part, stack) {
            return Ok(row);
        }
        let named = named_stack(self.binary, self.debug, Svma(at), stack);
        let row = self.intern(&named);
        self.before.part = part;
        self.before.row = row;
        self.before.is_whole = named.len() == stack.len() && stack.len() <= INLINED_MAX;
        self.before.stack.resize_with(stack.len(), Raw::default);
        for (raw, frame) in self.before.stack.iter_mut().zip(stack) {
            frame.function.clone_into(&mut raw.function);
            frame.file.clone_into(&mut raw.file);
            (raw.start_line, raw.line) = (frame.start_line, frame.line);
        }
        Ok(row)
    }

    /// Returns the row if the stack differs from the one before in the line of the innermost frame alone.
    fn other_line(&mut self, part: usize, stack: &[SourceFrame<'_>]) -> Option<u32> {
        let before = &mut self.before;
        let (innermost, outer) = stack.split_first()?;
        let (raw, raw_outer) = before.stack.split_first_mut()?;
        let is_same = before.is_whole
            && before.part == part
            && raw.is(innermost)
            && raw_outer.len() == outer.len()
            && (raw_outer.iter().zip(outer))
                .all(|(raw, frame)| raw.is(frame) && raw.line == frame.line);
        if !is_same {
            return None;
        }
        if raw.line != innermost.line {
            raw.line = innermost.line;
            let innermost_before = before.row.checked_sub(1)?;
            let mut frame = self.frames.items()[innermost_before as usize];
            frame.frame.line = innermost.line;
            before.row = self.frames.intern(&frame) + 1;
        }
        Some(before.row)
    }

    fn intern(&mut self, named: &[NamedFrame]) -> u32 {
        let Some((outermost, inner)) = named.split_last() else {
            return 0;
        };
        let kept = inner.len().min(INLINED_MAX - 1);
        let mut outer = None;
        for frame in std::iter::once(outermost).chain(inner[..kept].iter().rev()) {
            let frame = RowFrame {
                function: self.text(&frame.function),
                file: self.text(&frame.file),
                line: frame.line,
                is_inlined: frame.is_inlined,
            };
            outer = Some(self.frames.intern(&TreeFrame { frame, outer }));
        }
        outer.map_or(0, |innermost| innermost + 1)
    }

    fn text(&mut self, text: &String) -> u32 {
        if text.len() <= NAME_BYTES_MAX {
            return self.texts.intern(text);
        }
        let mut end = NAME_BYTES_MAX;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.texts.intern(&text[..end].to_owned())
    }

    /// Names by symbols what no unit of debug information covers, and sorts the rows.
    fn fill_gaps(&mut self) -> Result<(), Refused> {
        self.push(self.end, UNTOLD)?;
        self.push(0, UNTOLD)?;
        let mut told = std::mem::take(&mut self.rows);
        // Where one run ends and another begins, the other one tells.
        told.sort_unstable_by_key(|(address, row)| (*address, *row));
        told.dedup_by_key(|(address, _)| *address);
        for (index, &(address, row)) in told.iter().enumerate() {
            if row != UNTOLD {
                self.push(address, row)?;
                continue;
            }
            let end = told.get(index + 1).map_or(u64::MAX, |(next, _)| *next);
            self.add(address..end, &[])?;
        }
        Ok(())
    }

    fn write(self) -> std::io::Result<Vec<u8>> {
        let mut writer = TableWriter::new(self.texts.items(), self.binary.segments());
        let tree = self.frames.items();
        let mut before = 0;
        let mut frames = Vec::new();
        for (address, row) in self.rows {
            if row == before {
                continue;
            }
            before = row;
            frames.clear();
            let mut next = row.checked_sub(1);
            while let Some(index) = next {
                let TreeFrame { frame, outer } = tree[index as usize];
                frames.push(frame);
                next = outer;
            }
            frames.reverse();
            writer.add(Svma(address), &frames)?;
        }
        writer.finish()
    }
}
