//! A runtime with a compiler, such as V8: described functions, built-in functions that nothing describes, and code without
//! a file, which call each other. Only frame pointers lead through the latter two.

use crate::made_file::{MadeFile, SP, unwind};
use hone_unwind::Ended;

/// A call of five bytes; the code behind it is where it returns to.
const CALL: [u8; 5] = [0xe8, 0, 0, 0, 0];
/// Where the built-in functions' two calls return to.
const BUILT_IN: [u64; 2] = [0x2105, 0x2205];
/// In the described functions.
const DESCRIBED: [u64; 2] = [0x1010, 0x4020];
/// In code without a file.
const MADE: u64 = 0x10_0010;

fn runtime(has_header: bool) -> MadeFile {
    let before = |returns: u64| (returns - 5, CALL.to_vec());
    MadeFile {
        described: vec![0x1000..0x1100, 0x1200..0x2000, 0x4000..0x5000],
        has_header,
        // The last call is in a small part between described functions.
        code: vec![before(BUILT_IN[0]), before(BUILT_IN[1]), before(0x1150)],
        ..MadeFile::default()
    }
}

#[test]
fn frame_pointers_lead_through_code_without_a_file_and_built_in_functions() {
    let [leaf, main] = DESCRIBED;
    // Each frame: the frame pointer of its caller, and where it returns to.
    let words = [
        BUILT_IN[0], // the leaf has no frame pointer of its own
        9,
        SP + 0x20,
        MADE,
        SP + 0x38,
        BUILT_IN[1],
        9,
        0x1234,
        main,
        0, // nobody has called main
    ];
    for has_header in [false, true] {
        let (frames, ended) = unwind(&runtime(has_header), leaf, SP + 0x10, &words);
        assert_eq!(frames, [leaf, BUILT_IN[0], MADE, BUILT_IN[1], main]);
        assert_eq!(ended, Ended::Root);
    }
}

#[test]
fn in_a_built_in_function_the_top_of_the_stack_is_no_return_address() {
    let [_, main] = DESCRIBED;
    let words = [DESCRIBED[0], 9, 0x1234, main, 0];
    let (frames, ended) = unwind(&runtime(false), BUILT_IN[0] + 3, SP + 0x10, &words);
    assert_eq!(frames, [BUILT_IN[0] + 3, main]);
    assert_eq!(ended, Ended::Root);
}

#[test]
fn code_that_nothing_describes_is_returned_to_behind_a_call_alone_and_in_large_parts_alone() {
    for address in [BUILT_IN[0] + 1, 0x3000, 0x1150] {
        let (frames, ended) = unwind(&runtime(true), MADE, SP + 0x10, &[9, 9, 0, address, 0]);
        assert_eq!(
            (frames, ended),
            (vec![MADE], Ended::NoUnwindInfo),
            "{address:x}"
        );
    }
}
