//! Mode of a compiler call, read from its arguments.

/// Mode of a compiler call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A question (`--version`), preprocessing only, or a tool of the build itself: left alone.
    Other,
    /// Source to object or assembler.
    Compile,
    /// A link of a shared library, from objects or sources.
    LinkShared,
    /// A link of a program, from objects or sources.
    LinkProgram,
}

/// Decides from the arguments what a gcc-like compiler driver will do.
pub(super) fn of_compiler(arguments: &[String]) -> Mode {
    let asks = |argument: &String| {
        matches!(
            argument.as_str(),
            "-E" | "-M"
                | "-MM"
                | "-fsyntax-only"
                | "-###"
                | "--version"
                | "--help"
                | "-cc1"
                | "-cc1as"
        ) || argument.starts_with("-print-")
            || argument.starts_with("--print-")
            || argument.starts_with("-dump")
    };
    if arguments.iter().any(asks) || !has_input(arguments) {
        return Mode::Other;
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("-c") || has("-S") {
        Mode::Compile
    } else if has("-r") || has("-Wl,-r") {
        // A relocatable link makes an object, which the later link treats as one.
        Mode::Other
    } else if has("-shared") {
        Mode::LinkShared
    } else {
        Mode::LinkProgram
    }
}

/// Options whose value is the next argument.
pub(super) const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-L",
    "-D",
    "-U",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xclang",
    "-Xpreprocessor",
    "-Xassembler",
    "-T",
    "-u",
    "-z",
    "-arch",
    "-target",
    "-mllvm",
    "--param",
    "-l",
    "-e",
    "-B",
    "-rpath",
    "--sysroot",
    "-isysroot",
];

/// Returns the words that are not the value of the option before them, with their places.
pub(super) fn words(arguments: &[String]) -> impl Iterator<Item = (usize, &String)> {
    let mut is_value = false;
    arguments.iter().enumerate().filter(move |(_, word)| {
        let is_of_option = std::mem::take(&mut is_value);
        is_value = !is_of_option && WITH_VALUE.contains(&word.as_str());
        !is_of_option
    })
}

fn has_input(arguments: &[String]) -> bool {
    words(arguments).any(|(_, word)| !word.starts_with('-') || word == "-")
}

/// Decides from the arguments what rustc will do. Build scripts and procedural macros, which run during the build,
/// are left alone.
pub(super) fn of_rustc(arguments: &[String]) -> Mode {
    let asks = |argument: &String| {
        matches!(
            argument.as_str(),
            "-vV" | "-V" | "--version" | "--help" | "-"
        ) || argument.starts_with("--print")
    };
    let is_crate = arguments.iter().any(|argument| argument.ends_with(".rs"));
    if arguments.iter().any(asks) || !is_crate {
        return Mode::Other;
    }
    let value = |option: &str| {
        let next = arguments.iter().skip_while(|argument| *argument != option);
        let joined = arguments
            .iter()
            .filter_map(|argument| argument.strip_prefix(option)?.strip_prefix('='));
        let spaced = next.skip(1).take(1).map(String::as_str);
        spaced.chain(joined).next().unwrap_or_default().to_owned()
    };
    if value("--crate-name").starts_with("build_script_") {
        return Mode::Other;
    }
    match value("--crate-type").as_str() {
        "proc-macro" => Mode::Other,
        "cdylib" | "dylib" => Mode::LinkShared,
        "bin" | "" => Mode::LinkProgram,
        _ => Mode::Compile,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::list;
    use super::*;

    #[test]
    fn modes_of_compiler_calls() {
        for (arguments, expected) in [
            ("-c a.c -o a.o", Mode::Compile),
            ("-S a.c", Mode::Compile),
            ("-O2 a.o b.o -o prog -lm", Mode::LinkProgram),
            ("a.c b.c", Mode::LinkProgram),
            ("@link.rsp", Mode::LinkProgram),
            ("-shared a.o -o liba.so", Mode::LinkShared),
            ("-r a.o b.o -o c.o", Mode::Other),
            ("-E a.c", Mode::Other),
            ("-MM a.c", Mode::Other),
            ("-MD -MF a.d -c a.c", Mode::Compile),
            ("--version", Mode::Other),
            ("-print-search-dirs", Mode::Other),
            ("-dumpmachine", Mode::Other),
            ("-v", Mode::Other),
            ("-o a.out", Mode::Other),
            ("-xc -", Mode::LinkProgram),
        ] {
            assert_eq!(of_compiler(&list(arguments)), expected, "{arguments}");
        }
    }

    #[test]
    fn modes_of_rustc_calls() {
        for (arguments, expected) in [
            (
                "--crate-name rg --edition=2021 main.rs --crate-type bin",
                Mode::LinkProgram,
            ),
            (
                "--crate-name regex src/lib.rs --crate-type lib -C opt-level=3",
                Mode::Compile,
            ),
            (
                "--crate-name regex src/lib.rs --crate-type=rlib",
                Mode::Compile,
            ),
            (
                "--crate-name serde_derive lib.rs --crate-type proc-macro",
                Mode::Other,
            ),
            (
                "--crate-name build_script_build build.rs --crate-type bin",
                Mode::Other,
            ),
            (
                "- --crate-name ___ --print=file-names --crate-type bin",
                Mode::Other,
            ),
            ("-vV", Mode::Other),
            ("-O main.rs", Mode::LinkProgram),
            (
                "--crate-name x lib.rs --crate-type cdylib",
                Mode::LinkShared,
            ),
        ] {
            assert_eq!(of_rustc(&list(arguments)), expected, "{arguments}");
        }
    }
}
