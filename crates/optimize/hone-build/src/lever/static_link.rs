use super::{Flags, Forbidden, Lever, Offer, Step, Toolchain};

/// Functions that a static program lacks, or has without the files that they load.
pub(super) const NEEDS_LOADER: Forbidden = Forbidden {
    names: &[
        "dlopen",
        "dlmopen",
        "getaddrinfo",
        "gethostbyname",
        "gethostbyname_r",
        "getpwnam",
        "getpwnam_r",
        "getpwuid",
        "getpwuid_r",
        "getgrnam",
        "getgrnam_r",
        "getgrgid",
        "getservbyname",
        "iconv_open",
    ],
    why: "which needs the dynamic linker at run time",
};

const STATIC: Flags = Flags {
    link_program: &["-static"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "static",
    title: "Static linking",
    what: "Links all libraries into the program: no PLT, no dynamic relocations, no symbol lookup at start.",
    step: Step::Linkage,
    offer: Offer::OnRequest,
    // LD_PRELOAD has no meaning without a dynamic linker, and Debian has mimalloc as a shared library only.
    excludes: &[
        "mimalloc",
        "mimalloc-preload",
        "jemalloc-preload",
        "tcmalloc-preload",
    ],
    forbidden_imports: &[NEEDS_LOADER],
    flags: &[
        (Toolchain::Clang, STATIC),
        (Toolchain::Gcc, STATIC),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Ctarget-feature=+crt-static"],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "Security updates of libraries no longer reach the program: rebuild it for each; and its code stands at a fixed address, without ASLR.",
    undo: "Link without -static.",
    ..Lever::BASE
};
