//! The intermediate representation (IR) of the sources of a build, written beside the build's objects: it shows where
//! instrumented PGO would have its counters.

use super::Call;
use super::mode::{Mode, WITH_VALUE, words};
use super::object_cache::SOURCES;
use crate::calls;
use std::path::Path;

/// Options without a value in the next word that select what else a compilation writes.
const WRITES: &[&str] = &["-c", "-S", "-MD", "-MMD", "-MP", "-MG"];
/// Options with a value, in the next word or joined to the option, that select where a compilation writes.
const WRITES_TO: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-MJ"];
/// Prefixes of options that write further files, or leave work to a link with LTO: the counters come before that work.
const LEFT_OUT: &[&str] = &[
    "-Wp,-M",
    "-save-temps",
    "--save-temps",
    "-gsplit-dwarf",
    "-flto",
    "-fsplit-lto-unit",
    "-fwhole-program-vtables",
    "-fvirtual-function-elimination",
];
/// Options that ask for IR as the front end makes it, with the names of values, by which blocks are recognised.
const WANTED: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-fno-lto",
    "-w",
];

/// A call that writes the IR of one source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrCall {
    /// Arguments of the same compiler; the caller adds `-o` and a file.
    pub arguments: Vec<String>,
    /// Optimisation level of the build, in the form that passes use: `O2`.
    pub level: &'static str,
}

/// Returns the calls that write the IR of a call's C and C++ sources; none if the call is not a compilation by clang with
/// optimisation, or is made by a configure script.
pub fn calls(call: &Call) -> Vec<IrCall> {
    let is_try = call.arguments.iter().any(|word| calls::is_of_probe(word));
    let level = level(&call.arguments);
    let (Some(level), true, false) = (
        level,
        call.is_by_clang() && call.mode != Mode::Other,
        is_try,
    ) else {
        return Vec::new();
    };
    let sources = sources(&call.arguments);
    let of = |&source: &usize| IrCall {
        arguments: of_one(&call.arguments, source),
        level,
    };
    sources.iter().map(of).collect()
}

/// Returns the last optimisation level; `None` for no optimisation, which has other counters.
fn level(arguments: &[String]) -> Option<&'static str> {
    let asked = words(arguments).filter_map(|(_, word)| word.strip_prefix("-O"));
    match asked.last()? {
        "0" => None,
        "" | "1" | "g" => Some("O1"),
        "2" => Some("O2"),
        "s" => Some("Os"),
        "z" => Some("Oz"),
        _ => Some("O3"),
    }
}

/// Returns the places of the sources among the words.
fn sources(arguments: &[String]) -> Vec<usize> {
    let is_source = |word: &str| {
        let extension = Path::new(word).extension();
        let extension = extension.and_then(|extension| extension.to_str());
        !word.starts_with('-') && extension.is_some_and(|one| SOURCES.contains(&one))
    };
    let found = words(arguments).filter(|(_, word)| is_source(word));
    found.map(|(place, _)| place).collect()
}

/// Returns the words of the call for one source.
fn of_one(arguments: &[String], source: usize) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = arguments.iter().enumerate();
    while let Some((place, word)) = rest.next() {
        if WRITES_TO.contains(&word.as_str()) {
            rest.next();
            continue;
        }
        if WITH_VALUE.contains(&word.as_str()) {
            words.push(word.clone());
            words.extend(rest.next().map(|(_, value)| value.clone()));
            continue;
        }
        // Another source, an object, assembly.
        let is_other = !word.starts_with('-') && place != source;
        let writes = WRITES.contains(&word.as_str())
            || WRITES_TO.iter().any(|option| word.starts_with(option))
            || LEFT_OUT.iter().any(|start| word.starts_with(start));
        if !is_other && !writes && !is_for_linker(word) {
            words.push(word.clone());
        }
    }
    words.extend(WANTED.iter().map(|word| (*word).to_owned()));
    words
}

fn is_for_linker(word: &str) -> bool {
    ["-l", "-L", "-Wl,"]
        .iter()
        .any(|start| word.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::tests::list;
    use super::*;

    fn of(program: &str, words: &str) -> Vec<(String, &'static str)> {
        let arguments = list(words);
        let call = Call {
            program: program.into(),
            mode: super::super::mode::of_compiler(&arguments),
            arguments,
        };
        let calls = calls(&call).into_iter();
        calls
            .map(|call| {
                let own = call.arguments.len() - WANTED.len();
                (call.arguments[..own].join(" "), call.level)
            })
            .collect()
    }

    #[test]
    fn one_call_for_each_source_that_is_optimised() {
        let clang = |words| of("/usr/bin/clang-19", words);
        assert_eq!(
            clang("-O2 -Iinc -c a.c -o a.o -MD -MF a.d -flto=thin"),
            [("-O2 -Iinc a.c".to_owned(), "O2")]
        );
        assert_eq!(
            clang("-O0 -Os -D X a.c b.cpp c.o start.S -lm -Xlinker -O1 -o prog"),
            [
                ("-O0 -Os -D X a.c -Xlinker -O1".to_owned(), "Os"),
                ("-O0 -Os -D X b.cpp -Xlinker -O1".to_owned(), "Os")
            ]
        );
        assert_eq!(
            clang("-Ofast -ofile -c a.c"),
            [("-Ofast a.c".to_owned(), "O3")]
        );
        assert_eq!(
            clang("-O1 -mllvm -c.c -include x.c -c a.cc"),
            [("-O1 -mllvm -c.c -include x.c a.cc".to_owned(), "O1")]
        );
    }

    #[test]
    fn what_has_no_counters_has_no_ir() {
        for words in [
            "-c a.c",
            "-O2 -O0 -c a.c",
            "-O2 -E a.c",
            "-O2 a.o -o a",
            "-O2 -c a.s",
            "-O2 -c conftest.c",
        ] {
            assert_eq!(of("/usr/bin/clang", words), [], "{words}");
        }
        assert_eq!(of("/usr/bin/gcc", "-O2 -c a.c"), []);
    }
}
