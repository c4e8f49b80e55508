//! Interpreters whose jumps the compiler has joined are told from those that have a jump for each instruction.

use hone_fdo::dispatch::{Dispatch, dispatches};
use hone_symbols::Binary;
use std::fmt::Write as _;
use std::fs;
use testkit::{has_tools, run_in};

/// Number of instructions of the interpreter.
const INSTRUCTIONS: usize = 40;

/// An interpreter by computed gotos, and a function with as large a switch.
fn program() -> String {
    let mut text = "__attribute__((noinline)) int run(const unsigned char *code, int *top) {\nstatic void *labels[] = {".to_owned();
    (0..INSTRUCTIONS).for_each(|at| _ = write!(text, "&&place{at}, "));
    text += "};\ngoto *labels[*code++];\n";
    for at in 1..INSTRUCTIONS {
        _ = writeln!(
            text,
            "place{at}: *top = *top * {} + {at}; goto *labels[*code++];",
            at % 7 + 2
        );
    }
    text +=
        "place0: return *top;\n}\n__attribute__((noinline)) int choose(int n) {\nswitch (n) {\n";
    for at in 0..INSTRUCTIONS {
        _ = writeln!(text, "case {at}: return n * {} + {at};", at * at % 11 + 3);
    }
    text + "}\nreturn 0;\n}\nint main(int argc, char **argv) { int top = argc; return run((unsigned char *)argv[0], &top) + choose(argc); }\n"
}

#[test]
fn joined_jumps_are_counted_beside_their_labels() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.c"), program()).unwrap();
    let found = |name: &str, flags: &[&str]| -> Vec<Dispatch> {
        let own = ["-O2", "-w", "p.c", "-o", name];
        run_in(directory, "clang-19", &[&own, flags].concat());
        let image = fs::read(directory.join(name)).unwrap();
        dispatches(&Binary::parse(&image[..]).unwrap()).unwrap()
    };
    let is_run = |found: &[Dispatch]| {
        let run = found.iter().find(|one| one.function == "run");
        run.expect("run").clone()
    };
    let joined = found("joined", &["-fpie", "-pie"]);
    assert_eq!(joined.len(), 1, "a switch is no dispatch: {joined:?}");
    let run = is_run(&joined);
    assert!(run.is_joined() && run.labels >= INSTRUCTIONS - 2, "{run:?}");
    let copied = [
        "-mllvm",
        "-tail-dup-pred-size=512",
        "-mllvm",
        "-tail-dup-succ-size=512",
    ];
    let run = is_run(&found(
        "copied",
        &[&["-fpie", "-pie"], &copied[..]].concat(),
    ));
    assert!(!run.is_joined() && run.jumps >= INSTRUCTIONS - 1, "{run:?}");
    let fixed = is_run(&found("fixed", &["-fno-pie", "-no-pie"]));
    assert!(fixed.is_joined(), "{fixed:?}");
}
