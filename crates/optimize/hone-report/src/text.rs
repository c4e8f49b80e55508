//! Plain text for terminals: no control characters from outside, and lines that fit.

use hone_page::escape::is_direction_mark;

/// Returns text from outside without control characters, which could move the cursor or change colours.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' | '\r' => ' ',
            c if c.is_control() || is_direction_mark(c) => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Breaks text into lines of at most `width` characters. A per cent sign or unit stays with its number, and a word that
/// is too long by itself (a path) stays whole, so that it can be copied.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in glued(text) {
        let needed = line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && needed > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Breaks text like [`wrap`], with `first` before the first line and `rest` before the others.
pub fn wrap_hanging(text: &str, width: usize, first: &str, rest: &str) -> String {
    let room = width.saturating_sub(rest.chars().count().max(first.chars().count()));
    let mut out = String::new();
    for (index, line) in wrap(text, room).iter().enumerate() {
        out.push_str(if index == 0 { first } else { rest });
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Cuts text to `width` characters, with an ellipsis where something was cut.
pub fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(width.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// Returns the words of a text, with units joined to the number before them.
fn glued(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = word.trim_end_matches([',', '.', ';', ':', ')']);
        let sticks = matches!(unit, "%" | "s" | "min" | "B" | "KiB" | "MiB" | "GiB");
        match words.last_mut() {
            Some(last) if sticks && last.ends_with(|c: char| c.is_ascii_digit()) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let hostile = "a\u{1b}[31mred\u{7}\nb\u{202e}c";
        let clean = plain(hostile);
        assert!(!clean.chars().any(char::is_control));
        assert!(clean.contains("red") && !clean.contains('\u{202e}'));
    }

    #[test]
    fn lines_fit_and_units_stay_with_their_numbers() {
        let text = "it took 95 % of the time, that is 31.2 s, of all";
        for width in 8..40 {
            let lines = wrap(text, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width));
            assert!(lines.iter().all(|line| !line.starts_with('%')));
            assert!(lines.iter().all(|line| !line.starts_with("s,")));
            assert_eq!(lines.join(" "), text);
        }
    }

    #[test]
    fn a_path_is_never_broken() {
        let path = "/a/very/long/path/to/some/file";
        assert_eq!(wrap(path, 10), [path]);
    }

    #[test]
    fn shortening_marks_what_was_cut() {
        assert_eq!(shorten("abcdef", 6), "abcdef");
        assert_eq!(shorten("abcdefg", 6), "abcde…");
    }
}
