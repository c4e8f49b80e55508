//! Tags in the relay's format: an array of keys and values, sorted by key, each key once.

use crate::limits::{RELAYED_TAGS_BYTES_MAX, RELAYED_TAGS_MAX};
use crate::series::Series;
use crate::wire::msgpack::{self, Malformed, Reader};

/// Returns the labels that can be tags, sorted.
pub(super) fn sorted(labels: &[(String, String)]) -> Vec<(&str, &str)> {
    let labels = labels.iter().filter(|(_, value)| !value.is_empty());
    let mut labels: Vec<_> = labels.map(|(key, value)| (&**key, &**value)).collect();
    labels.sort_by_key(|(key, _)| *key);
    labels.dedup_by_key(|(key, _)| *key);
    labels
}

/// Writes the tags of a series, and each label whose key is no tag of the series. The labels must be sorted and unique.
pub(super) fn write(out: &mut Vec<u8>, series: &Series, labels: &[(&str, &str)]) {
    let mut tags: Vec<(&str, &str)> = series.tags().collect();
    for (key, value) in labels {
        if let Err(at) = tags.binary_search_by_key(key, |(own, _)| own) {
            tags.insert(at, (key, value));
        }
    }
    msgpack::array(out, 2 * tags.len());
    for (key, value) in tags {
        msgpack::string(out, key);
        msgpack::string(out, value);
    }
}

/// Reads the bytes of tags, which [`tags`] decodes.
pub(super) fn read<'b>(reader: &mut Reader<'b>) -> Result<&'b [u8], Malformed> {
    let malformed = reader.malformed("sorted tags");
    let start = reader.at();
    each(reader, malformed, &mut |_, _| {})?;
    let bytes = reader.since(start);
    match bytes.len() {
        0..=RELAYED_TAGS_BYTES_MAX => Ok(bytes),
        _ => Err(malformed),
    }
}

/// Decodes keys and values; `None` if they are not sorted, a key is missing or occurs twice, there are too many, or
/// some output could not write a text.
pub fn tags(bytes: &[u8]) -> Option<Vec<(&str, &str)>> {
    let mut reader = Reader::new(bytes);
    let mut tags = Vec::new();
    let malformed = reader.malformed("sorted tags");
    each(&mut reader, malformed, &mut |key, value| {
        tags.push((key, value));
    })
    .ok()?;
    reader.is_at_end().then_some(tags)
}

fn each<'b>(
    reader: &mut Reader<'b>,
    malformed: Malformed,
    visit: &mut impl FnMut(&'b str, &'b str),
) -> Result<(), Malformed> {
    let length = reader.array()?;
    if length % 2 != 0 || length / 2 > RELAYED_TAGS_MAX {
        return Err(malformed);
    }
    // No key is empty, so the first key is larger than this text.
    let mut before = "";
    for _ in 0..length / 2 {
        let (key, value) = (reader.string()?, reader.string()?);
        if before >= key || !is_clean(key) || !is_clean(value) {
            return Err(malformed);
        }
        visit(key, value);
        before = key;
    }
    Ok(())
}

/// Returns true if every output can write the text.
pub(super) fn is_clean(text: &str) -> bool {
    !text.bytes().any(|byte| byte.is_ascii_control())
}
