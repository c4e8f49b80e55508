//! Functions that the user means: a name as hone prints it, without arguments too, or a pattern in slashes.

use anyhow::Result;
use hone_files::advice::Advise;
use regex::Regex;

/// Name or pattern of functions, as the user gave it.
pub enum FunctionPattern {
    /// A name, perhaps without its arguments.
    Name(String),
    /// A pattern that names match.
    Pattern(Regex),
}

impl FunctionPattern {
    /// Parses a name, or a regular expression in slashes.
    pub fn parse(function: &str) -> Result<Self> {
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

    /// True if a function is meant.
    pub fn is(&self, function: &str) -> bool {
        match self {
            Self::Name(name) => is_called(function, name),
            Self::Pattern(pattern) => pattern.is_match(function),
        }
    }
}

/// True if a function has this name, perhaps without its arguments.
pub fn is_called(function: &str, name: &str) -> bool {
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
    use super::without_arguments;

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
