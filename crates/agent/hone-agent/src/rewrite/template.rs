//! Texts with groups of a match in them: `${1}_total`.

use std::fmt;

/// A text in which groups of a match are replaced: `$1`, `${1}`, `$name`, `${name}`; `$$` is a dollar sign. A name without
/// braces is as long as it can be, as in Go's `regexp.Expand`, from which Prometheus and statsd_exporter have it: `$1_total` is the
/// group `1_total`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Group(usize),
}

/// A group that a template names and a pattern has not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoGroup {
    name: String,
    /// Number with which the name begins.
    number: String,
}

impl fmt::Display for NoGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, number } = self;
        write!(f, "there is no group ${{{name}}}")?;
        match number.is_empty() || number == name {
            true => Ok(()),
            false => write!(
                f,
                "; write ${{{number}}}{} if group {number} is meant",
                &name[number.len()..]
            ),
        }
    }
}

impl std::error::Error for NoGroup {}

impl Template {
    /// Reads a template; `group` knows the groups of the pattern by name or number.
    ///
    /// # Errors
    /// If the pattern has no such group.
    pub fn new(text: &str, group: impl Fn(&str) -> Option<usize>) -> Result<Self, NoGroup> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('$') {
            push(&mut pieces, before);
            let Some((name, behind)) = name_of(behind) else {
                push(&mut pieces, "$");
                rest = behind.strip_prefix('$').unwrap_or(behind);
                continue;
            };
            rest = behind;
            let number: String = name.chars().take_while(char::is_ascii_digit).collect();
            let name = name.to_owned();
            let known = group(&name).ok_or(NoGroup { name, number })?;
            pieces.push(Piece::Group(known));
        }
        push(&mut pieces, rest);
        Ok(Self { pieces })
    }

    /// Returns the text with the groups of a match; a group that is no part of the match is empty.
    pub fn expand<'m>(&self, group: impl Fn(usize) -> Option<&'m str>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(own) => text.push_str(own),
                Piece::Group(number) => text.push_str(group(*number).unwrap_or_default()),
            }
        }
        text
    }
}

fn push(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// Returns the name of a group behind its `$`, and the rest of the text; `None` if it is no name.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let is_of_a_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let (name, rest) = match text.strip_prefix('{') {
        Some(braced) => braced.split_once('}')?,
        None => text.split_at(text.find(|c| !is_of_a_name(c)).unwrap_or(text.len())),
    };
    (!name.is_empty() && name.chars().all(is_of_a_name)).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, String> {
        let group = |name: &str| match name {
            "word" => Some(2),
            _ => name.parse().ok().filter(|number| *number < 3),
        };
        let template = Template::new(text, group).map_err(|error| error.to_string())?;
        Ok(template.expand(|number| ["all", "one", "two"].get(number).copied()))
    }

    #[test]
    fn groups_are_named_as_in_go() {
        for (text, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("$1", "one"),
            ("${1}_total", "one_total"),
            ("$1-$word.$0", "one-two.all"),
            ("a$$1", "a$1"),
            ("cost in $", "cost in $"),
            ("${}", "${}"),
            ("${1", "${1"),
            ("$-", "$-"),
        ] {
            assert_eq!(expanded(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn groups_that_are_not_there_are_told_with_what_was_meant() {
        let said = "there is no group ${1_total}; write ${1}_total if group 1 is meant";
        assert_eq!(expanded("$1_total"), Err(said.to_owned()));
        assert_eq!(expanded("${7}"), Err("there is no group ${7}".to_owned()));
        assert_eq!(
            expanded("$zone"),
            Err("there is no group ${zone}".to_owned())
        );
    }
}
