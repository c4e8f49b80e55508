use super::{Flags, Lever, ProfileSource, Step, Toolchain};

/// Headers that come before libc's and compare the size of a copy with the sizes that are usual in its file:
/// `docs/decisions/0010-sizes-through-headers.md`. The lever is below the profiles, so that they are recorded with it.
pub(super) const LEVER: Lever = Lever {
    id: "memops",
    title: "Sized copies",
    what: "Copies, sets and compares memory without a call where the size is one of the few that walked calls had.",
    step: Step::CallSizes,
    flags: &[(Toolchain::Clang, HEADERS), (Toolchain::Gcc, HEADERS)],
    profile: ProfileSource::CallSizes,
    // Comparisons alone made a program slower; clang orders them well if it knows how often each size occurs.
    pays_below: Some(Step::Profile),
    deploy: "Keep the headers beside the source; a size that they do not know goes to libc as before.",
    undo: "Build without -isystem and the headers' directory.",
    ..Lever::BASE
};

const HEADERS: Flags = Flags {
    compile: &["-isystem", "{profile}"],
    ..Flags::NONE
};
