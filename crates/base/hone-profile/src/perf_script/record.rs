//! Lines of records other than samples: mappings, and processes that start or become another program.

use crate::address::{Avma, BuildId, FileOffset};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Record<'t> {
    Map(Map<'t>),
    /// The process became another program.
    Exec {
        pid: i32,
    },
    Fork {
        parent: i32,
        child: i32,
    },
    Lost {
        samples: u64,
    },
    /// A record without use for a profile.
    Other,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Map<'t> {
    pub(super) pid: i32,
    pub(super) start: Avma,
    pub(super) end: Avma,
    pub(super) file_offset: FileOffset,
    pub(super) build_id: Option<BuildId>,
    pub(super) path: &'t str,
    pub(super) is_executable: bool,
}

/// Returns the text of a line from its record's name on, if the line has a record.
pub(super) fn find(line: &str) -> Option<&str> {
    line.find("PERF_RECORD_").map(|at| &line[at + 12..])
}

/// Parses the text that [`find`] returned; `None` if it is not as perf prints records.
pub(super) fn parse(text: &str) -> Option<Record<'_>> {
    let (name, rest) = match text.find([' ', '(', ':']) {
        Some(end) => text.split_at(end),
        None => (text, ""),
    };
    match name {
        "MMAP" | "MMAP2" => map(rest.trim_start()).map(Record::Map),
        "COMM" => Some(exec(rest).unwrap_or(Record::Other)),
        "FORK" => fork(rest),
        "LOST" | "LOST_SAMPLES" => {
            let samples = rest.rsplit(' ').next()?.parse().ok()?;
            Some(Record::Lost { samples })
        }
        _ => Some(Record::Other),
    }
}

/// Parses `7/7: [0x400000(0x1000) @ 0x1000 08:01 12 0]: r-xp /path`, or with `<build id>` in place of the device.
fn map(text: &str) -> Option<Map<'_>> {
    let (task, rest) = text.split_once(": [")?;
    let (place, rest) = rest.split_once("]: ")?;
    let (protection, path) = rest.split_once(' ')?;
    let (start, place) = place.split_once('(')?;
    let (len, place) = place.split_once(") @ ")?;
    let mut place = place.split(' ');
    let file_offset = number(place.next()?)?;
    let build_id = place
        .next()
        .and_then(|word| word.strip_prefix('<')?.strip_suffix('>'))
        .and_then(BuildId::from_hex);
    let start = number(start)?;
    Some(Map {
        pid: task.split('/').next()?.trim().parse().ok()?,
        start: Avma(start),
        end: Avma(start.saturating_add(number(len)?)),
        file_offset: FileOffset(file_offset),
        build_id,
        path: path.trim_end(),
        is_executable: protection.contains('x'),
    })
}

/// Parses ` exec: name:7/7`.
fn exec(text: &str) -> Option<Record<'_>> {
    let task = text.strip_prefix(" exec: ")?.rsplit(':').next()?;
    let pid = task.split('/').next()?.trim().parse().ok()?;
    Some(Record::Exec { pid })
}

/// Parses `(8:8):(7:7)`, the child first.
fn fork(text: &str) -> Option<Record<'_>> {
    let (child, parent) = text.split_once("):(")?;
    let pid = |text: &str| text.split(':').next()?.parse().ok();
    Some(Record::Fork {
        parent: pid(parent)?,
        child: pid(child.strip_prefix('(')?)?,
    })
}

fn number(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_as_perf_prints_them() {
        let line =
            "a 7 0.0: PERF_RECORD_MMAP2 7/8: [0x400000(0x1000) @ 0x1000 08:01 12 0]: r-xp /a b";
        let mapping = Map {
            pid: 7,
            start: Avma(0x400000),
            end: Avma(0x401000),
            file_offset: FileOffset(0x1000),
            build_id: None,
            path: "/a b",
            is_executable: true,
        };
        let read = |line| parse(find(line).expect("a record"));
        assert_eq!(read(line), Some(Record::Map(mapping.clone())));
        let line = "PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 <0aff>]: r--p /a b";
        let data = Map {
            file_offset: FileOffset(0),
            build_id: BuildId::from_hex("0aff"),
            is_executable: false,
            ..mapping
        };
        assert_eq!(read(line), Some(Record::Map(data)));
        let line = "PERF_RECORD_FORK(9:9):(7:7)";
        let fork = Record::Fork {
            parent: 7,
            child: 9,
        };
        assert_eq!(read(line), Some(fork));
        let line = "PERF_RECORD_COMM exec: a:b c:9/9";
        assert_eq!(read(line), Some(Record::Exec { pid: 9 }));
        assert_eq!(read("PERF_RECORD_COMM: a:9/9"), Some(Record::Other));
        assert_eq!(read("PERF_RECORD_MMAP2 7/7: [0x40"), None);
        assert_eq!(
            read("PERF_RECORD_LOST lost 5"),
            Some(Record::Lost { samples: 5 })
        );
    }
}
