use super::{Lever, Need, Offer};

pub(super) const LEVER: Lever = Lever {
    id: "bolt-hugify",
    title: "BOLT with huge pages",
    what: "BOLT that folds, promotes calls and copies the hot code onto huge pages at start.",
    offer: Offer::OnRequest,
    needs: &[Need::Bolt, Need::BoltRuntime],
    bolt: &[
        super::bolt::LAYOUT,
        &[
            "-icf=1",
            "-indirect-call-promotion=all",
            "-hugify",
            "--runtime-hugify-lib={bolt-runtime}/libbolt_rt_hugify.a",
        ],
    ],
    deploy: "The kernel must allow transparent huge pages; starting takes a moment longer, and memory rises to whole huge pages.",
    undo: "Ship the binary from before llvm-bolt.",
    ..super::bolt::LEVER
};
