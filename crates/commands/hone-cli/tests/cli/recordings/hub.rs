//! What a hub has of a service as an input of all commands, from a small server in the hub's place.

mod real;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use hone_batch::{Adding, Batch, Group, Host, Merging, Origin, StackLimit, wire};
use hone_host::kernel_symbols::KernelSymbols;
use hone_profile::{BinaryKind, BuildId, LocationId, Profile, Thread};

use hone_profile::WALK_EVENT;
use hone_profile::perf_data::branch_type;
use testkit::recording::{Program, Recording};
use testkit::{Answer, Canned, copy_program};

use crate::common::{hone_with, stderr, stdout};

/// Time at which the recording begins, in seconds since 1970.
const START_S: u64 = 1_764_000_000;
/// Build id of a program that is nowhere.
const OTHER_BUILD: &str = "bb00112233445566778899aabbccddeeff001122";

/// A host of the service `shop`.
struct Box1<'s> {
    build: &'s str,
    symbols: KernelSymbols<'s>,
}

impl Host for Box1<'_> {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: "shop".into(),
            build: self.build.into(),
            thread: thread.name.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, time_ns: u64) -> u64 {
        START_S + time_ns / 1_000_000_000
    }

    fn name(&mut self, profile: &Profile, at: LocationId, is_return: bool) -> Option<String> {
        let location = profile.location(at);
        let is_kernel = profile.binary(location.binary).kind == BinaryKind::Kernel;
        if !is_kernel || self.symbols.are_hidden() {
            return None;
        }
        let address = location.offset.0.saturating_sub(u64::from(is_return));
        self.symbols.at(address).map(str::to_owned)
    }
}

/// Samples with stacks, and walks through `heavy` and `light`.
fn made(program: &Program) -> Recording {
    let all = branch_type::USER | branch_type::ANY;
    let mut made = Recording::with_events(program, &[("cpu-clock", None), (WALK_EVENT, Some(all))]);
    made.views(program);
    let [work, heavy, light] =
        ["work", "heavy", "light"].map(|name| made.at(program.function(name)));
    for (callee, times) in [(heavy, 200), (light, 300)] {
        made.branches(
            1,
            times,
            work,
            &[(callee, work), (work, callee), (callee, work)],
        );
    }
    made
}

/// The recording `p.data` of the program `p`, with stacks and branches, and the same as a hub has it.
struct Recorded {
    directory: tempfile::TempDir,
    build: String,
    /// Files in which samples fell.
    files: Vec<PathBuf>,
    batch: Batch,
}

impl Recorded {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        copy_program(&testkit::recorded("programs/views"), &path.join("p"));
        let program = Program::read(&path.join("p"));
        let build = program.build_id().expect("a build id").to_string();
        let recording = made(&program).bytes();
        fs::write(path.join("p.data"), &recording).unwrap();
        let profile = hone_profile::perf_data::read(&recording).unwrap();
        let symbols = fs::read_to_string("/proc/kallsyms").unwrap_or_default();
        let mut host = Box1 {
            build: &build,
            symbols: KernelSymbols::parse(&symbols),
        };
        let origin = Origin {
            host: "box-1".into(),
            run: 1,
            number: 1,
        };
        let mut adding = Adding::new(origin, StackLimit::default());
        for sample in &profile.samples {
            adding.add(&profile, sample, profile.branches_of(sample), &mut host);
        }
        let files = profile.binaries.iter();
        let files = files.filter(|binary| binary.kind == BinaryKind::File);
        let files: BTreeSet<PathBuf> = files.map(|binary| PathBuf::from(&binary.path)).collect();
        Self {
            batch: adding.finish().batch,
            files: files.into_iter().filter(|file| file.exists()).collect(),
            build,
            directory,
        }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The same samples of another build, which ran elsewhere.
    fn other_build(&self) -> Batch {
        let mut other = self.batch.clone();
        other.origin.host = "box-2".into();
        for group in &mut other.groups {
            group.build = OTHER_BUILD.into();
        }
        for binary in &mut other.binaries {
            if binary.path == "p" {
                binary.build_id = BuildId::from_hex(OTHER_BUILD);
            }
        }
        other
    }

    /// Runs hone with a hub, where `words` may hold names of what it has.
    fn hone(&self, words: &str, hub: &str) -> Output {
        let words: Vec<&str> = words.split(' ').collect();
        let variables = [
            ("HONE_HUB", hub),
            ("HONE_HUB_TOKEN", "secret"),
            ("NO_PROXY", "127.0.0.1"),
        ];
        hone_with(&words, self.path(), &variables)
    }

    /// Runs hone; it must succeed, or find nothing where that is an answer.
    fn said(&self, words: &str, hub: &str, status: i32) -> Output {
        let output = self.hone(words, hub);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{words}: {}",
            stderr(&output)
        );
        output
    }
}

/// A hub with these answers, by the parameters of the question.
fn hub(answers: &[(&str, Answer)]) -> Canned {
    let path = |parameters: &str| format!("/v1/query?{parameters}");
    let answers = answers.iter();
    let answers: Vec<(String, Answer)> = answers
        .map(|(parameters, answer)| (path(parameters), answer.clone()))
        .collect();
    Canned::of(&answers)
}

fn packed(batch: &Batch) -> Answer {
    Answer::Bytes(wire::write(batch))
}

fn merged(batches: &[&Batch]) -> Batch {
    let mut merging = Merging::new(hone_batch::BUCKET_S, Some);
    batches.iter().for_each(|batch| merging.add(batch));
    merging.finish()
}

/// The lines of an output in an order of their own, with the name of what was looked at taken out.
fn lines(output: &Output, name: &str) -> Vec<String> {
    let text = stdout(output).replace(name, "INPUT");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn views_of_a_hub_are_those_of_the_recording() {
    let recorded = Recorded::new();
    let of_other = "service=shop&build=bb&from=1763996400&to=1764003600";
    let server = hub(&[
        ("service=shop", packed(&recorded.batch)),
        (of_other, packed(&recorded.other_build())),
        (
            "service=thin",
            Answer::Headed("hone-left-out: hours, hosts", wire::write(&recorded.batch)),
        ),
    ]);
    let files = recorded.files.iter();
    let files = files.map(|file| format!(" --binary {}", file.display()));
    let files: String = files.collect();
    for view in [
        "top INPUT -n 0",
        "top INPUT -n 0 --by line",
        "callers heavy INPUT",
        "callees main INPUT",
        "annotate heavy INPUT",
        "view INPUT --to folded -o -",
    ] {
        let of = |input: &str| {
            let words = view.replace("INPUT", input) + &files;
            lines(&recorded.said(&words, &server.address, 0), input)
        };
        let theirs = of("p.data");
        assert!(theirs.len() > 1, "{theirs:?}");
        assert_eq!(of("hub:shop"), theirs, "{view}");
    }

    // What samples are told apart by.
    let words = "top hub:shop --by label:host,build";
    let hosts = stdout(&recorded.said(words, &server.address, 0));
    let row = format!("100.0 %   0.0  host=box-1 build={}", recorded.build);
    assert!(hosts.contains(&row), "{hosts}");

    // Differences to a recording, and of two builds.
    let words = format!("diff p.data hub:shop{files}");
    let changes = stdout(&recorded.said(&words, &server.address, 1));
    assert!(changes.contains("Nothing changed"), "{changes}");
    let other = "hub:shop@BB,2025-11-24T15:00:00Z..1764003600";
    let words = format!("diff hub:shop {other} --by thread");
    let changes = stdout(&recorded.said(&words, &server.address, 1));
    assert!(changes.contains("Nothing changed"), "{changes}");

    // What the hub itself left out is told.
    let thin = stderr(&recorded.said("top hub:thin", &server.address, 0));
    assert!(
        thin.contains("note: the hub adds up hours, hosts, since"),
        "{thin}"
    );

    // Pages are called by service and build.
    let words = format!("view {other}");
    recorded.said(&words, &server.address, 0);
    assert!(recorded.path().join("shop@bb.html").exists());
}

#[test]
fn programs_come_from_a_hub_that_has_them_and_the_token_goes_to_no_other() {
    let recorded = Recorded::new();
    let executable = format!("/buildid/{}/executable", recorded.build);
    let program = fs::read(recorded.path().join("p")).unwrap();
    let server = Canned::of(&[
        ("/v1/query?service=shop".into(), packed(&recorded.batch)),
        (executable.clone(), Answer::Bytes(program)),
    ]);
    let other = Canned::of(&[]);
    let elsewhere = recorded.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let servers = format!("{} {}", other.address, server.address);
    let variables = [
        ("HONE_HUB", server.address.as_str()),
        ("HONE_HUB_TOKEN", "secret"),
        ("DEBUGINFOD_URLS", &servers),
        ("DEBUGINFOD_CACHE_PATH", elsewhere.to_str().unwrap()),
        ("NO_PROXY", "127.0.0.1"),
    ];
    let top = hone_with(&["top", "hub:shop", "--by", "line"], &elsewhere, &variables);
    let said = stderr(&top);
    assert!(stdout(&top).contains("views.c:"), "{}{said}", stdout(&top));
    for server in [&server, &other] {
        assert!(server.asked().contains(&executable), "{said}");
    }
    let has_token = |head: &String| head.to_lowercase().contains("authorization: bearer secret");
    assert!(server.heads().iter().all(has_token));
    assert!(!other.heads().iter().any(has_token));
}

#[test]
fn profiles_from_a_hub_are_those_of_the_recording() {
    let recorded = Recorded::new();
    let both = merged(&[&recorded.batch, &recorded.other_build()]);
    let server = hub(&[
        ("service=shop", packed(&recorded.batch)),
        ("service=both", packed(&both)),
    ]);
    for to in ["autofdo-extbinary", "bolt-fdata", "symbol-order"] {
        let of = |input: &str| {
            let words = format!("convert {input} --binary p --to {to} -o out");
            let output = recorded.said(&words, &server.address, 0);
            let bytes = fs::read(recorded.path().join("out")).unwrap();
            let said = stderr(&output);
            (bytes, said.lines().next().map(str::to_owned))
        };
        let theirs = of("p.data");
        assert!(of("hub:shop") == theirs, "{to}");
        // Of several builds the one whose binary is named.
        assert!(of("hub:both") == theirs, "{to}");
    }
    let figures = |input: &str| {
        let output = recorded.hone(&format!("quality {input} --binary p"), &server.address);
        let mut figures = lines(&output, input);
        // What got lost while recording is not known of sums, and halves of it neither.
        let of_recording = [
            "lost",
            "verdict",
            "split-half",
            "halves",
            "over time",
            "is to be expected",
            "-> Record",
        ];
        figures.retain(|line| !of_recording.iter().any(|of| line.contains(of)));
        assert!(figures.len() > 2, "{}", stderr(&output));
        figures
    };
    assert_eq!(figures("hub:both"), figures("p.data"));
    let words = "inspect hub:shop --binary p";
    let laid_out = stdout(&recorded.said(words, &server.address, 0));
    assert!(
        laid_out.contains("no cache is modelled: a hub keeps"),
        "{laid_out}"
    );

    // Views show all builds, and say that there are several.
    let top = recorded.said("top hub:both --by label:build", &server.address, 0);
    for build in [&recorded.build, OTHER_BUILD] {
        assert!(
            stdout(&top).contains(&format!("build={build}")),
            "{}",
            stdout(&top)
        );
    }
    let said = stderr(&top);
    assert!(said.contains("note: the samples are of 2 builds"), "{said}");

    // A binary that is none of the builds is refused, with the builds that there are.
    fs::copy(
        testkit::recorded("programs/steps"),
        recorded.path().join("q"),
    )
    .unwrap();
    let words = "convert hub:both --binary q --to bolt-fdata";
    let said = stderr(&recorded.said(words, &server.address, 2));
    assert!(
        said.contains("hub:both: there are several builds"),
        "{said}"
    );
    for build in [&recorded.build, OTHER_BUILD] {
        assert!(
            said.contains(&format!("{} (50.0 %)", &build[..12])),
            "{said}"
        );
    }

    // One question however often a command needs the answer.
    let before = server.asked().len();
    let words = "quality hub:shop --binary p --against hub:shop";
    recorded.hone(words, &server.address);
    assert_eq!(server.asked().len(), before + 1);
}

/// Runs hone with each of these lines of words; it must fail with these words, and never with the token.
fn assert_told(recorded: &Recorded, hub: &str, cases: &[(&str, &str)]) {
    for (words, expected) in cases {
        let said = stderr(&recorded.said(words, hub, 2));
        assert!(said.contains(expected), "{words}: {said}");
        assert!(said.contains("\nnext: "), "{words}: {said}");
        assert!(!said.contains("secret"), "{words}: {said}");
    }
}

#[test]
fn what_a_hub_refuses_is_told_in_its_words() {
    let recorded = Recorded::new();
    let whole = wire::write(&recorded.batch);
    let half = whole[..whole.len() / 2].to_vec();
    let server = hub(&[
        ("service=barred", Answer::Said(401, "no such token\n")),
        ("service=dark", Answer::Said(403, "")),
        (
            "service=lost",
            Answer::Said(404, "no lost; there are: a, b\n"),
        ),
        ("service=busy", Answer::Said(503, "too much is asked")),
        ("service=ill", Answer::Said(500, "\u{1b}[2J")),
        ("service=cut", Answer::Bytes(half)),
        ("service=page", Answer::Bytes(b"<html>".to_vec())),
        ("service=vast", Answer::Length(1 << 40)),
    ]);
    let token = "next: let HONE_HUB_TOKEN hold";
    let cases = [
        ("top hub:barred", format!("answers: no such token\n{token}")),
        ("top hub:dark", format!("answers with status 403\n{token}")),
        (
            "view hub:lost",
            format!(
                "hub:lost: the hub at {0} answers: no lost; there are: a, b\nnext: see what is there: curl {0}/v1/services",
                server.address
            ),
        ),
        (
            "diff p.data hub:busy",
            "is asked\nnext: ask again later".into(),
        ),
        (
            "diagnose hub:ill",
            "answers: [2J\nnext: see the hub's".into(),
        ),
        (
            "convert hub:cut --binary p --to json",
            format!(
                "hub:cut: the answer of {}: the batch cannot be",
                server.address
            ),
        ),
        ("top hub:page", "this is no batch: it does not begin".into()),
        (
            "top hub:vast",
            "the answer has more than 256.00 MiB\n".into(),
        ),
    ];
    let cases = cases
        .each_ref()
        .map(|(words, said)| (*words, said.as_str()));
    assert_told(&recorded, &server.address, &cases);
    let none = "http://127.0.0.1:1";
    let away = "hub:shop: no hub answers at http://127.0.0.1:1: ";
    assert_told(&recorded, none, &[("top hub:shop", away)]);
}

#[test]
fn names_that_mean_nothing_and_questions_that_sums_do_not_answer_are_refused() {
    let recorded = Recorded::new();
    let server = hub(&[("service=shop", packed(&recorded.batch))]);
    let cases = [
        (
            "top hub:shop,yesterday..",
            "\"yesterday\" is not a time\nnext: write it as 2026",
        ),
        (
            "top hub:shop,-1d..-2d",
            "ends before it begins\nnext: write the earlier",
        ),
        (
            "top hub:shop@new",
            "\"new\" is not the beginning of a build id\nnext: write the first",
        ),
        (
            "top hub:",
            "the name has no service\nnext: name the service",
        ),
        (
            "callers hub:shop heavy",
            "hub:shop is a recording; the function comes first",
        ),
        (
            "convert hub:shop --binary p --to memops",
            "not their sizes\nnext: name a recording",
        ),
        ("quality hub:shop", "says nothing without its binary"),
        (
            "merge hub:shop -o out",
            "it is no profile, and hubs add up by themselves",
        ),
        (
            "top hub:shop --event cycles",
            "there are no samples of an event cycles",
        ),
    ];
    assert_told(&recorded, &server.address, &cases);
}
