use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "thinlto",
    title: "ThinLTO",
    what: "Lets the compiler inline and propagate across source files when it links.",
    step: Step::WholeProgram,
    by_default: true,
    reference_only: false,
    needs: &[Need::Clang, Need::Lld, Need::LlvmAr],
    compile: &["-flto=thin"],
    link: &["-flto=thin", "-fuse-ld=lld"],
    link_program: &[],
    profile: ProfileSource::None,
    bolt: &[],
    deploy: "Static libraries must be made with llvm-ar, and lld must do the linking.",
    undo: "Build without -flto=thin.",
};
