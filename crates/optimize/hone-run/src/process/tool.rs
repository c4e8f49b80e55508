//! Runs tools to their end, and extracts their complaints.

use std::process::Command;

use anyhow::{Context, Result, bail};

/// Maximum number of lines of a tool's complaint that an error message repeats.
const COMPLAINT_LINES: usize = 8;

/// Runs a tool to its end and returns its output; fails with the tool's own words.
pub fn run(mut command: Command, what: &str) -> Result<String> {
    let output = command.output().with_context(|| what.to_string())?;
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    if !output.status.success() {
        bail!("{what} ended with {}: {}", output.status, complaint(&text));
    }
    Ok(text)
}

/// Extracts the complaint of a tool: its lines with the word error, or else its last lines.
fn complaint(text: &str) -> String {
    let errors = text
        .lines()
        .filter(|line| line.to_ascii_lowercase().contains("error"));
    let errors: Vec<_> = errors.take(COMPLAINT_LINES).collect();
    if !errors.is_empty() {
        return errors.join("\n");
    }
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_complaint_is_the_error_and_not_the_chatter_around_it() {
        let text = "INFO: one\nBOLT-ERROR: library not found: x\nINFO: two\n";
        assert_eq!(complaint(text), "BOLT-ERROR: library not found: x");
        assert_eq!(complaint("only\nthis\n"), "only\nthis");
    }
}
