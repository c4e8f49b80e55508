use super::{Flags, Lever, ProfileSource, Step, Toolchain};

/// Headers that are found before libc's and compare the size of a copy with the usual ones of its file:
/// `docs/decisions/0010-sizes-through-headers.md`. It stands below the profiles, so that they are recorded with it.
pub(super) const LEVER: Lever = Lever {
    id: "memops",
    title: "Sized copies",
    what: "Copies, sets and compares memory without a call where the size is one of the few that walked calls had.",
    step: Step::CallSizes,
    flags: &[(Toolchain::Clang, HEADERS), (Toolchain::Gcc, HEADERS)],
    profile: ProfileSource::CallSizes,
    // Comparisons alone made a program slower; clang lays them out well where it knows how often each size comes.
    pays_below: Some(Step::Profile),
    deploy: "Keep the headers beside the source; a size that they do not know goes to libc as before.",
    undo: "Build without -isystem and the headers' directory.",
    ..Lever::BASE
};

const HEADERS: Flags = Flags {
    compile: &["-isystem", "{profile}"],
    ..Flags::NONE
};
