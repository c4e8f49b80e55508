//! Selectors of labels, `{service_name="shop", host=~"web-.*"}`.

use hone_batch::{Group, GroupField};
use regex::{Regex, RegexBuilder};

use super::{CPU, CPU_NAME};

/// Bytes of a selector.
const SELECTOR_BYTES_MAX: usize = 16 << 10;
/// Conditions of all selectors of a question.
const CONDITIONS_MAX: usize = 64;
/// Regular expressions among them, and bytes of all of these. Their compilation takes time by both.
const EXPRESSIONS_MAX: usize = 16;
const EXPRESSIONS_BYTES_MAX: usize = 16 << 10;
/// Bytes of the program that a regular expression becomes. A `\w` takes much of it, since it means letters of all scripts.
const PROGRAM_BYTES_MAX: usize = 512 << 10;
/// Bytes of what a program remembers while it runs.
const CACHE_BYTES_MAX: usize = 1 << 20;

/// Name of the label that tells the service.
pub(super) const SERVICE: &str = "service_name";
/// Names of the labels for which a group has fields of its own, beside the service.
pub(super) const FIELDS: [GroupField; 4] = [
    GroupField::Host,
    GroupField::Container,
    GroupField::Build,
    GroupField::Thread,
];

/// Returns the value of a label; empty if the group has none.
pub(super) fn value<'g>(group: &'g Group, name: &str) -> &'g str {
    match name {
        SERVICE => &group.service,
        "__profile_type__" => CPU,
        "__name__" => CPU_NAME,
        name => match FIELDS.into_iter().find(|field| field.name() == name) {
            Some(field) => field.of(group),
            None => {
                let mut labels = group.labels.iter();
                let found = labels.find(|label| &*label.key == name);
                found.map_or("", |label| &label.value)
            }
        },
    }
}

/// What the value of a label is compared with.
#[derive(Clone, Debug)]
enum Test {
    Is(String),
    Matches(Regex),
}

/// A condition on one label.
#[derive(Clone, Debug)]
struct Condition {
    name: String,
    test: Test,
    /// True if the test must fail.
    is_negated: bool,
}

impl Condition {
    fn holds(&self, value: &str) -> bool {
        let passes = match &self.test {
            Test::Is(text) => text == value,
            Test::Matches(expression) => expression.is_match(value),
        };
        passes != self.is_negated
    }
}

/// Conditions that must all hold.
#[derive(Clone, Debug, Default)]
pub struct Selector(Vec<Condition>);

impl Selector {
    /// Adds the conditions of a text. The error says what is wrong with it.
    pub(super) fn add(&mut self, text: &str) -> Result<(), String> {
        let odd = || format!("{text:?} is no selector: write {{LABEL=\"VALUE\", ...}}");
        if text.len() > SELECTOR_BYTES_MAX {
            return Err(format!(
                "a selector has more than {SELECTOR_BYTES_MAX} bytes"
            ));
        }
        // A name may stand before the braces, as in PromQL.
        let rest = text.trim();
        let (_, rest) = rest.split_once('{').unwrap_or(("", ""));
        let mut rest = match text.trim() {
            "" => return Ok(()),
            _ => rest.trim_start(),
        };
        if rest.is_empty() {
            return Err(odd());
        }
        while !rest.starts_with('}') {
            if self.0.len() >= CONDITIONS_MAX {
                return Err(format!(
                    "a selector has more than {CONDITIONS_MAX} conditions"
                ));
            }
            let (condition, after) = condition(rest).ok_or_else(odd)?;
            let condition = self.compiled(condition)?;
            self.0.push(condition);
            rest = after.trim_start();
            rest = match rest.strip_prefix(',') {
                Some(after) => after.trim_start(),
                None if rest.starts_with('}') => rest,
                None => return Err(odd()),
            };
        }
        match rest[1..].trim() {
            "" => Ok(()),
            _ => Err(odd()),
        }
    }

    /// Compiles the expression of a condition, if it has one and there are not too many.
    fn compiled(&self, raw: RawCondition) -> Result<Condition, String> {
        let test = match raw.is_expression {
            false => Test::Is(raw.value),
            true => {
                let known = self.0.iter().filter_map(|known| match &known.test {
                    Test::Matches(expression) => Some(expression.as_str().len()),
                    Test::Is(_) => None,
                });
                let (count, bytes) = known.fold((1, raw.value.len()), |(count, sum), bytes| {
                    (count + 1, sum + bytes)
                });
                if count > EXPRESSIONS_MAX || bytes > EXPRESSIONS_BYTES_MAX {
                    return Err(format!(
                        "the selectors have more than {EXPRESSIONS_MAX} regular expressions, or more than {EXPRESSIONS_BYTES_MAX} bytes of them"
                    ));
                }
                Test::Matches(expression(&raw.value)?)
            }
        };
        Ok(Condition {
            name: raw.name,
            test,
            is_negated: raw.is_negated,
        })
    }

    /// True if a group is selected.
    pub(super) fn holds(&self, group: &Group) -> bool {
        let mut conditions = self.0.iter();
        conditions.all(|condition| condition.holds(value(group, &condition.name)))
    }

    /// True if a service may be selected.
    pub(super) fn has_service(&self, service: &str) -> bool {
        let mut conditions = self.0.iter().filter(|condition| condition.name == SERVICE);
        conditions.all(|condition| condition.holds(service))
    }

    /// True if a condition looks at the label.
    pub(super) fn looks_at(&self, name: &str) -> bool {
        self.0.iter().any(|condition| condition.name == name)
    }

    /// Returns the hosts and containers that must be, so that answers tell them apart.
    pub(super) fn exactly(&self, name: &str) -> Vec<String> {
        let conditions = self.0.iter().filter(|condition| condition.name == name);
        let values =
            conditions.filter_map(|condition| match (&condition.test, condition.is_negated) {
                (Test::Is(text), false) if !text.is_empty() => Some(text.clone()),
                _ => None,
            });
        values.take(1).collect()
    }
}

/// A condition as it is written.
struct RawCondition {
    name: String,
    value: String,
    is_expression: bool,
    is_negated: bool,
}

fn expression(value: &str) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^(?s:{value})$"))
        .size_limit(PROGRAM_BYTES_MAX)
        .dfa_size_limit(CACHE_BYTES_MAX)
        .build()
        .map_err(|error| format!("{value:?} is no regular expression: {error}"))
}

/// Reads `label="value"`; `None` if it is not of that form.
fn condition(text: &str) -> Option<(RawCondition, &str)> {
    let end = text.find(['=', '!'])?;
    let (name, rest) = text.split_at(end);
    let operators = [
        ("=~", true, false),
        ("!~", true, true),
        ("!=", false, true),
        ("=", false, false),
    ];
    let (rest, is_expression, is_negated) =
        operators
            .into_iter()
            .find_map(|(sign, is_expression, is_negated)| {
                Some((rest.strip_prefix(sign)?, is_expression, is_negated))
            })?;
    let (value, rest) = quoted(rest.trim_start())?;
    let condition = RawCondition {
        name: name.trim().trim_matches('"').to_owned(),
        value,
        is_expression,
        is_negated,
    };
    Some((condition, rest))
}

/// Reads a text in quotes.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text
        .chars()
        .next()
        .filter(|c| ['"', '\'', '`'].contains(c))?;
    let mut value = String::new();
    let mut rest = text[1..].char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            c if c == quote => return Some((value, &text[at + 2..])),
            '\\' if quote != '`' => value.push(match rest.next()?.1 {
                'n' => '\n',
                't' => '\t',
                c => c,
            }),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::Label;

    fn group() -> Group {
        Group {
            service: "shop".into(),
            host: "web-1".into(),
            labels: [Label {
                key: "region".into(),
                value: "eu \"x\"".into(),
            }]
            .into_iter()
            .collect(),
            ..Group::default()
        }
    }

    fn holds(text: &str) -> bool {
        let mut selector = Selector::default();
        selector.add(text).unwrap();
        selector.holds(&group())
    }

    #[test]
    fn conditions_hold_as_in_promql() {
        for text in [
            "",
            "{}",
            "{ }",
            r#"{service_name="shop"}"#,
            r#"process_cpu{service_name="shop",}"#,
            r#"{service_name='shop', host=~"web-.*", region!="us"}"#,
            r#"{region="eu \"x\""}"#,
            "{region=~`eu.*`}",
            r"{host=~`\w+-\d+`}",
            r#"{nothing=""}"#,
            r#"{nothing!~".+"}"#,
            r#"{__profile_type__="process_cpu:cpu:nanoseconds:cpu:nanoseconds"}"#,
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            r#"{service_name="shops"}"#,
            r#"{host=~"web"}"#,
            r#"{host!="web-1"}"#,
            r#"{nothing=~".+"}"#,
        ] {
            assert!(!holds(text), "{text}");
        }
    }

    #[test]
    fn what_is_no_selector_is_refused() {
        let many = format!("{{{}}}", "a=\"b\",".repeat(CONDITIONS_MAX + 1));
        let long = format!("{{a=\"{}\"}}", "x".repeat(SELECTOR_BYTES_MAX));
        for text in [
            "{",
            "}",
            "shop",
            "{a}",
            "{a=b}",
            "{a=\"b}",
            "{a=\"b\"",
            "{a=\"b\"}}",
            "{a=\"b\" c=\"d\"}",
            "{a=~\"(\"}",
            "{a=~\"(x{1000}){1000}\"}",
            "{a=\"\\",
            &many,
            &long,
        ] {
            assert!(Selector::default().add(text).is_err(), "{text}");
        }
    }

    #[test]
    fn too_many_expressions_are_refused_over_all_selectors() {
        let mut selector = Selector::default();
        for _ in 0..EXPRESSIONS_MAX {
            selector.add("{a=~\"x\", b=\"y\"}").unwrap();
        }
        selector.add("{a=\"x\"}").unwrap();
        assert!(selector.add("{a=~\"x\"}").is_err());

        let mut selector = Selector::default();
        let alike = format!("[{}]", "x".repeat(EXPRESSIONS_BYTES_MAX / 4));
        for _ in 0..3 {
            selector.add(&format!("{{a=~\"{alike}\"}}")).unwrap();
        }
        let refused = selector.add(&format!("{{a=~\"{alike}\"}}")).unwrap_err();
        assert!(refused.contains("regular expressions"), "{refused}");
    }
}
