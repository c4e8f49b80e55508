//! Reads the text form: a stack of open functions, one for each level of indentation.

use super::{CheckError, ParsedFunction, ParsedProfile};
use std::collections::BTreeMap;

/// Deepest inlining that is followed.
const DEPTH_MAX: usize = 1000;

/// A function that is being read, with its place in the one around it.
struct Open {
    place: (u32, u32, String),
    function: ParsedFunction,
}

pub(super) fn read(text: &str) -> Result<ParsedProfile, CheckError> {
    let mut profile = ParsedProfile::default();
    let mut open: Vec<Open> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fail = |problem| CheckError::Text {
            line: index + 1,
            problem,
        };
        let depth = line.bytes().take_while(|&byte| byte == b' ').count();
        if depth > open.len() || depth > DEPTH_MAX {
            return Err(fail("indented deeper than the function it belongs to"));
        }
        close(&mut open, depth, &mut profile).map_err(fail)?;
        let content = &line[depth..];
        if depth == 0 {
            open.push(top_level(content).ok_or(fail("not NAME:TOTAL:HEAD"))?);
            continue;
        }
        if let Some(checksum) = content.strip_prefix("!CFGChecksum: ") {
            let checksum = checksum.parse().map_err(|_| fail("bad checksum"))?;
            let before = open[depth - 1].function.checksum.replace(checksum);
            if before.is_some() {
                return Err(fail("the checksum occurs twice"));
            }
            continue;
        }
        let (place, rest) = content.split_once(": ").ok_or(fail("no place"))?;
        let (line_offset, discriminator) = place_of(place).ok_or(fail("bad place"))?;
        if rest.starts_with(|first: char| first.is_ascii_digit()) {
            let counted = counted_line(rest).ok_or(fail("bad counts"))?;
            let function = &mut open[depth - 1].function;
            if function
                .lines
                .insert((line_offset, discriminator), counted)
                .is_some()
            {
                return Err(fail("the place occurs twice"));
            }
        } else {
            let (name, total) = rest.rsplit_once(':').ok_or(fail("not NAME:TOTAL"))?;
            let total = total.parse().map_err(|_| fail("bad total"))?;
            open.push(Open {
                place: (line_offset, discriminator, name.to_owned()),
                function: ParsedFunction {
                    total,
                    ..ParsedFunction::default()
                },
            });
        }
    }
    let last = text.lines().count();
    close(&mut open, 0, &mut profile).map_err(|problem| CheckError::Text {
        line: last,
        problem,
    })?;
    Ok(profile)
}

/// Puts finished functions where they belong, until `depth` are left.
fn close(
    open: &mut Vec<Open>,
    depth: usize,
    profile: &mut ParsedProfile,
) -> Result<(), &'static str> {
    while open.len() > depth
        && let Some(Open { place, function }) = open.pop()
    {
        let before = match open.last_mut() {
            Some(outer) => outer.function.inlined.insert(place, function),
            None => profile.functions.insert(place.2, function),
        };
        if before.is_some() {
            return Err("the function before occurs twice");
        }
    }
    Ok(())
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

fn counted_line(text: &str) -> Option<(u64, BTreeMap<String, u64>)> {
    let mut parts = text.split(' ');
    let count = parts.next()?.parse().ok()?;
    let mut targets = BTreeMap::new();
    for part in parts {
        let (name, calls) = part.rsplit_once(':')?;
        targets.insert(name.to_owned(), calls.parse().ok()?);
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
        let profile = read(text).unwrap();
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
                matches!(read(text), Err(CheckError::Text { line: l, .. }) if l == line),
                "{text}"
            );
        }
    }
}
