use super::{Flags, Lever, Need, Offer, Step, Toolchain};

/// The opposite, clang for a program that is built with gcc, is no lever: Hone changes to clang by itself, since
/// most levers are for clang.
pub(super) const LEVER: Lever = Lever {
    id: "gcc",
    title: "gcc instead of clang",
    what: "Builds with gcc and g++, which sometimes make better code than any of clang's flags.",
    step: Step::Compiler,
    offer: Offer::OnRequest,
    needs: &[Need::Gcc],
    flags: &[(Toolchain::Gcc, Flags::NONE)],
    deploy: "Build with gcc.",
    undo: "Build with clang.",
    ..Lever::BASE
};
