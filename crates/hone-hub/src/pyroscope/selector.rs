//! Selectors of labels, `{service_name="shop", host=~"web-.*"}`.

use hone_batch::Group;
use regex::{Regex, RegexBuilder};

use super::{CPU, CPU_NAME};

/// Bytes of a selector, and of the program that a regular expression becomes.
const SELECTOR_BYTES_MAX: usize = 16 << 10;
const EXPRESSION_BYTES_MAX: usize = 1 << 20;
/// Conditions of a selector.
const CONDITIONS_MAX: usize = 64;

/// Name of the label that tells the service.
pub(super) const SERVICE: &str = "service_name";
/// Names of the labels for which a group has fields of its own, beside the service.
pub(super) const FIELDS: [&str; 4] = ["host", "container", "build", "thread"];

/// Returns the value of a label; empty if the group has none.
pub(super) fn value<'g>(group: &'g Group, name: &str) -> &'g str {
    match name {
        SERVICE => &group.service,
        "host" => &group.host,
        "container" => &group.container,
        "build" => &group.build,
        "thread" => &group.thread,
        "__profile_type__" => CPU,
        "__name__" => CPU_NAME,
        name => {
            let mut labels = group.labels.iter();
            let found = labels.find(|label| &*label.key == name);
            found.map_or("", |label| &label.value)
        }
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
            self.0.push(condition?);
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

/// Reads `label="value"`; `None` if it is not of that form.
fn condition(text: &str) -> Option<(Result<Condition, String>, &str)> {
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
    let test = match is_expression {
        false => Ok(Test::Is(value)),
        true => RegexBuilder::new(&format!("^(?s:{value})$"))
            .size_limit(EXPRESSION_BYTES_MAX)
            .dfa_size_limit(EXPRESSION_BYTES_MAX)
            .build()
            .map(Test::Matches)
            .map_err(|error| format!("{value:?} is no regular expression: {error}")),
    };
    let name = name.trim().trim_matches('"').to_owned();
    let condition = test.map(|test| Condition {
        name,
        test,
        is_negated,
    });
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
}
