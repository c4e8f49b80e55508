use super::{Lever, Need, Offer, ProfileSource};

pub(super) const LEVER: Lever = Lever {
    id: "bolt-instrumented",
    title: "BOLT (its own instrumentation)",
    what: "Reorders the blocks and functions of the linked binary by exact counts from a slow special binary.",
    offer: Offer::Extra,
    needs: &[Need::Bolt, Need::BoltRuntime],
    profile: ProfileSource::BoltInstrumentation,
    ..super::bolt::LEVER
};
