//! Writes the sizes as a table for people.

use super::{Place, Sizes};
use std::fmt::Write;

/// Maximum number of sizes that are listed for one place.
const NAMED: usize = 4;

/// Writes one line for each place, in the given order. Sizes are in bytes, with their share of the calls of known size.
pub fn write_table(places: &[Place]) -> String {
    let mut text = format!(
        "{:>12}  {:<11}{:<44}  place\n",
        "calls", "operation", "sizes"
    );
    for place in places {
        let _ = writeln!(
            text,
            "{:>12}  {:<11}{:<44}  {}",
            place.sizes.known().saturating_add(place.sizes.unknown),
            place.operation.name(),
            sizes(&place.sizes),
            whereabouts(place)
        );
    }
    text
}

fn sizes(sizes: &Sizes) -> String {
    let known = sizes.known();
    if known == 0 {
        return "unknown".into();
    }
    let percent = |calls: u64| format!("{:.0} %", calls as f64 * 100.0 / known as f64);
    let most_frequent = sizes.most_frequent();
    let named = &most_frequent[..most_frequent.len().min(NAMED)];
    let mut parts: Vec<String> = named
        .iter()
        .map(|&(size, calls)| format!("{size}: {}", percent(calls)))
        .collect();
    let others = named
        .iter()
        .fold(known, |left, (_, calls)| left.saturating_sub(*calls));
    if others > 0 {
        parts.push(format!("others: {}", percent(others)));
    }
    parts.join(", ")
}

fn whereabouts(place: &Place) -> String {
    let mut text = match (place.file.as_str(), place.line) {
        ("", _) => String::new(),
        (file, 0) => format!("{file} "),
        (file, line) => format!("{file}:{line} "),
    };
    text += &place.function;
    if !place.unit.is_empty() && !super::is_path_end(&place.file, &place.unit) {
        text += &format!(" (of {})", place.unit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memops::Operation;

    #[test]
    fn lines_tell_sizes_and_places() {
        let place = |by_size: &[(u64, u64)], unknown, file: &str| Place {
            unit: "a.c".into(),
            operation: Operation::Copy,
            file: file.into(),
            line: 14,
            function: "pack".into(),
            sizes: Sizes {
                by_size: by_size.iter().copied().collect(),
                large: 0,
                unknown,
            },
        };
        let text = write_table(&[
            place(
                &[(8, 600), (24, 300), (1, 40), (2, 30), (3, 30)],
                5,
                "/s/a.c",
            ),
            place(&[], 2, "/s/list.h"),
        ]);
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(
            lines[1].join(" "),
            "1005 copy 8: 60 %, 24: 30 %, 1: 4 %, 2: 3 %, others: 3 % /s/a.c:14 pack"
        );
        assert_eq!(
            lines[2].join(" "),
            "2 copy unknown /s/list.h:14 pack (of a.c)"
        );
    }
}
