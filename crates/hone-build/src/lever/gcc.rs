use super::{Flags, Lever, Need, Offer, Step, Toolchain};

/// The step's other side, clang for a program that is built with gcc, is no lever: it comes by itself, since
/// most levers are clang's.
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
