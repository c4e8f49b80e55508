//! The end of an output, for messages.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result};

/// Maximum number of lines of an output that a message repeats.
const TAIL_LINES: usize = 15;
/// Number of bytes at the end of an output in which the lines are looked for.
const TAIL_BYTES: u64 = 16_000;

/// Returns the last lines of an output, indented for a message.
pub fn last_lines(log: &Path) -> String {
    let bytes = last_bytes(log, TAIL_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    // Progress is often shown on one line that is written again and again.
    let lines: Vec<_> = text
        .lines()
        .map(|line| {
            line.rsplit('\r')
                .find(|part| !part.is_empty())
                .unwrap_or("")
        })
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return "    (nothing)".into();
    }
    let start = lines.len().saturating_sub(TAIL_LINES);
    let indented = lines[start..].iter().map(|line| format!("    {line}"));
    indented.collect::<Vec<_>>().join("\n")
}

/// Reads the last `limit` bytes of a file.
pub fn last_bytes(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(limit)))?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_repeated_without_overwritten_progress() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let many = "early\n".repeat(20);
        std::fs::write(&log, format!("{many}10 %\r20 %\r\n\nlate\n")).unwrap();
        let lines = last_lines(&log);
        assert!(lines.ends_with("    20 %\n    late"), "{lines}");
        assert_eq!(lines.lines().count(), TAIL_LINES);
        assert_eq!(
            last_lines(&directory.path().join("absent")),
            "    (nothing)"
        );
    }
}
