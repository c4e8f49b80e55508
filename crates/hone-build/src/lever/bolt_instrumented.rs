use super::{Lever, Need, ProfileSource};

pub(super) const LEVER: Lever = Lever {
    id: "bolt-instrumented",
    title: "BOLT (its own instrumentation)",
    what: "Reorders the blocks and functions of the linked binary by exact counts from a slow special binary.",
    by_default: false,
    needs: &[Need::Clang, Need::Bolt, Need::BoltRuntime],
    profile: ProfileSource::BoltInstrumentation,
    ..super::bolt::LEVER
};
