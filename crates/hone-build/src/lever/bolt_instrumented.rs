use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "bolt-instrumented",
    title: "BOLT (its own instrumentation)",
    what: "Reorders the blocks and functions of the linked binary by exact counts from a slow special binary.",
    step: Step::PostLink,
    by_default: false,
    reference_only: false,
    needs: &[Need::Clang, Need::Bolt, Need::BoltRuntime],
    compile: &[],
    link: &["-Wl,--emit-relocs"],
    link_program: &[],
    profile: ProfileSource::BoltInstrumentation,
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
