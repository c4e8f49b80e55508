//! Names that a recording itself has, where the recorded program is not at hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hone_look::selection::Selection;
use hone_profile::pprof::{Function, Line, Location, Mapping, Pprof, Sample, parse, write};
use hone_views::{By, Stacks, Table, Timeline, align, diff, firefox, speedscope, table};
use testkit::{go, recorded};

use crate::common::{Case, folded_lines, program, shares, stacks_of, views};

fn functions(path: &Path) -> Table {
    let named = stacks_of(path, &Selection::default());
    let named = named.unwrap_or_else(|error| panic!("{error}"));
    table(&named.stacks, By::Function)
}

/// A committed profile of Go's runtime, as of a program that is not here.
fn of_gos_runtime(case: &Case) -> PathBuf {
    let mut profile = parse(&fs::read(recorded("labels.pprof")).unwrap()).unwrap();
    profile.mappings[0].file = profile.intern("/nowhere/labels");
    let path = case.path("cpu.pprof");
    fs::write(&path, write(&profile).unwrap()).unwrap();
    path
}

#[test]
fn a_profile_of_gos_runtime_is_named_without_its_program() {
    let case = Case::new();
    let named = stacks_of(&of_gos_runtime(&case), &Selection::default()).unwrap();
    assert!(named.unnamed.iter().all(|file| file.share < 0.01));
    let own = &named.own_names[0];
    assert!(own.share > 0.9, "{}", own.share);
    let reason = own.reason.as_ref().unwrap();
    assert!(reason.contains("No such file"), "{reason}");
    let rows = table(&named.stacks, By::Function);
    assert_eq!(shares(&rows, "main.burn"), (78.4, 100.0));
    assert_eq!(shares(&rows, "main.main.func1"), (0.0, 81.6));
}

/// The same times of the same functions as `go tool pprof` tells.
#[test]
fn a_profile_of_gos_runtime_shows_what_pprof_shows() {
    let Some(go) = go() else { return };
    let case = Case::new();
    let path = of_gos_runtime(&case);
    let words = "tool pprof -top -sample_index=cpu -unit=ns -nodefraction=0 -nodecount=100000";
    let printed = Command::new(go).args(words.split(' ')).arg(&path).output();
    let printed = String::from_utf8(printed.unwrap().stdout).unwrap();
    let rows = printed
        .lines()
        .skip_while(|line| !line.contains("flat%   sum%"));
    let ns = |word: &str| word.trim_end_matches("ns").parse::<u64>().unwrap();
    let theirs = rows.skip(1).map(|row| {
        let words: Vec<&str> = row.split_ascii_whitespace().collect();
        (words[5].to_owned(), (ns(words[0]), ns(words[3])))
    });
    let theirs: BTreeMap<String, (u64, u64)> = theirs.collect();
    assert!(theirs.len() > 3, "{printed}");
    let rows = functions(&path).rows.into_iter();
    let ours = rows.map(|row| (row.name, (row.self_weight, row.total_weight)));
    assert_eq!(ours.collect::<BTreeMap<_, _>>(), theirs);
}

/// A profile as C++'s and Rust's profilers write it after symbolisation: addresses in a program that is not here, and names.
/// Function `n` has a weight of `weight(n)`, and each stands in a call that `main` has inlined.
fn symbolised(functions: u32, weight: impl Fn(u32) -> i64) -> Vec<u8> {
    let mut made = Pprof::default();
    made.value_types = vec![made.value_type("cpu", "nanoseconds")];
    let file = made.intern("/nowhere/server");
    made.mappings.push(Mapping {
        start: 0x40_0000,
        limit: 0x100_0000,
        file,
        ..Mapping::default()
    });
    let function = |name: &str, made: &mut Pprof| {
        let name = made.intern(name);
        made.functions.push(Function {
            name,
            system_name: name,
            ..Function::default()
        });
        made.functions.len() as u32 - 1
    };
    let [main, inlined] = ["main", "step"].map(|name| function(name, &mut made));
    let line = |function| Line { function, line: 7 };
    made.locations.push(Location {
        mapping: Some(0),
        address: 0x40_0008,
        lines: vec![line(inlined), line(main)],
    });
    for n in 0..functions {
        let leaf = function(&format!("work_{n}"), &mut made);
        made.locations.push(Location {
            mapping: Some(0),
            address: 0x50_0000 + u64::from(n) * 16,
            lines: vec![line(leaf)],
        });
        made.samples.push(Sample {
            stack: vec![n + 1, 0],
            values: vec![weight(n)],
            labels: Vec::new(),
        });
    }
    write(&made).unwrap()
}

#[test]
fn a_symbolised_profile_has_a_row_for_each_function_and_a_diff_by_functions() {
    let case = Case::new();
    let [old, new] = ["old.pprof", "new.pprof"].map(|name| case.path(name));
    fs::write(&old, symbolised(2500, |_| 10)).unwrap();
    fs::write(&new, symbolised(2500, |n| if n == 7 { 10_000 } else { 10 })).unwrap();
    let rows = functions(&old);
    assert_eq!(rows.rows.len(), 2502);
    assert_eq!(shares(&rows, "step"), (0.0, 100.0));
    assert_eq!(shares(&rows, "main"), (0.0, 100.0));
    assert_eq!(
        folded_lines(&stacks_of(&old, &Selection::default()).unwrap())[0],
        "main;step;work_0 10"
    );

    let of = |path| stacks_of(path, &Selection::default()).unwrap().stacks;
    let (mut old, mut new): (Stacks, Stacks) = (of(&old), of(&new));
    align(&mut old, &mut new);
    let changes = diff(&table(&old, By::Function), &table(&new, By::Function));
    assert_eq!(changes[0].name, "work_7");
    assert!(
        changes[0].significant && changes[0].change > 0.2,
        "{:?}",
        changes[0]
    );
}

/// What a table says, but for the numbers of threads.
fn told(stacks: &Stacks, by: By<'_>) -> Vec<(String, String, u64, u64)> {
    let rows = table(stacks, by).rows.into_iter();
    rows.map(|row| (row.name, row.binary, row.self_weight, row.total_weight))
        .collect()
}

#[test]
fn what_is_written_as_pprof_reads_back() {
    let case = Case::with(&views(&program("views")));
    let named = case.named(&Selection::default()).unwrap();
    let again = case.path("again.pb.gz");
    fs::write(&again, write(&hone_views::pprof(&named.stacks)).unwrap()).unwrap();
    let read = stacks_of(&again, &Selection::default()).unwrap();
    assert_eq!(folded_lines(&read), folded_lines(&named));
    for by in [By::Function, By::Line, By::File, By::Binary] {
        assert_eq!(told(&read.stacks, by), told(&named.stacks, by), "{by:?}");
    }
    assert_eq!(read.own_names.len(), 1);
    let inlined = |stacks: &Stacks| {
        let frames = stacks.stacks.iter().flat_map(|stack| &stack.frames);
        frames.filter(|id| stacks.frame(**id).is_inlined).count()
    };
    assert!(inlined(&named.stacks) > 0);
    assert_eq!(inlined(&read.stacks), inlined(&named.stacks));
}

/// Every form of `hone view --to` that is not for browsers reads back: the same stacks, and what else the form has.
#[test]
fn what_is_written_for_other_viewers_reads_back() {
    let case = Case::with(&views(&program("views")));
    let named = case.named(&Selection::default()).unwrap();
    let (stacks, timeline) = (&named.stacks, Timeline::default());
    let read = |name: &str, text: String| {
        fs::write(case.path(name), text).unwrap();
        stacks_of(&case.path(name), &Selection::default()).unwrap()
    };
    let folded = read("a.folded", hone_views::folded(stacks));
    assert_eq!(folded_lines(&folded), folded_lines(&named));

    let speedscope = read("a.json", speedscope("a", stacks, &timeline).unwrap());
    assert_eq!(folded_lines(&speedscope), folded_lines(&named));
    for by in [By::Function, By::Line, By::File, By::Binary, By::Thread] {
        assert_eq!(told(&speedscope.stacks, by), told(stacks, by), "{by:?}");
    }

    // Its times are microseconds.
    let firefox = read("b.json", firefox("a", stacks, &timeline).unwrap());
    let microseconds = |named: &hone_look::names::Named| -> Vec<(String, u64)> {
        let lines = folded_lines(named).into_iter().map(|line| {
            let (stack, weight) = line.rsplit_once(' ').unwrap();
            (stack.to_owned(), weight.parse::<u64>().unwrap() / 1000)
        });
        lines.collect()
    };
    assert_eq!(microseconds(&firefox), microseconds(&named));
    let threads = |stacks: &Stacks| {
        let rows = told(stacks, By::Thread).into_iter();
        rows.map(|(name, ..)| name).collect::<Vec<_>>()
    };
    assert_eq!(threads(&firefox.stacks), threads(stacks));
}

/// Folded text of other tools: marks of the kernel and of compiled code, and counts of samples or of their periods.
#[test]
fn folded_text_of_other_tools_is_taken() {
    let case = Case::new();
    let table = |text: &str| {
        fs::write(case.path("p.data"), text).unwrap();
        case.table(&Selection::default(), By::Function)
    };
    let text = "java;start;LWork:::run_[j];step_[i] 20\njava;write;vfs_write_[k] 40\n";
    let rows = table(text);
    assert_eq!(shares(&rows, "step"), (33.33, 33.33));
    assert_eq!(shares(&rows, "java"), (0.0, 100.0));
    let kernel = rows.rows.iter().find(|row| row.name == "vfs_write");
    assert_eq!(kernel.unwrap().binary, hone_views::KERNEL);
    // Three samples with a period of 20.
    assert_eq!(rows.effective_samples.round(), 3.0);
    let rows = table("a;b 3\na;c 4\n\na 0\n");
    assert_eq!(rows.effective_samples.round(), 7.0);
}

/// A file without names, and stacks that were cut or broken, are the same when read back.
#[test]
fn what_has_no_names_has_none_when_it_is_read_back() {
    let case = Case::new();
    let path = recorded("deep.data");
    let named = stacks_of(&path, &Selection::default()).unwrap();
    let again = case.path("again.pb.gz");
    fs::write(&again, write(&hone_views::pprof(&named.stacks)).unwrap()).unwrap();
    let read = stacks_of(&again, &Selection::default()).unwrap();
    assert_eq!(folded_lines(&read), folded_lines(&named));
    assert_eq!(read.stacks.unknown, named.stacks.unknown);
    let shares = |named: &hone_look::names::Named| (named.truncated_share, named.broken_share);
    assert_eq!(shares(&read), shares(&named));
}

fn folded_text(text: &str) -> Vec<String> {
    let case = Case::new();
    fs::write(case.path("p.data"), text).unwrap();
    let named = case.named(&Selection::default());
    folded_lines(&named.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Texts of `perf script` without lines of mappings, as people send them: all that is known of a function is its name.
#[test]
fn symbols_of_perf_script_keep_stacks_apart() {
    // Two functions at one offset of two processes' files, and a library without symbols.
    let one = "\
a 7 1.000000: 5 cycles:u:
\t    7f0000401010 leaf+0x10 (/nowhere/liba.so)
\t    7f0000402010 [unknown] (/nowhere/libb.so)
\t    550000401018 main+0x8 (/nowhere/a)

b 8 1.000001: 7 cycles:u:
\t    7f0000401010 other_leaf+0x10 (/nowhere/liba.so)
\t    550000401018 main+0x8 (/nowhere/a)

";
    assert_eq!(
        folded_text(one),
        ["main;[libb.so];leaf 5", "main;other_leaf 7"]
    );
    // Calls inlined, and code that is compiled at run time.
    let inlined = "\
java 7 1.000000: 5 cpu-clock:
\t    7f0000401010 step+0x10 (inlined)
\t    7f0000401010 walk+0x10 (inlined)
\t    7f0000401010 LCounter;::count+0x10 (/tmp/perf-7.map)
\t    7f0000401090 Interpreter+0x90 (/tmp/perf-7.map)

";
    assert_eq!(
        folded_text(inlined),
        ["Interpreter;LCounter:::count;walk;step 5"]
    );
    // Frames of which perf knows nothing: between functions, and at the end.
    let unknown = "\
go 7 1.000000: 5 cpu-clock:
\t          401010 main.work (/nowhere/go)
\t      c000092040 [unknown] ([unknown])
\t          401090 runtime.main (/nowhere/go)
\t      c000092080 [unknown] ([unknown])

a 7 1.000001: 6 cpu-clock:
\t          401010 main.work (/nowhere/go)
\tffffffffffffffff [unknown] ([unknown])

";
    assert_eq!(
        folded_text(unknown),
        [
            "[broken stack];main.work 6",
            "[broken stack];runtime.main;[unknown];main.work 5"
        ]
    );
}

/// Forms that other tools fold too: blanks in place of the tab, the kernel alone, a sample in one line, and a line that is none.
#[test]
fn unusual_forms_of_perf_script_are_taken() {
    let kernel = "\
swapper     0 [012] 2281339.604067:   20834821 cycles:
        ffffffffc087cbc9 driver_poll+0xa9 (/lib/modules/6.1/kernel/driver.ko)
        ffffffffb8f03eaa net_rx_action+0x13a (/usr/lib/debug/boot/vmlinux-6.1)
";
    assert_eq!(folded_text(kernel), ["net_rx_action;driver_poll 20834821"]);
    let blanks = "\
cli 12937 10360.271071:   10101010 cpu-clock:uhH:
            562039122f0f <a::Map<K,V> as b::Trace>::trace+0xbf (/nowhere/cli)
            56203912789e cli::main+0xe (/nowhere/cli)
";
    assert_eq!(
        folded_text(blanks),
        ["cli::main;<a::Map<K,V> as b::Trace>::trace 10101010"]
    );
    let one_line = "\
           false 39654 19115.489713:          1 cycles:    ffffffff9b201293 entry+0x3 ([kernel.kallsyms])
           false 39654 19115.489719:          1 cycles:      7fa68b1f2d84 _dl_start+0x4 (/nowhere/ld-2.31.so)
";
    assert_eq!(folded_text(one_line), ["_dl_start 1", "entry 1"]);
    let odd = "\
counter 26037  8801.193547:     250000 cpu-clock:uhH:
\t          401b97 main+0x1f (./data/counter)

counter 26037  8801.194312:     250000 cpu-clock:uhH:
\t          THIS_IS_NO_FRAME
";
    assert_eq!(folded_text(odd), ["main 250000"]);
}

/// Symbols of a file that may be another build do not rename what the text names.
#[test]
fn the_name_in_the_text_wins_where_the_build_is_not_known() {
    let program = program("views");
    let light = program.file_offset(program.line("light", 13)).0;
    let text = |name: &str| {
        let path = program.path().display();
        format!("a 7 1.000000: 5 cycles:u:\n\t{light:>16x} {name}+0x4 ({path})\n\n")
    };
    assert_eq!(folded_text(&text("light")), ["light 5"]);
    assert_eq!(folded_text(&text("quite_another")), ["quite_another 5"]);
    let case = Case::new();
    fs::write(case.path("p.data"), text("light")).unwrap();
    let lines = case.table(&Selection::default(), By::Line);
    assert!(lines.rows[0].name.ends_with(":13"), "{lines:#?}");
}
