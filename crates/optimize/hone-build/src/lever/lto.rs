use super::{Flags, Lever, Need, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "lto",
    title: "Full LTO",
    what: "Merges the whole program into one unit before it is optimised and compiled.",
    step: Step::WholeProgram,
    needs: &[Need::Lld, Need::LlvmAr],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                compile: &["-flto=full"],
                link: &["-flto=full", "-fuse-ld=lld"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Gcc,
            Flags {
                // Fat objects can be archived by any ar.
                compile: &["-flto=auto", "-ffat-lto-objects"],
                link: &["-flto=auto"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Rust,
            Flags {
                build_env: &[("CARGO_PROFILE_RELEASE_LTO", "fat")],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The link takes the time and memory of compiling the whole program at once.",
    undo: "Build without -flto.",
    ..Lever::BASE
};
