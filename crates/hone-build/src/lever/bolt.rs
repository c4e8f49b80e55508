use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "bolt",
    title: "BOLT (branch records)",
    what: "Reorders the blocks and functions of the linked binary by the recorded branches.",
    step: Step::PostLink,
    by_default: true,
    reference_only: false,
    needs: &[Need::Clang, Need::Bolt],
    compile: &[],
    link: &["-Wl,--emit-relocs"],
    link_program: &[],
    profile: ProfileSource::BoltBranchRecords,
    bolt: &[
        "-data={profile}",
        "-reorder-blocks=ext-tsp",
        "-reorder-functions=cdsort",
        "-split-functions",
        "-split-all-cold",
        "-split-eh",
        "-dyno-stats",
    ],
    deploy: "Link with --emit-relocs, run llvm-bolt on the result, ship what it writes.",
    undo: "Ship the binary from before llvm-bolt.",
};
