//! Programs with and without symbols and debug information, made from source in several ways.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::artifacts::Made;

const C: &str = "
#include <stdlib.h>
static inline int squared(int x) { return x * x + rand(); }
__attribute__((noinline)) int twice(int x) { return squared(x) * 2; }
__attribute__((noinline)) static int hidden(int x) { return squared(x + 1) * twice(x); }
int main(int argc, char **argv) { return hidden(argc) + twice(argc); }
";

const CPP: &str = "
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace shop {
struct Basket {
    std::map<std::string, std::vector<int>> prices;
    __attribute__((noinline)) long total() const {
        long sum = 0;
        for (const auto &[name, all] : prices)
            for (int price : all) sum += price * static_cast<long>(name.size());
        return sum;
    }
    __attribute__((noinline)) void add(const std::string &name, int price) { prices[name].push_back(price); }
};
template <typename T> __attribute__((noinline)) void shuffle(std::vector<T> &all) {
    std::sort(all.begin(), all.end(), [](const T &a, const T &b) { return (a ^ 5) < (b ^ 5); });
}
}
int main(int argc, char **argv) {
    shop::Basket basket;
    std::vector<int> all;
    for (int i = 0; i < argc * 100; i++) { basket.add(std::to_string(i), i); all.push_back(i * 7 % 31); }
    shop::shuffle(all);
    return static_cast<int>(basket.total() + all[0]);
}
";

const RUST: &str = "
#[inline(never)] fn squared(x: usize) -> usize { (0..x).map(|y| y * x).sum() }
fn main() { std::process::exit(squared(std::env::args().count()) as i32) }
";

const GO: &str = "
package main
import \"os\"
//go:noinline
func squared(x int) int { return x * x }
func main() { os.Exit(squared(len(os.Args))) }
";

const BUILD_ID: &str = "-Wl,--build-id=sha1";

/// A way to build a program.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    file: &'static str,
    source: &'static str,
    command: &'static [&'static str],
}

const fn recipe(
    file: &'static str,
    source: &'static str,
    command: &'static [&'static str],
) -> Recipe {
    Recipe {
        file,
        source,
        command,
    }
}

/// A small program in C with debug information.
pub const SMALL: Recipe = recipe("small.c", C, &["cc", "-O2", "-g", BUILD_ID]);
/// The same with compressed debug sections.
pub const COMPRESSED: Recipe = recipe("small.c", C, &["cc", "-O2", "-g", "-gz", BUILD_ID]);
/// The same without debug information.
pub const PLAIN: Recipe = recipe("small.c", C, &["cc", "-O2", BUILD_ID]);
/// The same without a build id.
pub const NAMELESS: Recipe = recipe("small.c", C, &["cc", "-O2", "-Wl,--build-id=none"]);
/// The same, not linked.
pub const OBJECT: Recipe = recipe("small.c", C, &["cc", "-O2", "-c"]);
/// A program in C++ with deep inlining.
pub const INLINED: Recipe = recipe(
    "inlined.cpp",
    CPP,
    &["c++", "-std=c++20", "-O2", "-g", BUILD_ID],
);

/// Programs of several compilers, with and without debug information.
pub const ALL: [Recipe; 9] = [
    SMALL,
    COMPRESSED,
    PLAIN,
    INLINED,
    recipe(
        "lines.cpp",
        CPP,
        &["c++", "-std=c++20", "-O2", "-g1", BUILD_ID],
    ),
    recipe(
        "lld.cpp",
        CPP,
        &[
            "clang++-19",
            "-std=c++20",
            "-O2",
            "-gline-tables-only",
            "-fuse-ld=lld",
            BUILD_ID,
        ],
    ),
    recipe(
        "fixed.cpp",
        CPP,
        &[
            "clang++-19",
            "-std=c++20",
            "-O2",
            "-g",
            "-gdwarf-4",
            "-no-pie",
            "-fno-pie",
            BUILD_ID,
        ],
    ),
    recipe(
        "program.rs",
        RUST,
        &["rustc", "-O", "-g", "-Clink-arg=-Wl,--build-id=sha1"],
    ),
    recipe("program.go", GO, &["go", "build", "-ldflags=-B=gobuildid"]),
];

/// Runs a tool; `false`, with a visible line, where it is not there or cannot.
pub fn runs(command: &mut Command) -> bool {
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: {command:?} does not work here");
    }
    works
}

impl Recipe {
    /// Puts the program, as `program`, and its source into a directory; `None`, with a visible line, where its compiler is not there.
    pub fn build(self, directory: &Path) -> Option<PathBuf> {
        let made = Made::new("recipe")
            .with_tools(&self.command[..1])
            .with_words(self.command)
            .with_words(&[self.file, self.source]);
        let place = made.by(|place| {
            let source = place.join(self.file);
            fs::write(&source, self.source).expect("a source file");
            let mut command = Command::new(self.command[0]);
            command.args(&self.command[1..]).current_dir(place);
            runs(command.args(["-o", "program"]).arg(&source));
        });
        if !place.join("program").exists() {
            // It may work once something is installed.
            let _ = fs::remove_dir_all(&place);
            return None;
        }
        for file in [self.file, "program"] {
            fs::copy(place.join(file), directory.join(file)).expect("a copy");
        }
        Some(directory.join("program"))
    }
}

/// A program in three parts.
#[derive(Debug)]
pub struct Split {
    /// As it was linked.
    pub whole: PathBuf,
    /// Without symbols and debug information.
    pub stripped: PathBuf,
    /// Symbols and debug information alone.
    pub debug: PathBuf,
}

/// Builds a program and splits off its debug information.
pub fn split(recipe: Recipe, directory: &Path) -> Option<Split> {
    let whole = recipe.build(directory)?;
    let (stripped, debug) = (directory.join("stripped"), directory.join("debug"));
    let mut strip = Command::new("strip");
    strip.arg("-o").arg(&stripped).arg(&whole);
    let mut keep = Command::new("objcopy");
    keep.arg("--only-keep-debug").arg(&whole).arg(&debug);
    let works = runs(&mut strip) && runs(&mut keep);
    works.then_some(Split {
        whole,
        stripped,
        debug,
    })
}
