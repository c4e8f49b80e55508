//! What users of other converters complain about: which binary was meant, where its code lies, and what is in it.
//! docs/internals/complaints.md lists all of it.

use std::fs;
use std::path::Path;

use hone_convert::Form;
use testkit::recording::{Program, Recording, SAMPLE_NS};

use crate::common::{Case, FORMS, jumps, program};

/// A recording of call stacks with so many samples in each function of `steps`.
fn samples(program: &Program, each: &[(&str, u64)]) -> Recording {
    let mut recording = Recording::of(program);
    for (function, times) in each {
        let at = recording.at(program.function(function));
        recording.stack(*times, &[at]);
    }
    recording
}

/// llvm#109384: perf2bolt maps all samples of a small position-independent program by lld to "unknown".
/// autofdo#135, rust#87918: "requires the first loadable segment to be executable".
#[test]
fn samples_are_mapped_in_every_layout_of_segments() {
    for layout in [
        "steps",
        "steps-fixed",
        "steps-lld",
        "steps-joined",
        "steps-lld-fixed",
        "steps-packed",
    ] {
        let (case, steps) = (Case::of(layout), program(layout));
        let recording = samples(&steps, &[("main", 2), ("step", 5), ("turn", 3)]);
        recording.write(&case.path("p.data"));
        let (fdata, said) = case.convert("p.data", Form::BoltFdata);
        let each = [("main", 2), ("step", 5), ("turn", 3)];
        let each = each.map(|(name, times)| format!("1 {name} 0 {}\n", times * SAMPLE_NS));
        let expected = format!("no_lbr cycles\n{}", each.concat());
        assert_eq!(sorted(&fdata), sorted(&expected), "{layout}: {fdata}");
        assert!(!said.contains("left out"), "{layout}: {said}");
        assert!(said.contains("0.0 % of the samples outside"), "{said}");
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// BOLT#22, BOLT#265, BOLT#266: build ids of lld have 8 bytes, and perf filled them up to 20.
#[test]
fn build_ids_of_every_length_are_compared() {
    for style in ["fast", "md5", "uuid", "sha1"] {
        let built = format!("steps-{style}");
        let (case, steps) = (Case::of(&built), program(&built));
        // Only the id tells that it is the same program.
        let path = Path::new("/srv/another-name");
        let mut recording = Recording::elsewhere(&steps, path, steps.build_id());
        let main = recording.at(steps.function("main"));
        recording.stack(5, &[main]);
        let new = recording.bytes();
        case.write("old", without_lengths(new.clone(), &steps));
        case.write("new", new);
        for input in ["new", "old"] {
            let (profile, said) = case.convert(input, Form::AutofdoText);
            assert!(profile.contains("main:"), "{style} {input}: {profile}");
            assert!(!said.contains("matched by its name"), "{style}: {said}");
        }
    }
}

/// Makes of the file what perf before 5.12 wrote: ids of 20 bytes, without their lengths.
fn without_lengths(mut file: Vec<u8>, steps: &Program) -> Vec<u8> {
    let id = steps.build_id().unwrap();
    let len = id.as_bytes().len() as u8;
    let mut padded = id.as_bytes().to_vec();
    padded.resize(20, 0);
    padded.push(len);
    let found = file.windows(21).position(|window| window == padded);
    let at = found.expect("the id of what was sampled");
    // The flags of the record stand 8 bytes before the id.
    assert_ne!(file[at - 7] & 0x80, 0, "it has a length");
    file[at - 7] &= 0x7f;
    file[at + 20] = 0;
    file
}

/// BOLT#65, llvm#56700: "not the same binary", and not a word of which one it was.
#[test]
fn another_build_is_refused_and_none_to_compare_is_said() {
    let (other, steps) = (Case::of("steps-other"), program("steps"));
    // It lay where the named one lies now.
    let id = steps.build_id();
    let mut recording = Recording::elsewhere(&steps, &other.binary, id);
    let main = recording.at(steps.function("main"));
    recording.stack(5, &[main]);
    recording.write(&other.path("p.data"));
    for form in FORMS {
        let refused = other.refused("p.data", form);
        for part in [
            "with build id",
            "abcdef01",
            "name the binary that was recorded",
        ] {
            assert!(refused.contains(part), "{}: {refused}", form.name());
        }
    }
    let (case, unnamed) = (Case::of("steps-unnamed"), program("steps-unnamed"));
    jumps(&unnamed, 20).write(&case.path("p.data"));
    let (profile, said) = case.convert("p.data", Form::AutofdoText);
    assert!(profile.contains("turn:"), "{profile}");
    assert!(said.contains("matched by its name"), "{said}");
}

/// autofdo#184, llvm#56700: all the work is in a shared library, and the launcher's profile is empty.
#[test]
fn a_library_is_named_and_can_be_converted() {
    let (case, library) = (Case::of("user"), program("libmix.so"));
    samples(&library, &[("mix", 9)]).write(&case.path("p.data"));
    for form in FORMS {
        let refused = case.refused("p.data", form);
        assert!(
            refused.contains("/libmix.so (9)"),
            "{}: {refused}",
            form.name()
        );
    }
    let case = Case::of("libmix.so");
    samples(&library, &[("mix", 9)]).write(&case.path("p.data"));
    assert!(case.profile("p.data", Form::AutofdoText).contains("mix:"));
    let fdata = case.profile("p.data", Form::BoltFdata);
    assert!(fdata.contains("1 mix 0 9000000\n"), "{fdata}");
}

/// autofdo#235, autofdo#143: without -fdebug-info-for-profiling the profile is worth little, and nobody says so.
#[test]
fn what_the_debug_info_lacks_is_said() {
    let (lines, plain) = (Case::of("steps-plain"), program("steps-plain"));
    jumps(&plain, 20).write(&lines.path("p.data"));
    let (profile, said) = lines.convert("p.data", Form::AutofdoText);
    assert!(profile.contains("turn:"), "{profile}");
    assert!(
        said.contains("without -fdebug-info-for-profiling"),
        "{said}"
    );

    let (bare, none) = (Case::of("steps-bare"), program("steps-bare"));
    jumps(&none, 20).write(&bare.path("p.data"));
    for form in [Form::AutofdoText, Form::AutofdoExtbinary, Form::GccGcov] {
        let refused = bare.refused("p.data", form);
        for part in ["no debug info", "-fdebug-info-for-profiling"] {
            assert!(refused.contains(part), "{refused}");
        }
    }
    // Forms by address need none.
    assert!(
        bare.profile("p.data", Form::BoltFdata)
            .contains("1 step 0 1 turn 0 0 20\n")
    );
}

/// autofdo#138, #152, #195, #230, #235, BOLT#88: an empty profile, and a message that says nothing.
#[test]
fn nothing_to_convert_is_a_reason_and_never_an_empty_profile() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let clock = [("cpu-clock", None)];
    let nowhere = |address: Option<u64>, times| {
        let mut recording = Recording::empty(&clock);
        if let Some(address) = address {
            recording.stack(times, &[hone_profile::Avma(address)]);
        }
        recording.bytes()
    };
    case.write("none.data", nowhere(None, 0));
    case.write("kernel.data", nowhere(Some(0xffff_ffff_8100_0000), 5));
    case.write("lost.data", nowhere(Some(0x1234_5678), 1));
    case.write("source.c", "int main(void) { return 0; }\n");
    jumps(&steps, 20).write(&case.path("p.data"));
    for form in FORMS {
        for (input, expected) in [
            ("none.data", "the recording holds no samples"),
            ("kernel.data", "they fell in [kernel] (5)"),
            ("lost.data", "they fell in [nowhere known] (1)"),
            ("source.c", "not a perf.data file"),
            ("missing.data", "missing.data"),
        ] {
            let refused = case.refused(input, form);
            assert!(
                refused.contains(expected),
                "{input} {}: {refused}",
                form.name()
            );
        }
    }
    for (binary, expected) in [
        ("steps-stripped", "stripped"),
        ("views", "/steps ("),
        ("source.c", "not an ELF file"),
    ] {
        let mut of = Case::of("steps");
        of.binary = match binary {
            "source.c" => case.path("source.c"),
            built => program(built).path().to_owned(),
        };
        jumps(&steps, 20).write(&of.path("p.data"));
        for form in FORMS {
            let refused = of.refused("p.data", form);
            assert!(
                refused.contains(expected),
                "{binary} {}: {refused}",
                form.name()
            );
        }
    }
}

/// Issue of weight outside: whatever the verdict on the profile, the share of samples elsewhere is said.
#[test]
fn the_share_outside_the_binary_is_always_said() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let mut recording = samples(&steps, &[("step", 3)]);
    let elsewhere = hone_profile::Avma(recording.also(&program("views")));
    let main = program("views").function("main");
    recording.stack(1, &[hone_profile::Avma(elsewhere.0 + main.0)]);
    recording.write(&case.path("p.data"));
    for form in FORMS
        .into_iter()
        .filter(|form| *form != Form::BoltPreaggregated)
    {
        let (_, said) = case.convert("p.data", form);
        let outside = "25.0 % of the samples outside the binary";
        assert!(said.contains(outside), "{}: {said}", form.name());
    }
}

/// The debug file of a stripped binary is found beside it, or named; that of another build is refused.
#[test]
fn debug_files_give_the_profile_of_the_whole_binary() {
    let (whole, steps) = (Case::of("steps"), program("steps"));
    jumps(&steps, 20).write(&whole.path("p.data"));
    let expected = whole.profile("p.data", Form::AutofdoText);
    assert!(expected.contains("turn:"), "{expected}");

    // `steps-linked` names `steps-debug`, which lies beside it.
    let linked = Case::of("steps-linked");
    jumps(&steps, 20).write(&linked.path("p.data"));
    assert_eq!(linked.profile("p.data", Form::AutofdoText), expected);

    let stripped = Case::of("steps-stripped");
    jumps(&steps, 20).write(&stripped.path("p.data"));
    let refused = stripped.refused("p.data", Form::AutofdoText);
    assert!(refused.contains("--debug-file"), "{refused}");
    let with = |debug: &str| {
        let mut request = stripped.request("p.data", Form::AutofdoText);
        request.debug_file = Some(program(debug).path().to_owned());
        crate::common::try_convert(&request)
    };
    let (given, _) = crate::common::text(with("steps-debug"));
    assert_eq!(given, expected);
    let refused = crate::common::refusal(with("steps-other"));
    for part in ["belongs to the build", "abcdef01"] {
        assert!(refused.contains(part), "{refused}");
    }

    // A directory beside the binary is where debuggers look too.
    let directory = linked.path("");
    fs::create_dir(directory.join(".debug")).unwrap();
    let binary = directory.join("steps-linked");
    fs::copy(program("steps-linked").path(), &binary).unwrap();
    let debug = directory.join(".debug/steps-debug");
    fs::copy(program("steps-debug").path(), debug).unwrap();
    let moved = Case::of_file(&binary);
    jumps(&steps, 20).write(&moved.path("p.data"));
    assert_eq!(moved.profile("p.data", Form::AutofdoText), expected);
}
