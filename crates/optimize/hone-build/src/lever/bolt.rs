use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// Arguments of llvm-bolt that all levers with BOLT share.
pub(super) const LAYOUT: &[&str] = &[
    "-data={profile}",
    "-reorder-blocks=ext-tsp",
    "-reorder-functions=cdsort",
    "-split-functions",
    "-split-all-cold",
    "-split-eh",
    "-dyno-stats",
];

const C: Flags = Flags {
    link: &["-Wl,--emit-relocs"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "bolt",
    title: "BOLT (branch records)",
    what: "Reorders the blocks and functions of the linked binary by the recorded branches.",
    step: Step::PostLink,
    offer: Offer::Default,
    needs: &[Need::Bolt],
    flags: &[
        (Toolchain::Clang, C),
        // BOLT refuses the blocks that gcc splits off by itself.
        (
            Toolchain::Gcc,
            Flags {
                compile: &["-fno-reorder-blocks-and-partition"],
                ..C
            },
        ),
        (
            Toolchain::Rust,
            Flags {
                link_program: &["-Clink-arg=-Wl,--emit-relocs"],
                ..Flags::NONE
            },
        ),
    ],
    profile: ProfileSource::BoltBranchRecords,
    bolt: &[LAYOUT],
    deploy: "Link with --emit-relocs, run llvm-bolt on the result, ship what it writes.",
    undo: "Ship the binary from before llvm-bolt.",
    ..Lever::BASE
};
