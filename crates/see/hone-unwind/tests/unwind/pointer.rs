//! Code without any unwind information, such as a JIT compiler's: frame pointers where they are sound, and nothing else.

use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder, Unwound};

/// Memory with code and without a file.
struct Code;

impl Process for Code {
    fn find(&self, address: u64) -> Option<Place> {
        (0x1000..0x2000).contains(&address).then_some(Place {
            file: None,
            offset: address,
        })
    }

    fn load(&mut self, _: u32) -> Option<Image> {
        None
    }
}

const SP: u64 = 0x7000;

/// Unwinds from 0x1234 with these words at [`SP`], where more stack may follow.
fn unwind(bp: u64, words: &[u64]) -> (Vec<u64>, Unwound) {
    unwind_wanting(bp, words, words.len() * 8)
}

/// The same where this many bytes were to be copied.
fn unwind_wanting(bp: u64, words: &[u64], wanted: usize) -> (Vec<u64>, Unwound) {
    let mut registers = Registers {
        ip: 0x1234,
        ..Registers::default()
    };
    registers.general[6] = Some(bp);
    registers.general[7] = Some(SP);
    let stack: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = Start {
        registers,
        stack: &stack,
        wanted,
    };
    let mut frames = Vec::new();
    let unwound = Unwinder::default().unwind(&start, &mut Code, &mut frames);
    (frames, unwound)
}

#[test]
fn a_chain_is_followed_to_its_root() {
    let words = [9, 9, SP + 0x20, 0x1010, 0, 0x1020];
    let (frames, unwound) = unwind(SP + 0x10, &words);
    assert_eq!(frames, [0x1234, 0x1010, 0x1020]);
    assert_eq!((unwound.ended, unwound.by_frame_pointer), (Ended::Root, 2));
}

#[test]
fn a_chain_that_leaves_the_copy_is_truncated() {
    let (frames, unwound) = unwind(SP + 0x10, &[9, 9, SP + 0x4000, 0x1010]);
    assert_eq!(frames, [0x1234, 0x1010]);
    assert_eq!(unwound.ended, Ended::Truncated);
}

#[test]
fn a_chain_that_leaves_the_copy_before_its_wanted_end_is_truncated() {
    let words = [9, 9, SP + 0x4000, 0x1010];
    let ended = |wanted| unwind_wanting(SP + 0x10, &words, wanted).1.ended;
    assert_eq!(ended(0x5000), Ended::Truncated, "a page was not there");
    assert_eq!(ended(0x1000), Ended::NoUnwindInfo, "far away");
}

#[test]
fn a_register_that_is_no_frame_pointer_leads_nowhere() {
    for bp in [0, 7, SP - 8, SP + 3, SP + 0x10, u64::MAX - 7] {
        // The word behind is no code.
        let (frames, unwound) = unwind(bp, &[9, 9, SP + 0x20, 0x9010, 0, 0x1020]);
        assert_eq!(frames, [0x1234], "{bp:#x}");
        assert_eq!(unwound.ended, Ended::NoUnwindInfo, "{bp:#x}");
    }
}

#[test]
fn a_chain_goes_up_only() {
    // The second frame points back to the first.
    let (frames, unwound) = unwind(SP + 0x20, &[9, 9, 9, 9, SP + 0x10, 0x1010]);
    assert_eq!(frames, [0x1234, 0x1010]);
    assert_eq!(unwound.ended, Ended::NoUnwindInfo);
}
