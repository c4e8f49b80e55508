//! Which files are taken, and what others get of them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hone_hub::store::objects::Objects;
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{
    Artifact, Detail, InProcess, Parser, Refused, Symbols, SymbolsError, Was, inspect,
};
use hone_profile::BuildId;

use super::common::{
    NAMELESS, NOON_S, OBJECT, PLAIN, SMALL, Split, TENANT, build_of, file_with, runs, split,
    symbols,
};
use crate::disk::{Disk, Kind};

fn empty(limits: Limits) -> Symbols {
    symbols(Arc::new(Disk::new(Kind::Bucket)), limits)
}

fn take(symbols: &Symbols, bytes: &[u8]) -> Result<Was, Refused> {
    let taken = symbols.take(TENANT, &file_with(bytes), NOON_S);
    match taken {
        Ok(taken) => Ok(taken.was),
        Err(SymbolsError::Refused(refused)) => Err(refused),
        Err(error) => panic!("{error}"),
    }
}

fn kind_of(path: &Path) -> (bool, Detail) {
    let found = inspect(File::open(path).unwrap(), &Limits::default()).unwrap();
    assert_eq!(found.build_id(), Some(build_of(path)));
    (found.kind.has_code, found.kind.detail)
}

fn all_of(mut file: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn files_are_told_by_what_is_in_them() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    assert_eq!(kind_of(&parts.whole), (true, Detail::Debug));
    assert_eq!(kind_of(&parts.stripped), (true, Detail::Nothing));
    assert_eq!(kind_of(&parts.debug), (false, Detail::Debug));
    let Some(parts) = split(PLAIN, directory.path()) else {
        return;
    };
    assert_eq!(kind_of(&parts.whole), (true, Detail::Symbols));
    assert_eq!(kind_of(&parts.debug), (false, Detail::Symbols));
}

#[test]
fn what_no_sample_can_refer_to_is_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let symbols = empty(Limits::default());
    assert!(matches!(take(&symbols, b""), Err(Refused::Unreadable(_))));
    assert!(matches!(
        take(&symbols, b"#!/bin/sh\n"),
        Err(Refused::Unreadable(_))
    ));
    if let Some(program) = NAMELESS.build(directory.path()) {
        let bytes = std::fs::read(program).unwrap();
        assert_eq!(take(&symbols, &bytes), Err(Refused::NoBuildId));
    }
    if let Some(object) = OBJECT.build(directory.path()) {
        let bytes = std::fs::read(object).unwrap();
        assert_eq!(take(&symbols, &bytes), Err(Refused::NotLinked));
    }
    if let Some(program) = SMALL.build(directory.path()) {
        let id = build_of(&program);
        let mut bytes = std::fs::read(program).unwrap();
        let id = id.as_bytes();
        let at = bytes.windows(id.len()).position(|part| part == id).unwrap();
        bytes[at..at + id.len()].fill(0);
        assert_eq!(take(&symbols, &bytes), Err(Refused::ZeroBuildId));
        let limits = Limits {
            file_bytes: 1000,
            ..Limits::default()
        };
        let max = limits.file_bytes;
        let length = bytes.len() as u64;
        let too_large = Refused::TooLarge { bytes: length, max };
        assert_eq!(take(&empty(limits), &bytes), Err(too_large));
    }
}

#[test]
fn packages_of_split_debug_information_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("a.c"), "int main(void) { return 3; }").unwrap();
    let mut compile = Command::new("clang-19");
    compile.args(["-g", "-gsplit-dwarf", "a.c", "-o", "a"]);
    let mut pack = Command::new("llvm-dwp-19");
    pack.args(["-e", "a", "-o", "a.dwp"]);
    if !runs(compile.current_dir(&directory)) || !runs(pack.current_dir(&directory)) {
        return;
    }
    let symbols = empty(Limits::default());
    let bytes = std::fs::read(path("a.dwp")).unwrap();
    assert_eq!(take(&symbols, &bytes), Err(Refused::Package));
}

#[test]
fn sections_that_unpack_to_more_than_is_allowed_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = super::common::COMPRESSED.build(directory.path()) else {
        return;
    };
    let limits = Limits {
        unpacked_bytes: 100,
        ..Limits::default()
    };
    let bytes = std::fs::read(program).unwrap();
    let refused = take(&empty(limits), &bytes).unwrap_err();
    assert!(
        matches!(refused, Refused::UnpacksTooLarge { max: 100, .. }),
        "{refused}"
    );
}

#[test]
fn the_first_file_of_a_kind_stays() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let symbols = empty(Limits::default());
    let first = std::fs::read(&parts.whole).unwrap();
    let mut second = first.clone();
    second.push(0);
    assert_eq!(take(&symbols, &first), Ok(Was::New));
    assert_eq!(take(&symbols, &first), Ok(Was::There));
    let refused = take(&symbols, &second).unwrap_err();
    let build = build_of(&parts.whole);
    let kind = "executable-debug";
    assert_eq!(
        refused,
        Refused::OtherBytes {
            build: build.to_string(),
            kind
        }
    );
    // Another kind of file is welcome.
    let debug = std::fs::read(&parts.debug).unwrap();
    assert_eq!(take(&symbols, &debug), Ok(Was::New));
    let stored = symbols.get(TENANT, &build, Artifact::Executable);
    assert_eq!(all_of(stored.unwrap().unwrap()), first);
    // Tenants do not see each other's files.
    let others = symbols.get("other", &build, Artifact::Executable).unwrap();
    assert!(others.is_none());
    let other = symbols.take("other", &file_with(&second), NOON_S);
    assert_eq!(other.unwrap().was, Was::New);
}

#[test]
fn of_many_at_once_one_is_the_first() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let whole = std::fs::read(&program).unwrap();
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let replicas = [(); 3].map(|()| symbols(disk.clone(), Limits::default()));
    let results: Vec<_> = std::thread::scope(|scope| {
        let uploads = replicas.iter().zip(0_u8..).map(|(replica, number)| {
            let bytes = [whole.as_slice(), &[number]].concat();
            scope.spawn(move || (take(replica, &bytes).is_ok(), bytes))
        });
        let uploads: Vec<_> = uploads.collect();
        let ended = uploads.into_iter().map(|upload| upload.join().unwrap());
        ended.collect()
    });
    let mut taken = results.into_iter().filter(|(is_taken, _)| *is_taken);
    let (_, first) = taken.next().unwrap();
    assert!(taken.next().is_none());
    let build = build_of(&program);
    for replica in &replicas {
        let stored = replica.get(TENANT, &build, Artifact::DebugInfo);
        assert_eq!(all_of(stored.unwrap().unwrap()), first);
    }
    // What the others wrote is gone.
    let files = disk.list("acme/symbols/").unwrap();
    let parts = files
        .iter()
        .filter(|file| file.name.contains("/executable-debug/"));
    assert_eq!(parts.count(), 1);
}

#[test]
fn others_get_what_tells_most_and_of_programs_the_least() {
    let directory = tempfile::tempdir().unwrap();
    let Some(Split {
        whole,
        stripped,
        debug,
    }) = split(SMALL, directory.path())
    else {
        return;
    };
    let symbols = empty(Limits::default());
    let build = build_of(&whole);
    let [whole, stripped, debug] =
        [whole, stripped, debug].map(|path| std::fs::read(path).unwrap());
    let get = |artifact| symbols.get(TENANT, &build, artifact).unwrap();
    assert!(get(Artifact::Executable).is_none());
    take(&symbols, &stripped).unwrap();
    assert_eq!(all_of(get(Artifact::Executable).unwrap()), stripped);
    assert!(get(Artifact::DebugInfo).is_none());
    take(&symbols, &whole).unwrap();
    assert_eq!(all_of(get(Artifact::Executable).unwrap()), stripped);
    assert_eq!(all_of(get(Artifact::DebugInfo).unwrap()), whole);
    take(&symbols, &debug).unwrap();
    let mut stored = get(Artifact::DebugInfo).unwrap();
    assert_eq!(stored.size_bytes(), debug.len() as u64);
    // A part of it, as an address with a range asks for.
    stored.seek(SeekFrom::Start(100)).unwrap();
    let mut part = [0; 50];
    stored.read_exact(&mut part).unwrap();
    assert_eq!(part, debug[100..150]);
    let unknown = BuildId::new(&[7; 20]).unwrap();
    assert!(
        symbols
            .get(TENANT, &unknown, Artifact::Executable)
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_tenant_has_so_many_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let Some(parts) = split(SMALL, directory.path()) else {
        return;
    };
    let whole = std::fs::read(&parts.whole).unwrap();
    let limits = Limits {
        tenant_bytes: whole.len() as u64 + 1000,
        ..Limits::default()
    };
    let symbols = empty(limits);
    take(&symbols, &whole).unwrap();
    let debug = std::fs::read(&parts.debug).unwrap();
    let refused = take(&symbols, &debug).unwrap_err();
    assert!(matches!(refused, Refused::Quota { .. }), "{refused}");
    // What is there needs no more room.
    assert_eq!(take(&symbols, &whole), Ok(Was::There));
}

#[test]
fn files_larger_than_a_part_come_back_whole() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let mut bytes = std::fs::read(&program).unwrap();
    let behind = (0..20_u32 << 20).map(|at| at.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]);
    bytes.extend(behind);
    let symbols = empty(Limits::default());
    take(&symbols, &bytes).unwrap();
    let stored = symbols.get(TENANT, &build_of(&program), Artifact::Executable);
    let mut stored = stored.unwrap().unwrap();
    assert!(all_of(&mut stored) == bytes);
    stored.seek(SeekFrom::End(-5)).unwrap();
    assert_eq!(all_of(stored), bytes[bytes.len() - 5..]);
}

/// A parser whose process died.
struct Dead;

impl Parser for Dead {
    fn inspect(&self, file: &File) -> Result<hone_hub::symbols::SymbolFile, Refused> {
        InProcess::default().inspect(file)
    }

    fn tabulate(&self, _: &File, _: Option<&File>) -> Result<Vec<u8>, Refused> {
        Err(Refused::Parser("it ran out of memory".to_owned()))
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_kept() {
    let directory = tempfile::tempdir().unwrap();
    let Some(program) = SMALL.build(directory.path()) else {
        return;
    };
    let disk = Arc::new(Disk::new(Kind::Bucket));
    let symbols = Symbols::open(disk.clone(), Limits::default(), Box::new(Dead));
    let refused = take(&symbols, &std::fs::read(program).unwrap()).unwrap_err();
    assert!(
        refused.to_string().contains("ran out of memory"),
        "{refused}"
    );
    assert_eq!(disk.list("").unwrap(), []);
}
