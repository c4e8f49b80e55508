//! Functions that the user means: a name as hone prints it, without arguments too, or a pattern in slashes.

use std::path::Path;

use anyhow::{Result, anyhow};
use regex::Regex;

use hone_inputs::recording::is_recording;
use hone_run::advice::Advise;

/// Path of the recording if none is named.
const DEFAULT: &str = "hone.data";

/// Returns an error with the right command line if a recording is in the function's place.
pub(crate) fn in_order(command: &str, function: &str, recording: &Path) -> Result<()> {
    let is_left_out = recording == Path::new(DEFAULT);
    if !is_recording(Path::new(function)) || !is_left_out && is_recording(recording) {
        return Ok(());
    }
    let wanted = match is_left_out {
        true => "FUNCTION".to_owned(),
        false => recording.display().to_string(),
    };
    Err(anyhow!(
        "{function} is a recording; the function comes first"
    ))
    .next(format!("hone {command} {wanted} {function}"))
}

/// Name or pattern of functions, as the user gave it.
pub(crate) enum FunctionPattern {
    Name(String),
    Pattern(Regex),
}

impl FunctionPattern {
    pub(crate) fn parse(function: &str) -> Result<Self> {
        let pattern = function
            .strip_prefix('/')
            .and_then(|rest| rest.strip_suffix('/'));
        Ok(match pattern {
            Some(pattern) => Self::Pattern(
                Regex::new(pattern).next("write a regular expression between the slashes")?,
            ),
            None => Self::Name(function.to_owned()),
        })
    }

    pub(crate) fn is(&self, function: &str) -> bool {
        match self {
            Self::Name(name) => is_called(function, name),
            Self::Pattern(pattern) => pattern.is_match(function),
        }
    }
}

/// True if a function has this name, perhaps without its arguments.
pub(crate) fn is_called(function: &str, name: &str) -> bool {
    function == name || without_arguments(function) == name
}

/// Returns the name without arguments: `ns::f` for `ns::f(int) const`.
fn without_arguments(name: &str) -> &str {
    let mut depth = 0_i32;
    for (at, letter) in name.char_indices() {
        match letter {
            '<' | '>' if is_operator(&name[..at]) => {}
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && at > 0 && !belongs_to_name(&name[..at], &name[at..]) => {
                return &name[..at];
            }
            _ => {}
        }
    }
    name
}

/// True if the next letter is still part of the sign of an operator, as in `operator<<` and `operator->`.
fn is_operator(before: &str) -> bool {
    before
        .trim_end_matches(['<', '>', '=', '-'])
        .ends_with("operator")
}

/// True if this bracket opens no arguments: an anonymous namespace, a receiver of Go as in `http.(*Server).Serve`, or
/// the sign of `operator()`.
fn belongs_to_name(before: &str, bracket: &str) -> bool {
    bracket.starts_with("(anonymous") || before.ends_with('.') || before.ends_with("operator")
}

#[cfg(test)]
mod tests {
    use super::{in_order, without_arguments};
    use std::path::Path;

    #[test]
    fn swapped_arguments_are_told_with_the_right_command() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("a.data");
        std::fs::write(&data, b"PERFILE2........").unwrap();
        let data = data.to_str().unwrap();
        let said = |function: &str, recording: &str| {
            let order = in_order("callers", function, Path::new(recording));
            order.map_or_else(|error| hone_run::advice::render(&error), |()| String::new())
        };
        assert_eq!(
            said(data, "malloc"),
            format!(
                "hone: {data} is a recording; the function comes first\nnext: hone callers malloc {data}\n"
            )
        );
        assert_eq!(
            said(data, "hone.data"),
            format!(
                "hone: {data} is a recording; the function comes first\nnext: hone callers FUNCTION {data}\n"
            )
        );
        assert_eq!(said("malloc", data), "");
        assert_eq!(said("malloc", "missing.data"), "");
    }

    #[test]
    fn arguments_are_told_from_the_rest_of_a_name() {
        assert_eq!(without_arguments("ns::f(int) const"), "ns::f");
        assert_eq!(
            without_arguments("v<void (*)(int)>::at(unsigned)"),
            "v<void (*)(int)>::at"
        );
        let anonymous = "ns::(anonymous namespace)::f(int)";
        assert_eq!(without_arguments(anonymous), "ns::(anonymous namespace)::f");
        assert_eq!(without_arguments("malloc"), "malloc");
        assert_eq!(
            without_arguments("http.(*Server).Serve"),
            "http.(*Server).Serve"
        );
        assert_eq!(without_arguments("F::operator()(int)"), "F::operator()");
        let shift = "ns::operator<<(std::ostream&, ns::T const&)";
        assert_eq!(without_arguments(shift), "ns::operator<<");
        assert_eq!(without_arguments("P<T>::operator->()"), "P<T>::operator->");
    }
}
