//! Metric names and labels in the form that back ends want: valid, sorted, each name once, nothing empty.

use super::graphite;
use crate::series::Series;
use std::borrow::Cow;
use std::fmt::Write;

/// Name and value of a label.
pub(super) type Label<'s> = (Cow<'s, str>, Cow<'s, str>);

/// Labels that the agent itself adds to values; a tag with such a name becomes `exported_...`, as in Prometheus.
const OWN: [&str; 3] = ["le", "quantile", "vmrange"];

/// Form of names at a back end of Prometheus' kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NameForm {
    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`, which all take. Other characters become `_`; letters and digits that are not ASCII become
    /// their numbers, `größe` `gr_f6__df_e`, so that two words never become one name.
    #[default]
    Underscores,
    /// As they were sent: UTF-8, which Prometheus takes from version 3 on, and VictoriaMetrics.
    Utf8,
}

impl NameForm {
    /// Returns the metric's name in this form.
    pub(super) fn metric(self, name: &str) -> Cow<'_, str> {
        match self {
            Self::Utf8 if !name.is_empty() => name.into(),
            _ => valid(name, |c| c.is_ascii_alphanumeric() || c == '_' || c == ':'),
        }
    }

    /// Returns the form of labels.
    pub(super) fn style(self) -> &'static Style {
        match self {
            Self::Underscores => &PROMETHEUS,
            Self::Utf8 => &PROMETHEUS_UTF8,
        }
    }
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
const PROMETHEUS: Style = Style {
    name: |key| not_reserved(valid(key, |c| c.is_ascii_alphanumeric() || c == '_')),
    value: |value| value.into(),
    joint: ';',
};

/// The same with names of any characters.
const PROMETHEUS_UTF8: Style = Style {
    name: |key| match key.is_empty() {
        true => "_".into(),
        false => not_reserved(key.into()),
    },
    ..PROMETHEUS
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

/// Returns another name for a label that the agent adds itself, and for one that begins with two underscores, as reserved labels do.
fn not_reserved(name: Cow<'_, str>) -> Cow<'_, str> {
    if OWN.contains(&&*name) {
        return format!("exported_{name}").into();
    }
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
    for c in name.chars() {
        match c {
            c if is_valid(c) => replaced.push(c),
            // Writing to a string does not fail.
            c if c.is_alphanumeric() => {
                let _ = write!(replaced, "_{:x}_", u32::from(c));
            }
            _ => replaced.push('_'),
        }
    }
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
        let labels = of(NameForm::default().style(), &series, &constant);
        let owned = |(name, value): Label<'_>| (name.into_owned(), value.into_owned());
        labels.into_iter().map(owned).collect()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn names_become_valid_and_stay_sorted_and_unique() {
        let name = |name| NameForm::Underscores.metric(name);
        assert_eq!(name("a.b-c:d"), "a_b_c:d");
        assert_eq!(name("9lives"), "_9lives");
        assert_eq!(name("größe"), "gr_f6__df_e");
        assert_ne!(name("größe"), name("grüße"));
        assert_eq!(name("距離"), "_8ddd__96e2_");
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
    fn names_in_utf_8_stay_as_they_were_sent() {
        let name = |name| NameForm::Utf8.metric(name);
        assert_eq!((name("größe.x"), name("")), ("größe.x".into(), "_".into()));
        let tags = [
            ("", "empty"),
            ("__name__", "evil"),
            ("a-b", "1"),
            ("a.b", "2"),
            ("le", "5"),
            ("straße", "s"),
        ];
        let series = Series::new(Kind::Gauge, "m", &tags).unwrap();
        let labels = of(NameForm::Utf8.style(), &series, &[]);
        let names: Vec<_> = labels.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            ["_", "_name__", "a-b", "a.b", "exported_le", "straße"]
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
