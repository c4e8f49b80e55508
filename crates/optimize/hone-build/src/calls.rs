//! Log of the compiler wrapper: one line for every compilation and link that went through the wrapper.
//!
//! A build that calls its compiler by an absolute path gets none of a variant's flags, and the variant would be
//! the baseline under another name. Therefore the log must show at least one compilation and one link of a program;
//! calls of configure scripts do not count. The log also names the calls that took the object of an earlier build.

use crate::lever::Toolchain;
use crate::variant::VariantFlags;
use crate::wrapper::{self, Call, Mode, RUSTC_NAME, plain_name};
use std::collections::BTreeMap;
use std::path::Path;

/// Prefixes of the names of files and directories that cmake and meson use for configure checks.
const PROBES: &[&str] = &[
    "CMakeScratch",
    "CMakeTmp",
    "cmTC_",
    "CMakeCCompilerId",
    "CMakeCXXCompilerId",
    "meson-private",
];

/// Extensions of sources that may be passed to a compiler together with a link.
const SOURCES: &[&str] = &["c", "C", "cc", "cpp", "cxx", "c++", "m", "mm", "rs"];

/// Text of a log line between the wrapped name and the name of the build that made the object.
const OBJECT_OF: &str = " with the object of ";

/// Calls of the wrapper in one build, without the calls of configure scripts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Number of calls that compiled a source, or took a kept object instead.
    pub compilations: usize,
    /// Number of these calls that took the object of an earlier build, by the name of that build.
    pub kept: BTreeMap<String, usize>,
    /// True if a program was linked.
    pub program: bool,
}

/// Counters of calls with a variant's flags in effect, in a build that set the flags by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// Number of calls that compiled a source.
    pub compilations: usize,
    /// Number of compilations with all flags in effect.
    pub compiled_so: usize,
    /// Number of calls that linked a program.
    pub programs: usize,
    /// Number of links of a program with all flags in effect.
    pub linked_so: usize,
}

impl Reached {
    /// Returns true if the flags reached every compilation and link, and there was at least one of each.
    pub fn is_all(self) -> bool {
        let Self {
            compilations,
            compiled_so,
            programs,
            linked_so,
        } = self;
        compilations > 0 && compiled_so == compilations && programs > 0 && linked_so == programs
    }
}

/// Returns the log line for a call under `name`, with the newline. `object_of` is the build whose object was taken
/// instead of compiling.
pub fn line(name: &str, call: &Call, object_of: Option<&str>) -> String {
    let object_of = object_of.map_or_else(String::new, |build| format!("{OBJECT_OF}{build}"));
    format!(
        "{:?} {name}{object_of} -> {} {}\n",
        call.mode,
        call.program.display(),
        call.arguments.join(" ")
    )
}

/// Reads a log.
pub fn seen(log: &str) -> Seen {
    let mut seen = Seen::default();
    for line in log.lines() {
        let Some((mode, words)) = mode_and_words(line) else {
            continue;
        };
        if words.split(' ').any(is_of_probe) {
            continue;
        }
        let is_compilation = mode == "Compile" || words.split(' ').any(may_be_source);
        seen.compilations += usize::from(is_compilation);
        seen.program |= mode == format!("{:?}", Mode::LinkProgram);
        let head = line.split_once(" -> ").map_or("", |(head, _)| head);
        if let Some((_, build)) = head.split_once(OBJECT_OF) {
            *seen.kept.entry(build.into()).or_default() += 1;
        }
    }
    seen
}

/// Counts how many calls had a variant's flags in effect, from the log of a build behind wrappers that added nothing. A
/// flag that a later word of the same kind overrides (`-O3 ... -O2`) is not in effect.
pub fn reached(log: &str, flags: &VariantFlags) -> Reached {
    let mut reached = Reached::default();
    let is_rust = flags.toolchain == Some(Toolchain::Rust);
    for line in log.lines() {
        let Some((mode, words)) = mode_and_words(line) else {
            continue;
        };
        let name = line.split(' ').nth(1).unwrap_or_default();
        // The C code of a Rust program gets none of the flags.
        let is_theirs = (plain_name(name) == RUSTC_NAME) == is_rust;
        let modes = [Mode::Compile, Mode::LinkShared, Mode::LinkProgram];
        let known = modes.into_iter().find(|known| format!("{known:?}") == mode);
        let (Some(mode), true) = (known, is_theirs) else {
            continue;
        };
        let words: Vec<&str> = words.split(' ').skip(1).collect();
        if words.iter().any(|word| is_of_probe(word)) {
            continue;
        }
        let is_shared = wrapper::is_shared(words.iter().copied());
        let has_all = is_in_effect(&wrapper::wanted(mode, is_shared, flags), &words);
        if mode == Mode::Compile || words.iter().any(|word| may_be_source(word)) {
            reached.compilations += 1;
            reached.compiled_so += usize::from(has_all);
        }
        if mode == Mode::LinkProgram {
            reached.programs += 1;
            reached.linked_so += usize::from(has_all);
        }
    }
    reached
}

/// Returns true if all flags are among the words, and no other word of a flag's kind follows the flag.
fn is_in_effect(flags: &[&String], words: &[&str]) -> bool {
    // A flag that contains spaces is several words of the log.
    let flags: Vec<&str> = flags.iter().flat_map(|flag| flag.split(' ')).collect();
    flags.iter().all(|flag| {
        let same = |word: &&&str| kind(word) == kind(flag);
        // A link may repeat flags of a compilation; repeating a flag changes nothing.
        let once = |words: &[&str]| {
            let mut of_kind: Vec<String> =
                words.iter().filter(same).map(ToString::to_string).collect();
            of_kind.dedup();
            of_kind
        };
        once(words).ends_with(&once(&flags))
    })
}

/// Returns the common name of words of which the last takes effect: `-O`, `-flto` for `-flto=thin` and `-fno-lto`.
fn kind(word: &str) -> String {
    let name = word.split('=').next().unwrap_or(word);
    match name.strip_prefix("-fno-") {
        Some(name) => format!("-f{name}"),
        None if name.starts_with("-O") => "-O".into(),
        None => name.into(),
    }
}

/// Returns true if a link took this file, in a call that a configure script did not make.
pub fn links_with(log: &str, file: &Path) -> bool {
    let file = file.to_string_lossy();
    let mut calls = log.lines().filter_map(mode_and_words);
    calls.any(|(mode, words)| {
        mode.starts_with("Link")
            && words.contains(file.as_ref())
            && !words.split(' ').any(is_of_probe)
    })
}

/// Returns the real program of every call, in the order of the calls.
pub fn programs(log: &str) -> impl Iterator<Item = &Path> {
    log.lines()
        .filter_map(mode_and_words)
        .filter_map(|(_, words)| words.split(' ').next())
        .map(Path::new)
}

/// Splits a log line into the mode and all words from the real program on.
fn mode_and_words(line: &str) -> Option<(&str, &str)> {
    let (head, words) = line.split_once(" -> ")?;
    Some((head.split(' ').next()?, words))
}

/// Returns true if a word names a file of a configure check; autoconf's files can be in any directory.
pub(crate) fn is_of_probe(word: &str) -> bool {
    let is_autoconf = |name: &str| name.starts_with("conftest.") || name == "conftest";
    let file = word.rsplit('/').next().unwrap_or(word);
    let mut parts = word.split('/');
    is_autoconf(file) || parts.any(|part| PROBES.iter().any(|probe| part.starts_with(probe)))
}

/// Returns true if a word is a source, or a response file, which may hold sources.
fn may_be_source(word: &str) -> bool {
    let extension = Path::new(word)
        .extension()
        .and_then(|extension| extension.to_str());
    word.starts_with('@') || extension.is_some_and(|extension| SOURCES.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::{WrapConfig, rewrite};

    /// Returns the log of calls of `cc` with these arguments.
    fn log(calls: &[&str]) -> String {
        let config = WrapConfig {
            real: [("cc".to_string(), "/usr/bin/cc".into())].into(),
            ..WrapConfig::default()
        };
        let one = |arguments: &&str| {
            let arguments: Vec<_> = arguments.split(' ').map(String::from).collect();
            line("cc", &rewrite("cc", &arguments, &config).unwrap(), None)
        };
        calls.iter().map(one).collect()
    }

    #[test]
    fn compilations_and_links_are_told_apart() {
        let both = Seen {
            compilations: 1,
            program: true,
            ..Seen::default()
        };
        assert_eq!(seen(&log(&["-c a.c -o a.o", "a.o -o prog"])), both);
        assert_eq!(seen(&log(&["a.c -o prog"])), both);
        assert_eq!(seen(&log(&["@all.rsp -o prog"])), both);
        assert_eq!(seen(&log(&["a.o -o prog"])).compilations, 0);
        assert!(!seen(&log(&["-c a.c", "-shared a.o -o a.so"])).program);
        assert_eq!(
            seen(&log(&["-c /home/conftest/a.c", "/home/conftest/a.o -o p"])),
            both
        );
    }

    #[test]
    fn a_log_tells_whose_objects_were_taken() {
        let taken = log(&["-c a.c"]).replace("cc -> ", "cc with the object of o3+lto -> ");
        let seen = seen(&format!(
            "{taken}{taken}{}",
            log(&["-c b.c", "a.o b.o -o prog"])
        ));
        assert_eq!(seen.compilations, 3);
        assert_eq!(seen.kept, [("o3+lto".to_string(), 2)].into());
        let of_config = rewrite(
            "cc",
            &["-c".into(), "a.c".into()],
            &WrapConfig {
                real: [("cc".to_string(), "/usr/bin/cc".into())].into(),
                ..WrapConfig::default()
            },
        );
        let line = line("cc", &of_config.unwrap(), Some("o3+lto"));
        assert_eq!(line, taken);
    }

    #[test]
    fn flags_that_a_build_overrides_or_never_takes_have_not_reached_it() {
        let list = |text: &str| text.split(' ').map(String::from).collect();
        let flags = VariantFlags {
            toolchain: Some(Toolchain::Clang),
            compile: list("-O3 -flto=thin -mllvm -a=1"),
            link: list("-O3 -fuse-ld=lld"),
            ..VariantFlags::default()
        };
        let of = |calls: &[&str]| reached(&log(calls), &flags);
        let own = "-O3 -flto=thin -mllvm -a=1";
        let all = of(&[
            &format!("{own} -Wall -c a.c"),
            &format!("{own} a.o -fuse-ld=lld -o p"),
            "conftest.c -o conftest",
        ]);
        assert!(all.is_all() && all.compilations == 1, "{all:?}");
        for (call, why) in [
            ("-c a.c", "none"),
            ("-O3 -c a.c", "some"),
            (&format!("{own} -O2 -c a.c"), "overridden"),
            (&format!("{own} -fno-lto -c a.c"), "taken back"),
        ] {
            let Reached {
                compilations,
                compiled_so,
                ..
            } = of(&[call]);
            assert_eq!((compilations, compiled_so), (1, 0), "{why}");
        }
        let linked = of(&[&format!("{own} a.o -o p")]);
        assert_eq!((linked.programs, linked.linked_so), (1, 0));
        // The log is empty.
        assert!(!of(&[]).is_all());
    }

    #[test]
    fn what_a_configure_script_tries_does_not_count() {
        for probe in [
            "-o CMakeFiles/cmTC_1.dir/x.c.o -c /usr/share/cmake/x.c",
            "CMakeFiles/cmTC_1.dir/x.c.o -o cmTC_1",
            "CMakeCCompilerId.c",
            "-o conftest conftest.c",
            "/p/build/meson-private/tmp1/testfile.c -o /p/build/meson-private/tmp1/output.exe",
        ] {
            assert_eq!(seen(&log(&[probe])), Seen::default(), "{probe}");
        }
    }

    #[test]
    fn a_file_counts_as_linked_only_in_the_builds_own_links() {
        let archive = Path::new("/p/lib/libz.a");
        let takes = |call: &str| links_with(&log(&[call]), archive);
        assert!(takes("a.o /p/lib/libz.a -o prog"));
        assert!(!takes("a.o -lz -o prog"));
        assert!(!takes("conftest.c /p/lib/libz.a -o conftest"));
        assert!(!takes("-c a.c -I/p/lib/libz.a"));
    }

    #[test]
    fn programs_are_the_real_ones() {
        let log = log(&["-c a.c", "a.o -o prog"]);
        let found: Vec<_> = programs(&log).collect();
        assert_eq!(found, [Path::new("/usr/bin/cc"); 2]);
    }
}
