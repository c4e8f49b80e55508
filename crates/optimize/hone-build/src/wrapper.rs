//! The compiler wrapper: adds a variant's flags to the compilations of the user's own build.
//!
//! Build systems are not edited and not understood. A directory of links named `cc`, `clang++-19`, `ar`
//! and so on is put in front of PATH; each link is the `hone` program, which reads a [`WrapConfig`],
//! rewrites its arguments here and becomes the real tool. So cmake, make, meson and plain scripts work
//! alike, as long as they call compilers by name.
//!
//! Limit: compilers called by an absolute path are not wrapped, unless CC or CXX holds the path. `calls.rs` detects from
//! the wrapper's log that a program's compilations or its link did not go through the wrapper.

mod archives;
pub mod bazel;
pub mod ir;
mod mode;
pub mod object_cache;
pub mod response;
pub mod symbols;

pub use mode::Mode;

use crate::layout;
use crate::lever::Toolchain;
use crate::variant::{Rebuilt, VariantFlags};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Name of the environment variable that holds the path of the [`WrapConfig`].
pub const CONFIG_VARIABLE: &str = "HONE_WRAPPER";

/// Compiler names that are wrapped where the machine has them (with version suffixes found in PATH).
pub const COMPILER_NAMES: &[&str] = &["cc", "c++", "gcc", "g++", "clang", "clang++"];

/// The name under which cargo calls the wrapper for rustc (`RUSTC_WRAPPER`).
pub const RUSTC_NAME: &str = "rustc";

/// Archiver and symbol tools, wrapped when objects may be bitcode.
const ARCHIVE_NAMES: &[&str] = &["ar", "ranlib", "nm"];

/// Configuration of the wrapper; written by the command before the build, read by each wrapped tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WrapConfig {
    /// The real tool behind each wrapped name.
    pub real: BTreeMap<String, PathBuf>,
    /// The C and C++ compilers that replace the build's compilers if the flags are not for those.
    pub takes_over: Option<(PathBuf, PathBuf)>,
    /// LLVM's archive tools by plain name (`ar`, `ranlib`, `nm`).
    pub archive_tools: BTreeMap<String, PathBuf>,
    /// The variant's flags.
    pub flags: VariantFlags,
    /// Seed of another layout, with the object that holds the gap.
    pub layout: Option<(u64, PathBuf)>,
    /// True if links and `strip` keep symbols and debug information.
    #[serde(default)]
    pub keeps_symbols: bool,
    /// Directory of objects for later builds, and the name of this build; `None` if no objects are kept.
    #[serde(default)]
    pub objects: Option<(PathBuf, String)>,
    /// Directory for the IR of the sources that clang compiles; `None` if no IR is wanted.
    #[serde(default)]
    pub ir: Option<PathBuf>,
    /// Directory for Bazel's outputs, if not the default one.
    #[serde(default)]
    pub bazel_output_base: Option<PathBuf>,
    /// Path of the log; one line is appended for every wrapped compilation or link.
    pub log: PathBuf,
}

/// A rewritten call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The program to execute.
    pub program: PathBuf,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Mode that was recognised from the arguments.
    pub mode: Mode,
}

impl Call {
    /// Returns true if the call is of clang or clang++.
    fn is_by_clang(&self) -> bool {
        let name = self.program.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| plain_name(name).starts_with("clang"))
    }
}

/// Rewrites a call of the wrapped tool `name`; `None` if the configuration does not know the name.
pub fn rewrite(name: &str, arguments: &[String], config: &WrapConfig) -> Option<Call> {
    let plain = plain_name(name);
    if is_tool(plain) {
        return tool(name, plain, arguments, config);
    }
    if plain == RUSTC_NAME {
        return rustc(arguments, config);
    }
    let real = config.real.get(name)?;
    let program = other_compiler(plain, config).unwrap_or(real).clone();
    let mode = mode::of_compiler(arguments);
    let mut arguments = arguments.to_vec();
    let toolchain = config.flags.toolchain;
    let is_link = matches!(mode, Mode::LinkShared | Mode::LinkProgram);
    if let Some((seed, gap)) = &config.layout
        && is_link
        && toolchain != Some(Toolchain::Go)
    {
        layout::shuffle_objects(&mut arguments, *seed);
        arguments.insert(0, gap.to_string_lossy().into_owned());
    }
    // The C code of a Rust or Go program is built without any change.
    if !matches!(toolchain, Some(Toolchain::Rust | Toolchain::Go)) {
        if is_link {
            archives::take(&mut arguments, &config.flags.dependencies);
            if mode == Mode::LinkProgram && config.flags.links_statically() {
                archives::prefer(&mut arguments);
            }
            if config.keeps_symbols {
                symbols::keep(&mut arguments);
            }
        }
        add_flags(&mut arguments, mode, &config.flags);
    }
    Some(Call {
        program,
        arguments,
        mode,
    })
}

/// Adds the variant's flags for a call of this mode.
fn add_flags(arguments: &mut Vec<String>, mode: Mode, flags: &VariantFlags) {
    let wanted = wanted(mode, is_shared(arguments.iter().map(String::as_str)), flags);
    arguments.extend(wanted.into_iter().cloned());
    if mode != Mode::Other {
        // The archive's own headers come before those of the installed library.
        let headers = |known: &Rebuilt| format!("-I{}", known.prefix.join("include").display());
        arguments.splice(0..0, flags.dependencies.iter().map(headers));
    }
}

/// Returns true if a call compiles for a shared library.
pub(crate) fn is_shared<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    words.any(|word| word == "-fPIC" || word == "-fpic")
}

/// Returns the variant's flags for a call of this mode.
pub(crate) fn wanted(mode: Mode, is_shared: bool, flags: &VariantFlags) -> Vec<&String> {
    let is_link = matches!(mode, Mode::LinkShared | Mode::LinkProgram);
    let parts = [
        (&flags.compile, mode != Mode::Other),
        (&flags.compile_program, mode != Mode::Other && !is_shared),
        (&flags.link, is_link),
        (&flags.link_program, mode == Mode::LinkProgram),
    ];
    let wanted = parts.into_iter().filter(|(_, is_wanted)| *is_wanted);
    wanted.flat_map(|(part, _)| part).collect()
}

/// Returns the compiler that replaces `plain`, if the flags are for another compiler.
fn other_compiler<'a>(plain: &str, config: &'a WrapConfig) -> Option<&'a PathBuf> {
    let own = match config.flags.toolchain? {
        Toolchain::Clang => ["clang", "clang++"],
        Toolchain::Gcc => ["gcc", "g++"],
        Toolchain::Rust | Toolchain::Go => return None,
    };
    let (c, cxx) = config.takes_over.as_ref()?;
    let other = if plain.ends_with("++") { cxx } else { c };
    (!own.contains(&plain)).then_some(other)
}

/// Returns true if a plain name is that of an archiver or a symbol tool, which are wrapped beside the compilers.
pub fn is_tool(plain: &str) -> bool {
    ARCHIVE_NAMES.contains(&plain) || plain == symbols::STRIP_NAME
}

fn tool(name: &str, plain: &str, arguments: &[String], config: &WrapConfig) -> Option<Call> {
    let tool = config
        .archive_tools
        .get(plain)
        .filter(|_| config.flags.bitcode);
    let program = tool.or_else(|| config.real.get(name))?.clone();
    Some(Call {
        program,
        arguments: arguments.to_vec(),
        mode: Mode::Other,
    })
}

/// Rewrites a call of rustc; cargo names the real rustc as the first argument.
fn rustc(arguments: &[String], config: &WrapConfig) -> Option<Call> {
    let (program, arguments) = match arguments.split_first() {
        Some((first, rest)) if first.ends_with(RUSTC_NAME) => (PathBuf::from(first), rest),
        _ => (config.real.get(RUSTC_NAME)?.clone(), arguments),
    };
    let mode = mode::of_rustc(arguments);
    let mut arguments = arguments.to_vec();
    if config.flags.toolchain == Some(Toolchain::Rust) {
        add_flags(&mut arguments, mode, &config.flags);
    }
    Some(Call {
        program,
        arguments,
        mode,
    })
}

/// Returns a name without version and target: `clang++` for `clang++-19`, `g++` for `x86_64-linux-gnu-g++-12`, `ar` for
/// `llvm-ar-19`.
pub fn plain_name(name: &str) -> &str {
    let versioned = name.rsplit_once('-').filter(|(_, version)| {
        !version.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '.')
    });
    let name = versioned.map_or(name, |(name, _)| name);
    name.rsplit_once('-').map_or(name, |(_, plain)| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn list(text: &str) -> Vec<String> {
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
            takes_over: Some(("/llvm/clang".into(), "/llvm/clang++".into())),
            archive_tools: [("ar".to_string(), PathBuf::from("/llvm/llvm-ar"))].into(),
            flags: VariantFlags {
                compile: list("-C1"),
                compile_program: list("-E1"),
                link: list("-L1"),
                link_program: list("-P1"),
                toolchain: Some(Toolchain::Clang),
                bitcode: true,
                ..Default::default()
            },
            ..Default::default()
        }
    }

    #[test]
    fn flags_go_where_they_belong() {
        let call =
            |name: &str, arguments: &str| rewrite(name, &list(arguments), &config()).unwrap();
        assert_eq!(call("clang-19", "-c a.c").arguments, list("-c a.c -C1 -E1"));
        assert_eq!(
            call("clang-19", "a.o").arguments,
            list("a.o -C1 -E1 -L1 -P1")
        );
        assert_eq!(
            call("clang-19", "-shared -fPIC a.o").arguments,
            list("-shared -fPIC a.o -C1 -L1")
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
    fn a_dependencys_archive_and_headers_go_to_the_programs_calls_alone() {
        let mut config = config();
        config.flags.dependencies = vec![Rebuilt {
            library: "z".into(),
            prefix: "/p/zlib".into(),
            archive: "/p/zlib/lib/libz.a".into(),
            ..Rebuilt::default()
        }];
        let call = |arguments: &str| rewrite("cc", &list(arguments), &config).unwrap().arguments;
        assert_eq!(call("-c a.c"), list("-I/p/zlib/include -c a.c -C1 -E1"));
        assert_eq!(
            call("a.o -lz"),
            list("-I/p/zlib/include a.o /p/zlib/lib/libz.a -C1 -E1 -L1 -P1")
        );
        assert_eq!(call("--version"), list("--version"));
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

    #[test]
    fn rustc_gets_its_flags_and_the_c_of_a_rust_program_none() {
        let mut config = config();
        config.flags.toolchain = Some(Toolchain::Rust);
        config.flags.compile_program.clear();
        let call = rewrite(
            "rustc",
            &list("/r/bin/rustc --crate-type lib a.rs"),
            &config,
        )
        .unwrap();
        assert_eq!(call.program, PathBuf::from("/r/bin/rustc"));
        assert_eq!(call.arguments, list("--crate-type lib a.rs -C1"));
        let call = rewrite("rustc", &list("/r/bin/rustc -vV"), &config).unwrap();
        assert_eq!(call.arguments, list("-vV"));
        let call = rewrite("g++", &list("-c a.cc"), &config).unwrap();
        assert_eq!(call.program, PathBuf::from("/usr/bin/g++"));
        assert_eq!(call.arguments, list("-c a.cc"));
        // rustc links through a C compiler, so another layout is made there.
        config.layout = Some((1, "/h/gap.s".into()));
        let call = rewrite("g++", &list("a.o -o a"), &config).unwrap();
        assert_eq!(call.arguments, list("/h/gap.s a.o -o a"));
    }

    #[test]
    fn gcc_takes_over_where_it_is_the_lever() {
        let mut config = config();
        config.flags.toolchain = Some(Toolchain::Gcc);
        config.takes_over = Some(("/gnu/gcc".into(), "/gnu/g++".into()));
        let program = |name: &str| rewrite(name, &list("-c a.c"), &config).unwrap().program;
        assert_eq!(program("clang-19"), PathBuf::from("/gnu/gcc"));
        assert_eq!(program("cc"), PathBuf::from("/gnu/gcc"));
        assert_eq!(program("g++"), PathBuf::from("/usr/bin/g++"));
    }
}
