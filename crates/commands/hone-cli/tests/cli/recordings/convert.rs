//! `hone convert`, `quality` and `merge` as commands: where the result goes, what is said beside it, and exit statuses. What
//! becomes of recordings and profiles is tested in hone-convert.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use testkit::recorded;
use testkit::recording::Program;

use crate::common::{has_tools, hone, hone_with, is_refused, stderr, stdout};

/// Where a perf.data header says where its records stand: offset and length.
const DATA_SECTION: (usize, usize) = (40, 48);
const SAMPLE: u32 = 9;
/// Where the time stands in a sample of Hone: behind the header, the identifier, the address and the task.
const TIME: usize = 8 + 3 * 8;

/// A directory with the program `p` and the recordings `walk.data` and `plain.data` of it.
fn recorded_program() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("programs/filters", "p"),
        ("filters-walk.data", "walk.data"),
        ("filters-plain.data", "plain.data"),
    ] {
        fs::copy(recorded(from), directory.path().join(to)).unwrap();
    }
    directory
}

fn run(words: &str, directory: &Path) -> Output {
    hone(&words.split(' ').collect::<Vec<_>>(), directory)
}

/// What a command said beside its result; it must succeed.
fn said(words: &str, directory: &Path) -> String {
    let output = run(words, directory);
    assert!(output.status.success(), "{words}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn profiles_go_where_they_are_wanted_and_nothing_is_left_of_a_failure() {
    let directory = recorded_program();
    let dir = directory.path();
    let output = run("convert walk.data --binary p --to autofdo-text", dir);
    assert!(stdout(&output).starts_with("main:"), "{}", stdout(&output));
    let summary = stderr(&output);
    assert!(
        summary.contains(" branch records, ") && summary.contains("quality: "),
        "{summary}"
    );
    let again = said("convert walk.data --binary p --to autofdo-text -o out", dir);
    assert_eq!(again, summary);
    assert_eq!(
        fs::read_to_string(dir.join("out")).unwrap(),
        stdout(&output)
    );

    fs::write(dir.join("text"), "not a recording").unwrap();
    for (recording, binary, fact, next) in [
        ("missing.data", "p", "missing.data", "name a recording"),
        ("text", "p", "perf.data", "hone record"),
        ("walk.data", "text", "text", "ELF"),
    ] {
        let words = format!("convert {recording} --binary {binary} --to autofdo-text -o refused");
        is_refused(&run(&words, dir), fact, next);
        assert!(!dir.join("refused").exists(), "{words}");
    }
    let full = run(
        "convert walk.data --binary p --to autofdo-text -o /dev/full",
        dir,
    );
    assert_eq!(full.status.code(), Some(2), "{}", stderr(&full));
    for (form, files) in [("memops-headers", "headers"), ("propeller", "layout")] {
        let words = format!("convert walk.data --binary p --to {form}");
        is_refused(&run(&words, dir), files, "-o DIR");
    }
}

/// autofdo#87, #157, #179, #183: the tools do not build, or lack perf at run time.
#[test]
fn conversion_needs_no_other_program() {
    let directory = recorded_program();
    for form in ["autofdo-text", "bolt-fdata"] {
        let words = ["convert", "walk.data", "--binary", "p", "--to", form];
        let alone = hone_with(&words, directory.path(), &[("PATH", "")]);
        assert!(alone.status.success(), "{}", stderr(&alone));
        let usual = hone(&words, directory.path());
        assert_eq!(stdout(&alone), stdout(&usual));
    }
}

/// autofdo#162, llvm#61711, llvm#62316: 30 GiB of memory for a recording of 1.8 GiB.
#[test]
fn memory_does_not_grow_with_the_recording() {
    let directory = recorded_program();
    let dir = directory.path();
    let short = fs::read(dir.join("walk.data")).unwrap();
    let copies = (200 << 20) / records(&short).len();
    let long = lengthened(&short, copies as u64);
    assert!(long.len() > 150 << 20, "{} bytes", long.len());
    fs::write(dir.join("long.data"), &long).unwrap();
    // Without build ids, which stood behind the records, the recorded name tells which file it was.
    fs::rename(dir.join("p"), dir.join("filters")).unwrap();
    // The limit is on addresses, the program's own code and libraries included.
    let convert = format!(
        "ulimit -v {}; exec {} convert long.data --binary filters --to autofdo-text",
        long.len() / 2 / 1024,
        env!("CARGO_BIN_EXE_hone")
    );
    let output = Command::new("sh")
        .args(["-c", &convert])
        .current_dir(dir)
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let once = run("convert walk.data --binary filters --to autofdo-text", dir);
    let names = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with(' '));
        let names = lines.map(|line| line.split(':').next().unwrap().to_owned());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    assert_eq!(names(&stdout(&output)), names(&stdout(&once)));
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The records of a perf.data file.
fn records(file: &[u8]) -> &[u8] {
    let start = word(file, DATA_SECTION.0) as usize;
    &file[start..start + word(file, DATA_SECTION.1) as usize]
}

/// Calls `change` for every sample among the records.
fn for_samples(records: &mut [u8], mut change: impl FnMut(&mut [u8])) {
    let mut at = 0;
    while at < records.len() {
        let kind = u32::from_le_bytes(records[at..at + 4].try_into().unwrap());
        let len = usize::from(u16::from_le_bytes([records[at + 6], records[at + 7]]));
        if kind == SAMPLE {
            change(&mut records[at..at + len]);
        }
        at += len;
    }
}

/// The same recording with its samples over and over, each time later.
fn lengthened(file: &[u8], copies: u64) -> Vec<u8> {
    let start = word(file, DATA_SECTION.0) as usize;
    let data = records(file);
    let mut samples = Vec::new();
    let (mut first, mut last) = (u64::MAX, 0);
    for_samples(&mut data.to_vec(), |sample| {
        first = first.min(word(sample, TIME));
        last = last.max(word(sample, TIME));
        samples.extend_from_slice(sample);
    });
    let mut long = file[..start + data.len()].to_vec();
    for copy in 1..=copies {
        let mut later = samples.clone();
        for_samples(&mut later, |sample| {
            let time = word(sample, TIME) + copy * (last - first + 1);
            sample[TIME..TIME + 8].copy_from_slice(&time.to_le_bytes());
        });
        long.extend(later);
        // FINISHED_ROUND: everything before it may be sorted and handed on.
        long.extend([68, 0, 0, 0, 0, 0, 8, 0]);
    }
    let len = (long.len() - start) as u64;
    long[DATA_SECTION.1..DATA_SECTION.1 + 8].copy_from_slice(&len.to_le_bytes());
    // The sections of features stood behind the records: without them.
    long[72..104].fill(0);
    long
}

#[test]
#[ignore = "waits on a clock"]
fn a_long_conversion_shows_its_progress_to_a_terminal_and_to_nothing_else() {
    if !has_tools(&["script"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    fs::copy(recorded("programs/steps-fixed"), dir.join("p")).unwrap();
    let program = Program::read(&dir.join("p"));
    let [step, turn] = ["step", "turn"].map(|name| program.function(name).0);
    let sample =
        format!("{turn:>16x}  0x{turn:x}/0x{step:x}/P/-/-/1  0x{step:x}/0x{turn:x}/P/-/-/1 \n");
    let command = format!(
        "{} convert big.txt --binary p --to autofdo-text -o p.prof",
        env!("CARGO_BIN_EXE_hone")
    );
    // As much as takes a while on this machine: progress is to be seen at the latest of what takes many times as long as it waits.
    let mut lines = 1 << 17;
    loop {
        let mut text = String::new();
        for _ in 0..lines {
            let _ = write!(text, "{sample}");
        }
        fs::write(dir.join("big.txt"), &text).unwrap();
        let began = Instant::now();
        let seen = Command::new("script")
            .args(["-qec", &command, "typescript"])
            .env("TERM", "xterm")
            .current_dir(dir)
            .output()
            .unwrap();
        assert!(seen.status.success());
        let took = began.elapsed();
        let seen = stdout(&seen);
        if seen.contains("reading") && seen.contains(" %, ") {
            break;
        }
        assert!(took < Duration::from_secs(30), "{seen}");
        lines *= 3;
        if lines > 1 << 22 {
            println!("skipped: this machine reads a gigabyte before there is progress to show");
            return;
        }
    }
    let piped = run("convert big.txt --binary p --to autofdo-text", dir);
    assert!(piped.status.success(), "{}", stderr(&piped));
    assert!(!stderr(&piped).contains("reading"), "{}", stderr(&piped));
}

#[test]
fn quality_ends_with_the_verdict_and_its_status() {
    let directory = recorded_program();
    let dir = directory.path();
    let good = run("quality walk.data --binary p --json", dir);
    assert_eq!(good.status.code(), Some(0), "{}", stdout(&good));
    let json: Value = serde_json::from_slice(&good.stdout).unwrap();
    assert_eq!(json["profile"], "walk.data");
    assert_eq!(json["verdict"], "good", "{json:#}");
    // A tighter limit makes it unfit, and the reason is said.
    let unfit = run("quality walk.data --binary p --min-density 1e12", dir);
    assert_eq!(unfit.status.code(), Some(1));
    let text = stdout(&unfit);
    assert!(text.contains("unfit     density"), "{text}");
    assert!(
        text.contains("-> Record") && text.ends_with("verdict: unfit\n"),
        "{text}"
    );
    is_refused(
        &run("quality walk.data", dir),
        "without its binary",
        "--binary",
    );
    // Each limit is one of the figures.
    fs::write(dir.join("old"), "f:1:1\n 1: 1\n").unwrap();
    let words = "quality walk.data --binary p --max-outside 0% --max-broken 0% --min-overlap 100% --against old";
    let strict = run(words, dir);
    assert_eq!(strict.status.code(), Some(1), "{}", stdout(&strict));
}

#[test]
fn merge_says_what_it_added_up() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path();
    for (name, text) in [
        ("new", "f:1000:0\n 1: 1000\n"),
        ("old", "f:1000:0\n 2: 1000\n"),
        ("more", "f:9000:0\n 3: 9000\n"),
        ("a.fdata", "no_lbr cycles\n1 main 10 5\n"),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
    let read = || fs::read_to_string(dir.join("out")).unwrap();
    let text = "-o out --to autofdo-text";
    let all = said(&format!("merge new old more {text} --weight more=2"), dir);
    assert!(
        all.starts_with("3 profiles -> 1 functions, total 20,000\n"),
        "{all}"
    );
    assert_eq!(read(), "f:20000:0\n 1: 1000\n 2: 1000\n 3: 18000\n");
    let scaled = said(&format!("merge new more --normalize {text}"), dir);
    assert!(
        scaled.contains("scaled to a total of 1,000,000,000,000"),
        "{scaled}"
    );

    let set = |name: &str, days| {
        let file = fs::File::options()
            .write(true)
            .open(dir.join(name))
            .unwrap();
        let time = SystemTime::now() - days * Duration::from_secs(86_400);
        file.set_modified(time).unwrap();
    };
    set("new", 3);
    set("old", 7003);
    let aged = said(&format!("merge new old --half-life 1w {text}"), dir);
    assert!(aged.contains("1 files are so old"), "{aged}");
    assert_eq!(read(), "f:1000:0\n 1: 1000\n");
    let fdata = said("merge a.fdata a.fdata -o out", dir);
    assert_eq!(fdata, "fdata -> 1 branches and places\n");

    let build = recorded("programs/fitted");
    fs::write(
        dir.join("past"),
        "moved:30:10\n 3: 10 one:10\n 4: 10 two:10\n 5: 10\nold_name:20:10\n 1: 10 one:10\n 2: 10 two:10\n",
    )
    .unwrap();
    let fitted = said(
        &format!("merge past --for-build {} {text}", build.display()),
        dir,
    );
    for part in [
        "60.0 % of the weight is where the build has it, 40.0 % was found elsewhere",
        "note: old_name looks like new_name of the build",
    ] {
        assert!(fitted.contains(part), "{fitted}");
    }
    fs::remove_file(dir.join("out")).unwrap();
    for (words, fact, next) in [
        (
            "merge -o out new --weight other=2",
            "not merged",
            "as it is written",
        ),
        (
            "merge -o out new a.fdata",
            "a.fdata: sample profiles",
            "apart",
        ),
    ] {
        is_refused(&run(words, dir), fact, next);
        assert!(!dir.join("out").exists());
    }
}
