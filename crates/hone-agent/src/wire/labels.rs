//! Metric names and labels in the form that back ends want: valid, sorted, each name once, nothing empty.

use super::graphite;
use crate::series::Series;
use std::borrow::Cow;

/// Name and value of a label.
pub(super) type Label<'s> = (Cow<'s, str>, Cow<'s, str>);

/// Labels that the agent itself adds to values; a tag with such a name becomes `exported_...`, as in Prometheus.
const OWN: [&str; 3] = ["le", "quantile", "vmrange"];

/// Returns the metric's name with `_` for each character that `[a-zA-Z_:][a-zA-Z0-9_:]*` does not allow.
pub(super) fn metric_name(name: &str) -> Cow<'_, str> {
    valid(name, |c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
}

/// Form of labels at a back end.
pub(super) struct Style {
    name: fn(&str) -> Cow<'_, str>,
    value: fn(&str) -> Cow<'_, str>,
    /// Separator between the values of tags whose names become the same.
    joint: char,
}

/// Prometheus' labels, whose values may be any text. Values are joined as in Prometheus' own translation of
/// OpenTelemetry attributes.
pub(super) const PROMETHEUS: Style = Style {
    name: label_name,
    value: |value| value.into(),
    joint: ';',
};

/// Graphite's tags, where `;` ends a value.
pub(super) const GRAPHITE: Style = Style {
    name: graphite::tag_name,
    value: graphite::tag_value,
    joint: ',',
};

/// Returns the labels of the series and of the agent, sorted. Tags whose names become the same by replacement are
/// joined, so that no label occurs twice.
pub(super) fn of<'s>(
    style: &Style,
    series: &'s Series,
    constant: &'s [(String, String)],
) -> Vec<Label<'s>> {
    let tags = series.tags().filter(|(_, value)| !value.is_empty());
    let mut labels: Vec<Label<'s>> = Vec::with_capacity(8);
    for (key, value) in tags {
        add(&mut labels, style, key, value);
    }
    for (key, value) in constant {
        let name = (style.name)(key);
        if !value.is_empty() && !labels.iter().any(|(known, _)| *known == name) {
            labels.push((name, (style.value)(value)));
        }
    }
    labels.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    labels
}

fn add<'s>(labels: &mut Vec<Label<'s>>, style: &Style, key: &'s str, value: &'s str) {
    let (name, value) = ((style.name)(key), (style.value)(value));
    match labels.iter_mut().find(|(known, _)| *known == name) {
        Some((_, joined)) => {
            let joined = joined.to_mut();
            joined.push(style.joint);
            joined.push_str(&value);
        }
        None => labels.push((name, value)),
    }
}

fn label_name(key: &str) -> Cow<'_, str> {
    let name = valid(key, |c| c.is_ascii_alphanumeric() || c == '_');
    if OWN.contains(&&*name) {
        return format!("exported_{name}").into();
    }
    // Names that begin with two underscores are reserved.
    match name.strip_prefix("__") {
        Some(rest) => format!("_{}", rest.trim_start_matches('_')).into(),
        None => name,
    }
}

fn valid(name: &str, is_valid: impl Fn(char) -> bool) -> Cow<'_, str> {
    let starts_well = name.starts_with(|c: char| is_valid(c) && !c.is_ascii_digit());
    if starts_well && name.chars().all(&is_valid) {
        return name.into();
    }
    let mut replaced = String::with_capacity(name.len() + 1);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        replaced.push('_');
    }
    replaced.extend(name.chars().map(|c| if is_valid(c) { c } else { '_' }));
    replaced.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Kind;

    fn labels(tags: &[(&str, &str)], constant: &[(&str, &str)]) -> Vec<(String, String)> {
        let series = Series::new(Kind::Gauge, "m", tags).unwrap();
        let own = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
        let constant: Vec<_> = constant.iter().map(own).collect();
        let labels = of(&PROMETHEUS, &series, &constant);
        let owned = |(name, value): Label<'_>| (name.into_owned(), value.into_owned());
        labels.into_iter().map(owned).collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn names_become_valid_and_stay_sorted_and_unique() {
        assert_eq!(metric_name("a.b-c:d"), "a_b_c:d");
        assert_eq!(metric_name("9lives"), "_9lives");
        assert_eq!(metric_name("größe"), "gr__e");
        let tags = [
            ("", "empty name"),
            ("Zone", "z"),
            ("__name__", "evil"),
            ("a-b", "1"),
            ("a.b", "2"),
            ("empty", ""),
            ("le", "5"),
        ];
        assert_eq!(
            labels(&tags, &[]),
            [
                pair("Zone", "z"),
                pair("_", "empty name"),
                pair("_name__", "evil"),
                pair("a_b", "1;2"),
                pair("exported_le", "5"),
            ]
        );
    }

    #[test]
    fn a_tag_wins_over_the_label_of_the_agent() {
        let constant = [("host", "here"), ("zone", "z1"), ("nothing", "")];
        assert_eq!(
            labels(&[("host", "there")], &constant),
            [pair("host", "there"), pair("zone", "z1")]
        );
    }
}
