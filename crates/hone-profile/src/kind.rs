//! What kind of recording a file is, told from its first bytes.

/// How many bytes [`kind_of`] looks at; fewer are enough where the file is shorter.
pub const KIND_BYTES: usize = 4096;

/// A kind of recording.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// perf.data, seekable or from a pipe ([`crate::perf_data`]).
    PerfData,
    /// pprof's `profile.proto`, with gzip or without ([`crate::pprof`]).
    Pprof,
    /// What `perf script` prints ([`crate::perf_script`]).
    PerfScript,
    /// BOLT's pre-aggregated text (hone-fdo reads it, because its addresses are those of one binary).
    BoltPreaggregated,
    /// None of these.
    Unknown,
}

/// Tells the kind from the start of a file.
pub fn kind_of(start: &[u8]) -> Kind {
    let start = &start[..start.len().min(KIND_BYTES)];
    if [b"PERFILE2", b"2ELIFREP", b"PERFFILE"].contains(&start.first_chunk().unwrap_or(&[0; 8])) {
        return Kind::PerfData;
    }
    if start.starts_with(&[0x1f, 0x8b]) || is_bare_pprof(start) {
        return Kind::Pprof;
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
        } else if is_perf_script(line) {
            found = Kind::PerfScript;
        }
    }
    found
}

/// A profile starts with its sample types: field 1, and in it the fields 1 and 2 as small numbers.
fn is_bare_pprof(start: &[u8]) -> bool {
    matches!(
        start,
        [0x0a, 0, ..] | [0x0a, 2, 0x08 | 0x10, _, ..] | [0x0a, 4, 0x08, _, 0x10, _, ..]
    )
}

/// `B 401000 401020 7 0` and the like. A line of `perf script` may start with a command of one letter, but
/// then no address follows at once.
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

    #[test]
    fn each_kind_is_known_by_its_start() {
        let cases: [(&[u8], Kind); 14] = [
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
