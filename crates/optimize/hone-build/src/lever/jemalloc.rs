use super::{Flags, Lever, Need, Offer, Step, Toolchain};

const LINKED: Flags = Flags {
    link_program: &[
        "-Wl,--push-state,--no-as-needed",
        "-L{jemalloc}",
        "-ljemalloc",
        "-Wl,--pop-state",
        // Needed by the static library.
        "-lm",
    ],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "jemalloc",
    title: "jemalloc",
    what: "Links the program with jemalloc, which takes over malloc, free, new and delete.",
    step: Step::Allocator,
    offer: Offer::Extra,
    needs: &[Need::Library("jemalloc")],
    flags: &[
        (Toolchain::Clang, LINKED),
        (Toolchain::Gcc, LINKED),
        (
            Toolchain::Rust,
            Flags {
                // As an argument of the linker, the library would come after libc, and libc's malloc would win.
                link_program: &["-Lnative={jemalloc}", "-ldylib=jemalloc"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "libjemalloc.so.2 (Debian: libjemalloc2) must be installed where the program runs.",
    undo: "Link without -ljemalloc.",
    ..Lever::BASE
};

pub(super) const PRELOADED: Lever = Lever {
    id: "jemalloc-preload",
    title: "jemalloc (preloaded)",
    what: "Starts the program with jemalloc in LD_PRELOAD; the binary stays as it is.",
    step: Step::Allocator,
    offer: Offer::OnRequest,
    needs: &[Need::Library("jemalloc")],
    flags: &[
        (Toolchain::Clang, Flags::NONE),
        (Toolchain::Gcc, Flags::NONE),
        (Toolchain::Rust, Flags::NONE),
        (Toolchain::Go, Flags::NONE),
    ],
    run_env: &[("LD_PRELOAD", "{jemalloc}/libjemalloc.so")],
    deploy: "Start the program with LD_PRELOAD=libjemalloc.so.2 (Debian: libjemalloc2).",
    undo: "Start it without LD_PRELOAD.",
    ..Lever::BASE
};
