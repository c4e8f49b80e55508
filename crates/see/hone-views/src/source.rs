//! Source text on a page: lines of files, as far as there is room.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of bytes of source text, and of one line of source text.
pub(crate) const SOURCE_BYTES_MAX: usize = 1 << 20;
pub(crate) const LINE_BYTES_MAX: usize = 400;

/// Lines of a source file, and a note about them.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct Source {
    /// Number and text of each line.
    pub lines: Vec<(u32, String)>,
    /// Reason for the lack of lines, or for not trusting the lines; empty otherwise.
    pub note: String,
    /// True if all lines of the file are there.
    #[serde(rename = "whole")]
    pub is_whole: bool,
}

/// Source files by path.
#[derive(Default, Debug)]
pub(crate) struct Sources {
    /// The files.
    pub(crate) files: BTreeMap<String, Source>,
}

impl Sources {
    /// Adds the lines `wanted` of a file's text and a note about them, as far as there is room on the page.
    pub(crate) fn add(&mut self, path: &str, wanted: &BTreeSet<u32>, text: &str, note: &str) {
        let mut room = self.room();
        let mut source = Source {
            lines: Vec::new(),
            note: note.to_owned(),
            is_whole: false,
        };
        for (number, line) in numbered(text).filter(|(number, _)| wanted.contains(number)) {
            if line.len() > room {
                "left out from here on: the page has no room for more source"
                    .clone_into(&mut source.note);
                break;
            }
            room -= line.len();
            source.lines.push((number, line.to_owned()));
        }
        self.files.insert(path.to_owned(), source);
    }

    /// Adds all other lines of a file of which lines were added, if there is room for them.
    pub(crate) fn complete(&mut self, path: &str, text: &str) {
        let room = self.room();
        let Some(source) = self.files.get_mut(path) else {
            return;
        };
        let had: usize = source.lines.iter().map(|(_, line)| line.len()).sum();
        let whole: usize = numbered(text).map(|(_, line)| line.len()).sum();
        if !source.lines.is_empty() && whole <= room + had {
            source.lines = numbered(text)
                .map(|(number, line)| (number, line.to_owned()))
                .collect();
            source.is_whole = true;
        }
    }

    /// Notes why a file's text is not on the page.
    pub(crate) fn leave_out(&mut self, path: &str, note: &str) {
        let source = Source {
            note: note.to_owned(),
            ..Source::default()
        };
        self.files.insert(path.to_owned(), source);
    }

    /// Returns the bytes of source text for which there is room.
    fn room(&self) -> usize {
        let lines = self.files.values().flat_map(|source| &source.lines);
        SOURCE_BYTES_MAX.saturating_sub(lines.map(|(_, text)| text.len()).sum())
    }
}

/// Returns the lines of a text with their numbers, as much of each as a page has.
fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines()).map(|(number, line)| {
        let end = (0..=LINE_BYTES_MAX.min(line.len()))
            .rev()
            .find(|end| line.is_char_boundary(*end))
            .unwrap_or(0);
        (number, &line[..end])
    })
}
