//! Time by function, line, binary and process; callers and callees; changes.

use hone_look::selection::Selection;
use hone_profile::Avma;
use hone_views::{By, CallTree, Direction, diff, table};
use testkit::recorded;
use testkit::recording::{Recording, SAMPLE_NS};

use crate::common::{
    Case, folded_lines, given, look, pattern, program, row, shares, stacks_of, views,
};

#[test]
fn time_is_shown_by_function_line_and_binary() {
    let views_ = program("views");
    let case = Case::with(&views(&views_));
    let all = Selection::default();
    let top = case.table(&all, By::Function);
    assert_eq!((top.samples, top.weight), (100, 100 * SAMPLE_NS));
    // An inlined function has its own time, and its caller only what is left.
    for (name, expected) in [
        ("small", (40.0, 40.0)),
        ("heavy", (10.0, 50.0)),
        ("light", (45.0, 45.0)),
        ("work", (5.0, 100.0)),
        ("main", (0.0, 100.0)),
    ] {
        assert_eq!(shares(&top, name), expected, "{name}");
    }
    let errors = top.rows.iter().map(|row| row.self_error);
    assert!(errors.into_iter().all(|error| (0.0..0.06).contains(&error)));
    let lines = case.table(&all, By::Line);
    assert!(lines.rows[0].name.ends_with("views.c:13"), "{lines:#?}");
    assert!(lines.rows[1].name.ends_with("views.c:5"), "{lines:#?}");
    let binaries = case.table(&all, By::Binary);
    assert!(binaries.rows[0].name.ends_with("/views"), "{binaries:#?}");
}

#[test]
fn focus_and_ignore_choose_stacks() {
    let case = Case::with(&views(&program("views")));
    let chosen = |focus: Option<&str>, ignore: Option<&str>| {
        let selection = Selection {
            focus: focus.and_then(pattern),
            ignore: ignore.and_then(pattern),
            ..Selection::default()
        };
        let named = case.named(&selection)?;
        Ok::<_, String>(named.stacks.samples())
    };
    assert_eq!(chosen(Some("^light$"), None), Ok(45));
    assert_eq!(chosen(None, Some("^light$")), Ok(55));
    assert_eq!(chosen(Some("^heavy$"), Some("^small$")), Ok(10));
    let refused = chosen(Some("nobody"), None).unwrap_err();
    assert!(
        refused.contains("of 100 samples none is left by --focus\n"),
        "{refused}"
    );
}

#[test]
fn calls_are_followed_both_ways() {
    let case = Case::with(&views(&program("views")));
    let named = case.named(&Selection::default()).unwrap();
    let tree = |direction, name: &str| {
        let tree = CallTree::new(&named.stacks, direction, |frame| frame.function == name);
        let mut text = Vec::new();
        let mut next = tree.roots().to_vec();
        while let Some(id) = next.pop() {
            let node = tree.node(id);
            text.push(format!("{} {}", node.function, node.weight / SAMPLE_NS));
            next.extend(tree.children(id));
        }
        text
    };
    assert_eq!(
        tree(Direction::Callers, "small"),
        ["small 40", "heavy 40", "work 40", "main 40"]
    );
    let callees = tree(Direction::Callees, "work");
    for call in ["work 100", "heavy 50", "small 40", "light 45"] {
        assert!(
            callees.iter().any(|line| line == call),
            "{call}: {callees:?}"
        );
    }
}

#[test]
fn a_change_is_told_from_none() {
    let program = program("views");
    let mut other = views(&program);
    // Six times as many calls of `light`.
    let [light, work, main] = [("light", 13), ("work", 18), ("main", 23)]
        .map(|(function, line)| other.at(program.line(function, line)));
    other.stack(500, &[light, work, main]);
    let [old, new] = [Case::with(&views(&program)), Case::with(&other)];
    let [old, new] = [&old, &new].map(|case| case.table(&Selection::default(), By::Function));
    let changes = diff(&old, &new);
    let change = |name: &str| changes.iter().find(|change| change.name == name).unwrap();
    assert!(change("light").significant && change("light").change > 0.3);
    assert!(change("heavy").significant && change("heavy").change < -0.05);
    assert!(diff(&old, &old).iter().all(|change| !change.significant));
}

#[test]
fn processes_and_commands_have_their_rows() {
    let program = program("views");
    let mut made = Recording::of(&program);
    let main = made.at(program.line("main", 23));
    for (pid, name, times) in [(11, "server", 6), (12, "server", 3), (13, "client", 1)] {
        made.thread(pid, pid, name);
        made.thread(pid, pid + 100, "worker");
        made.stack_of((pid, pid), times, &[main]);
        made.stack_of((pid, pid + 100), times, &[main]);
    }
    let case = Case::with(&made);
    let all = Selection::default();
    let commands = case.table(&all, By::Command);
    assert_eq!(shares(&commands, "server"), (90.0, 90.0));
    let processes = case.table(&all, By::Process);
    assert_eq!(processes.rows.len(), 3, "{processes:#?}");
    assert_eq!(shares(&processes, "server (process 11)"), (60.0, 60.0));
    let threads = case.table(&all, By::Thread);
    assert_eq!(threads.rows.len(), 6, "{threads:#?}");
    for by in [
        By::File,
        By::Line,
        By::Binary,
        By::Thread,
        By::Process,
        By::Command,
    ] {
        let table = case.table(&all, by);
        let sum: u64 = table.rows.iter().map(|row| row.self_weight).sum();
        assert_eq!(sum, table.weight);
    }
}

#[test]
fn samples_without_stacks_say_so_and_inlined_calls_are_known() {
    let program = program("views");
    let mut made = Recording::with_events(&program, &[("cpu-clock", Some(0))]);
    let small = made.at(program.line("heavy", 5));
    made.plain(0, 10, small);
    let case = Case::with(&made);
    let named = case.named(&Selection::default()).unwrap();
    assert!(!named.has_stacks);
    let top = table(&named.stacks, By::Function);
    assert_eq!(shares(&top, "heavy"), (0.0, 100.0));
    assert_eq!(shares(&top, "small"), (100.0, 100.0));
}

#[test]
fn walks_are_no_samples_of_time() {
    let filters = program("filters");
    let named = stacks_of(&recorded("filters-walk.data"), &given(&[filters.path()])).unwrap();
    assert_eq!(named.stacks.event, "cpu-clock");
    assert!(!named.has_stacks);
    let lines = folded_lines(&named);
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("Mul::run(unsigned int) ")),
        "{lines:?}"
    );
}

#[test]
fn an_event_that_is_not_there_is_told_with_those_that_are() {
    let case = Case::with(&views(&program("views")));
    let selection = Selection {
        event: Some("cache-misses".into()),
        ..Selection::default()
    };
    let refused = case.named(&selection).err().expect("a refusal");
    assert!(refused.contains("name one of cpu-clock"), "{refused}");
    let missing = look(
        &case.path("nothing.data"),
        &Selection::default(),
        |_| Ok(()),
    );
    assert!(missing.unwrap_err().contains("nothing.data"));
    let source = look(&recorded("sources/views.c"), &Selection::default(), |_| {
        Ok(())
    });
    assert!(source.unwrap_err().contains("next: "));
    let empty = Case::with(&Recording::empty(&[("cpu-clock", None)]));
    let refused = empty.named(&Selection::default()).err().expect("a refusal");
    assert!(
        refused.contains("the recording holds no samples\nnext: record for longer"),
        "{refused}"
    );
}

/// Copies of stacks, followed when the recording is read, through a file that is stripped.
#[test]
fn copied_stacks_are_followed_through_the_unwind_information() {
    let named_file = program("deep-named");
    let named = stacks_of(&recorded("deep.data"), &given(&[named_file.path()])).unwrap();
    assert!(named.has_stacks && named.broken_share == 0.0);
    assert!(
        (0.01..0.5).contains(&named.truncated_share),
        "{}",
        named.truncated_share
    );
    let lines = folded_lines(&named);
    let deep = format!("_start;work;{}spin ", "deep;".repeat(21));
    for expected in [
        &*deep,
        "_start;work;sorts;compare;spin ",
        "_start;work;aligned;spin ",
        "_start;work;spin ",
        // More stack than was copied.
        "[truncated stack];big;spin ",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(expected)),
            "{expected}: {lines:?}"
        );
    }
    let is_known = |line: &String| {
        line.starts_with("_start;work") || line.starts_with("[truncated stack];big")
    };
    assert!(lines.iter().all(is_known), "{lines:?}");

    // Without names the stacks are as deep.
    let stripped = program("deep");
    let unnamed = stacks_of(&recorded("deep.data"), &given(&[stripped.path()])).unwrap();
    assert_eq!(unnamed.truncated_share, named.truncated_share);
    let depth = |stacks: &hone_views::Stacks| stacks.stacks.iter().map(|of| of.frames.len()).max();
    assert_eq!(depth(&unnamed.stacks), depth(&named.stacks));
}

/// perf's own copies of stacks: of a program whose callers are in libc, which is another here.
#[test]
fn copies_by_perf_are_read() {
    let filters = program("filters");
    let named = stacks_of(&recorded("filters-dwarf.data"), &given(&[filters.path()])).unwrap();
    assert!(named.has_stacks);
    let top = table(&named.stacks, By::Function);
    assert!(row(&top, "main").total_share > 0.9, "{top:#?}");
    assert!(
        row(&top, "Add::run(unsigned int)").self_share > 0.2,
        "{top:#?}"
    );
}

#[test]
fn stacks_have_the_names_of_every_file() {
    let (user, library) = (program("user"), program("libmix.so"));
    let mut made = Recording::of(&user);
    let bias = made.also(&library);
    let mix = Avma(bias + library.function("mix").0);
    let main = made.at(user.function("main"));
    made.stack(9, &[mix, main]);
    let case = Case::with(&made);
    let named = case.named(&Selection::default()).unwrap();
    let expected = format!("main;mix {}", 9 * SAMPLE_NS);
    assert_eq!(folded_lines(&named), [expected]);

    // What is gone is called by its file.
    let mut made = Recording::of(&user);
    let gone = std::path::Path::new("/nowhere/libmix.so");
    let bias = made.map(&library, gone, library.build_id());
    let mix = Avma(bias + library.function("mix").0);
    made.stack(9, &[mix, main]);
    let case = Case::with(&made);
    let named = case.named(&Selection::default()).unwrap();
    let expected = format!("main;[libmix.so] {}", 9 * SAMPLE_NS);
    assert_eq!(folded_lines(&named), [expected]);
    let unnamed = &named.unnamed[0];
    assert_eq!(
        (unnamed.path.as_str(), unnamed.share),
        ("/nowhere/libmix.so", 1.0)
    );
    assert!(unnamed.reason.as_ref().unwrap().contains("No such file"));
}
