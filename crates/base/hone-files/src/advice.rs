//! Errors that carry their next step.
//!
//! Libraries return closed enums with facts; the command knows what the user can do about them and says so
//! in a line of its own: `hone: <context>: <fact>`, then `next: <what to do>`.

use std::fmt::{self, Write as _};

/// A fact with the next step.
#[derive(Debug)]
pub struct Advice {
    fact: anyhow::Error,
    next: String,
}

impl Advice {
    /// Creates an error from a fact and its next step.
    pub fn error(fact: impl Into<anyhow::Error>, next: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Self {
            fact: fact.into(),
            next: next.into(),
        })
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&whole(&self.fact))
    }
}

// No `source`: Display shows the whole chain of the fact already.
impl std::error::Error for Advice {}

/// Adds the next step to an error.
pub trait Advise<T> {
    /// Adds the user's next step, as an imperative or a command line.
    fn next(self, step: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> Advise<T> for Result<T, E> {
    fn next(self, step: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|fact| Advice::error(fact, step))
    }
}

/// Formats an error for standard error: the chain of contexts and, if known, the next step.
pub fn render(error: &anyhow::Error) -> String {
    let mut text = format!("hone: {}\n", whole(error));
    if let Some(next) = next_step(error) {
        let _ = writeln!(text, "next: {next}");
    }
    text
}

/// Formats an error in one line, for a report.
pub fn in_one_sentence(error: &anyhow::Error) -> String {
    match next_step(error) {
        Some(next) => format!("{}; next: {next}", whole(error)),
        None => whole(error),
    }
}

/// Formats an error with its causes. Many errors contain the text of their cause, which is then not repeated.
fn whole(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            let _ = write!(text, ": {cause}");
        }
    }
    text
}

/// Returns the most specific next step: the one nearest to the fact.
fn next_step(error: &anyhow::Error) -> Option<&str> {
    let advice = error
        .chain()
        .find_map(|link| link.downcast_ref::<Advice>())?;
    Some(next_step(&advice.fact).unwrap_or(&advice.next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn contexts_come_first_and_the_step_gets_its_own_line() {
        let error = Err::<(), _>(anyhow!("no such file"))
            .context("hone.toml")
            .next("hone optimize --init")
            .context("optimize")
            .unwrap_err();
        assert_eq!(
            render(&error),
            "hone: optimize: hone.toml: no such file\nnext: hone optimize --init\n"
        );
    }

    #[test]
    fn the_step_nearest_to_the_fact_wins() {
        let error = Err::<(), _>(anyhow!("fact"))
            .next("near")
            .context("middle")
            .next("far")
            .unwrap_err();
        assert_eq!(render(&error), "hone: middle: fact\nnext: near\n");
    }

    #[test]
    fn a_cause_that_was_said_is_not_said_again() {
        #[derive(Debug, thiserror::Error)]
        #[error("a.data cannot be written: {source}")]
        struct Refused {
            source: std::io::Error,
        }
        let source = std::io::Error::other("disk full");
        let error = Err::<(), _>(Refused { source })
            .context("record")
            .unwrap_err();
        assert_eq!(
            render(&error),
            "hone: record: a.data cannot be written: disk full\n"
        );
    }

    #[test]
    fn an_error_without_advice_has_one_line() {
        assert_eq!(render(&anyhow!("fact")), "hone: fact\n");
    }
}
