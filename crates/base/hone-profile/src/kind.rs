//! Kind of recording in a file, recognised by the first bytes.

use crate::viewer::folded_line;
use flate2::read::GzDecoder;
use std::io::Read;

/// Number of bytes that [`kind_of`] looks at; a shorter file may have fewer.
pub const KIND_BYTES: usize = 4096;

/// A kind of recording.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// perf.data, seekable or from a pipe ([`crate::perf_data`]).
    PerfData,
    /// pprof's `profile.proto`, with gzip or without ([`crate::pprof`]).
    Pprof,
    /// Output of `perf script` ([`crate::perf_script`]).
    PerfScript,
    /// BOLT's pre-aggregated text (read by hone-fdo, because its addresses belong to one binary).
    BoltPreaggregated,
    /// Output of `llvm-profgen --skip-symbolization` (also read by hone-fdo).
    LlvmUnsymbolized,
    /// Folded text, a line for each stack ([`crate::viewer`]).
    Folded,
    /// speedscope's JSON ([`crate::viewer`]).
    Speedscope,
    /// The Firefox Profiler's JSON ([`crate::viewer`]).
    Firefox,
    /// A file of any kind that was compressed as a whole; pprof's own compression does not count.
    Compressed(Compression),
    /// None of the other kinds.
    Unknown,
}

/// Compression of a whole file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of the programs")]
pub enum Compression {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Lz4,
    Zip,
}

impl Compression {
    const ALL: [(Self, &'static [u8]); 6] = [
        (Self::Gzip, &[0x1f, 0x8b]),
        (Self::Zstd, &[0x28, 0xb5, 0x2f, 0xfd]),
        (Self::Xz, &[0xfd, b'7', b'z', b'X', b'Z', 0]),
        (Self::Bzip2, b"BZh"),
        (Self::Lz4, &[0x04, 0x22, 0x4d, 0x18]),
        (Self::Zip, b"PK\x03\x04"),
    ];

    fn of(start: &[u8]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, magic)| start.starts_with(magic))
            .map(|(compression, _)| compression)
    }

    /// Name of the compression, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
            Self::Lz4 => "lz4",
            Self::Zip => "zip",
        }
    }

    /// Command that unpacks a file with this compression.
    pub fn unpacked_by(self) -> &'static str {
        match self {
            Self::Gzip => "gunzip",
            Self::Zstd => "unzstd",
            Self::Xz => "unxz",
            Self::Bzip2 => "bunzip2",
            Self::Lz4 => "unlz4",
            Self::Zip => "unzip",
        }
    }
}

/// Returns the kind of recording, from the start of the file.
pub fn kind_of(start: &[u8]) -> Kind {
    let start = &start[..start.len().min(KIND_BYTES)];
    if is_perf_data(start) {
        return Kind::PerfData;
    }
    match Compression::of(start) {
        Some(Compression::Gzip) if is_gzipped_pprof(start) => return Kind::Pprof,
        Some(compression) => return Kind::Compressed(compression),
        None => {}
    }
    if is_bare_pprof(start) {
        return Kind::Pprof;
    }
    if let Some(kind) = kind_of_json(start) {
        return kind;
    }
    if is_folded(start) {
        return Kind::Folded;
    }
    // The last line may be cut.
    let mut lines = start
        .split(|&byte| byte == b'\n')
        .filter_map(|line| std::str::from_utf8(line).ok());
    let mut found = Kind::Unknown;
    while found == Kind::Unknown
        && let Some(line) = lines.next()
    {
        if is_preaggregated(line) {
            found = Kind::BoltPreaggregated;
        } else if is_unsymbolized(line) {
            found = Kind::LlvmUnsymbolized;
        } else if is_perf_script(line) {
            found = Kind::PerfScript;
        }
    }
    found
}

/// Returns true unless the content is text or perf.data. pprof files are gzipped as a rule, other recordings only to save space.
fn is_gzipped_pprof(start: &[u8]) -> bool {
    let mut inside = Vec::new();
    // The given bytes end within the compressed stream, so reading ends with an error.
    let _ = GzDecoder::new(start)
        .take(KIND_BYTES as u64)
        .read_to_end(&mut inside);
    let is_text = !inside.is_empty()
        && inside
            .iter()
            .all(|&byte| byte >= b' ' || byte.is_ascii_whitespace());
    !is_text && !is_perf_data(&inside)
}

fn is_perf_data(start: &[u8]) -> bool {
    let magics = [b"PERFILE2", b"2ELIFREP", b"PERFFILE"];
    start
        .first_chunk()
        .is_some_and(|first| magics.contains(&first))
}

/// Returns true if the bytes start like a profile with its sample types: field 1, and in it fields 1 and 2 as small numbers.
fn is_bare_pprof(start: &[u8]) -> bool {
    matches!(
        start,
        [0x0a, 0, ..] | [0x0a, 2, 0x08 | 0x10, _, ..] | [0x0a, 4, 0x08, _, 0x10, _, ..]
    )
}

fn kind_of_json(start: &[u8]) -> Option<Kind> {
    let text = String::from_utf8_lossy(start.trim_ascii_start());
    let has = |word: &str| text.starts_with('{') && text.contains(word);
    if has("speedscope") {
        Some(Kind::Speedscope)
    } else if has(r#""meta""#) && has(r#""categories""#) {
        Some(Kind::Firefox)
    } else {
        None
    }
}

/// Returns true if every line is a stack and its count, and some stack has callers. The last line may be cut.
fn is_folded(start: &[u8]) -> bool {
    let end = match start.len() < KIND_BYTES {
        true => start.len(),
        false => start.iter().rposition(|&byte| byte == b'\n').unwrap_or(0),
    };
    let Ok(text) = std::str::from_utf8(&start[..end]) else {
        return false;
    };
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_stack = |line: &str| !line.starts_with([' ', '\t', '{']) && folded_line(line).is_some();
    lines.clone().any(|line| line.contains(';')) && lines.all(is_stack)
}

/// Returns true for lines such as `B 401000 401020 7 0`. A line of `perf script` may start with a command of one letter, but
/// then no address follows directly.
fn is_preaggregated(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let Some(letter) = words.next() else {
        return false;
    };
    let is_place = |word: &str| {
        let address = word.rsplit(':').next().unwrap_or(word);
        word == "-1" || !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let rest: Vec<&str> = words.collect();
    match letter {
        "E" => rest.len() == 1 && !line.starts_with(' '),
        "S" => rest.len() == 2 && is_place(rest[0]),
        "B" => rest.len() == 4 && rest[..2].iter().all(|word| is_place(word)),
        "F" | "f" | "r" => rest.len() == 3 && rest[..2].iter().all(|word| is_place(word)),
        "T" | "R" => (4..=5).contains(&rest.len()) && rest[..2].iter().all(|word| is_place(word)),
        _ => false,
    }
}

/// Returns true for `149-14f:5` or `158->150:3`, alone in a line.
fn is_unsymbolized(line: &str) -> bool {
    let Some((places, count)) = line.trim().rsplit_once(':') else {
        return false;
    };
    let (from, to) = match places.split_once("->") {
        Some(places) => places,
        None => places.split_once('-').unwrap_or_default(),
    };
    let is_place =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    is_count && is_place(from) && is_place(to)
}

fn is_perf_script(line: &str) -> bool {
    if line.starts_with("# ========") || line.contains("PERF_RECORD_") {
        return true;
    }
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_hex = |word: &str| {
        (4..=16).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let is_branch = |word: &&str| word.matches('/').count() >= 4;
    let is_event = |word: &&str| word.len() > 1 && word.ends_with(':');
    words.iter().any(is_branch)
        || words.iter().any(is_event)
        || line.starts_with([' ', '\t']) && words.first().is_some_and(|word| is_hex(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn what_was_compressed_as_a_whole_is_told_from_pprof() {
        let gzip = |content: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(content).expect("room in memory");
            encoder.finish().expect("room in memory")
        };
        let perf_data = [&b"PERFILE2"[..], &[0; 5000]].concat();
        let lines = "1 0x401136/0x401120/P/-/-/1\n".repeat(1000);
        let gzipped = Kind::Compressed(Compression::Gzip);
        assert_eq!(kind_of(&gzip(&perf_data)), gzipped);
        assert_eq!(kind_of(&gzip(lines.as_bytes())), gzipped);
        assert_eq!(kind_of(&gzip(b"main:5:0\n 1: 5\n")), gzipped);
        let pprof = [0x0a, 4, 8, 1, 0x10, 2, 0x12, 4, 8, 3, 0x10, 4];
        assert_eq!(kind_of(&gzip(&pprof)), Kind::Pprof);
        assert_eq!(kind_of(&gzip(&[])), Kind::Pprof);
        let others: [(&[u8], Compression); 5] = [
            (&[0x28, 0xb5, 0x2f, 0xfd, 4], Compression::Zstd),
            (b"\xfd7zXZ\0\0", Compression::Xz),
            (b"BZh91AY", Compression::Bzip2),
            (&[4, 0x22, 0x4d, 0x18, 0x64], Compression::Lz4),
            (b"PK\x03\x04\x14", Compression::Zip),
        ];
        for (start, compression) in others {
            assert_eq!(kind_of(start), Kind::Compressed(compression));
        }
    }

    #[test]
    fn each_kind_is_known_by_its_start() {
        let cases: [(&[u8], Kind); 23] = [
            (b"main;std::f<int, 2>;g: 12\nmain 3\n", Kind::Folded),
            (b"# made by hone\nmain;f 12", Kind::Folded),
            (b"main 12\n", Kind::Unknown),
            (b"int a; int b 1\n}\n", Kind::Unknown),
            (
                br#"{"$schema":"https://www.speedscope.app/file-format-schema.json","#,
                Kind::Speedscope,
            ),
            (br#"{"meta":{"categories":[{"name":"User""#, Kind::Firefox),
            (b"354\nfe0-ff7:2001\n", Kind::LlvmUnsymbolized),
            (
                b"[main:3 @ f]\n0\n1\n  158->150:3\n",
                Kind::LlvmUnsymbolized,
            ),
            (b"12\n\t          400010\n", Kind::PerfScript),
            (b"PERFILE2\x68\0\0\0", Kind::PerfData),
            (b"2ELIFREP", Kind::PerfData),
            (&[0x1f, 0x8b, 8, 0], Kind::Pprof),
            (&[0x0a, 4, 8, 1, 0x10, 2, 0x12], Kind::Pprof),
            (b"E cycles\nS 41be50 3\n", Kind::BoltPreaggregated),
            (b"B 401000 X:0 7 0\n", Kind::BoltPreaggregated),
            (b"T 4b196f 4b19e0 -1 2\n", Kind::BoltPreaggregated),
            (b"r 0deadbeef:10 0deadbeef:20 2\n", Kind::BoltPreaggregated),
            (
                b"# ========\n# captured on    : Sat Nov 21\n",
                Kind::PerfScript,
            ),
            (b"  401136  0x401136/0x401120/P/-/-/1 \n", Kind::PerfScript),
            (b"\t   7f68c5788793 main+0x3 (/bin/x)\n", Kind::PerfScript),
            (
                b"B 12 [001] 1.000001: cycles:u: 401136 main\n",
                Kind::PerfScript,
            ),
            (b"int main() { return 0; }\n", Kind::Unknown),
            (b"", Kind::Unknown),
        ];
        for (start, kind) in cases {
            assert_eq!(kind_of(start), kind, "{:?}", String::from_utf8_lossy(start));
        }
    }
}
