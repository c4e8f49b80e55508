use super::{Flags, Lever, Step, Toolchain};

const O3: Flags = Flags {
    compile: &["-O3"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "o3",
    title: "-O3",
    what: "Lets the compiler inline, unroll and vectorise more than the build asks for.",
    step: Step::Level,
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                // Without the flag, LTO would compile with the linker's own level.
                link: &["-O3"],
                ..O3
            },
        ),
        (Toolchain::Gcc, O3),
    ],
    deploy: "Build with -O3; the binary grows.",
    undo: "Build with the level that you had.",
    ..Lever::BASE
};
