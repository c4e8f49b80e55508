use super::{Flags, Lever, Need, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "align",
    title: "Aligned functions and loops",
    what: "Begins functions at cache lines and loops at 32 bytes, as the CPU fetches and caches code.",
    step: Step::Refinement,
    needs: &[Need::Lld],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                compile: &["-falign-functions=64", "-falign-loops=32"],
                link: &["-fuse-ld=lld", "-Wl,-mllvm,-align-loops=32"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Gcc,
            Flags {
                compile: &["-falign-functions=64", "-falign-loops=32"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The binary grows by the gaps.",
    undo: "Build without -falign-functions and -falign-loops.",
    ..Lever::BASE
};
