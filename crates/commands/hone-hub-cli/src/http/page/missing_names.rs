//! What has no names on a view, in a header of the answer: files that could be uploaded.

use std::collections::BTreeSet;

use hone_hub::symbols::Lacking;
use hone_hub::view::View;
use hone_profile::BuildId;
use hyper::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};

/// Header with a JSON list of files, the heaviest first; letters beyond ASCII are escaped.
const HEADER: HeaderName = HeaderName::from_static("hone-lacking");
/// Files that are told, and bytes of a path beyond which only its end is.
const FILES_MAX: usize = 8;
const PATH_BYTES_MAX: usize = 300;
/// Share of the samples below which a file is not worth a word.
const SHARE_MIN: f64 = 0.001;

/// Returns the header; `None` if everything of weight has names.
pub(super) fn header(view: &View, lacking: Vec<Lacking>) -> Option<(HeaderName, HeaderValue)> {
    // Two answers beside each other lack the same.
    let distinct: BTreeSet<Lacking> = lacking.into_iter().collect();
    let share = |file: &Lacking| {
        let weight = view.unknown.get(&file.path).copied().unwrap_or(0);
        weight as f64 / view.weight.max(1) as f64
    };
    let mut files: Vec<(f64, Lacking)> = distinct
        .into_iter()
        .map(|file| (share(&file), file))
        .filter(|(share, _)| *share >= SHARE_MIN)
        .collect();
    files.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    files.truncate(FILES_MAX);
    if files.is_empty() {
        return None;
    }
    let told: Vec<Value> = files
        .iter()
        .map(|(share, file)| one(*share, file))
        .collect();
    let value = HeaderValue::from_str(&in_ascii(&json!(told).to_string()));
    Some((HEADER, value.ok()?))
}

fn one(share: f64, file: &Lacking) -> Value {
    let path = match file.path.len() > PATH_BYTES_MAX {
        true => file.path.rsplit('/').next().unwrap_or_default(),
        false => &file.path,
    };
    let path: String = path.chars().take(PATH_BYTES_MAX).collect();
    json!({
        "file": path,
        "build": file.build.as_ref().map(BuildId::to_string),
        "lacks": file.lack.name(),
        "share": share,
    })
}

/// Escapes what is not ASCII, as JSON allows in its texts.
fn in_ascii(json: &str) -> String {
    let mut ascii = String::new();
    for letter in json.chars() {
        if letter.is_ascii() && !letter.is_ascii_control() {
            ascii.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            ascii += &format!("\\u{unit:04x}");
        }
    }
    ascii
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use hone_hub::symbols::Lack;

    use super::*;

    fn lacking(path: &str, id: u8) -> Lacking {
        Lacking {
            path: path.to_owned(),
            build: BuildId::new(&[id; 4]),
            lack: Lack::Everything,
        }
    }

    #[test]
    fn files_are_told_by_their_weight() {
        let unknown = [
            ("/bin/a", 200),
            ("/bin/\u{e9}\u{1f600}", 700),
            ("/bin/c", 0),
        ];
        let unknown: BTreeMap<String, u64> = unknown
            .into_iter()
            .map(|(path, weight)| (path.to_owned(), weight))
            .collect();
        let view = View {
            page: String::new(),
            unknown,
            weight: 1000,
        };
        let files = vec![
            lacking("/bin/a", 1),
            lacking("/bin/\u{e9}\u{1f600}", 2),
            lacking("/bin/a", 1),
            lacking("/bin/c", 3),
        ];
        let (_, value) = header(&view, files).unwrap();
        let value: Value = serde_json::from_str(value.to_str().unwrap()).unwrap();
        let expected = json!([
            {"file": "/bin/\u{e9}\u{1f600}", "build": "02020202", "lacks": "everything", "share": 0.7},
            {"file": "/bin/a", "build": "01010101", "lacks": "everything", "share": 0.2},
        ]);
        assert_eq!(value, expected);
        assert!(header(&view, vec![lacking("/bin/c", 3)]).is_none());
    }

    #[test]
    fn a_header_stays_short() {
        let long = format!("/{}", "x".repeat(100_000));
        let view = View {
            page: String::new(),
            unknown: BTreeMap::from([(long.clone(), 1000)]),
            weight: 1000,
        };
        let files = (0..100).map(|id| lacking(&long, id)).collect();
        let (_, value) = header(&view, files).unwrap();
        assert!(value.len() < 4096, "{}", value.len());
    }
}
