use super::{Flags, Lever, Step, Toolchain};

const NO_PLT: Flags = Flags {
    compile: &["-fno-plt"],
    link: &["-Wl,-z,now"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "no-plt",
    title: "No PLT",
    what: "Calls functions of shared libraries through their table entry, without the jump through the PLT.",
    step: Step::Linkage,
    flags: &[(Toolchain::Clang, NO_PLT), (Toolchain::Gcc, NO_PLT)],
    deploy: "All symbols are looked up when the program starts.",
    undo: "Build without -fno-plt.",
    ..Lever::BASE
};
