//! How often the files of a question are opened and parsed, by files that note each opening.

use std::cell::RefCell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use hone_profile::FileOffset;
use hone_views::Stacks;

use super::*;
use crate::annotated::heaviest;
use crate::names::named;
use crate::page_code::page_code;
use crate::recording::Recording;
use crate::subject::inspected;

const PROGRAM: &str = "static int work(int x) { return x * 3; }\n\
                       int main(int count, char **names) { return work(count); }\n";

/// Paths in the order in which files were opened.
type Opens = Rc<RefCell<Vec<PathBuf>>>;

/// Creates files that note each opening.
fn counted() -> (ElfFiles, Opens) {
    let opens = Opens::default();
    let noted = Rc::clone(&opens);
    let files = ElfFiles::opened_by(move |path| {
        noted.borrow_mut().push(path.to_owned());
        File::open(path)
    });
    (files, opens)
}

/// True if the tools that the tests need are installed.
fn has_tools() -> bool {
    let is_missing = |tool: &&str| Command::new(tool).arg("--version").output().is_err();
    let missing = ["gcc", "objcopy"].into_iter().find(is_missing);
    if let Some(tool) = missing {
        println!("skipped: {tool} is not installed");
    }
    missing.is_none()
}

fn run(directory: &Path, program: &str, arguments: &str) {
    let mut command = Command::new(program);
    let status = command
        .args(arguments.split(' '))
        .current_dir(directory)
        .status();
    assert!(status.unwrap().success(), "{command:?}");
}

/// Compiles `p`, whose debug information is in `p.debug`, and writes two recordings of `p`, of two events each.
fn recorded(directory: &Path) -> [PathBuf; 2] {
    fs::write(directory.join("p.c"), PROGRAM).unwrap();
    run(directory, "gcc", "-g -fno-inline -Wl,--build-id p.c -o p");
    let program = directory.join("p");
    let bytes = fs::read(&program).unwrap();
    let parsed = Binary::parse(&bytes).unwrap();
    let FileOffset(work) = parsed
        .address_of("work")
        .and_then(|work| parsed.file_offset_of(work))
        .unwrap();
    run(directory, "objcopy", "--only-keep-debug p p.debug");
    run(
        directory,
        "objcopy",
        "--strip-all --add-gnu-debuglink=p.debug p",
    );
    // Mapped as the file lies.
    let file = program.display();
    let mapping =
        format!("p 7 0.0: PERF_RECORD_MMAP2 7/7: [0x0(0x100000) @ 0 08:01 12 0]: r-xp {file}\n");
    let samples = ["cycles:u", "branch-misses:u"].map(|event| {
        format!("p 7/7 1.000001: 1000 {event}: {work:x} work+0x0 ({file})\n").repeat(9)
    });
    ["old", "new"].map(|name| {
        let path = directory.join(name);
        fs::write(&path, mapping.clone() + &samples.concat()).unwrap();
        path
    })
}

/// Opens the only binary of a recording; returns the addresses of the binary and its debug information as parsed.
fn parsed<'q>(recording: &Recording<'q>) -> (*const Binary<'q>, *const DebugInfo<'q>) {
    let id = recording.binaries()[0];
    let opened = recording.open(recording.profile().binary(id)).unwrap();
    (opened.binary, opened.debug().unwrap())
}

/// Asks all that `hone diagnose`, `view`, `top` and `annotate` ask of a recording; returns the named stacks.
/// Whatever is asked, the binary is parsed once.
fn ask_everything<'q>(path: &Path, selection: &Selection, binaries: &'q Binaries<'q>) -> Stacks {
    let recording = Recording::read(path, selection, binaries).unwrap();
    assert!(recording.unused_files().is_empty());
    let before = parsed(&recording);
    let work = heaviest(&recording, selection, "work").unwrap();
    assert!(work.is_some_and(|work| !work.instructions.is_empty()));
    let stacks = named(&recording, selection).unwrap().stacks;
    assert!(!page_code(&recording, &stacks, false).lines().is_empty());
    let inspected = inspected(&recording, stacks);
    assert_eq!(parsed(&recording), before);
    assert_eq!(inspected.binaries.len(), 1);
    assert_eq!(
        inspected.hardware.len(),
        2,
        "events with names of their own"
    );
    inspected.stacks
}

#[test]
fn a_question_about_two_recordings_opens_each_binary_and_debug_file_once() {
    if !has_tools() {
        return;
    }
    let made = tempfile::tempdir().unwrap();
    let directory = made.path().canonicalize().unwrap();
    let recordings = recorded(&directory);
    let (files, opens) = counted();
    let selection = Selection::default();
    let binaries = Binaries::among(&selection, files);
    for recording in &recordings {
        let stacks = ask_everything(recording, &selection, &binaries);
        let leaf = stacks.frame(stacks.stacks[0].frames[0]);
        assert_eq!((leaf.function.as_str(), leaf.line), ("work", 1));
    }
    let expected = ["p", "p.debug"].map(|name| directory.join(name));
    assert_eq!(*opens.borrow(), expected);
}

#[test]
fn files_that_the_user_gives_are_opened_once_and_the_recorded_file_is_not() {
    if !has_tools() {
        return;
    }
    let made = tempfile::tempdir().unwrap();
    let directory = made.path().canonicalize().unwrap();
    let recordings = recorded(&directory);
    let given = ["copies/p", "copies/debug"].map(|name| directory.join(name));
    fs::create_dir(directory.join("copies")).unwrap();
    fs::rename(directory.join("p.debug"), &given[1]).unwrap();
    fs::copy(directory.join("p"), &given[0]).unwrap();
    let (files, opens) = counted();
    let selection = Selection {
        binaries: vec![given[0].clone()],
        debug_file: Some(given[1].clone()),
        ..Selection::default()
    };
    let binaries = Binaries::among(&selection, files);
    for recording in &recordings {
        let stacks = ask_everything(recording, &selection, &binaries);
        assert_eq!(stacks.frame(stacks.stacks[0].frames[0]).line, 1);
    }
    assert_eq!(*opens.borrow(), given);
}
