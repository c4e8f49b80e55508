//! Sample profiles of others: what `llvm-profdata` 14 and 19 write, and what no tool should write.

use crate::generated::{bytes, llvm_merge, profile, write};
use hone_fdo::check::CheckError;
use hone_fdo::{autofdo_text, extbinary, read_sample_profile};
use testkit::{by_chance, has_tools};

/// The unsuffixed one is whatever the system has, 14 on Debian 12.
const TOOLS: [&str; 2] = ["llvm-profdata-19", "llvm-profdata"];

const FORMS: [&[&str]; 6] = [
    &["--text"],
    &["--binary"],
    &["--extbinary"],
    &["--extbinary", "--compress-all-sections"],
    &["--extbinary", "--gen-partial-profile"],
    &["--extbinary", "--prof-sym-list=symbols"],
];

#[test]
fn every_form_that_llvm_writes_is_read_alike() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("symbols"), "main\nnever_ran\n").unwrap();
    for tool in TOOLS.into_iter().filter(|tool| has_tools(&[tool])) {
        for seed in 0..8 {
            let bytes = bytes(seed + 100);
            let mut u = testkit::arbitrary::Unstructured::new(&bytes);
            let checksums = seed % 2;
            let samples = profile(&mut u, checksums).unwrap();
            if samples.functions.is_empty() {
                continue;
            }
            write(&samples, &dir.path().join("in"));
            for form in FORMS {
                if checksums > 0 && form == ["--binary"] {
                    continue; // It has no place for them.
                }
                let arguments = [form, &["in"]].concat();
                let bytes = llvm_merge(tool, &arguments, dir.path()).unwrap();
                let read = read_sample_profile(&bytes);
                let read = read.unwrap_or_else(|error| panic!("{tool} {form:?}: {error}"));
                assert_eq!(read.samples, samples, "{tool} {form:?} seed {seed}");
                assert_eq!(read.marks.partial, form.contains(&"--gen-partial-profile"));
                let listed = form.len() == 2 && form[1].starts_with("--prof-sym-list");
                assert_eq!(
                    read.symbols.len(),
                    2 * usize::from(listed),
                    "{tool} {form:?}"
                );
            }
        }
    }
}

#[test]
fn names_as_md5_sums_are_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let text = "main:10:1\n 1: 10 _Z3fooi:4\n 2: _Z3bari:3\n  1: 3\n";
    std::fs::write(dir.path().join("in"), text).unwrap();
    for tool in TOOLS.into_iter().filter(|tool| has_tools(&[tool])) {
        for more in [&[][..], &["--compress-all-sections"]] {
            let arguments = [&["--extbinary", "--use-md5", "in"], more].concat();
            let bytes = llvm_merge(tool, &arguments, dir.path()).unwrap();
            let read = read_sample_profile(&bytes).unwrap();
            assert!(read.marks.md5_names);
            // The lower half of the MD5 sum of "main".
            let main = &read.samples.functions["15822663052811949562"];
            assert_eq!((main.total, main.head, main.body.len()), (10, 1, 1));
            assert_eq!(main.callsites.values().next().unwrap().len(), 1);
        }
    }
}

#[test]
fn text_of_others_is_read() {
    let text = "# a comment\n\nmain:10:1\n 1: 6 void f<char *>(int, a::b):4 g:1\n 2: 1\n 2: 2\n 3: h:3\n  1: 3\n\
                \n# again\nmain:5:1\n 1: 1\n 3: h:1\n  1: 1\n !Flat\n";
    let read = read_sample_profile(text.as_bytes()).unwrap();
    let again = "main:15:2\n 1: 7 void f<char *>(int, a::b):4 g:1\n 2: 3\n 3: h:4\n  1: 4\n";
    assert_eq!(autofdo_text::write(&read.samples), again);
    let garbage = b"main:1:0\n 1: \xff\xfe:1\n  1: 1\n";
    assert_eq!(
        read_sample_profile(garbage)
            .unwrap()
            .samples
            .functions
            .len(),
        1
    );
}

#[test]
fn kinds_whose_meaning_would_be_lost_are_refused_with_a_sentence() {
    let cases: [(&[u8], &str); 8] = [
        (b"[main:1 @ f]:10:1\n 1: 10\n", "context-sensitive"),
        (b"f:10:1\n 1: 10\n !Attributes: 1\n", "pre-inliner"),
        (b"f:10:1\n 1: <vtables> _ZTV1A:3\n", "virtual tables"),
        (b"PERFILE2\x68\0\0\0", "hone convert"),
        (b"\xfflprofi\x81\0\0", "instrumentation"),
        (b"\x7fELF\x02", "ELF"),
        (b"adcg*204", "GCC"),
        (b"something else\n", "NAME:TOTAL:HEAD"),
    ];
    for (bytes, expected) in cases {
        let error = read_sample_profile(bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let dir = tempfile::tempdir().unwrap();
    if has_tools(&["llvm-profdata-19"]) {
        std::fs::write(
            dir.path().join("in"),
            "[main:1 @ f]:10:1\n 1: 10\n[main]:5:1\n 1: 5\n",
        )
        .unwrap();
        let bytes = llvm_merge("llvm-profdata-19", &["--extbinary", "in"], dir.path()).unwrap();
        let error = read_sample_profile(&bytes).unwrap_err();
        assert!(matches!(error, CheckError::Refused(_)), "{error}");
        assert!(error.to_string().contains("context-sensitive"), "{error}");
    }
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    by_chance(|u| {
        let samples = profile(u, 2)?;
        let mut bytes = match u.int_in_range(0..=1)? {
            0 => autofdo_text::write(&samples).into_bytes(),
            _ => extbinary::write(&samples, Some(&["main".into()])),
        };
        for _ in 0..u.int_in_range(1..=4)? {
            if !bytes.is_empty() {
                let at = u.choose_index(bytes.len())?;
                bytes[at] = u.arbitrary()?;
                bytes.truncate(u.int_in_range(at..=bytes.len())?);
            }
        }
        let _ = read_sample_profile(&bytes);
        Ok(())
    });
}

#[test]
fn a_compressed_section_cannot_claim_what_it_has_not() {
    if !has_tools(&["llvm-profdata-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("in"), "main:10:1\n 1: 10\n").unwrap();
    let arguments = ["--extbinary", "--compress-all-sections", "in"];
    let good = llvm_merge("llvm-profdata-19", &arguments, dir.path()).unwrap();
    assert!(read_sample_profile(&good).is_ok());
    for at in 0..good.len() {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            let _ = read_sample_profile(&bytes);
        }
        let _ = read_sample_profile(&good[..at]);
    }
    // The first section, replaced by one at the end of the file that claims `size` and decompresses to `real`.
    let claiming = |size: u64, real: usize| {
        let mut stream = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut stream, &vec![0; real]).unwrap();
        let stream = stream.finish().unwrap();
        let mut bytes = good.clone();
        let start = bytes.len();
        for mut number in [size, stream.len() as u64] {
            while number >= 0x80 {
                bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            bytes.push(number as u8);
        }
        bytes.extend(stream);
        let header = 9 + 1 + 8;
        let length = (bytes.len() - start) as u64;
        bytes[header + 16..header + 24].copy_from_slice(&(start as u64).to_le_bytes());
        bytes[header + 24..header + 32].copy_from_slice(&length.to_le_bytes());
        read_sample_profile(&bytes).unwrap_err().to_string()
    };
    let lies = "does not decompress to its size";
    assert!(claiming(1000, 10).contains(lies), "{}", claiming(1000, 10));
    assert!(claiming(10, 50 << 20).contains(lies));
    assert!(claiming(u64::MAX, 10).contains("more than a gigabyte"));
}
