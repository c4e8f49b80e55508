use super::{Flags, Lever, Offer, Step, Toolchain};

const HIDDEN: Flags = Flags {
    compile: &["-fvisibility=hidden"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "hidden",
    title: "Hidden visibility",
    what: "Keeps symbols out of the dynamic table unless the source exports them, so that the linker may drop and merge them.",
    step: Step::Linkage,
    offer: Offer::OnRequest,
    flags: &[(Toolchain::Clang, HIDDEN), (Toolchain::Gcc, HIDDEN)],
    deploy: "Plugins and shared libraries of the program need their exports marked in the source.",
    undo: "Build without -fvisibility=hidden.",
    ..Lever::BASE
};
