//! A realistic report, made from a fixed random sequence: several rungs with every outcome, two workloads, raw
//! numbers with plausible noise. The comparisons are computed from those raw numbers, so that the
//! drawings of a report agree with its figures. The tests and the example program share it.

// The example `sample` includes this file by its path, from elsewhere.
#[path = "sample/experiments.rs"]
mod experiments;

use experiments::{Noise, compare, experiment};
use hone_measure::{Comparison, Experiment, Interval, Metric};
use hone_report::model::{
    CallSite, FORMAT, Flags, IndirectCalls, LadderReport, Machine, OtherCpu, Outcome, Recipe,
    RecordingFacts, Rung, Tool, Workloads,
};

/// The whole ladder with a confirmed winner.
pub(crate) fn full() -> LadderReport {
    let mut noise = Noise::new(20);
    let mut steps = Steps::default();
    let rungs = vec![
        rung("baseline", "Baseline", &[], Outcome::Baseline, 41.2),
        steps.measure(&mut noise, mimalloc(), "baseline", 1.062),
        steps.measure(&mut noise, thinlto(), "mimalloc", 1.034),
        steps.measure(&mut noise, no_plt(), "mimalloc+thinlto", 1.001),
        steps.measure(&mut noise, autofdo_ip(), "mimalloc+thinlto", 1.002),
        steps.measure(&mut noise, autofdo(), "mimalloc+thinlto", 1.171),
        steps.measure(&mut noise, pgo(), "mimalloc+thinlto", 1.214),
        steps.measure(&mut noise, huge_pages(), "mimalloc+thinlto+pgo", 0.981),
        bolt_failed(),
        jemalloc_skipped(),
    ];
    let winner = experiment(&mut noise, ("baseline", "mimalloc+thinlto+pgo"), 1.334);
    let check = experiment(&mut noise, ("baseline", "baseline"), 1.0);
    let confirmation = compare(&winner, 0.003);
    let self_check = compare(&check, 0.004);
    steps.raw.extend([winner, check]);
    LadderReport {
        rungs,
        confirmation: Some(confirmation),
        self_check: Some(self_check),
        recipe: Some(recipe()),
        recordings: recordings(),
        remarks: remarks(),
        other_cpu: Some(OtherCpu {
            metric: Metric::UserSeconds,
            gain: Interval {
                ratio: 1.341,
                low: 1.330,
                high: 1.352,
            },
        }),
        build_command: Some("cmake -S . -B build && cmake --build build".to_owned()),
        check: Some("{binary} --self-test".to_owned()),
        raw: steps.raw,
        ..frame()
    }
}

/// Everything was measured, nothing helped; nothing was recorded.
pub(crate) fn nothing_kept() -> LadderReport {
    let mut noise = Noise::new(3);
    let mut steps = Steps::default();
    let not_proven = |mut rung: Rung| {
        rung.outcome = Outcome::NotProven;
        rung.indirect_calls = None;
        rung
    };
    let rungs = vec![
        rung("baseline", "Baseline", &[], Outcome::Baseline, 41.2),
        steps.measure(&mut noise, not_proven(mimalloc()), "baseline", 1.0),
        steps.measure(&mut noise, not_proven(thinlto()), "baseline", 1.001),
        bolt_failed(),
    ];
    LadderReport {
        rungs,
        raw: steps.raw,
        notes: vec![
            "This machine was too noisy to tell apart gains under 2 %: run again on a quieter one."
                .to_owned(),
        ],
        ..frame()
    }
}

/// The baseline itself could not be built.
pub(crate) fn nothing_measured() -> LadderReport {
    let reason =
        "The build command ended with 2 (`make: *** [all] Error 2`): see .hone/baseline/build.log.";
    let failed = Outcome::Failed {
        reason: reason.to_owned(),
    };
    LadderReport {
        rungs: vec![Rung {
            file_bytes: None,
            loaded_bytes: None,
            text_bytes: None,
            indirect_calls: None,
            profile: None,
            ..rung("baseline", "Baseline", &[], failed, 0.0)
        }],
        ..frame()
    }
}

/// Rungs were kept, but measured afresh the winner shows nothing.
pub(crate) fn not_confirmed() -> LadderReport {
    let mut noise = Noise::new(5);
    let mut steps = Steps::default();
    let rungs = vec![
        rung("baseline", "Baseline", &[], Outcome::Baseline, 41.2),
        steps.measure(&mut noise, mimalloc(), "baseline", 1.012),
    ];
    let winner = experiment(&mut noise, ("baseline", "mimalloc"), 1.001);
    let mut confirmation = compare(&winner, 0.002);
    confirmation.workloads.truncate(1);
    steps.raw.push(winner);
    LadderReport {
        rungs,
        confirmation: Some(confirmation),
        raw: steps.raw,
        ..frame()
    }
}

/// A report with a program, a machine and tools, and nothing else.
pub(crate) fn frame() -> LadderReport {
    LadderReport {
        format: FORMAT,
        program: "meshfilter".to_owned(),
        hone_version: "0.1.0".to_owned(),
        finished_at: "2025-03-14T16:20:05Z".to_owned(),
        machine: Machine {
            cpu: "AMD EPYC 7763 64-Core Processor".to_owned(),
            cpus: 2,
            memory_bytes: 8_319_201_280,
            kernel: "6.1.0-28-amd64".to_owned(),
            os: "Debian GNU/Linux 12 (bookworm)".to_owned(),
            hypervisor: Some("KVM".to_owned()),
            hardware_counters: false,
            hardware_branch_records: false,
        },
        tools: vec![
            tool("clang", "Debian clang version 19.1.7", "/usr/bin/clang-19"),
            tool("lld", "Debian LLD 19.1.7", "/usr/bin/ld.lld-19"),
            tool("llvm-bolt", "LLVM version 19.1.7", "/usr/bin/llvm-bolt-19"),
        ],
        recordings: Vec::new(),
        rungs: Vec::new(),
        lever_titles: Default::default(),
        confirmation: None,
        other_cpu: None,
        build_command: None,
        check: None,
        self_check: None,
        recipe: None,
        workloads: Workloads {
            train: vec!["./meshbench --mix train --requests 400000".to_owned()],
            measure: vec![
                "./meshbench --mix steady --requests 400000".to_owned(),
                "./meshbench --mix bursts --requests 300000".to_owned(),
            ],
        },
        notes: Vec::new(),
        remarks: Vec::new(),
        beside: Vec::new(),
        raw: Vec::new(),
    }
}

fn remarks() -> Vec<String> {
    [
        "To see a gain of 1 % here takes about 96 pairs of runs: 14 min 0 s. This budget's 48 pairs for a rung, \
         7 min 0 s at most, see 1.5 % in four of five cases.",
        "Linked again from the objects of a build with the same compiler flags, so that the time to build is not \
         that of a whole build: mimalloc (from profiling).",
    ]
    .map(str::to_owned)
    .into()
}

#[derive(Default)]
struct Steps {
    raw: Vec<Experiment>,
}

impl Steps {
    fn measure(&mut self, noise: &mut Noise, rung: Rung, below: &str, gain: f64) -> Rung {
        let experiment = experiment(noise, (below, &rung.id), gain);
        let comparison: Comparison = compare(&experiment, 0.002);
        self.raw.push(experiment);
        Rung {
            comparison: Some(comparison),
            ..rung
        }
    }
}

fn rung(id: &str, title: &str, levers: &[&str], outcome: Outcome, build_s: f64) -> Rung {
    Rung {
        id: id.to_owned(),
        title: title.to_owned(),
        levers: levers.iter().map(|lever| (*lever).to_owned()).collect(),
        outcome,
        comparison: None,
        build_s,
        file_bytes: Some(1_934_512),
        loaded_bytes: Some(1_204_816),
        text_bytes: Some(742_112),
        indirect_calls: (id == "baseline").then(|| calls(9.81, 1_840_211, 1.0)),
        profile: None,
        flags: Flags::default(),
    }
}

fn mimalloc() -> Rung {
    Rung {
        flags: Flags {
            env: vec![(
                "LD_PRELOAD".to_owned(),
                "/usr/lib/libmimalloc.so.2".to_owned(),
            )],
            ..Flags::default()
        },
        ..rung("mimalloc", "mimalloc", &["mimalloc"], Outcome::Kept, 0.0)
    }
}

fn thinlto() -> Rung {
    Rung {
        file_bytes: Some(1_802_344),
        loaded_bytes: Some(1_230_904),
        text_bytes: Some(768_904),
        indirect_calls: Some(calls(9.74, 1_622_840, 0.99)),
        profile: None,
        flags: flags(&["-flto=thin"], &["-flto=thin", "-fuse-ld=lld-19"]),
        ..rung(
            "mimalloc+thinlto",
            "ThinLTO",
            &["mimalloc", "thinlto"],
            Outcome::Kept,
            68.9,
        )
    }
}

fn no_plt() -> Rung {
    Rung {
        file_bytes: Some(1_801_960),
        text_bytes: Some(767_112),
        flags: flags(&["-fno-plt"], &["-Wl,-z,now"]),
        ..rung(
            "mimalloc+thinlto+no-plt",
            "No PLT",
            &["mimalloc", "thinlto", "no-plt"],
            Outcome::NotProven,
            66.0,
        )
    }
}

fn autofdo_ip() -> Rung {
    let levers = ["mimalloc", "thinlto", "autofdo-ip"];
    Rung {
        file_bytes: Some(1_805_120),
        text_bytes: Some(770_048),
        ..rung(
            "mimalloc+thinlto+autofdo-ip",
            "AutoFDO (IP samples only)",
            &levers,
            Outcome::Reference,
            71.3,
        )
    }
}

fn autofdo() -> Rung {
    let beaten = Outcome::Beaten {
        by: "Instrumented PGO".to_owned(),
    };
    Rung {
        file_bytes: Some(1_911_080),
        text_bytes: Some(811_272),
        indirect_calls: Some(calls(2.31, 1_402_118, 0.2)),
        profile: None,
        flags: flags(
            &[
                "-fprofile-sample-use=hone.afdo",
                "-fsample-profile-use-profi",
            ],
            &["-Wl,-z,hot"],
        ),
        ..rung(
            "mimalloc+thinlto+autofdo",
            "AutoFDO (branch records)",
            &["mimalloc", "thinlto", "autofdo"],
            beaten,
            74.6,
        )
    }
}

fn pgo() -> Rung {
    Rung {
        file_bytes: Some(1_880_016),
        text_bytes: Some(790_440),
        indirect_calls: Some(calls(1.94, 1_377_904, 0.16)),
        profile: None,
        flags: flags(&["-fprofile-use=hone.profdata"], &[]),
        ..rung(
            "mimalloc+thinlto+pgo",
            "Instrumented PGO",
            &["mimalloc", "thinlto", "pgo"],
            Outcome::Kept,
            131.0,
        )
    }
}

fn huge_pages() -> Rung {
    let levers = ["mimalloc", "thinlto", "pgo", "hugepages"];
    Rung {
        flags: flags(&[], &["-Wl,-z,max-page-size=0x200000"]),
        file_bytes: Some(6_291_456),
        ..rung(
            "mimalloc+thinlto+pgo+hugepages",
            "Huge pages for code",
            &levers,
            Outcome::Slower,
            12.4,
        )
    }
}

fn bolt_failed() -> Rung {
    let reason = "llvm-bolt-19 found, its runtime library is not: install libbolt-19-dev, or set \
                  tools.bolt_runtime in hone.toml.";
    let failed = Outcome::Failed {
        reason: reason.to_owned(),
    };
    Rung {
        file_bytes: None,
        text_bytes: None,
        ..rung(
            "mimalloc+thinlto+pgo+bolt",
            "BOLT (branch records)",
            &["mimalloc", "thinlto", "pgo", "bolt"],
            failed,
            3.1,
        )
    }
}

fn jemalloc_skipped() -> Rung {
    let reason = "jemalloc is not installed: install libjemalloc2 to try it.";
    let skipped = Outcome::Skipped {
        reason: reason.to_owned(),
    };
    Rung {
        file_bytes: None,
        text_bytes: None,
        ..rung("jemalloc", "jemalloc", &["jemalloc"], skipped, 0.0)
    }
}

fn flags(compile: &[&str], link: &[&str]) -> Flags {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Flags {
        compile: owned(compile),
        link: owned(link),
        ..Flags::default()
    }
}

fn calls(rate: f64, instructions: u64, left: f64) -> IndirectCalls {
    let site = |place: &str, rate: f64, targets: &[(&str, f64)]| CallSite {
        place: place.to_owned(),
        per_1000_instructions: rate,
        targets: targets
            .iter()
            .map(|(name, share)| ((*name).to_owned(), *share))
            .collect(),
    };
    let mut sites = vec![
        site(
            "mesh::FilterChain::decode(mesh::Request&, mesh::Context&) (chain.cc:88)",
            5.12 * left,
            &[
                (
                    "mesh::AuthFilter::decode(mesh::Request&, mesh::Context&)",
                    0.281,
                ),
                (
                    "mesh::RouterFilter::decode(mesh::Request&, mesh::Context&)",
                    0.264,
                ),
                (
                    "mesh::RateLimitFilter::decode(mesh::Request&, mesh::Context&)",
                    0.241,
                ),
                (
                    "mesh::HeaderFilter::decode(mesh::Request&, mesh::Context&)",
                    0.122,
                ),
                (
                    "mesh::AccessLogFilter::decode(mesh::Request&, mesh::Context&)",
                    0.092,
                ),
            ],
        ),
        site(
            "mesh::Router::match(std::string_view) const (router.cc:141)",
            2.64 * left,
            &[
                (
                    "mesh::PrefixMatcher::matches(std::string_view) const",
                    0.913,
                ),
                ("mesh::RegexMatcher::matches(std::string_view) const", 0.087),
            ],
        ),
        site(
            "mesh::StatsSinks::flush() (stats.cc:57)",
            0.4,
            &[("mesh::CounterSink::add(unsigned long)", 1.0)],
        ),
    ];
    if left > 0.9 {
        sites.push(site(
            "mesh::HeaderFilter::encode(mesh::Response&) (header.cc:203)",
            0.31,
            &[("mesh::SetHeader::apply(mesh::Headers&) const", 1.0)],
        ));
    }
    IndirectCalls {
        per_1000_instructions: rate,
        instructions,
        sites,
    }
}

fn recordings() -> Vec<RecordingFacts> {
    vec![RecordingFacts {
        rung: "mimalloc+thinlto".to_owned(),
        build: "mimalloc+thinlto".to_owned(),
        path: ".hone/thinlto/hone.data".to_owned(),
        branches: "walk".to_owned(),
        samples: 11_932,
        branch_records: 371_204,
        wall_s: 31.24,
        stopped_s: 2.11,
        target_cpu_s: 28.93,
    }]
}

fn recipe() -> Recipe {
    Recipe {
        rung: "mimalloc+thinlto+pgo".to_owned(),
        flags: Flags {
            compile: vec![
                "-flto=thin".to_owned(),
                "-fprofile-use=hone.profdata".to_owned(),
            ],
            link: vec!["-flto=thin".to_owned(), "-fuse-ld=lld-19".to_owned()],
            env: vec![(
                "LD_PRELOAD".to_owned(),
                "/usr/lib/libmimalloc.so.2".to_owned(),
            )],
            post_link: Vec::new(),
        },
        files: vec![(
            ".hone/keep/hone.profdata".to_owned(),
            "Counts of the instrumented run; commit it beside the source.".to_owned(),
        )],
        binary: ".hone/keep/meshfilter".to_owned(),
        shell: "export CC=clang-19 CXX=clang++-19\n\
                export CXXFLAGS=\"-O2 -flto=thin -fprofile-use=$PWD/hone.profdata\"\n\
                export LDFLAGS=\"-flto=thin -fuse-ld=lld-19\"\n\
                cmake -S . -B build && cmake --build build\n\
                LD_PRELOAD=/usr/lib/libmimalloc.so.2 ./build/meshfilter\n"
            .to_owned(),
        deploy: vec![
            "mimalloc: install libmimalloc2.0 beside the program and start it with LD_PRELOAD set."
                .to_owned(),
            "Instrumented PGO: the profile fits this source; make it anew when hot code changes."
                .to_owned(),
        ],
    }
}

fn tool(name: &str, version: &str, path: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        version: version.to_owned(),
        path: path.to_owned(),
    }
}
