//! Texts that name addresses and no files: BOLT's pre-aggregated form, `perf script` without mappings, llvm-profgen's.

use std::path::Path;
use std::process::Command;
use std::{fs, str};

use hone_convert::{Form, Program as Files, Request};
use testkit::recording::Program;
use testkit::{fixture, has_tools, run_in};

use crate::common::{Case, first_count, program, refusal, text, try_convert};

/// BOLT's text of a jump from one function to the other and of what ran after it.
fn aggregated(program: &Program, prefix: &str) -> String {
    let [step, turn] = ["step", "turn"].map(|name| program.function(name).0);
    format!(
        "B {prefix}{step:x} {prefix}{turn:x} 70 1\nF {prefix}{turn:x} {prefix}{turn:x} 70\n\
         F {prefix}{step:x} {prefix}{step:x} 70\n"
    )
}

/// `perf script -F ip,brstack` of one sample that says the same.
fn script(program: &Program, at: u64) -> String {
    let [step, turn] = ["step", "turn"].map(|name| program.function(name).0 + at);
    let jump = format!("0x{step:x}/0x{turn:x}/P/-/-/1");
    let back = format!("0x{turn:x}/0x{step:x}/P/-/-/1");
    format!("{turn:>16x}  {back}  {jump}  {back} \n")
}

#[test]
fn bolts_text_becomes_every_form_that_its_addresses_allow() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    case.write("p", aggregated(&steps, ""));
    let profile = case.profile("p", Form::AutofdoText);
    assert_eq!(first_count(&profile, "turn"), Some("70"), "{profile}");
    let fdata = case.profile("p", Form::BoltFdata);
    assert!(fdata.contains("1 step 0 1 turn 0 1 70\n"), "{fdata}");
    let again = case.profile("p", Form::BoltPreaggregated);
    let [step, turn] = ["step", "turn"].map(|name| steps.function(name).0);
    assert!(
        again.starts_with(&format!("B {step:x} {turn:x} 70 1\n")),
        "{again}"
    );
    case.write("again", &again);
    assert_eq!(case.profile("again", Form::BoltPreaggregated), again);
    let order = case.profile("p", Form::SymbolOrder);
    assert!(
        order.contains("step\n") && order.contains("turn\n"),
        "{order}"
    );
    let json = case.profile("p", Form::Json);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["account"]["branches"], 70);
    assert!(case.profile("p", Form::Text).contains("turn"));
    let sections = case.profile("p", Form::SectionOrder);
    assert!(sections.contains(".text.turn"), "{sections}");
    for to in [Form::AutofdoExtbinary, Form::GccGcov] {
        assert!(case.try_convert("p", to).is_ok(), "{}", to.name());
    }
    let refused = case.refused("p", Form::GoPgo);
    assert!(refused.contains("not built by Go"), "{refused}");
}

#[test]
fn build_ids_in_bolts_text_count() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let unnamed = "no build id to compare";
    case.write("plain", aggregated(&steps, ""));
    let (_, said) = case.convert("plain", Form::AutofdoText);
    assert!(said.contains(unnamed), "{said}");
    case.write("named", aggregated(&steps, "abcdef01:"));
    let (_, said) = case.convert("named", Form::AutofdoText);
    assert!(!said.contains(unnamed), "{said}");
    case.write("other", aggregated(&steps, "abcdef02:"));
    let refused = case.refused("other", Form::AutofdoText);
    assert!(refused.contains("abcdef02"), "{refused}");
}

/// A conversion of the recording with hardware branch records, or of a text of it.
fn of_hardware(input: &Path, to: Form) -> String {
    let binary = Files::alone(&fixture("test.binary"));
    text(try_convert(&Request::new(&[input.to_owned()], &binary, to))).0
}

#[test]
fn bolts_text_of_a_real_recording_gives_the_profile_of_the_recording() {
    let (case, recording) = (Case::of("steps"), fixture("test.lbr"));
    let first = of_hardware(&recording, Form::BoltPreaggregated);
    let written = case.write("text", &first);
    let profile = |input: &Path| of_hardware(input, Form::AutofdoText);
    assert!(
        profile(&written) == profile(&recording),
        "the profile differs"
    );
    // The text has no branches from and to other files.
    let inside = |input: &Path| {
        let fdata = of_hardware(input, Form::BoltFdata);
        let lines = fdata.lines().filter(|line| !line.contains("[unknown]"));
        lines.map(String::from).collect::<Vec<_>>()
    };
    assert!(
        inside(&written) == inside(&recording),
        "BOLT's profile differs"
    );
    // So a range after one looks as if entered from here.
    let again = of_hardware(&written, Form::BoltPreaggregated);
    let whole = |text: &str| text.replace("f ", "F ");
    assert!(whole(&again) == whole(&first), "the text differs");
}

#[test]
fn perf_script_without_mappings_is_placed_in_a_fixed_binary() {
    let (case, steps) = (Case::of("steps-fixed"), program("steps-fixed"));
    case.write("p", script(&steps, 0).repeat(20));
    let profile = case.profile("p", Form::AutofdoText);
    assert_eq!(first_count(&profile, "turn"), Some("20"), "{profile}");
    case.write("far", script(&steps, 0x7f00_0000_0000));
    let refused = case.refused("far", Form::AutofdoText);
    assert!(refused.contains("at an address of "), "{refused}");

    let anywhere = Case::of("steps");
    anywhere.write("p", script(&program("steps"), 0));
    let refused = anywhere.refused("p", Form::AutofdoText);
    assert!(refused.contains("no lines of mappings"), "{refused}");
}

#[test]
fn perf_script_without_mappings_says_the_same_as_the_recording() {
    if !has_tools(&["perf"]) {
        return;
    }
    let (case, recording) = (Case::of("steps"), fixture("test.lbr"));
    let printed = Command::new("perf")
        .args(["script", "-F", "ip,brstack", "-i"])
        .arg(&recording)
        .output();
    let written = case.write("text", printed.unwrap().stdout);
    let [ours, expected] =
        [&written, &recording].map(|input| of_hardware(input, Form::AutofdoText));
    assert!(ours == expected, "the text gives another profile");
}

/// Of each aggregated sample one was counted.
#[test]
fn aggregated_samples_count_as_often_as_llvm_profgen_counts_them() {
    let (case, steps) = (Case::of("steps-lld-fixed"), program("steps-lld-fixed"));
    let sample = script(&steps, 0);
    case.write("aggregated", format!("12\n{sample}{sample}7\n{sample}"));
    case.write("repeated", sample.repeat(20));
    let profile = case.profile("aggregated", Form::AutofdoText);
    assert_eq!(profile, case.profile("repeated", Form::AutofdoText));
    assert_eq!(first_count(&profile, "turn"), Some("20"), "{profile}");
    if !has_tools(&["llvm-profgen-19"]) {
        return;
    }
    // Both functions are in one page.
    let page = steps.function("step").0 & !0xfff;
    let offset = steps.file_offset(steps.function("step")).0 & !0xfff;
    let map = format!(
        "PERF_RECORD_MMAP2 7/7: [{page:#x}(0x1000) @ {offset:#x} 08:01 12 0]: r-xp /srv/steps-lld-fixed\n"
    );
    case.write(
        "theirs.txt",
        format!("{map}12\n{sample}{sample}7\n{sample}"),
    );
    let binary = format!("--binary={}", case.binary.display());
    let profgen = |options: &[&str]| {
        let all = [&[&*binary, "--perfscript=theirs.txt"], options].concat();
        run_in(&case.path(""), "llvm-profgen-19", &all);
    };
    profgen(&["--output=theirs.prof", "--format=text"]);
    let theirs = fs::read_to_string(case.path("theirs.prof")).unwrap();
    let counted = first_count(&theirs, "step").unwrap_or_default();
    assert_eq!(counted.split(' ').next(), Some("20"), "{theirs}");
    profgen(&["--output=ranges", "--skip-symbolization"]);
    assert_eq!(case.profile("ranges", Form::AutofdoText), profile);
}

#[test]
fn llvm_profgens_text_of_a_real_recording_gives_the_profile_of_the_recording() {
    if !has_tools(&["perf", "llvm-profgen-19"]) {
        return;
    }
    let (case, recording) = (Case::of("steps"), fixture("test.lbr"));
    let print = format!(
        "perf script --show-mmap-events -F ip,brstack -i {} > text",
        recording.display()
    );
    run_in(&case.path(""), "sh", &["-c", &print]);
    let binary = format!("--binary={}", fixture("test.binary").display());
    let options = [
        "--perfscript=text",
        &binary,
        "--output=ranges",
        "--skip-symbolization",
    ];
    run_in(&case.path(""), "llvm-profgen-19", &options);
    let lines = |input: &Path| {
        let profile = of_hardware(input, Form::AutofdoText);
        let lines = profile.lines().filter(|line| line.starts_with(' '));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (theirs, ours) = (lines(&case.path("ranges")), lines(&recording));
    let same = ours.iter().filter(|line| theirs.contains(line)).count();
    println!(
        "{same} of {} lines are the same; theirs has {}",
        ours.len(),
        theirs.len()
    );
    assert!(same as f64 > 0.9 * ours.len() as f64);
}

/// BOLT's text and a script without mappings name no binary of Go, and say what would.
#[test]
fn texts_of_addresses_are_no_profiles_of_go() {
    let case = Case::of("steps");
    case.write("preaggregated", "B 401000 401010 7 0\n");
    refusal(case.try_convert("preaggregated", Form::GoPgo));
    case.write("script", "    7f0000401136\n    7f0000401140\n");
    let refused = case.refused("script", Form::GoPgo);
    assert!(refused.contains("--show-mmap-events"), "{refused}");
}
