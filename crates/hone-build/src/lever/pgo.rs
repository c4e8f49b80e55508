use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "pgo",
    title: "Instrumented PGO",
    what: "Lets the compiler use exact counts from a slow special build, run on the train workloads.",
    step: Step::Profile,
    by_default: true,
    reference_only: false,
    needs: &[Need::Clang, Need::Lld, Need::LlvmProfdata],
    compile: &["-fprofile-use={profile}"],
    link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
    link_program: &[],
    profile: ProfileSource::CompilerInstrumentation,
    bolt: &[],
    deploy: "Every change of the source wants a new instrumented build and training run.",
    undo: "Build without -fprofile-use.",
};
