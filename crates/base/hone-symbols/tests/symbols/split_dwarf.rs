//! Split DWARF: a program built with `-gsplit-dwarf` has the same source as with `-g`, from `.dwo` files and from a
//! package, and what is absent is named.

use crate::common::run;
use hone_symbols::{
    Binary, DebugInfo, Image, ReadSeek, SplitFiles, SplitLosses, SplitName, is_package,
};
use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{by_chance, has_tools};

/// A second unit, whose functions the first one's do not call.
const OTHER: &str = "
struct Other { int weigh(int x) const; };
static inline int third(int x) { return x % 3 ? x : x / 3; }
__attribute__((noinline)) int Other::weigh(int x) const { return third(x) + third(x + 1); }
int other(int x) { return Other().weigh(x); }
";

/// Opens what is asked for and counts it.
#[derive(Debug, Default)]
struct Files {
    package: Option<PathBuf>,
    opened: AtomicUsize,
}

impl SplitFiles for Files {
    fn package(&self) -> Option<Box<dyn ReadSeek>> {
        Some(Box::new(File::open(self.package.as_ref()?).unwrap()))
    }

    fn objects<'s>(&'s self, name: &SplitName) -> Box<dyn Iterator<Item = Box<dyn ReadSeek>> + 's> {
        let file = File::open(name.path()).ok();
        self.opened.fetch_add(1, Ordering::Relaxed);
        Box::new(file.into_iter().map(|file| Box::new(file) as _))
    }
}

/// Compiles `shapes.cpp` and the second unit, and links them.
fn build(dir: &Path, compiler: &str, name: &str, flags: &[&str]) -> PathBuf {
    let shapes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/shapes.cpp");
    fs::write(dir.join("other.cpp"), OTHER).unwrap();
    let binary = dir.join(name);
    for source in [shapes.as_path(), Path::new("other.cpp")] {
        let object = format!("{name}-{}.o", source.file_stem().unwrap().display());
        run(Command::new(compiler)
            .args(["-O2", "-std=c++17", "-g", "-c", "-o", &object])
            .args(flags)
            .arg(source)
            .current_dir(dir));
    }
    let objects = [format!("{name}-shapes.o"), format!("{name}-other.o")];
    run(Command::new(compiler)
        .args(&objects)
        .arg("-o")
        .arg(&binary)
        .current_dir(dir));
    binary
}

/// Every stack of the program's own functions, and what was lost.
fn stacks(binary: &Path, files: &Files) -> (Vec<String>, SplitLosses) {
    let bytes = fs::read(binary).unwrap();
    let image = Image {
        split: Some(files),
        ..Image::from(&bytes)
    };
    let binary = Binary::parse(image).unwrap();
    let debug = DebugInfo::parse(&binary).unwrap();
    assert!(debug.has_debug_info());
    let mut stacks = Vec::new();
    for range in binary.executable_ranges() {
        for address in range.clone() {
            let stack = debug.inline_stack(hone_profile::Svma(address));
            if !stack.is_empty() {
                stacks.push(format!("{address:x} {stack:?}"));
            }
        }
    }
    (stacks, debug.split_losses())
}

fn assert_same(found: &(Vec<String>, SplitLosses), expected: &[String], what: &str) {
    assert_eq!(found.1, SplitLosses::default(), "{what}");
    assert_eq!(found.0.len(), expected.len(), "{what}");
    let differs = found.0.iter().zip(expected).find(|(a, b)| a != b);
    assert_eq!(differs, None, "{what}");
}

fn pack(binary: &Path) -> PathBuf {
    let package = binary.with_extension("dwp");
    run(Command::new("llvm-dwp-19").args(["-e".as_ref(), binary, "-o".as_ref(), &package]));
    package
}

#[test]
fn split_debug_information_says_the_same_as_the_whole() {
    for compiler in ["clang++-19", "g++"] {
        if !has_tools(&[compiler]) {
            continue;
        }
        for version in ["-gdwarf-4", "-gdwarf-5"] {
            let dir = tempfile::tempdir().unwrap();
            let whole = build(dir.path(), compiler, "whole", &[version]);
            let (expected, _) = stacks(&whole, &Files::default());
            let deep = expected.iter().filter(|stack| stack.contains("}, "));
            assert!(deep.count() > 30, "{compiler} {version}: little is inlined");
            let kinds: &[&[&str]] = match compiler {
                "g++" => &[&[]],
                _ => &[&[], &["-fsplit-dwarf-inlining"], &["-gz"]],
            };
            for flags in kinds {
                let flags = [&[version, "-gsplit-dwarf"], *flags].concat();
                let what = format!("{compiler} {flags:?}");
                let split = build(dir.path(), compiler, "split", &flags);
                assert_same(&stacks(&split, &Files::default()), &expected, &what);
                if !has_tools(&["llvm-dwp-19"]) {
                    continue;
                }
                let packed = Files {
                    package: Some(pack(&split)),
                    ..Files::default()
                };
                assert_same(&stacks(&split, &packed), &expected, &what);
                let opened = packed.opened.load(Ordering::Relaxed);
                assert_eq!(opened, 0, "{what}: everything is in the package");
            }
        }
    }
}

#[test]
fn split_sections_inside_the_objects_are_read() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (expected, _) = stacks(
        &build(dir.path(), "clang++-19", "whole", &[]),
        &Files::default(),
    );
    let single = build(dir.path(), "clang++-19", "one", &["-gsplit-dwarf=single"]);
    assert_same(&stacks(&single, &Files::default()), &expected, "single");
}

#[test]
fn only_the_units_that_are_asked_for_are_opened_and_absent_ones_are_named() {
    if !has_tools(&["clang++-19"]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let binary = build(dir.path(), "clang++-19", "split", &["-gsplit-dwarf"]);
    let bytes = fs::read(&binary).unwrap();
    let files = Files::default();
    let image = Image {
        split: Some(&files),
        ..Image::from(&bytes)
    };
    let parsed = Binary::parse(image).unwrap();
    let debug = DebugInfo::parse(&parsed).unwrap();
    let other = parsed.functions().by_name("_Z5otheri").unwrap();
    for _ in 0..3 {
        assert!(!debug.inline_stack(other.start).is_empty());
    }
    assert_eq!(files.opened.load(Ordering::Relaxed), 1);

    // Compiled anew with another content, the file is of another build.
    let whole = stacks(&binary, &Files::default()).0.len();
    let absent = dir.path().join("split-shapes.dwo");
    fs::write(
        dir.path().join("elsewhere.cpp"),
        OTHER.replace("third", "fourth"),
    )
    .unwrap();
    run(Command::new("clang++-19")
        .args([
            "-O2",
            "-g",
            "-gsplit-dwarf",
            "-c",
            "elsewhere.cpp",
            "-o",
            "split-shapes.o",
        ])
        .current_dir(dir.path()));
    let (fewer, losses) = stacks(&binary, &Files::default());
    assert_eq!((losses.other_build, losses.missing), (1, 0));
    assert!(!fewer.is_empty() && fewer.len() < whole);

    fs::remove_file(&absent).unwrap();
    let (_, losses) = stacks(&binary, &Files::default());
    assert_eq!((losses.missing, losses.units()), (1, 1));
    assert_eq!(
        Path::new(&losses.file),
        absent.canonicalize().unwrap_or(absent)
    );
}

/// Hands out the same bytes for everything.
#[derive(Debug)]
struct Hostile {
    bytes: Vec<u8>,
    as_package: bool,
}

impl SplitFiles for Hostile {
    fn package(&self) -> Option<Box<dyn ReadSeek>> {
        let package = self.as_package.then(|| Cursor::new(self.bytes.clone()));
        package.map(|cursor| Box::new(cursor) as _)
    }

    fn objects<'s>(&'s self, _: &SplitName) -> Box<dyn Iterator<Item = Box<dyn ReadSeek>> + 's> {
        let object = (!self.as_package).then(|| Cursor::new(self.bytes.clone()));
        Box::new(object.into_iter().map(|cursor| Box::new(cursor) as _))
    }
}

#[test]
fn damaged_split_files_lose_their_units_and_nothing_else() {
    if !has_tools(&["clang++-19", "llvm-dwp-19"]) {
        return;
    }
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let dir = tempfile::tempdir().unwrap();
        let binary = build(
            dir.path(),
            "clang++-19",
            "split",
            &["-gsplit-dwarf", version],
        );
        let package = pack(&binary);
        assert_eq!(is_package(File::open(&package).unwrap()), Ok(true));
        assert_eq!(is_package(File::open(&binary).unwrap()), Ok(false));
        let program = fs::read(&binary).unwrap();
        for (file, as_package) in [
            (dir.path().join("split-shapes.dwo"), false),
            (package, true),
        ] {
            let whole = fs::read(file).unwrap();
            by_chance(|u| {
                let mut bytes = whole.clone();
                for _ in 0..u.int_in_range(0..=20)? {
                    let at = u.int_in_range(0..=bytes.len() - 1)?;
                    bytes[at] = u.arbitrary()?;
                }
                bytes.truncate(u.int_in_range(0..=bytes.len() * 4)?);
                let files = Hostile { bytes, as_package };
                let image = Image {
                    split: Some(&files),
                    ..Image::from(&program)
                };
                let parsed = Binary::parse(image).unwrap();
                let debug = DebugInfo::parse(&parsed).unwrap();
                for function in parsed.functions().iter() {
                    let _ = debug.inline_stack(function.start);
                }
                Ok(())
            });
        }
    }
}
