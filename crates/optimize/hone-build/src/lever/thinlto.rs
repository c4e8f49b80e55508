use super::{Flags, Lever, Need, Offer, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "thinlto",
    title: "ThinLTO",
    what: "Lets the compiler inline and propagate across source files when it links.",
    step: Step::WholeProgram,
    offer: Offer::Default,
    needs: &[Need::Lld, Need::LlvmAr],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                compile: &["-flto=thin"],
                link: &["-flto=thin", "-fuse-ld=lld"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Rust,
            Flags {
                build_env: &[("CARGO_PROFILE_RELEASE_LTO", "thin")],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "Static libraries must be made with llvm-ar, and lld must do the linking.",
    undo: "Build without -flto=thin.",
    ..Lever::BASE
};
