use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "mimalloc",
    title: "mimalloc",
    what: "Links the program with mimalloc, which takes over malloc, free, new and delete.",
    step: Step::Allocator,
    by_default: true,
    reference_only: false,
    needs: &[Need::Clang, Need::Mimalloc],
    compile: &[],
    link: &[],
    link_program: &[
        "-Wl,--push-state,--no-as-needed",
        "-L{mimalloc}",
        "-lmimalloc",
        "-Wl,--pop-state",
    ],
    profile: ProfileSource::None,
    bolt: &[],
    deploy: "libmimalloc.so.2 (Debian: libmimalloc2.0) must be installed where the program runs.",
    undo: "Link without -lmimalloc.",
};
