use super::{Flags, Lever, Offer, Step, Toolchain};

const NO_PIE: Flags = Flags {
    compile_program: &["-fno-pie"],
    link_program: &["-no-pie"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "no-pie",
    title: "Fixed address",
    what: "Links the program for a fixed address, so that tables of pointers need no relocation and addresses fit into instructions.",
    step: Step::Linkage,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, NO_PIE),
        (Toolchain::Gcc, NO_PIE),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Crelocation-model=static"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The program's own code is no longer placed at random addresses (ASLR), which makes attacks easier.",
    undo: "Build without -no-pie.",
    ..Lever::BASE
};
