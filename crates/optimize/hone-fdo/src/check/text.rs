//! Reads the text form: a stack of open functions, one for each level of indentation.

use super::input::Rigour;
use super::{CheckError, Marks, ParsedFunction, ParsedProfile};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Maximum depth of inlining that is read.
const DEPTH_MAX: usize = 1000;

/// A function that is being read, with its place in the function around it.
struct Open {
    place: (u32, u32, String),
    function: ParsedFunction,
}

pub(super) fn read(text: &str, rigour: Rigour) -> Result<ParsedProfile, CheckError> {
    let mut reader = Reader {
        profile: ParsedProfile::default(),
        open: Vec::new(),
        rigour,
    };
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        let is_comment = line.starts_with('#') || line.trim().is_empty();
        if is_comment && rigour == Rigour::Foreign {
            continue;
        }
        reader.line(line).map_err(|problem| match problem {
            Problem::Line(problem) => CheckError::Text {
                line: last,
                problem,
            },
            Problem::Kind(kind) => CheckError::Refused(kind),
        })?;
    }
    let closed = reader.close(0);
    closed.map_err(|problem| CheckError::Text {
        line: last,
        problem,
    })?;
    let mut profile = reader.profile;
    let is_number = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
    profile.marks = Marks {
        md5_names: !profile.functions.is_empty() && profile.functions.keys().all(is_number),
        ..Marks::default()
    };
    Ok(profile)
}

/// Reason why a line cannot be read.
enum Problem {
    Line(&'static str),
    Kind(&'static str),
}

impl From<&'static str> for Problem {
    fn from(problem: &'static str) -> Self {
        Self::Line(problem)
    }
}

struct Reader {
    profile: ParsedProfile,
    open: Vec<Open>,
    rigour: Rigour,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Problem> {
        let depth = line.bytes().take_while(|&byte| byte == b' ').count();
        if depth > self.open.len() || depth > DEPTH_MAX {
            return Err("indented deeper than the function it belongs to".into());
        }
        self.close(depth)?;
        let content = &line[depth..];
        if depth == 0 {
            if content.starts_with('[') {
                return Err(Problem::Kind(super::CONTEXTS_REFUSED));
            }
            self.open
                .push(top_level(content).ok_or("not NAME:TOTAL:HEAD")?);
            return Ok(());
        }
        let function = &mut self.open[depth - 1].function;
        if let Some(mark) = content.strip_prefix('!') {
            return metadata(function, mark, self.rigour);
        }
        let (place, rest) = content.split_once(": ").ok_or("no place")?;
        let (line_offset, discriminator) = place_of(place).ok_or("bad place")?;
        if rest.starts_with('<') && rest.starts_with("<vtables>") {
            return Err(Problem::Kind(super::VTABLES_REFUSED));
        }
        if rest.starts_with(|first: char| first.is_ascii_digit()) {
            let counted = counted_line(rest).ok_or("bad counts")?;
            let place = (line_offset, discriminator);
            if self.rigour == Rigour::Own && function.lines.contains_key(&place) {
                return Err("the place occurs twice".into());
            }
            function.add_line(place, counted);
        } else {
            let (name, total) = rest.rsplit_once(':').ok_or("not NAME:TOTAL")?;
            let total = total.parse().map_err(|_| "bad total")?;
            self.open.push(Open {
                place: (line_offset, discriminator, name.to_owned()),
                function: ParsedFunction {
                    total,
                    ..ParsedFunction::default()
                },
            });
        }
        Ok(())
    }

    /// Moves finished functions into the function around them or into the profile, until `depth` functions are open.
    fn close(&mut self, depth: usize) -> Result<(), &'static str> {
        while self.open.len() > depth
            && let Some(Open { place, function }) = self.open.pop()
        {
            let is_own = self.rigour == Rigour::Own;
            match self.open.last_mut() {
                Some(outer) => put(outer.function.inlined.entry(place), function, is_own)?,
                None => put(self.profile.functions.entry(place.2), function, is_own)?,
            }
        }
        Ok(())
    }
}

fn put<K: Ord>(
    entry: Entry<'_, K, ParsedFunction>,
    function: ParsedFunction,
    is_own: bool,
) -> Result<(), &'static str> {
    match entry {
        Entry::Vacant(place) => {
            place.insert(function);
        }
        Entry::Occupied(_) if is_own => return Err("the function before occurs twice"),
        Entry::Occupied(mut before) => before.get_mut().absorb(function),
    }
    Ok(())
}

/// Reads the text behind an exclamation mark: a checksum, or a mark that only some producers write.
fn metadata(function: &mut ParsedFunction, mark: &str, rigour: Rigour) -> Result<(), Problem> {
    if let Some(checksum) = mark.strip_prefix("CFGChecksum: ") {
        let checksum = checksum.trim_end().parse().map_err(|_| "bad checksum")?;
        let before = function.checksum.replace(checksum);
        if before.is_some() && rigour == Rigour::Own {
            return Err("the checksum occurs twice".into());
        }
        return Ok(());
    }
    match mark {
        _ if mark.starts_with("Attributes") => Err(Problem::Kind(super::PRE_INLINED_REFUSED)),
        "Flat" if rigour == Rigour::Foreign => Ok(()),
        _ => Err("unknown mark".into()),
    }
}

fn top_level(content: &str) -> Option<Open> {
    let (rest, head) = content.rsplit_once(':')?;
    let (name, total) = rest.rsplit_once(':')?;
    let function = ParsedFunction {
        total: total.parse().ok()?,
        head: head.parse().ok()?,
        ..ParsedFunction::default()
    };
    Some(Open {
        place: (0, 0, name.to_owned()),
        function,
    })
}

fn place_of(text: &str) -> Option<(u32, u32)> {
    match text.split_once('.') {
        Some((line, discriminator)) => Some((line.parse().ok()?, discriminator.parse().ok()?)),
        None => Some((text.parse().ok()?, 0)),
    }
}

/// Parses a count, and call targets with their counts. Names that were not mangled have spaces in them, so a name
/// goes on to the next colon with a number behind it.
fn counted_line(text: &str) -> Option<(u64, BTreeMap<String, u64>)> {
    let (count, mut rest) = text.split_once(' ').unwrap_or((text, ""));
    let count = count.parse().ok()?;
    let mut targets = BTreeMap::new();
    rest = rest.trim();
    let mut start = 0;
    let mut word = 0;
    while word < rest.len() {
        let end = rest[word..].find(' ').map_or(rest.len(), |at| word + at);
        let named = rest[word..end].rsplit_once(':');
        let calls = named.and_then(|(_, calls)| calls.parse::<u64>().ok());
        let next = end + 1;
        if let (Some((before, _)), Some(calls)) = (named, calls) {
            let name = rest[start..word + before.len()].trim_start();
            if name.is_empty() {
                return None;
            }
            let sum: &mut u64 = targets.entry(name.to_owned()).or_default();
            *sum = sum.saturating_add(calls);
            start = next;
        }
        word = next;
    }
    if start < rest.len() {
        return None;
    }
    Some((count, targets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_functions_find_their_place() {
        let text = "main:184019:0\n 4: 534\n 4.2: 500 _Z3foov:490 bar:10\n 5: inner:10\n  1: 10\n  \
                    2: deep:7\n   1: 7\n 6: inner:3\nother:1:1\n";
        let profile = read(text, Rigour::Own).unwrap();
        let main = &profile.functions["main"];
        assert_eq!(main.lines[&(4, 2)].1["bar"], 10);
        assert_eq!(
            main.inlined[&(5, 0, "inner".into())].inlined[&(2, 0, "deep".into())].total,
            7
        );
        assert_eq!(main.inlined[&(6, 0, "inner".into())].total, 3);
        assert_eq!(profile.functions["other"].head, 1);
    }

    #[test]
    fn malformed_lines_are_named() {
        for (text, line) in [
            ("main:1\n", 1),
            ("main:1:0\n  1: 2\n", 2),
            ("main:1:0\n x: 2\n", 2),
            (" 1: 2\n", 1),
        ] {
            assert!(
                matches!(read(text, Rigour::Own), Err(CheckError::Text { line: l, .. }) if l == line),
                "{text}"
            );
        }
    }
}
