use super::{Flags, Lever, Need, Offer, Step, Toolchain};

const LINKED: Flags = Flags {
    link_program: &[
        "-Wl,--push-state,--no-as-needed",
        "-L{tcmalloc}",
        "-ltcmalloc_minimal",
        "-Wl,--pop-state",
    ],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "tcmalloc",
    title: "tcmalloc",
    what: "Links the program with tcmalloc, which takes over malloc, free, new and delete.",
    step: Step::Allocator,
    offer: Offer::Extra,
    needs: &[Need::Library("tcmalloc")],
    flags: &[
        (Toolchain::Clang, LINKED),
        (Toolchain::Gcc, LINKED),
        (
            Toolchain::Rust,
            Flags {
                // As an argument of the linker, the library would come after libc, and libc's malloc would win.
                link_program: &["-Lnative={tcmalloc}", "-ldylib=tcmalloc_minimal"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "libtcmalloc_minimal.so.4 (Debian: libtcmalloc-minimal4) must be installed where the program runs.",
    undo: "Link without -ltcmalloc_minimal.",
    ..Lever::BASE
};

pub(super) const PRELOADED: Lever = Lever {
    id: "tcmalloc-preload",
    title: "tcmalloc (preloaded)",
    what: "Starts the program with tcmalloc in LD_PRELOAD; the binary stays as it is.",
    step: Step::Allocator,
    offer: Offer::OnRequest,
    needs: &[Need::Library("tcmalloc")],
    flags: &[
        (Toolchain::Clang, Flags::NONE),
        (Toolchain::Gcc, Flags::NONE),
        (Toolchain::Rust, Flags::NONE),
        (Toolchain::Go, Flags::NONE),
    ],
    run_env: &[("LD_PRELOAD", "{tcmalloc}/libtcmalloc_minimal.so")],
    deploy: "Start the program with LD_PRELOAD=libtcmalloc_minimal.so.4 (Debian: libtcmalloc-minimal4).",
    undo: "Start it without LD_PRELOAD.",
    ..Lever::BASE
};
