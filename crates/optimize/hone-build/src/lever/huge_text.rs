use super::{Flags, Lever, Need, Offer, Reach, Step, Toolchain};

const PAGES: &[&str] = &[
    "-Wl,-z,common-page-size=2097152",
    "-Wl,-z,max-page-size=2097152",
    "-Wl,-z,separate-code",
];

/// The kernel maps a file with a huge page only if both the address and the offset in the file are multiples of the
/// size of a huge page; linkers align to 4 KiB.
pub(super) const LEVER: Lever = Lever {
    id: "huge-text",
    title: "Text for huge pages",
    what: "Lays the code out at multiples of 2 MiB, in memory and in the file, so that the kernel can use huge pages for it.",
    step: Step::Linkage,
    offer: Offer::OnRequest,
    needs: &[Need::Lld],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                link: &["-fuse-ld=lld"],
                link_program: PAGES,
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Gcc,
            Flags {
                link_program: PAGES,
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Rust,
            Flags {
                link_program: &[
                    "-Clink-arg=-Wl,-z,common-page-size=2097152",
                    "-Clink-arg=-Wl,-z,max-page-size=2097152",
                    "-Clink-arg=-Wl,-z,separate-code",
                ],
                ..Flags::NONE
            },
        ),
    ],
    reach: Reach::HugePages,
    deploy: "Transparent huge pages must be always, or the program ask for them with madvise, and the kernel know them for files (CONFIG_READ_ONLY_THP_FOR_FS); the file grows by up to 2 MiB for each segment.",
    undo: "Link without the page sizes.",
    ..Lever::BASE
};
