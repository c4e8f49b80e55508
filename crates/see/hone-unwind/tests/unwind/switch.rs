//! Go's run time changes from the stack of a goroutine to that of the thread: what lies there has not called.

use crate::made_file::{MadeFile, SP, unwind};
use hone_unwind::Ended;

/// The end of `runtime.systemstack` in Go 1.26, from where it loads the stack pointer to its call.
const SYSTEMSTACK: [u8; 12] = [
    0x48, 0x8b, 0x62, 0x38, 0x48, 0x89, 0xfa, 0x48, 0x8b, 0x3f, 0xff, 0xd7,
];
const RETURNS: u64 = 0x1300 + SYSTEMSTACK.len() as u64;

#[test]
fn a_stack_is_followed_to_where_go_has_changed_it() {
    let file = |is_go| MadeFile {
        described: vec![0x1000..0x1400, 0x1400..0x5000],
        is_go,
        code: vec![(0x1300, SYSTEMSTACK.to_vec())],
        ..MadeFile::default()
    };
    // Behind the return address lies what an earlier call has left.
    let words = [RETURNS, 0x1010, 0];
    let (frames, ended) = unwind(&file(true), 0x1020, SP, &words);
    assert_eq!((frames, ended), (vec![0x1020, RETURNS], Ended::Switched));
    let (frames, ended) = unwind(&file(false), 0x1020, SP, &words);
    assert_eq!(
        (frames, ended),
        (vec![0x1020, RETURNS, 0x1010], Ended::Root)
    );
}

#[test]
fn a_stripped_program_has_the_same_end() {
    let file = MadeFile {
        is_go: true,
        code: vec![(0x1300, SYSTEMSTACK.to_vec())],
        ..MadeFile::default()
    };
    let words = [9, 9, 0xc000_1000, RETURNS];
    let (frames, ended) = unwind(&file, 0x1020, SP + 0x10, &words);
    assert_eq!((frames, ended), (vec![0x1020, RETURNS], Ended::Switched));
}
