//! Comparison of every scanner of this CPU with the scalar version, and of the scalar version with known separators.

use super::*;
use proptest::prelude::*;

/// Memory with a known alignment.
#[repr(align(64))]
struct Aligned([u8; 64 + 256]);

const LETTERS: &[u8] = b"=| ab=c\x00\xff}{!<>\x7f\xbd\xfc\xa0";

fn found_by(scanner: Scanner, text: &[u8]) -> Vec<Separators> {
    // The old content of `found` must not remain.
    let all = Separators {
        equals: u64::MAX,
        ends: u64::MAX,
    };
    let mut found = vec![all; text.len().div_ceil(BLOCK_BYTES)];
    assert_eq!(scanner.find(text, &mut found), found.len());
    found
}

#[test]
fn the_scalar_twin_finds_what_is_there() {
    let text = [b"a=b|c d".as_slice(), &[b'x'; 60], b"=|"].concat();
    let found = found_by(scalar::scanner(), &text);
    let (equals, ends) = (1 << 1, 1 << 3 | 1 << 5);
    assert_eq!(found[0], Separators { equals, ends });
    let (equals, ends) = (1 << 3, 1 << 4);
    assert_eq!(found[1], Separators { equals, ends });
    assert_eq!(found.len(), 2);
}

#[test]
fn every_scanner_agrees_on_every_length_and_alignment() {
    let mut memory = Aligned([0; 320]);
    let mut state = 1_u32;
    for byte in &mut memory.0 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = LETTERS[(state >> 16) as usize % LETTERS.len()];
    }
    for scanner in Scanner::all_here() {
        for (start, length) in
            (0..64).flat_map(|start| (0..=200).map(move |length| (start, length)))
        {
            let text = &memory.0[start..start + length];
            assert_eq!(
                found_by(scanner, text),
                found_by(scalar::scanner(), text),
                "{}: {length} bytes from {start} on",
                scanner.name()
            );
        }
    }
}

#[test]
fn every_byte_in_every_place_is_what_it_is() {
    for scanner in Scanner::all_here() {
        for byte in 0..=255 {
            for at in 0..BLOCK_BYTES {
                let mut text = [b'x'; BLOCK_BYTES];
                text[at] = byte;
                let expected = Separators {
                    equals: u64::from(byte == b'=') << at,
                    ends: u64::from(byte == b'|' || byte == b' ') << at,
                };
                let found = found_by(scanner, &text);
                assert_eq!(found, [expected], "{}: {byte} at {at}", scanner.name());
            }
        }
    }
}

#[test]
fn the_scanners_of_this_architecture_are_there() {
    let names: Vec<&str> = Scanner::all_here().into_iter().map(Scanner::name).collect();
    assert_eq!(names.last(), Some(&"scalar"));
    assert_eq!(Scanner::best().name(), names[0]);
    if cfg!(target_arch = "x86_64") {
        assert!(names.contains(&"sse2"));
        if !names.contains(&"avx2") {
            println!("skipped: avx2, which this CPU lacks");
        }
    }
    if cfg!(target_arch = "aarch64") {
        assert_eq!(names[0], "neon");
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn too_little_room_for_what_is_found_is_refused() {
    Scanner::best().find(&[b'x'; 65], &mut [Separators::default()]);
}

fn tags_of(text: &str) -> Vec<(&str, &str)> {
    let found = found_by(Scanner::best(), text.as_bytes());
    let mut tags = Vec::new();
    for_each_tag(text, &found, &mut |tag| tags.push((tag.key, tag.value)));
    tags
}

#[test]
fn tags_go_from_separator_to_separator() {
    assert_eq!(tags_of(""), []);
    assert_eq!(tags_of("||  |"), []);
    assert_eq!(
        tags_of("k=v|k2=v2 k3"),
        [("k", "v"), ("k2", "v2"), ("k3", "")]
    );
    assert_eq!(tags_of("|k=a=b==|"), [("k", "a=b==")]);
    assert_eq!(tags_of("=v|k= ="), [("", "v"), ("k", ""), ("", "")]);
    let long = "k".repeat(100);
    let text = format!("{long}={long}|é=ü");
    assert_eq!(tags_of(&text), [(long.as_str(), long.as_str()), ("é", "ü")]);
}

proptest! {
    #[test]
    fn every_scanner_agrees_on_any_bytes(text in prop::collection::vec(any::<u8>(), 0..700)) {
        for scanner in Scanner::all_here() {
            prop_assert_eq!(found_by(scanner, &text), found_by(scalar::scanner(), &text));
        }
    }

    #[test]
    fn tags_are_those_of_the_standard_library(text in "[a=|é ]{0,200}") {
        let expected: Vec<(&str, &str)> = text
            .split(['|', ' '])
            .filter(|tag| !tag.is_empty())
            .map(|tag| tag.split_once('=').unwrap_or((tag, "")))
            .collect();
        prop_assert_eq!(tags_of(&text), expected);
    }
}
