use super::{Flags, Lever, Step, Toolchain};

const LOCAL_EXEC: Flags = Flags {
    compile_program: &["-ftls-model=local-exec"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "local-exec",
    title: "Local-exec TLS",
    what: "Reaches the program's own thread-local variables by a constant offset instead of a table or a call.",
    step: Step::Linkage,
    flags: &[(Toolchain::Clang, LOCAL_EXEC), (Toolchain::Gcc, LOCAL_EXEC)],
    deploy: "Thread-local variables of shared libraries cannot be reached so; such a build fails at its link.",
    undo: "Build without -ftls-model.",
    ..Lever::BASE
};
