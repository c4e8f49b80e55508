//! A tag for the container that a sample names (DogStatsD's `c:`).
//!
//! Anybody can send any name. The resulting series are like all others and are limited in the same way. A name that
//! cannot be the value of a tag is left out, and the sample is stored without it.

use super::CONTAINER_BYTES_MAX;
use crate::canonical::has_room;
use crate::sample::{RawSeries, Sample, TagSyntax};

/// Adder of the tag. Each worker has one of its own.
#[derive(Clone, Debug)]
pub struct ContainerTag {
    key: Box<[u8]>,
    /// Buffer for the tags of a sample.
    tags: Vec<u8>,
}

impl ContainerTag {
    /// Returns an adder of tags with the given key.
    pub fn new(key: &str) -> Self {
        Self {
            key: key.as_bytes().into(),
            tags: Vec::new(),
        }
    }

    /// Hands the sample on, with the tag if the sample names its container. If the client has set the same tag, the
    /// client's value holds.
    pub fn tag(&mut self, sample: &Sample<'_>, take: &mut dyn FnMut(&Sample<'_>)) {
        let is = match sample.series.syntax {
            TagSyntax::Colons => b':',
            TagSyntax::Equals => b'=',
            // Samples in these formats name no containers.
            TagSyntax::Sdk | TagSyntax::Relayed => return take(sample),
        };
        let Some(id) = sample.container.filter(|id| is_value(id)) else {
            return take(sample);
        };
        self.tags.clear();
        self.tags.extend_from_slice(&self.key);
        self.tags.push(is);
        self.tags.extend_from_slice(id);
        if !sample.series.tags.is_empty() {
            self.tags.push(b',');
            self.tags.extend_from_slice(sample.series.tags);
        }
        if !has_room(&self.tags, sample.series.syntax) {
            return take(sample);
        }
        let series = RawSeries {
            tags: &self.tags,
            ..sample.series
        };
        take(&Sample { series, ..*sample });
    }
}

fn is_value(id: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b',';
    (1..=CONTAINER_BYTES_MAX).contains(&id.len()) && id.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::canonical;
    use crate::limits::{TAGS_BYTES_MAX, TAGS_MAX};
    use crate::protocol::statsd;

    /// Returns the tags of each sample in some lines.
    fn tags(lines: &[u8]) -> Vec<String> {
        let mut container = ContainerTag::new("container_id");
        let mut tags = Vec::new();
        statsd::parse(lines, &mut |sample| {
            container.tag(&sample, &mut |sample| {
                let series = canonical(&sample.series).unwrap();
                tags.push(format!("{:?}", series.tags().collect::<Vec<_>>()));
            });
        });
        tags
    }

    #[test]
    fn a_container_is_a_tag_in_every_style_unless_the_client_has_one_of_that_name() {
        let long = format!("m:1|c|c:{}", "x".repeat(CONTAINER_BYTES_MAX + 1));
        for (line, expected) in [
            ("m:1|c|c:ci-1", r#"[("container_id", "ci-1")]"#),
            (
                "m:1|c|#k:v|c:ci-1",
                r#"[("container_id", "ci-1"), ("k", "v")]"#,
            ),
            (
                "m,k=v:1|c|c:ci-1",
                r#"[("container_id", "ci-1"), ("k", "v")]"#,
            ),
            (
                "m:1|c|#container_id:own|c:ci-1",
                r#"[("container_id", "own")]"#,
            ),
            ("m:1|c|#k:v", r#"[("k", "v")]"#),
            ("m:1|c|c:", "[]"),
            ("m:1|c|c:a,b", "[]"),
            ("m:1|c|c:a b", "[]"),
            ("m:1|c|c:\u{e9}", "[]"),
            (&long, "[]"),
        ] {
            assert_eq!(tags(line.as_bytes()), [expected], "{line}");
        }
    }

    #[test]
    fn tags_that_would_be_too_many_stay_as_they_were() {
        for (count, expected) in [(TAGS_MAX - 1, TAGS_MAX), (TAGS_MAX, TAGS_MAX)] {
            let all: Vec<_> = (0..count).map(|number| format!("k{number}:v")).collect();
            let read = tags(format!("m:1|c|#{}|c:ci-1", all.join(",")).as_bytes());
            assert_eq!(read[0].matches(", \"").count(), expected, "{read:?}");
        }
    }

    #[test]
    fn tags_that_would_be_too_long_stay_as_they_were() {
        let value = "v".repeat(TAGS_BYTES_MAX - 2);
        let read = tags(format!("m:1|c|#k:{value}|c:ci-1").as_bytes());
        assert!(!read[0].contains("ci-1"));
    }
}
