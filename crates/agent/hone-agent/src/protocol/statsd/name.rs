//! The name of a line, and the tags that are part of the name in three of the four dialects:
//!
//! ```text
//! name#k=v,k2=v2      Librato
//! name,k=v,k2=v2      InfluxDB
//! na[k=v,k2=v2]me     SignalFx: the tags are anywhere in the name, which is `name`
//! ```

use memchr::{memchr, memchr2, memchr3};

/// Text before the first value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Named<'l> {
    /// Name, up to its tags.
    pub(super) metric: &'l [u8],
    /// Part of the name after the tags.
    pub(super) behind_tags: &'l [u8],
    /// Tags in the name.
    pub(super) tags: Option<&'l [u8]>,
}

/// Splits a line into its name and the text after the colon; `None` if there is no name or no colon.
pub(super) fn named(line: &[u8]) -> Option<(Named<'_>, &[u8])> {
    let end = memchr3(b':', b'[', b']', line)?;
    let (named, rest) = match line[end] {
        b':' => (name(&line[..end]), &line[end + 1..]),
        b'[' => with_brackets(line, end).or_else(|| without_tags(line))?,
        _ => without_tags(line)?,
    };
    let is_empty = named.metric.is_empty() && named.behind_tags.is_empty();
    (!is_empty).then_some((named, rest))
}

/// Parses a name without brackets.
fn name(name: &[u8]) -> Named<'_> {
    let (metric, tags) = match memchr2(b'#', b',', name) {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    };
    Named {
        metric,
        behind_tags: &[],
        tags,
    }
}

/// Parses a name with tags in brackets, which may contain colons. `None` if the brackets are not closed before the first
/// `|`, which no name contains.
fn with_brackets(line: &[u8], open: usize) -> Option<(Named<'_>, &[u8])> {
    let head = &line[..memchr(b'|', line).unwrap_or(line.len())];
    let close = open + memchr(b']', head.get(open..)?)?;
    let colon = close + memchr(b':', &head[close..])?;
    let named = Named {
        metric: &line[..open],
        behind_tags: &line[close + 1..colon],
        tags: Some(&line[open + 1..close]),
    };
    Some((named, &line[colon + 1..]))
}

/// Parses a name with an unpaired bracket: everything before the first colon is the name, as in statsd_exporter.
fn without_tags(line: &[u8]) -> Option<(Named<'_>, &[u8])> {
    let colon = memchr(b':', line)?;
    let named = Named {
        metric: &line[..colon],
        behind_tags: &[],
        tags: None,
    };
    Some((named, &line[colon + 1..]))
}
