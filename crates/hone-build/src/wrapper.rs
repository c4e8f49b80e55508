//! The compiler wrapper: adds a variant's flags to the compilations of the user's own build.
//!
//! Build systems are not edited and not understood. A directory of links named `cc`, `clang++-19`, `ar`
//! and so on is put in front of PATH; each link is the `hone` program, which reads a [`WrapConfig`],
//! rewrites its arguments here and becomes the real tool. So cmake, make, meson and plain scripts work
//! alike, as long as they call compilers by name.
//!
//! What it leaves out: compilers called by an absolute path are not seen, unless CC or CXX holds the path.
//! `calls.rs` notices from the wrapper's log that a program's compilations or its link did not come by.

use crate::layout;
use crate::variant::VariantFlags;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Name of the environment variable that holds the path of the [`WrapConfig`].
pub const CONFIG_VARIABLE: &str = "HONE_WRAPPER";

/// Compiler names that are wrapped where the machine has them (with version suffixes found in PATH).
pub const COMPILER_NAMES: &[&str] = &["cc", "c++", "gcc", "g++", "clang", "clang++"];

/// Archiver and symbol tools, wrapped when objects may be bitcode.
pub const ARCHIVE_NAMES: &[&str] = &["ar", "ranlib", "nm"];

/// What the wrapper needs to know; written by the command before the build, read by each wrapped tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrapConfig {
    /// The real tool behind each wrapped name.
    pub real: BTreeMap<String, PathBuf>,
    /// The clang that takes over where flags are clang's own and the build calls another compiler.
    pub clang: Option<PathBuf>,
    /// The same for C++.
    pub clangxx: Option<PathBuf>,
    /// LLVM's archive tools by plain name (`ar`, `ranlib`, `nm`).
    pub archive_tools: BTreeMap<String, PathBuf>,
    /// The variant's flags.
    pub flags: VariantFlags,
    /// Seed of another layout, with the object that holds the gap.
    pub layout: Option<(u64, PathBuf)>,
    /// One line is appended to this file for every wrapped compilation or link.
    pub log: PathBuf,
}

/// What a compiler was asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A question (`--version`) or preprocessing only: left alone.
    Other,
    /// Source to object or assembler.
    Compile,
    /// Anything to a shared library.
    LinkShared,
    /// Anything to a program.
    LinkProgram,
}

/// A rewritten call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The program to become.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What it was taken for.
    pub mode: Mode,
}

/// Rewrites a call of the wrapped tool `name`; `None` if the configuration does not know the name.
pub fn rewrite(name: &str, arguments: &[String], config: &WrapConfig) -> Option<Call> {
    let plain = plain_name(name);
    if ARCHIVE_NAMES.contains(&plain) {
        let tool = config
            .archive_tools
            .get(plain)
            .filter(|_| config.flags.bitcode);
        let program = tool.or_else(|| config.real.get(name))?.clone();
        return Some(Call {
            program,
            arguments: arguments.to_vec(),
            mode: Mode::Other,
        });
    }
    let real = config.real.get(name)?;
    let takes_over = config.flags.clang_only && !plain.starts_with("clang");
    let clang = if plain.ends_with("++") {
        &config.clangxx
    } else {
        &config.clang
    };
    let program = clang
        .as_ref()
        .filter(|_| takes_over)
        .unwrap_or(real)
        .clone();
    let mode = mode(arguments);
    let mut arguments = arguments.to_vec();
    let flags = &config.flags;
    if mode != Mode::Other {
        arguments.extend(flags.compile.iter().cloned());
    }
    if matches!(mode, Mode::LinkShared | Mode::LinkProgram) {
        if let Some((seed, gap)) = &config.layout {
            layout::shuffle_objects(&mut arguments, *seed);
            arguments.insert(0, gap.to_string_lossy().into_owned());
        }
        arguments.extend(flags.link.iter().cloned());
    }
    if mode == Mode::LinkProgram {
        arguments.extend(flags.link_program.iter().cloned());
    }
    Some(Call {
        program,
        arguments,
        mode,
    })
}

/// `clang++-19` and `x86_64-linux-gnu-g++-12` without version and target; `llvm-ar-19` is `ar`.
pub fn plain_name(name: &str) -> &str {
    let versioned = name.rsplit_once('-').filter(|(_, version)| {
        !version.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '.')
    });
    let name = versioned.map_or(name, |(name, _)| name);
    name.rsplit_once('-').map_or(name, |(_, plain)| plain)
}

/// Decides from the arguments what a gcc-like compiler driver will do.
pub fn mode(arguments: &[String]) -> Mode {
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
const WITH_VALUE: &[&str] = &[
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

fn has_input(arguments: &[String]) -> bool {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if WITH_VALUE.contains(&argument.as_str()) {
            arguments.next();
        } else if !argument.starts_with('-') || argument == "-" {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split_whitespace().map(Into::into).collect()
    }

    fn config() -> WrapConfig {
        let real = [
            ("cc", "/usr/bin/cc"),
            ("g++", "/usr/bin/g++"),
            ("clang-19", "/usr/bin/clang-19"),
        ]
        .into_iter()
        .chain([("ar", "/usr/bin/ar")])
        .map(|(name, path)| (name.to_string(), PathBuf::from(path)))
        .collect();
        WrapConfig {
            real,
            clang: Some("/llvm/clang".into()),
            clangxx: Some("/llvm/clang++".into()),
            archive_tools: [("ar".to_string(), PathBuf::from("/llvm/llvm-ar"))].into(),
            flags: VariantFlags {
                compile: list("-C1"),
                link: list("-L1"),
                link_program: list("-P1"),
                clang_only: true,
                bitcode: true,
                ..Default::default()
            },
            ..Default::default()
        }
    }

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
            assert_eq!(mode(&list(arguments)), expected, "{arguments}");
        }
    }

    #[test]
    fn flags_go_where_they_belong() {
        let call =
            |name: &str, arguments: &str| rewrite(name, &list(arguments), &config()).unwrap();
        assert_eq!(call("clang-19", "-c a.c").arguments, list("-c a.c -C1"));
        assert_eq!(call("clang-19", "a.o").arguments, list("a.o -C1 -L1 -P1"));
        assert_eq!(
            call("clang-19", "-shared a.o").arguments,
            list("-shared a.o -C1 -L1")
        );
        assert_eq!(call("clang-19", "--version").arguments, list("--version"));
    }

    #[test]
    fn another_compiler_gives_way_only_when_the_flags_are_clangs() {
        let mut config = config();
        let program = |config: &WrapConfig, name: &str| {
            rewrite(name, &list("-c a.c"), config).unwrap().program
        };
        assert_eq!(program(&config, "cc"), PathBuf::from("/llvm/clang"));
        assert_eq!(program(&config, "g++"), PathBuf::from("/llvm/clang++"));
        assert_eq!(
            program(&config, "clang-19"),
            PathBuf::from("/usr/bin/clang-19")
        );
        config.flags = VariantFlags::default();
        assert_eq!(program(&config, "g++"), PathBuf::from("/usr/bin/g++"));
        assert_eq!(program(&config, "ar"), PathBuf::from("/usr/bin/ar"));
        assert!(rewrite("icc", &list("-c a.c"), &config).is_none());
    }

    #[test]
    fn versions_and_targets_are_not_part_of_the_plain_name() {
        for (name, plain) in [
            ("clang++-19", "clang++"),
            ("x86_64-linux-gnu-g++-12", "g++"),
            ("gcc", "gcc"),
            ("llvm-ar-19", "ar"),
            ("gcc-12.2", "gcc"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }

    #[test]
    fn bitcode_is_archived_by_llvm() {
        assert_eq!(
            rewrite("ar", &list("rcs x.a"), &config()).unwrap().program,
            PathBuf::from("/llvm/llvm-ar")
        );
    }
}
