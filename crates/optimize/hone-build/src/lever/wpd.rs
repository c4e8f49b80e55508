use super::{Flags, Lever, Need, Offer, Reach, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "wpd",
    title: "Whole-program devirtualisation",
    what: "Calls virtual functions directly where the whole program holds only one implementation.",
    step: Step::Refinement,
    offer: Offer::OnRequest,
    needs: &[Need::Lld, Need::LlvmAr],
    stands_on: &["thinlto", "lto"],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-fwhole-program-vtables", "-fvisibility=hidden"],
            link: &["-fuse-ld=lld", "-fwhole-program-vtables"],
            ..Flags::NONE
        },
    )],
    reach: Reach::SingleImplementations,
    deploy: "Classes that shared libraries or plugins derive from must be exported in the source, or calls go astray.",
    undo: "Build without -fwhole-program-vtables.",
    ..Lever::BASE
};
