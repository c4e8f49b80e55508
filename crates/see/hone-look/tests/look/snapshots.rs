//! Snapshots of what the rules look at in the recordings of the planted programs, for the unit tests of hone-diagnose.
//!
//! To make them anew, after a change of a planted program or of what rules look at:
//!
//!     cargo build -p hone-cli && HONE_SNAPSHOT=all cargo test -p hone-look --test look -- snapshots --nocapture
//!
//! `HONE_SNAPSHOT=locks,clock` makes those of these rules alone. A snapshot leaves out what no rule looks at: lines
//! other than a function's hottest, code of other people's libraries except where samples fell in memcpy, code beyond
//! [`CODE_MAX`].

#[path = "../../../hone-diagnose/src/snapshot/form.rs"]
mod form;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use form::Item;
use hone_diagnose::{ALL, BinaryFacts, HotFunction, Inspected, MetAt, diagnose};
use hone_profile::{Svma, Watched};
use hone_symbols::Binary;

use hone_look::binaries::Binaries;
use hone_look::names::named;
use hone_look::recording::Recording;
use hone_look::selection::Selection;
use hone_look::subject::inspected;

/// Rules about the recording, and about counters that few virtual machines have.
const NOT_PLANTED: [&str; 4] = ["unfit", "front-end", "instruction-cache", "mispredicts"];

/// Rules about operands that walks met.
const WITH_WALKS: [&str; 3] = ["constant-divisor", "denormals", "scattered-loads"];

/// A snapshot holds one of so many light stacks, which then counts so many times: the first number with which the snapshot
/// has no more than [`BYTES_MAX`].
const ONE_OF: [u64; 5] = [1, 2, 4, 8, 16];

/// Share of the time below which a stack is light.
const LIGHT: f64 = 0.003;

/// Size of a snapshot in bytes.
const BYTES_MAX: usize = 48_000;

/// Bytes of code of a binary that a snapshot holds.
const CODE_MAX: u64 = 6 << 10;

/// Recordings of one program at most, until what is said of the program is right.
const TRIES_MAX: usize = 6;

#[test]
fn snapshots_are_made_anew() {
    let Ok(wanted) = std::env::var("HONE_SNAPSHOT") else {
        println!(
            "skipped: HONE_SNAPSHOT=all makes all snapshots anew, HONE_SNAPSHOT=RULE,RULE those of rules"
        );
        return;
    };
    let is_wanted = |name: &str| wanted == "all" || wanted.split(',').any(|one| one == name);
    let names = ALL.iter().map(|rule| rule.name);
    let names = names.filter(|name| !NOT_PLANTED.contains(name) && is_wanted(name));
    let see = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let planted = see.join("../../examples/planted").canonicalize().unwrap();
    let target = see.join("hone-diagnose/tests/snapshots");
    let directory = tempfile::tempdir().unwrap();
    for name in names {
        let built = Command::new(planted.join("build"))
            .arg(directory.path())
            .arg(name)
            .status();
        assert!(built.unwrap().success());
        for which in ["odd", "clean"] {
            let program = format!("{name}-{which}");
            let is_right = |rules: &[&str]| match which {
                "odd" => rules.contains(&name),
                _ => rules.is_empty(),
            };
            match snapshot(directory.path(), &planted, &program, is_right) {
                Ok(text) => {
                    println!("{program}: {} bytes", text.len());
                    std::fs::write(target.join(format!("{program}.jsonl")), text).unwrap();
                }
                Err(error) => println!("{program}: left out: {error:#}"),
            }
        }
    }
}

/// Returns the snapshot of the first recording of a program of which the right rules speak.
fn snapshot(
    directory: &Path,
    planted: &Path,
    program: &str,
    is_right: impl Fn(&[&str]) -> bool,
) -> Result<String> {
    let mut last = String::new();
    for _ in 0..TRIES_MAX {
        let data = record(directory, planted, program)?;
        let selection = Selection::default();
        let binaries = Binaries::of(&selection);
        let recording = Recording::read(&data, &selection, &binaries)?;
        let named = named(&recording, &selection)?;
        let inspected = inspected(&recording, named.stacks);
        let found = diagnose(&inspected).findings;
        let rules: Vec<&str> = found.iter().map(|finding| finding.rule).collect();
        if is_right(&rules) {
            let texts = ONE_OF
                .iter()
                .map(|one_of| written(&recording, &inspected, directory, *one_of));
            let mut texts = texts.peekable();
            let text = loop {
                let text = texts.next().expect("parts");
                if text.len() <= BYTES_MAX || texts.peek().is_none() {
                    break text;
                }
            };
            let text = text.replace(&*directory.to_string_lossy(), "/made");
            return Ok(text.replace(&*planted.to_string_lossy(), "/planted"));
        }
        last = format!("{found:#?}");
    }
    anyhow::bail!("after {TRIES_MAX} recordings still: {last}")
}

/// Records a program by the hone beside this test.
fn record(directory: &Path, planted: &Path, program: &str) -> Result<PathBuf> {
    let hone = std::env::current_exe()?.with_file_name("../hone");
    let data = directory.join(format!("{program}.data"));
    let mut command = if program.starts_with("page-faults") {
        let mut perf = Command::new("perf");
        perf.args(["record", "-q", "-g"]);
        perf
    } else {
        let mut command = Command::new(&hone);
        if program.starts_with("cpu-quota") || program.starts_with("quota-threads") {
            command = Command::new(planted.join("with-quota"));
            command.arg(&hone);
        }
        // A budget with which a second has enough walks.
        let branches = match WITH_WALKS.iter().any(|name| program.starts_with(name)) {
            true => &["record", "--branches", "walk", "--overhead", "50%"][..],
            false => &["record", "--branches", "none"],
        };
        command.args(branches);
        command
    };
    command.args(["-F", "4000", "-o"]).arg(&data).arg("--");
    let status = command
        .arg(directory.join(program))
        .stdout(std::process::Stdio::null())
        .status()?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(data)
}

/// Writes a snapshot.
fn written(
    recording: &Recording<'_>,
    inspected: &Inspected,
    directory: &Path,
    one_of: u64,
) -> String {
    let mut items = whole(inspected);
    let profile = recording.profile();
    let recorded: BTreeMap<_, _> = recording
        .binaries()
        .into_iter()
        .map(|id| profile.binary(id))
        .map(|binary| (binary.path.as_str(), binary))
        .collect();
    for facts in &inspected.binaries {
        items.push(Item::Binary(binary(facts)));
        let is_own = Path::new(&facts.path).starts_with(directory);
        let opened = recording.open(recorded[facts.path.as_str()]).unwrap();
        let functions = functions(facts, opened.binary, is_own);
        items.extend(functions.into_iter().map(Item::Function));
        items.extend(met(inspected, facts));
    }
    items.extend(stacks(inspected, one_of));
    items.iter().fold(String::new(), |mut text, item| {
        let _ = writeln!(text, "{}", serde_json::to_string(item).unwrap());
        text
    })
}

/// Returns what is about the whole recording.
fn whole(inspected: &Inspected) -> Vec<Item> {
    let machine = &inspected.machine;
    let features = machine.features.iter();
    let unknown = inspected.stacks.unknown.by_binary.iter();
    let recording = Item::Recording(form::Recording {
        event: inspected.stacks.event.clone(),
        features: features.filter(|one| *one == "avx2").cloned().collect(),
        lost_samples: inspected.losses.lost_samples,
        unknown: unknown
            .map(|(path, weight)| (path.clone(), *weight))
            .collect(),
    });
    let memory = machine.memory.iter().map(|memory| {
        Item::Memory(form::Memory {
            pid: memory.pid,
            peak_rss_bytes: memory.peak_rss_bytes,
            may_use_bytes: memory.may_use_bytes,
            limit_bytes: memory.limit_bytes,
            has_limit_group: !memory.limit_group.is_empty(),
            go_limit_bytes: memory.go_limit_bytes,
            go_percent: memory.go_percent,
        })
    });
    let quota = machine.cpu_quota.iter().map(|quota| {
        Item::Quota(form::Quota {
            quota_us: quota.quota_us,
            period_us: quota.period_us,
            wall_us: quota.wall_us,
            usage_us: quota.usage_us,
            periods: quota.periods,
            throttled: quota.throttled,
            throttled_us: quota.throttled_us,
        })
    });
    [recording].into_iter().chain(memory).chain(quota).collect()
}

fn binary(facts: &BinaryFacts) -> form::Binary {
    let hot_lines = facts.layout.as_ref().map_or([0; 2], |layout| {
        [layout.footprint[0].lines, layout.footprint_low.lines]
    });
    form::Binary {
        path: facts.path.clone(),
        is_library: facts.role == hone_diagnose::Role::Library,
        is_static: facts.is_static,
        marks: facts
            .marks
            .iter()
            .map(|mark| mark.name().to_owned())
            .collect(),
        has_debug_info: facts.has_debug_info,
        weight: facts.weight,
        unoptimised: facts.optimisation.without,
        optimised: facts.optimisation.with,
        hot_lines,
    }
}

/// Returns what walks met in the hot functions of a binary.
fn met(inspected: &Inspected, facts: &BinaryFacts) -> Vec<Item> {
    let position = inspected.position_of(facts);
    let is_hot = |at: Svma| {
        let mut functions = facts.functions.iter();
        functions
            .any(|function| (function.start.0..function.start.0 + function.size).contains(&at.0))
    };
    let all = inspected.operands.iter().flatten();
    let here = all.filter(|one| Some(one.binary) == position && is_hot(one.at));
    let items = here.map(|MetAt { at, met, .. }| {
        Item::Met(form::Met {
            at: at.0,
            divides: met.watched == Watched::Divisor,
            walks: met.walks,
            executions: met.executions,
            squares: met.squares,
            odd: met.odd,
            value: met.value,
            lines: (met.watched == Watched::Loads).then_some(met.lines),
        })
    });
    items.collect()
}

/// Returns the functions that rules look at: those of the program and its own library without Go's run time, and of others'
/// libraries those that copy.
fn functions(facts: &BinaryFacts, binary: &Binary<'_>, is_own: bool) -> Vec<form::Function> {
    let mut left = CODE_MAX;
    let looked_at = facts.functions.iter().filter(|function| match is_own {
        true => !function.name.starts_with("runtime."),
        false => function.name.contains("mem"),
    });
    let functions = looked_at.map(|function| {
        let code = match is_own {
            false => sampled(function, binary),
            true if function.size <= left => {
                left -= function.size;
                let bytes = binary.bytes_at(function.start, function.size);
                bytes
                    .map(|bytes| (0, in_digits(bytes)))
                    .into_iter()
                    .collect()
            }
            true => Vec::new(),
        };
        described(facts, function, code)
    });
    functions.collect()
}

fn described(
    facts: &BinaryFacts,
    function: &HotFunction,
    code: Vec<(u64, String)>,
) -> form::Function {
    let layout = facts.layout.as_ref();
    let mut laid = layout.into_iter().flat_map(|layout| &layout.functions);
    let layout = laid.find(|laid| laid.start == function.start);
    let has_code = !code.is_empty();
    let mut files: Vec<String> = Vec::new();
    let mut samples = Vec::new();
    for at in function
        .instructions
        .iter()
        .filter(|at| at.weight > 0 && has_code)
    {
        let (file, line) = at.line.clone().unwrap_or_default();
        let position = files.iter().position(|known| *known == file);
        let position = position.unwrap_or_else(|| {
            files.push(file);
            files.len() - 1
        });
        samples.push((at.code.ip() - function.start.0, at.weight, position, line));
    }
    form::Function {
        name: function.name.clone(),
        start: function.start.0,
        size: function.size,
        weight: function.weight,
        producer: function.producer.clone().filter(|_| has_code),
        layout: layout.filter(|_| has_code).map(|laid| form::Layout {
            hot_bytes: laid.hot_bytes,
            cold_bytes_inside: laid.cold_bytes_inside,
            error_bytes_inside: laid.error_bytes_inside,
            unseen_share_max: laid.unseen_share_max,
        }),
        code,
        files,
        samples,
    }
}

/// Returns the instructions with samples.
fn sampled(function: &HotFunction, binary: &Binary<'_>) -> Vec<(u64, String)> {
    let sampled = function.instructions.iter().filter(|at| at.weight > 0);
    let pieces = sampled.map(|at| {
        let bytes = binary.bytes_at(Svma(at.code.ip()), at.code.len() as u64);
        let digits = in_digits(bytes.unwrap_or_default());
        (at.code.ip() - function.start.0, digits)
    });
    pieces.collect()
}

/// Leaves out the types of types: `f<std::vector<int> >` becomes `f<std::vector<> >`.
fn without_inner_types(name: &str) -> String {
    let mut depth = 0;
    let mut text = String::new();
    let is_operator =
        name.contains("operator<") || name.contains("operator>") || name.contains("->");
    for letter in name.chars() {
        depth -= i32::from(letter == '>' && !is_operator);
        if depth < 2 {
            text.push(letter);
        }
        depth += i32::from(letter == '<' && !is_operator);
    }
    text
}

fn in_digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Returns the stacks and their frames, each function with its hottest line only. Functions whose names differ in
/// numbers are one, since those are made by macros.
fn stacks(inspected: &Inspected, one_of: u64) -> Vec<Item> {
    let stacks = &inspected.stacks;
    let digits = regex::Regex::new(r"(step|unsigned long\))[0-9]{2,}").expect("a pattern");
    let mut lines: HashMap<form::Frame, BTreeMap<u32, u64>> = HashMap::new();
    let without_line = |id: hone_views::FrameId| {
        let frame = stacks.frame(id);
        form::Frame {
            function: without_inner_types(&digits.replace_all(&frame.function, "${1}0")),
            binary: frame.binary.clone(),
            file: frame.file.clone(),
            line: 0,
            is_inlined: frame.is_inlined,
        }
    };
    for stack in &stacks.stacks {
        for &id in &stack.frames {
            let lines = lines.entry(without_line(id)).or_default();
            *lines.entry(stacks.frame(id).line).or_default() += stack.weight;
        }
    }
    let mut merged: BTreeMap<(Vec<usize>, i32, i32), (u64, u64)> = BTreeMap::new();
    let mut frames: Vec<form::Frame> = Vec::new();
    let mut known: HashMap<form::Frame, usize> = HashMap::new();
    for stack in &stacks.stacks {
        let positions = stack.frames.iter().map(|id| {
            let frame = without_line(*id);
            *known.entry(frame).or_insert_with_key(|frame| {
                let hottest = lines[frame].iter().max_by_key(|(_, weight)| **weight);
                let line = hottest.map_or(0, |(line, _)| *line);
                frames.push(form::Frame {
                    line,
                    ..frame.clone()
                });
                frames.len() - 1
            })
        });
        // Only where there is a quota do rules tell threads apart.
        let tid = match inspected.machine.cpu_quota {
            Some(_) => stack.tid,
            None => stack.pid,
        };
        let key = (positions.collect(), stack.pid, tid);
        let (samples, weight) = merged.entry(key).or_default();
        *samples += stack.samples;
        *weight += stack.weight;
    }
    kept(LIGHT * inspected.weight() as f64, one_of, &frames, merged)
}

/// Returns the stacks, of light ones one of so many, behind the frames that they use.
fn kept(
    light: f64,
    one_of: u64,
    frames: &[form::Frame],
    merged: BTreeMap<(Vec<usize>, i32, i32), (u64, u64)>,
) -> Vec<Item> {
    let mut merged: Vec<_> = merged.into_iter().collect();
    merged.sort_by_key(|(_, (_, weight))| std::cmp::Reverse(*weight));
    let mut passed = 0;
    let mut moved: BTreeMap<usize, usize> = BTreeMap::new();
    let mut items = Vec::new();
    let mut kept = Vec::new();
    for ((positions, pid, tid), (mut samples, mut weight)) in merged {
        if (weight as f64) < light {
            passed += 1;
            if passed % one_of != 0 {
                continue;
            }
            samples *= one_of;
            weight *= one_of;
        }
        let positions = positions.into_iter().map(|at| {
            let next = moved.len();
            *moved.entry(at).or_insert_with(|| {
                items.push(Item::Frame(frames[at].clone()));
                next
            })
        });
        kept.push(Item::Stack(form::Stack {
            frames: positions.collect(),
            pid,
            tid,
            samples,
            weight,
        }));
    }
    items.extend(kept);
    items
}
