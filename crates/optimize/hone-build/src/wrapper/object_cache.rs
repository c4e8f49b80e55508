//! Compilations that make nothing but an object, so that an object that an earlier build made from the same inputs may
//! replace it.
//!
//! Variants that differ only in the link compile the same objects. Build systems do not know this: many start afresh each
//! time, and none sees the flags that the wrapper adds. Therefore each compilation is examined, not the build: this module
//! decides from the words of a call what the call reads and writes, the command compares the files. A call that writes
//! more than an object and a list of its headers, or reads files that no such list names, is left to the compiler.

use super::Call;
use super::mode::{self, Mode};
use crate::calls;
use std::path::Path;

/// Extensions of sources whose objects may be taken from an earlier build.
pub(super) const SOURCES: &[&str] = &["c", "C", "cc", "cpp", "cxx", "c++"];

/// Prefixes of options that let a compilation write other files, read files that no list names, or depend on anything
/// outside its words.
const NOT_KEPT: &[&str] = &[
    "@",
    "-save-temps",
    "--save-temps",
    "-gsplit-dwarf",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile-arcs",
    "-fprofile-generate",
    "-fprofile-instr-generate",
    "-fcs-profile-generate",
    "-ftime-trace",
    "-fmodule",
    "-fcxx-modules",
    "-fstack-usage",
    "-fcallgraph-info",
    "-fdump-",
    "-fopt-info",
    "-fsave-optimization-record",
    "-foptimization-record",
    "-fplugin",
    "-fpass-plugin",
    "--serialize-diagnostics",
    "-serialize-diagnostics",
    "-include-pch",
    "-emit-",
    "-specs",
    "-wrapper",
    "-Wp,-M",
    "-MJ",
    "-d",
    "-x",
    "-S",
];

/// Prefixes of options that only code generation reads. With LTO the linker generates the code, and the object, which is
/// bitcode, is the same with and without these options.
const OF_CODE_GENERATION: &[&str] = &[
    "-ffunction-sections",
    "-fdata-sections",
    "-fbasic-block-sections=",
    "-fbasic-block-address-map",
];

/// Flags that several levers and many builds add, with the options that undo them.
const IN_SECTIONS: &[(&str, &str)] = &[
    ("-ffunction-sections", "-fno-function-sections"),
    ("-fdata-sections", "-fno-data-sections"),
];

/// Files that a compilation writes; paths as the call names them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The object.
    pub object: String,
    /// The list of headers for make, if the call asks for one.
    pub headers: Option<String>,
}

/// Returns the files that a call writes, if the call only compiles one source of C or C++ to an object, for the program
/// itself and not for a configure script.
pub fn written(call: &Call) -> Option<Written> {
    let words = &call.arguments;
    let is_kept = |word: &String| !NOT_KEPT.iter().any(|start| word.starts_with(start));
    let is_try = words.iter().any(|word| calls::is_of_probe(word));
    if call.mode != Mode::Compile || is_try || !words.iter().all(is_kept) {
        return None;
    }
    let source = only_source(words)?;
    let object = match value(words, "-o") {
        Some(object) => object.to_owned(),
        None => format!("{}.o", Path::new(source).file_stem()?.to_str()?),
    };
    let asks = words.iter().any(|word| word == "-MD" || word == "-MMD");
    let beside = || Path::new(&object).with_extension("d").display().to_string();
    let headers = asks.then(|| value(words, "-MF").map_or_else(beside, str::to_owned));
    Some(Written { object, headers })
}

/// Returns the words of a call that its object depends on. A flag that the build and a lever, or two levers, repeat has
/// the same effect as a single one, and is returned once.
pub fn deciding(call: &Call) -> Vec<&str> {
    let mut words = read_by_compiler(call);
    for (plain, undone) in IN_SECTIONS {
        if let Some(first) = words.iter().position(|word| word == plain)
            && !words.contains(undone)
        {
            let mut place = 0..;
            words.retain(|word| place.next() == Some(first) || word != plain);
        }
    }
    words
}

/// Returns all words except those that the linker reads instead of the compiler.
fn read_by_compiler(call: &Call) -> Vec<&str> {
    let words = call.arguments.iter().map(String::as_str);
    let lto = words
        .clone()
        .rfind(|word| word.contains("-flto") || *word == "-fno-lto");
    if !call.is_by_clang() || lto.is_none_or(|word| !word.starts_with("-flto")) {
        return words.collect();
    }
    let is_decided = |word: &&str| {
        !OF_CODE_GENERATION
            .iter()
            .any(|start| word.starts_with(start))
    };
    words.filter(is_decided).collect()
}

/// Returns the source among the words, if there is exactly one.
fn only_source(words: &[String]) -> Option<&str> {
    let mut found = None;
    for (_, word) in mode::words(words).filter(|(_, word)| !word.starts_with('-')) {
        let extension = Path::new(word).extension()?.to_str()?;
        if found.is_some() || !SOURCES.contains(&extension) {
            return None;
        }
        found = Some(word.as_str());
    }
    found
}

/// Returns the last value of an option, in the next word or joined to the option.
fn value<'a>(words: &'a [String], option: &str) -> Option<&'a str> {
    let place = words.iter().rposition(|word| word.starts_with(option))?;
    match words[place].strip_prefix(option)? {
        "" => words.get(place + 1).map(String::as_str),
        joined => Some(joined),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &str) -> Call {
        let arguments: Vec<_> = words.split(' ').map(String::from).collect();
        Call {
            program: "/usr/bin/clang++-19".into(),
            mode: super::super::mode::of_compiler(&arguments),
            arguments,
        }
    }

    #[test]
    fn a_compilation_of_one_source_writes_an_object_and_perhaps_a_list() {
        for (words, object, headers) in [
            ("-O2 -c a.cc", "a.o", None),
            ("-c ../src/a.c -o out/a.o", "out/a.o", None),
            (
                "-MD -c a.c -oout/a.o -mllvm -icp=1",
                "out/a.o",
                Some("out/a.d"),
            ),
            (
                "-MMD -MT a.o -MF deps/a.Tpo -c a.c",
                "a.o",
                Some("deps/a.Tpo"),
            ),
            ("-I inc -include a.h -isystem b.c -c a.c", "a.o", None),
        ] {
            let expected = Written {
                object: object.into(),
                headers: headers.map(String::from),
            };
            assert_eq!(written(&call(words)), Some(expected), "{words}");
        }
    }

    #[test]
    fn what_does_more_is_left_to_the_compiler() {
        for words in [
            "a.c -o prog",
            "-c a.c b.c",
            "-c a.s",
            "-S a.c",
            "-c @words",
            "-c a.c -gsplit-dwarf",
            "-c a.c --coverage",
            "-c a.c -fprofile-generate=/p",
            "-x c++-header -c a.c",
            "-Xclang -include-pch -Xclang a.pch -c a.c",
            "-c conftest.c",
            "-c CMakeFiles/CMakeScratch/a/b.c -o b.o",
            "-E a.c",
        ] {
            assert_eq!(written(&call(words)), None, "{words}");
        }
    }

    #[test]
    fn with_lto_what_the_linker_does_decides_nothing() {
        let decide = |words: &str| deciding(&call(words)).join(" ");
        let words = "-c a.c -ffunction-sections -fbasic-block-sections=list=x -O2";
        assert_eq!(decide(words), words);
        assert_eq!(
            decide(&format!("{words} -flto=thin")),
            "-c a.c -O2 -flto=thin"
        );
        let undone = format!("{words} -flto -fno-lto");
        assert_eq!(decide(&undone), undone);
        let said = "-c a.c -ffunction-sections -O2";
        let twice = format!("{said} -ffunction-sections");
        assert_eq!(decide(&twice), said);
        let undone = format!("{said} -fno-function-sections -ffunction-sections");
        assert_eq!(decide(&undone), undone);
        let gcc = Call {
            program: "/usr/bin/gcc".into(),
            ..call(&format!("{words} -flto"))
        };
        assert_eq!(deciding(&gcc).join(" "), format!("{words} -flto"));
    }
}
