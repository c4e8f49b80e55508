//! Virtual functions against a program whose hierarchy is known.

use crate::common::{LAYOUTS, run};
use hone_symbols::{Binary, VirtualFunctions, demangle};
use std::collections::BTreeMap;
use std::process::Command;
use testkit::has_tools;

/// What the comment behind each function says must be found.
const PROGRAM: &str = r#"
#include <cstdlib>
#define KEEP __attribute__((noinline))
static volatile int sink;
struct Shape {
    virtual ~Shape();                               // its place decides where the table is: always there
    KEEP virtual void once() { sink = 1; }          // 1: nobody overrides it
    virtual void pure() = 0;                        // two classes have it
    KEEP virtual void often() { sink = 2; }         // 3
};
Shape::~Shape() {}
struct Square : Shape {
    KEEP void pure() override { sink = 3; }
    KEEP void often() override { sink = 4; }
    KEEP virtual void own() { sink = 5; }           // 1: the slot is Square's, not Shape's
};
struct Line : Shape {
    KEEP void pure() override { sink = 6; }
    KEEP virtual void own() { sink = 7; }           // 1: another slot of the same place
};
struct Thick : Line { KEEP void often() override { sink = 8; } };
struct Named {
    virtual ~Named() {}
    KEEP virtual void name() { sink = 9; }          // 2, one of them through a second base
};
struct Both : Line, Named { KEEP void name() override { sink = 10; } };
struct Common { virtual ~Common() {} KEEP virtual void far() { sink = 11; } };   // behind a virtual base: not known
struct Left : virtual Common { int left; };
struct Right : Left { KEEP void far() override { sink = 12; } };
KEEP static void plain() { sink = 13; }
int main(int count, char **) {
    Shape *shapes[] = {new Square, new Line, new Thick, new Both};
    Named *names[] = {new Named, new Both};
    Common *all[] = {new Common, new Left, new Right};
    for (int i = 0; i < count * 4; i++) { shapes[i % 4]->once(); shapes[i % 4]->pure(); shapes[i % 4]->often(); }
    static_cast<Square *>(shapes[0])->own();
    static_cast<Line *>(shapes[count % 3 + 1])->own();
    names[count % 2]->name();
    all[count % 3]->far();
    plain();
}
"#;

fn found(flags: &[&str], compiler: &str) -> BTreeMap<String, usize> {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("shapes.cc");
    let program = directory.path().join("shapes");
    std::fs::write(&source, PROGRAM).unwrap();
    let mut compile = Command::new(compiler);
    compile
        .arg("-O1")
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&program);
    run(&mut compile);
    let bytes = std::fs::read(&program).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let functions = VirtualFunctions::read(&binary).unwrap();
    let named = functions.iter().filter_map(|(start, count)| {
        let function = binary.functions().starting_at(start)?;
        Some((demangle(function.name), count))
    });
    named.filter(|(name, _)| !name.contains('~')).collect()
}

fn check(found: &BTreeMap<String, usize>, layout: &str) {
    for (function, expected) in [
        ("Shape::once()", 1),
        ("Square::pure()", 2),
        ("Line::pure()", 2),
        ("Shape::often()", 3),
        ("Square::often()", 3),
        ("Thick::often()", 3),
        ("Square::own()", 1),
        ("Line::own()", 1),
        ("Named::name()", 2),
    ] {
        assert_eq!(
            found.get(function),
            Some(&expected),
            "{layout}: {function} in {found:?}"
        );
    }
    for function in ["Common::far()", "Right::far()"] {
        assert!(
            found.get(function) > Some(&1),
            "{layout}: {function} in {found:?}"
        );
    }
    let is_plain = |name: &String| name.contains("plain") || name == "main";
    assert!(!found.keys().any(is_plain), "{layout}: {found:?}");
}

#[test]
fn implementations_are_counted_in_every_layout() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    for layout in &LAYOUTS {
        check(&found(layout.flags, "clang++-19"), layout.name);
    }
    let packed = [
        "-fpie",
        "-pie",
        "-fuse-ld=lld",
        "-Wl,--pack-dyn-relocs=relr",
    ];
    check(&found(&packed, "clang++-19"), "packed relocations");
    let kept = ["-fuse-ld=lld", "-Wl,--emit-relocs"];
    check(&found(&kept, "clang++-19"), "relocations kept");
}

#[test]
fn gcc_lays_tables_out_alike() {
    if has_tools(&["g++"]) {
        check(&found(&[], "g++"), "gcc");
        check(&found(&["-no-pie", "-fno-pie"], "g++"), "gcc, fixed");
    }
}

#[test]
fn a_program_without_classes_or_symbols_has_none() {
    if !has_tools(&["clang++-19", "ld.lld-19"]) {
        return;
    }
    let stripped = found(&["-fuse-ld=lld", "-Wl,--strip-all"], "clang++-19");
    assert!(stripped.is_empty(), "{stripped:?}");
}
