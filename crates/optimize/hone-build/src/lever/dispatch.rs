use super::{Flags, Lever, Need, Offer, Reach, Step, Toolchain};

/// LLVM 19 and 20 make no copies of a computed goto if more than 16 jumps or labels would be joined (llvm-project issue 106846), so
/// that a few jumps more or less decide over all of an interpreter's speed. The copies add as many edges as there are jumps times
/// labels, so a limit remains.
pub(crate) const FLAGS: Flags = Flags {
    compile: &[
        "-mllvm",
        "-tail-dup-pred-size=512",
        "-mllvm",
        "-tail-dup-succ-size=512",
    ],
    link: &[
        "-fuse-ld=lld",
        "-Wl,-mllvm,-tail-dup-pred-size=512",
        "-Wl,-mllvm,-tail-dup-succ-size=512",
    ],
    ..Flags::NONE
};

/// All builds with a profile have the same flags, as far as their clang has the limit.
pub(super) const LEVER: Lever = Lever {
    id: "dispatch",
    title: "Copied dispatch",
    what: "Ends each instruction of an interpreter with a jump of its own, from which the CPU learns what follows what.",
    step: Step::Dispatch,
    offer: Offer::Default,
    needs: &[Need::Lld, Need::DispatchLimit],
    flags: &[(Toolchain::Clang, FLAGS)],
    reach: Reach::ComputedGotos,
    deploy: "The flags are LLVM's internal ones; clang 21 copies by itself, and later releases may refuse them.",
    undo: "Build without the -tail-dup flags.",
    ..Lever::BASE
};

/// Returns true if a release of clang has the limit.
pub fn limits_dispatch(clang_major: u32) -> bool {
    matches!(clang_major, 19 | 20)
}
