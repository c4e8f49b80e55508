use super::{Flags, Lever, Need, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "icf",
    title: "Identical code folding",
    what: "Keeps one copy of functions that are the same byte for byte, where nobody compares their addresses.",
    step: Step::Linkage,
    needs: &[Need::Lld],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-ffunction-sections"],
            link: &["-fuse-ld=lld", "-Wl,--icf=safe"],
            ..Flags::NONE
        },
    )],
    deploy: "Stack traces may show another function of the same code.",
    undo: "Link without --icf.",
    ..Lever::BASE
};
