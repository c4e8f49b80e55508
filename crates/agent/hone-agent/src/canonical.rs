//! Conversion of a series, as a packet names it, to its canonical form: once for each new raw form, never for each sample.
//!
//! Decisions made here, which are the same for every protocol:
//! - If a key occurs twice, its last value is used.
//! - A tag without a value (`canary`, `canary:`) gets the value [`NO_VALUE`]: in Prometheus a label without a value is no
//!   label, and Graphite has no tags without values. A tag without a key is refused.
//! - Nothing is repaired: a series with invalid UTF-8 or control characters is refused. Replacing them could make one series
//!   of two, and a program that writes them is broken and should be found.

use crate::limits::{METRIC_BYTES_MAX, TAGS_BYTES_MAX, TAGS_MAX};
use crate::sample::{Kind, RawSeries, TagSyntax};
use crate::scan::{BLOCK_BYTES, Scanner, Separators, Tag, for_each_tag};
use crate::series::Series;
use crate::wire::relay;
use memchr::{memchr_iter, memchr2_iter};

/// Value of a tag that comes without a value, as in Telegraf.
pub const NO_VALUE: &str = "true";

/// Reasons to refuse a series.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Refused {
    /// A metric without a name.
    #[error("the metric has no name")]
    NoMetric,
    /// A metric's name longer than [`METRIC_BYTES_MAX`].
    #[error("the metric's name is longer than {METRIC_BYTES_MAX} bytes")]
    LongMetric,
    /// Tags longer than [`TAGS_BYTES_MAX`].
    #[error("the tags are longer than {TAGS_BYTES_MAX} bytes")]
    LongTags,
    /// More tags than [`TAGS_MAX`].
    #[error("there are more than {TAGS_MAX} tags")]
    ManyTags,
    /// A tag without a key: `=value`.
    #[error("a tag has no key")]
    NoKey,
    /// Invalid UTF-8 in the name or the tags.
    #[error("the name or a tag is not UTF-8")]
    NotUtf8,
    /// Control characters in the name or the tags.
    #[error("the name or a tag has control characters")]
    ControlCharacters,
    /// A rule of the configuration that drops the series ([`crate::rewrite`]).
    #[error("a rule of the configuration drops it")]
    ByRule,
}

/// A series in canonical form, borrowed from the packet, to be compared before anything is allocated for it.
#[derive(Clone, Debug)]
pub struct Meant<'p> {
    /// Kind of the series.
    pub kind: Kind,
    /// The metric's name.
    pub metric: &'p str,
    /// Keys and values, in the order of keys, each key once.
    pub tags: Vec<(&'p str, &'p str)>,
}

impl Meant<'_> {
    /// Creates the series.
    pub fn series(&self) -> Result<Series, Refused> {
        Series::new(self.kind, self.metric, &self.tags).ok_or(Refused::LongTags)
    }

    /// Returns true if this is the given series.
    pub fn is(&self, series: &Series) -> bool {
        self.kind == series.kind()
            && self.metric == series.metric()
            && series.tags().eq(self.tags.iter().copied())
    }
}

/// Returns the canonical form of a raw series.
pub fn canonical(raw: &RawSeries<'_>) -> Result<Series, Refused> {
    meant(raw)?.series()
}

/// Returns the canonical form of a raw series, borrowed from it.
pub fn meant<'p>(raw: &RawSeries<'p>) -> Result<Meant<'p>, Refused> {
    let metric = match raw.metric.len() {
        0 => return Err(Refused::NoMetric),
        1..=METRIC_BYTES_MAX => text(raw.metric)?,
        _ => return Err(Refused::LongMetric),
    };
    let mut tags = tags(raw)?;
    tags.sort_by_key(|(key, _)| *key);
    tags.dedup_by(|later, kept| {
        let is_twice = later.0 == kept.0;
        if is_twice {
            kept.1 = later.1;
        }
        is_twice
    });
    for (_, value) in &mut tags {
        if value.is_empty() {
            *value = NO_VALUE;
        }
    }
    Ok(Meant {
        kind: raw.kind,
        metric,
        tags,
    })
}

/// Returns true if tags, with the tags added to them, are within the limits. This is a quick check, which counts every end
/// of a tag, even an end without a tag before it.
pub(crate) fn has_room(tags: &[u8], syntax: TagSyntax) -> bool {
    let ends = match syntax {
        TagSyntax::Sdk => memchr2_iter(b'|', b' ', tags).count(),
        TagSyntax::Colons | TagSyntax::Equals | TagSyntax::Relayed => {
            memchr_iter(b',', tags).count()
        }
    };
    tags.len() <= TAGS_BYTES_MAX && ends < TAGS_MAX
}

/// Checks that bytes are text that every output can write.
fn text(bytes: &[u8]) -> Result<&str, Refused> {
    let text = str::from_utf8(bytes).map_err(|_| Refused::NotUtf8)?;
    // Goes on to the end: without an early exit, many bytes are checked at a time.
    let found = |found, byte: &u8| found | byte.is_ascii_control();
    match bytes.iter().fold(false, found) {
        true => Err(Refused::ControlCharacters),
        false => Ok(text),
    }
}

/// Checks that tags are text and not too long.
fn short_text(bytes: &[u8]) -> Result<&str, Refused> {
    match bytes.len() {
        0..=TAGS_BYTES_MAX => text(bytes),
        _ => Err(Refused::LongTags),
    }
}

/// Returns keys and values in the order of the text.
fn tags<'p>(raw: &RawSeries<'p>) -> Result<Vec<(&'p str, &'p str)>, Refused> {
    let mut tags = Vec::with_capacity(TAGS_USUAL);
    match raw.syntax {
        TagSyntax::Sdk => {
            let text = short_text(raw.tags)?;
            match text.len() {
                // Clearing room for many blocks takes longer than scanning a few.
                0..=USUAL_BYTES => scan::<{ USUAL_BYTES / BLOCK_BYTES }>(text, &mut tags),
                _ => scan::<{ TAGS_BYTES_MAX.div_ceil(BLOCK_BYTES) }>(text, &mut tags),
            }
        }
        TagSyntax::Colons => tags.extend(between_commas(short_text(raw.tags)?, ':')),
        TagSyntax::Equals => tags.extend(between_commas(short_text(raw.tags)?, '=')),
        // Relayed tags have limits of their own, which were checked when their frame was read.
        TagSyntax::Relayed => return relay::tags(raw.tags).ok_or(Refused::NotUtf8),
    }
    if tags.len() > TAGS_MAX {
        return Err(Refused::ManyTags);
    }
    if tags.iter().any(|(key, _)| key.is_empty()) {
        return Err(Refused::NoKey);
    }
    Ok(tags)
}

/// Room for the tags of nearly every series, and for the bytes of their text.
const TAGS_USUAL: usize = 16;
const USUAL_BYTES: usize = 256;

/// Reads the tags of the SDK from a text of at most `BLOCKS` blocks.
fn scan<'p, const BLOCKS: usize>(text: &'p str, tags: &mut Vec<(&'p str, &'p str)>) {
    let mut found = [Separators::default(); BLOCKS];
    let blocks = Scanner::best().find(text.as_bytes(), &mut found);
    for_each_tag(text, &found[..blocks], &mut |Tag { key, value }| {
        tags.push((key, value));
    });
}

fn between_commas(text: &str, separator: char) -> impl Iterator<Item = (&str, &str)> {
    // Some clients of DogStatsD write `#` before each tag, not only before the first.
    let bare = move |tag| match separator {
        ':' => str::strip_prefix(tag, '#').unwrap_or(tag),
        _ => tag,
    };
    let tags = text.split(',').map(bare).filter(|tag| !tag.is_empty());
    tags.map(move |tag| tag.split_once(separator).unwrap_or((tag, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw<'p>(metric: &'p [u8], tags: &'p [u8], syntax: TagSyntax) -> RawSeries<'p> {
        RawSeries {
            kind: Kind::Counter,
            metric,
            tags,
            syntax,
        }
    }

    fn sdk(tags: &str) -> Result<Series, Refused> {
        canonical(&raw(b"m", tags.as_bytes(), TagSyntax::Sdk))
    }

    #[test]
    fn one_series_in_every_order_and_syntax() {
        let expected = Series::new(Kind::Counter, "m", &[("a", "1"), ("b", "2"), ("c", "true")]);
        for (tags, syntax) in [
            ("a=1|b=2|c=", TagSyntax::Sdk),
            ("a=1|b=2|c=true", TagSyntax::Sdk),
            ("c b=2 a=1", TagSyntax::Sdk),
            ("|b=2||a=1 |c|", TagSyntax::Sdk),
            ("c,b:2,,a:1,", TagSyntax::Colons),
            ("#c,#b:2,#,a:1", TagSyntax::Colons),
            ("b=2,a=1,c", TagSyntax::Equals),
        ] {
            let series = canonical(&raw(b"m", tags.as_bytes(), syntax));
            assert_eq!(series.ok(), expected, "{tags}");
        }
    }

    #[test]
    fn where_a_key_ends_makes_another_series() {
        assert_ne!(sdk("ab=c").unwrap(), sdk("a=bc").unwrap());
        assert_ne!(sdk("a=b|c=d").unwrap(), sdk("a=b=c=d").unwrap());
        assert_ne!(sdk("a=b|c").unwrap(), sdk("a=bc").unwrap());
        let colons =
            |tags: &'static str| canonical(&raw(b"m", tags.as_bytes(), TagSyntax::Colons)).unwrap();
        assert_ne!(colons("ab:c"), colons("a:bc"));
        let named = |metric: &'static str, tags: &'static str| {
            canonical(&raw(metric.as_bytes(), tags.as_bytes(), TagSyntax::Sdk)).unwrap()
        };
        assert_ne!(named("ma", "b=c"), named("m", "ab=c"));
    }

    #[test]
    fn of_a_key_that_is_there_twice_the_last_holds() {
        let series = sdk("k=1|a=x|k=2|k=3").unwrap();
        assert_eq!(series.tags().collect::<Vec<_>>(), [("a", "x"), ("k", "3")]);
    }

    #[test]
    fn values_may_hold_what_separates_elsewhere() {
        assert_eq!(sdk("k=a=b:c,d").unwrap().tag("k"), Some("a=b:c,d"));
        let series = canonical(&raw(b"m", b"k:a:b=c|d e", TagSyntax::Colons)).unwrap();
        assert_eq!(series.tag("k"), Some("a:b=c|d e"));
        let series = canonical(&raw(b"m", b"k=a=b:c", TagSyntax::Equals)).unwrap();
        assert_eq!(series.tag("k"), Some("a=b:c"));
    }

    #[test]
    fn one_hash_before_a_tag_of_dogstatsd_is_no_part_of_its_key() {
        let keys = |tags: &'static str, syntax| {
            let series = canonical(&raw(b"m", tags.as_bytes(), syntax)).unwrap();
            series
                .tags()
                .map(|(key, _)| key.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(keys("a:1,#b:2,##c:3", TagSyntax::Colons), ["#c", "a", "b"]);
        assert_eq!(keys("a=1,#b=2", TagSyntax::Equals), ["#b", "a"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let refused = |metric: &[u8], tags: &[u8]| {
            [TagSyntax::Sdk, TagSyntax::Equals].map(|syntax| {
                let raw = raw(metric, tags, syntax);
                canonical(&raw).err()
            })
        };
        let both = |reason| [Some(reason); 2];
        assert_eq!(refused(b"", b""), both(Refused::NoMetric));
        assert_eq!(refused(b"m", b"=v"), both(Refused::NoKey));
        assert_eq!(refused(b"m\xff", b""), both(Refused::NotUtf8));
        assert_eq!(refused(b"m", b"k=\xc3"), both(Refused::NotUtf8));
        assert_eq!(refused(b"m\n", b""), both(Refused::ControlCharacters));
        assert_eq!(refused(b"m", b"k=\0"), both(Refused::ControlCharacters));
    }

    #[test]
    fn limits_hold_to_the_byte_and_the_tag() {
        let metric = |bytes| canonical(&raw(&vec![b'm'; bytes], b"", TagSyntax::Sdk)).err();
        assert_eq!(metric(METRIC_BYTES_MAX), None);
        assert_eq!(metric(METRIC_BYTES_MAX + 1), Some(Refused::LongMetric));
        let value = |bytes| sdk(&format!("k={}", "v".repeat(bytes - 2))).err();
        assert_eq!(value(TAGS_BYTES_MAX), None);
        assert_eq!(value(TAGS_BYTES_MAX + 1), Some(Refused::LongTags));
        let tags = |count: usize| {
            let tags: Vec<String> = (0..count).map(|tag| format!("k{tag}=v")).collect();
            sdk(&tags.join("|"))
        };
        assert_eq!(tags(TAGS_MAX).unwrap().tags().count(), TAGS_MAX);
        assert_eq!(tags(TAGS_MAX + 1), Err(Refused::ManyTags));
    }
}
