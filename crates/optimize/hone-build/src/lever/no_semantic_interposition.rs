use super::{Flags, Lever, Need, Step, Toolchain};

const NO_INTERPOSITION: Flags = Flags {
    compile: &["-fno-semantic-interposition"],
    link: &["-fuse-ld=lld", "-Wl,-Bsymbolic-non-weak-functions"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "no-semantic-interposition",
    title: "No semantic interposition",
    what: "Lets the compiler inline and call directly functions that a shared library exports.",
    step: Step::Linkage,
    needs: &[Need::Lld],
    flags: &[
        (Toolchain::Clang, NO_INTERPOSITION),
        (
            Toolchain::Gcc,
            Flags {
                compile: &["-fno-semantic-interposition"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "LD_PRELOAD can no longer replace functions that the library calls itself.",
    undo: "Build without -fno-semantic-interposition.",
    ..Lever::BASE
};
