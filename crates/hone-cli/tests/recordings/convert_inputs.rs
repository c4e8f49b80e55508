//! `hone convert` from texts that name addresses and no files, and how it shows that it is at work.

use crate::common::{fixture, has_tools, hone, stderr, stdout};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PROGRAM: &str = "
int step(int x) { return x % 3 ? x * 5 : x / 3; }
int turn(int x) { return x ^ 5; }
int main(int argc, char **argv) { return step(argc) + turn(argc); }
";

/// A compiled program and the addresses of its functions.
pub(super) struct Program {
    directory: tempfile::TempDir,
    pub(super) step: u64,
    pub(super) turn: u64,
}

impl Program {
    pub(super) fn new(flags: &[&str]) -> Option<Self> {
        if !has_tools(&["clang-19", "llvm-nm-19"]) {
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("p.c"), PROGRAM).unwrap();
        let common = ["-O1", "-fno-inline", "-g", "-fdebug-info-for-profiling"];
        let status = Command::new("clang-19")
            .args(common)
            .args(["-Wl,--build-id=0xabcdef01", "p.c", "-o", "p"])
            .args(flags)
            .current_dir(directory.path())
            .status();
        assert!(status.unwrap().success());
        let names = Command::new("llvm-nm-19")
            .arg("p")
            .current_dir(directory.path())
            .output();
        let names = stdout(&names.unwrap());
        let address = |name: &str| {
            let line = names
                .lines()
                .find(|line| line.ends_with(&format!(" T {name}")));
            u64::from_str_radix(line.unwrap().split(' ').next().unwrap(), 16).unwrap()
        };
        Some(Self {
            step: address("step"),
            turn: address("turn"),
            directory,
        })
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub(super) fn convert(&self, input: &str, to: &str) -> Output {
        hone(
            &["convert", input, "--binary", "p", "--to", to],
            self.path(),
        )
    }

    /// The text of a form.
    pub(super) fn text(&self, input: &str, to: &str) -> String {
        let output = self.convert(input, to);
        assert!(output.status.success(), "{to}: {}", stderr(&output));
        stdout(&output)
    }

    pub(super) fn expect_refusal(&self, input: &str, to: &str, expected: &str) {
        let output = self.convert(input, to);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected) && said.contains("next: "), "{said}");
    }

    /// BOLT's text of a jump from one function to the other and of what ran after it.
    fn aggregated(&self, prefix: &str) -> String {
        let (step, turn) = (self.step, self.turn);
        format!(
            "B {prefix}{step:x} {prefix}{turn:x} 70 1\nF {prefix}{turn:x} {prefix}{turn:x} 70\n\
             F {prefix}{step:x} {prefix}{step:x} 70\n"
        )
    }

    /// `perf script -F ip,brstack` of one sample that says the same.
    pub(super) fn script(&self, at: u64) -> String {
        let (step, turn) = (self.step + at, self.turn + at);
        let jump = format!("0x{step:x}/0x{turn:x}/P/-/-/1");
        let back = format!("0x{turn:x}/0x{step:x}/P/-/-/1");
        format!("{turn:>16x}  {back}  {jump}  {back} \n")
    }
}

/// How often the first line of a function ran, in a text profile.
pub(super) fn first_count<'p>(profile: &'p str, function: &str) -> Option<&'p str> {
    let mut lines = profile.lines();
    lines.find(|line| line.starts_with(&format!("{function}:")))?;
    lines.next()?.strip_prefix(" 0: ")
}

#[test]
fn bolts_text_becomes_every_form_that_its_addresses_allow() {
    let Some(program) = Program::new(&[]) else {
        return;
    };
    program.write("p.preagg", &program.aggregated(""));
    let profile = program.text("p.preagg", "autofdo-text");
    assert_eq!(first_count(&profile, "turn"), Some("70"), "{profile}");
    let fdata = program.text("p.preagg", "bolt-fdata");
    assert!(fdata.contains("1 step 0 1 turn 0 1 70\n"), "{fdata}");
    let again = program.text("p.preagg", "bolt-preaggregated");
    let branch = format!("B {:x} {:x} 70 1\n", program.step, program.turn);
    assert!(again.starts_with(&branch), "{again}");
    program.write("again.preagg", &again);
    assert_eq!(program.text("again.preagg", "bolt-preaggregated"), again);
    let order = program.text("p.preagg", "symbol-order");
    assert!(
        order.contains("step\n") && order.contains("turn\n"),
        "{order}"
    );
    let json: serde_json::Value = serde_json::from_str(&program.text("p.preagg", "json")).unwrap();
    assert_eq!(json["account"]["branches"], 70);
    assert!(program.text("p.preagg", "text").contains("turn"));
    assert!(
        program
            .text("p.preagg", "section-order")
            .contains(".text.turn")
    );
    for to in ["autofdo-extbinary", "gcc-gcov"] {
        assert!(program.convert("p.preagg", to).status.success(), "{to}");
    }
    program.expect_refusal("p.preagg", "go-pgo", "not built by Go");
}

#[test]
fn bolts_text_is_judged_and_its_build_ids_count() {
    let Some(program) = Program::new(&[]) else {
        return;
    };
    program.write("plain", &program.aggregated(""));
    let unnamed = stderr(&program.convert("plain", "autofdo-text"));
    assert!(unnamed.contains("no build id to compare"), "{unnamed}");
    program.write("named", &program.aggregated("abcdef01:"));
    let named = stderr(&program.convert("named", "autofdo-text"));
    assert!(!named.contains("no build id to compare"), "{named}");
    program.write("other", &program.aggregated("abcdef02:"));
    program.expect_refusal("other", "autofdo-text", "abcdef02");

    let mixed = program.aggregated("") + "B X:0 X:1 70 0\nnonsense here\n";
    program.write("mixed", &mixed);
    let output = hone(
        &["quality", "mixed", "--binary", "p", "--json"],
        program.path(),
    );
    let judged: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let figure = |name: &str| {
        let figures = judged["figures"].as_array().unwrap();
        let found = figures.iter().find(|figure| figure["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {judged}"))["value"].clone()
    };
    assert_eq!(figure("outside"), 0.5);
    let alone = hone(&["quality", "mixed"], program.path());
    assert!(stderr(&alone).contains("--binary"), "{}", stderr(&alone));
}

#[test]
fn bolts_text_of_a_real_recording_gives_the_profile_of_the_recording() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    let directory = tempfile::tempdir().unwrap();
    let convert = |input: &Path, to: &str| {
        let (input, binary) = (input.to_str().unwrap(), binary.to_str().unwrap());
        let output = hone(
            &["convert", input, "--binary", binary, "--to", to],
            directory.path(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let text = directory.path().join("text");
    fs::write(&text, convert(&recording, "bolt-preaggregated")).unwrap();
    let profile = |input: &Path| convert(input, "autofdo-text");
    assert!(profile(&text) == profile(&recording), "the profile differs");
    // The text has no branches from and to other files.
    let inside = |input: &Path| {
        let fdata = convert(input, "bolt-fdata");
        let lines = fdata.lines().filter(|line| !line.contains("[unknown]"));
        lines.map(String::from).collect::<Vec<_>>()
    };
    assert!(
        inside(&text) == inside(&recording),
        "BOLT's profile differs"
    );
    // So a range after one looks as if entered from here.
    let again = convert(&text, "bolt-preaggregated");
    let first = fs::read_to_string(&text).unwrap();
    let whole = |text: &str| text.replace("f ", "F ");
    assert!(whole(&again) == whole(&first), "the text differs");
}

#[test]
fn perf_script_without_mappings_is_placed_in_a_fixed_binary() {
    let Some(program) = Program::new(&["-no-pie"]) else {
        return;
    };
    program.write("p.txt", &program.script(0).repeat(20));
    let profile = program.text("p.txt", "autofdo-text");
    assert_eq!(first_count(&profile, "turn"), Some("20"), "{profile}");
    program.write("far.txt", &program.script(0x7f00_0000_0000));
    program.expect_refusal("far.txt", "autofdo-text", "at an address of p");
    let Some(pie) = Program::new(&["-pie"]) else {
        return;
    };
    pie.write("p.txt", &pie.script(0));
    pie.expect_refusal("p.txt", "autofdo-text", "no lines of mappings");
}

#[test]
fn perf_script_without_mappings_says_the_same_as_the_recording() {
    let (recording, binary) = (fixture("test.lbr"), fixture("test.binary"));
    if !has_tools(&["perf"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let printed = Command::new("perf")
        .args(["script", "-F", "ip,brstack", "-i"])
        .arg(&recording)
        .output();
    fs::write(directory.path().join("text"), printed.unwrap().stdout).unwrap();
    let convert = |input: &str| {
        let binary = binary.to_str().unwrap();
        let arguments = ["convert", input, "--binary", binary, "--to", "autofdo-text"];
        let output = hone(&arguments, directory.path());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let expected = convert(recording.to_str().unwrap());
    assert!(
        convert("text") == expected,
        "the text gives another profile"
    );
}

#[test]
fn a_long_conversion_shows_its_progress_to_a_terminal_and_to_nothing_else() {
    let Some(program) = Program::new(&["-no-pie"]) else {
        return;
    };
    if !has_tools(&["script"]) {
        return;
    }
    // As much as takes a while on this machine; how long it takes is not judged.
    let mut lines = 1 << 17;
    loop {
        let mut text = String::new();
        for _ in 0..lines {
            let _ = write!(text, "{}", program.script(0));
        }
        program.write("big.txt", &text);
        let began = Instant::now();
        let piped = program.convert("big.txt", "autofdo-text");
        let took = began.elapsed();
        assert!(piped.status.success(), "{}", stderr(&piped));
        assert!(!stderr(&piped).contains("reading"), "{}", stderr(&piped));
        if took > Duration::from_secs(3) {
            break;
        }
        lines *= 3;
        if lines > 1 << 22 {
            println!("skipped: this machine reads a gigabyte before there is progress to show");
            return;
        }
    }
    let command = format!(
        "{} convert big.txt --binary p --to autofdo-text -o p.prof",
        env!("CARGO_BIN_EXE_hone")
    );
    let seen = Command::new("script")
        .args(["-qec", &command, "typescript"])
        .env("TERM", "xterm")
        .current_dir(program.path())
        .output()
        .unwrap();
    assert!(seen.status.success());
    let seen = stdout(&seen);
    assert!(seen.contains("reading") && seen.contains(" %, "), "{seen}");
}
