use super::{Flags, Lever, Need, ProfileSource, Step, Toolchain};

/// A second set of counters, inserted after inlining, distinguishes callers; the first set cannot.
pub(super) const LEVER: Lever = Lever {
    id: "cs-pgo",
    title: "Context-sensitive PGO",
    what: "Trains a second time on the PGO build, whose counters stand behind the inliner and so tell callers apart.",
    step: Step::Refinement,
    needs: &[Need::Lld, Need::LlvmProfdata],
    stands_on: &["pgo"],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-fprofile-use={profile}"],
            link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::ContextInstrumentation,
    deploy: "Two instrumented builds and two training runs for every change of the source.",
    undo: "Build with the profile of the first training only.",
    ..Lever::BASE
};
