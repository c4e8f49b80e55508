//! perf maps: `/tmp/perf-PID.map`, a line for each function: start and length in hexadecimal digits, and the name.
//!
//! Source: the kernel's `tools/perf/Documentation/jit-interface.txt`.

use crate::address::Avma;
use crate::limits::{CODE_NAME_BYTES_MAX, PERF_MAP_BYTES_MAX};
use std::io::{self, BufRead, Read};

/// Longest line that is understood; of a longer line the start is used.
const LINE_BYTES_MAX: usize = CODE_NAME_BYTES_MAX + 64;

/// Reads a map and passes every function, in the order of the lines; lines of another form are left out, and what lies
/// behind the limit.
///
/// # Errors
///
/// Returns an error if reading fails; the functions before were passed.
pub fn read(map: impl BufRead, mut take: impl FnMut(Avma, u64, &str)) -> io::Result<()> {
    let mut map = map.take(PERF_MAP_BYTES_MAX);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut start = map.by_ref().take(LINE_BYTES_MAX as u64);
        let read = start.read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') && read == LINE_BYTES_MAX {
            skip_line(&mut map)?;
        }
        if let Some((start, len, name)) = fields(&String::from_utf8_lossy(&line)) {
            take(start, len, name);
        }
    }
}

/// Skips the rest of a line, in no more memory than the reader has anyway.
fn skip_line(map: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = map.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let skipped = end.map_or(buffer.len(), |at| at + 1);
        let is_done = end.is_some() || buffer.is_empty();
        map.consume(skipped);
        if is_done {
            return Ok(());
        }
    }
}

/// Parses a line; `None` if it is of another form.
pub(super) fn fields(line: &str) -> Option<(Avma, u64, &str)> {
    let mut words = line.trim_end_matches(['\n', '\r']).splitn(3, ' ');
    let mut hex = || {
        let word = words.next()?;
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
    };
    let (start, len) = (hex()?, hex()?);
    Some((Avma(start), len, words.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(text: &[u8]) -> Vec<(u64, u64, String)> {
        let mut found = Vec::new();
        let take = |start: Avma, len, name: &str| found.push((start.0, len, name.to_owned()));
        read(text, take).unwrap();
        found
    }

    #[test]
    fn lines_of_every_runtime_are_read() {
        // Node, HotSpot, CPython, and the end of a map that is still written.
        let text = b"3f7e00 1c0 JS:*hot /srv/app.js:3:14\n0x00007f10 0x0000000000000020 java.lang.String::hashCode\n\
                     7fd0 b py::main:/srv/main.py\n7fe0 1";
        let expected = [
            (0x3f_7e00, 0x1c0, "JS:*hot /srv/app.js:3:14"),
            (0x7f10, 0x20, "java.lang.String::hashCode"),
            (0x7fd0, 0xb, "py::main:/srv/main.py"),
        ];
        let expected = expected.map(|(start, len, name)| (start, len, name.to_owned()));
        assert_eq!(functions(text), expected);
    }

    #[test]
    fn lines_of_another_form_and_endless_lines_hide_nothing_behind_them() {
        let long = "x".repeat(3 * LINE_BYTES_MAX);
        let text = format!("no line\n10 4 {long}\n\n+5 4 sign\n20 4 \u{fffd}\n30 4 last\n");
        let found = functions(text.as_bytes());
        let starts: Vec<u64> = found.iter().map(|(start, ..)| *start).collect();
        assert!(starts.ends_with(&[0x20, 0x30]), "{starts:x?}");
        assert_eq!(starts[0], 0x10);
        assert!(found[0].2.len() <= LINE_BYTES_MAX);
        assert_eq!(functions(&[0xff; 100]), []);
    }
}
