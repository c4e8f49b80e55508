use super::{Flags, Lever, Step, Toolchain};

const GC: Flags = Flags {
    compile: &["-ffunction-sections", "-fdata-sections"],
    link: &["-Wl,--gc-sections"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "gc-sections",
    title: "Section garbage collection",
    what: "Drops functions and data that nothing refers to, so that what remains lies closer together.",
    step: Step::Linkage,
    flags: &[(Toolchain::Clang, GC), (Toolchain::Gcc, GC)],
    deploy: "Code that is only found by its section's name may be dropped; the check must cover it.",
    undo: "Link without --gc-sections.",
    ..Lever::BASE
};
