use super::{Flags, Lever, Need, Offer, Step, Toolchain};

const LINKED: Flags = Flags {
    link_program: &[
        "-Wl,--push-state,--no-as-needed",
        "-L{mimalloc}",
        "-lmimalloc",
        "-Wl,--pop-state",
    ],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "mimalloc",
    title: "mimalloc",
    what: "Links the program with mimalloc, which takes over malloc, free, new and delete.",
    step: Step::Allocator,
    offer: Offer::Default,
    needs: &[Need::Library("mimalloc")],
    flags: &[
        (Toolchain::Clang, LINKED),
        (Toolchain::Gcc, LINKED),
        (
            Toolchain::Rust,
            Flags {
                // As an argument of the linker, the library would come after libc, and libc's malloc would win.
                link_program: &["-Lnative={mimalloc}", "-ldylib=mimalloc"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "libmimalloc.so.2 (Debian: libmimalloc2.0) must be installed where the program runs.",
    undo: "Link without -lmimalloc.",
    ..Lever::BASE
};

pub(super) const PRELOADED: Lever = Lever {
    id: "mimalloc-preload",
    title: "mimalloc (preloaded)",
    what: "Starts the program with mimalloc in LD_PRELOAD; the binary stays as it is.",
    step: Step::Allocator,
    offer: Offer::OnRequest,
    needs: &[Need::Library("mimalloc")],
    flags: &[
        (Toolchain::Clang, Flags::NONE),
        (Toolchain::Gcc, Flags::NONE),
        (Toolchain::Rust, Flags::NONE),
        (Toolchain::Go, Flags::NONE),
    ],
    run_env: &[("LD_PRELOAD", "{mimalloc}/libmimalloc.so")],
    deploy: "Start the program with LD_PRELOAD=libmimalloc.so.2 (Debian: libmimalloc2.0).",
    undo: "Start it without LD_PRELOAD.",
    ..Lever::BASE
};
