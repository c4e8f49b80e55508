//! Labels that a program gives to its threads, such as the method that a server works on.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A label, such as `method=Price`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label {
    /// Name of what the value tells.
    pub key: Arc<str>,
    /// Value.
    pub value: Arc<str>,
}

impl fmt::Display for Label {
    /// Writes `key=value`. Words with blanks and the like are quoted, so that no two sets of labels look alike.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        word(f, &self.key, self.key.contains('='))?;
        f.write_str("=")?;
        word(f, &self.value, false)
    }
}

fn word(f: &mut fmt::Formatter<'_>, text: &str, is_odd: bool) -> fmt::Result {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || c == '"';
    if is_odd || text.is_empty() || text.contains(breaks) {
        write!(f, "{text:?}")
    } else {
        f.write_str(text)
    }
}

/// Set of labels, sorted by key and value. A key may have several values. Clones share the set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Labels(Arc<[Label]>);

impl Deref for Labels {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        &self.0
    }
}

impl FromIterator<Label> for Labels {
    fn from_iter<I: IntoIterator<Item = Label>>(labels: I) -> Self {
        let mut labels: Vec<Label> = labels.into_iter().collect();
        labels.sort_unstable();
        labels.dedup();
        Self(labels.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> Labels {
        let label = |&(key, value): &(&str, &str)| Label {
            key: key.into(),
            value: value.into(),
        };
        pairs.iter().map(label).collect()
    }

    fn shown(pairs: &[(&str, &str)]) -> String {
        let words: Vec<String> = labels(pairs).iter().map(Label::to_string).collect();
        words.join(" ")
    }

    #[test]
    fn a_set_has_each_label_once_in_order() {
        let set = labels(&[("b", "2"), ("a", "3"), ("a", "1"), ("b", "2")]);
        assert_eq!(set, labels(&[("a", "1"), ("a", "3"), ("b", "2")]));
        assert!(Labels::default().is_empty());
    }

    #[test]
    fn no_two_sets_look_alike() {
        assert_eq!(shown(&[("path", "/a?b=c"), ("n", "1")]), "n=1 path=/a?b=c");
        assert_eq!(shown(&[("a", "1 b=2")]), "a=\"1 b=2\"");
        assert_eq!(shown(&[("a", "1"), ("b", "2")]), "a=1 b=2");
        assert_eq!(shown(&[("a=b", "c")]), "\"a=b\"=c");
        assert_eq!(shown(&[("a", "")]), "a=\"\"");
        assert_eq!(shown(&[("a", "\u{1b}[31m")]), "a=\"\\u{1b}[31m\"");
    }
}
