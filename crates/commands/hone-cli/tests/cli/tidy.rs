//! House rules that a program can check.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The one library beside [`SERVERS`] with an async runtime, and the file that alone uses it: the crate of object storage has no other form.
const RUNTIME: (&str, &str) = ("hone-hub", "crates/hub/hone-hub/src/store/s3.rs");
/// What the servers of commands share, in the runtime of these.
const SERVERS: &str = "hone-serve";

/// Lines of one Rust file; longer ones are split by meaning.
const LINES_MAX: usize = 500;

/// Why a test is left to `make test-all`: the rule of CONTRIBUTING.md.
const REASONS: [&str; 5] = [
    "judges a gain",
    "finds by samples",
    "builds whole modules",
    "waits on a clock",
    "further end to end",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Every file below a directory with this ending. What Hone itself has left there is not the project's.
fn files(directory: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with(".hone") {
                files(&path, ending, found);
            }
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
}

/// Directories of all crates, by name: `crates/GROUP/NAME`, and testkit, which is of no group.
fn crates() -> BTreeMap<String, PathBuf> {
    let mut manifests = Vec::new();
    files(&root().join("crates"), "toml", &mut manifests);
    let homes = manifests
        .iter()
        .filter(|path| path.ends_with("Cargo.toml"))
        .map(|path| path.parent().unwrap());
    let name = |home: &Path| home.file_name().unwrap().to_string_lossy().into_owned();
    let found: BTreeMap<_, _> = homes.map(|home| (name(home), home.into())).collect();
    assert!(found.len() > 20, "{found:?}");
    found
}

fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&root().join("crates"), "rs", &mut found);
    files(&root().join("clients"), "rs", &mut found);
    assert!(found.len() > 100, "only {} files found", found.len());
    found
}

/// What users and developers read.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<_> = [
        "ARCHITECTURE.md",
        "STYLE.md",
        "CONTRIBUTING.md",
        "README.md",
    ]
    .map(|name| root().join(name))
    .into();
    files(&root().join("docs"), "md", &mut found);
    for folder in ["crates", "go", "mesh"] {
        files(&root().join(folder), "md", &mut found);
    }
    files(&root().join("bench"), "md", &mut found);
    found
}

/// Whether a word of a document is the path of a file here, and no pattern of one.
fn is_path(word: &str) -> bool {
    let plain = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let known = [
        "crates/",
        "clients/",
        "docs/",
        "examples/",
        "cpp/",
        "mesh/",
        "go/",
        "bench/",
        "scripts/",
    ];
    plain && !word.contains("NNNN") && known.iter().any(|start| word.starts_with(start))
}

#[test]
fn documents_name_paths_that_exist() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for path in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|word| is_path(word))
        {
            assert!(root().join(path).exists(), "{document:?} names {path}");
        }
        let links = text.split("](").skip(1);
        for link in links.filter_map(|rest| rest.split([')', '#']).next()) {
            if link.is_empty() || link.contains(':') || link.contains(' ') {
                continue;
            }
            let target = document.parent().unwrap().join(link);
            assert!(target.exists(), "{document:?} links to {link}");
        }
    }
}

#[test]
fn pictures_are_shown_and_can_be_taken_again() {
    let texts = documents().into_iter().map(fs::read_to_string);
    let shown: String = texts.map(Result::unwrap).collect();
    let script = fs::read_to_string(root().join("scripts/pictures")).unwrap();
    let mut pictures = Vec::new();
    files(&root().join("docs"), "png", &mut pictures);
    assert!(!pictures.is_empty());
    for picture in pictures {
        let name = picture.file_stem().unwrap().to_str().unwrap();
        let link = format!("images/{name}.png)");
        assert!(shown.contains(&link), "no document shows {picture:?}");
        let taken = format!("\"{name}\":");
        assert!(script.contains(&taken), "scripts/pictures knows no {name}");
    }
    let checked = Command::new("python3")
        .arg(root().join("scripts/pictures"))
        .arg("--check")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{said}");
}

#[test]
fn decisions_are_all_in_their_index() {
    let directory = root().join("docs/decisions");
    let index = fs::read_to_string(directory.join("README.md")).unwrap();
    let mut pages = Vec::new();
    files(&directory, "md", &mut pages);
    for page in pages {
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_there = name == "README.md" || index.contains(&format!("]({name})"));
        assert!(is_there, "docs/decisions/README.md does not list {name}");
    }
}

/// Gains in the guides, as in "1.11x on Lua (`bench/results/...`)", stand in the file that they name.
#[test]
fn guides_quote_gains_that_were_measured() {
    let mut guides = Vec::new();
    for product in testkit::documents::GUIDES {
        files(&root().join("docs").join(product), "md", &mut guides);
    }
    let mut quoted = 0;
    for guide in guides {
        let text = fs::read_to_string(&guide).unwrap();
        let words: Vec<&str> = text.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let Some(source) = word.strip_prefix("(`bench/results/") else {
                continue;
            };
            let source = format!("bench/results/{}", source.split('`').next().unwrap());
            // Back to the end of the sentence before, or to the file of the figure before.
            let before = words[..at].iter().rev();
            let clause = before.take_while(|word| !word.ends_with('.') && !word.contains("bench/"));
            for figure in clause.filter_map(|word| gain(word)) {
                let measured = fs::read_to_string(root().join(&source)).unwrap();
                assert!(
                    measured.contains(figure),
                    "{guide:?}: {figure} is not in {source}"
                );
                quoted += 1;
            }
        }
    }
    assert!(quoted > 5, "only {quoted} figures found");
}

/// The word without its comma, if it is a ratio with its decimals: "1.106x".
fn gain(word: &str) -> Option<&str> {
    let ratio = word.trim_end_matches(',');
    let number = ratio.strip_suffix('x')?;
    (number.contains('.') && number.parse::<f64>().is_ok()).then_some(ratio)
}

#[test]
fn files_fit_in_the_mind_and_say_why_they_exist() {
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        assert!(
            lines <= LINES_MAX,
            "{}: {lines} lines, split it by meaning",
            path.display()
        );
        let has_header = text.trim_start().starts_with("//!");
        assert!(
            lines <= 100 || has_header,
            "{}: no //! header",
            path.display()
        );
    }
}

/// What stands between the quotes that follow `start`, wherever it is found.
fn quoted<'t>(text: &'t str, start: &str) -> impl Iterator<Item = &'t str> {
    let found = text.split(start).skip(1);
    found.map(|rest| rest.split('"').next().unwrap_or(""))
}

#[test]
fn tests_left_to_test_all_say_why() {
    let contributing = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    for reason in REASONS {
        assert!(contributing.contains(reason), "the rule lacks {reason:?}");
    }
    let mut ignored = 0;
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let attribute = ["#[", "ignore"].concat();
        for reason in quoted(&text, &format!("{attribute} = \"")) {
            assert!(REASONS.contains(&reason), "{path:?}: {reason:?}");
            ignored += 1;
        }
        assert!(!text.contains(&format!("{attribute}]")), "{path:?}: why?");
    }
    assert!(ignored > 50, "only {ignored} ignored tests found");
    let mut go = Vec::new();
    files(&root().join("go"), "go", &mut go);
    for path in go {
        let text = fs::read_to_string(&path).unwrap();
        for after in text.split("if testing.Short() {").skip(1) {
            let reason = quoted(after, "t.Skip(\"").next().unwrap_or("");
            assert!(REASONS.contains(&reason), "{path:?}: {reason:?}");
        }
    }
}

#[test]
fn a_crate_has_one_program_of_tests() {
    for home in crates().values() {
        let Ok(tests) = fs::read_dir(home.join("tests")) else {
            continue;
        };
        let paths = tests.map(|entry| entry.unwrap().path());
        let is_program = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").exists()
        };
        let programs: Vec<_> = paths.filter(is_program).collect();
        assert!(programs.len() < 2, "{programs:?}");
    }
}

/// The crates of the code map in ARCHITECTURE.md, each with those of ours that it may use.
fn code_map() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| hone-"));
    let map: Vec<_> = rows
        .map(|row| {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            let may_use = cells[3]
                .split(", ")
                .filter(|cell| *cell != "nothing of ours");
            let may_use = may_use.map(|name| format!("hone-{name}"));
            (cells[1].to_owned(), may_use.collect())
        })
        .collect();
    assert!(map.len() > 15, "{map:?}");
    map
}

#[test]
fn crates_use_what_the_architecture_says() {
    let map = code_map();
    let homes = crates();
    for (name, may_use) in &map {
        let manifest = fs::read_to_string(homes[name].join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let none = toml::Table::new();
        let dependencies = manifest.get("dependencies");
        let dependencies = dependencies.map_or(&none, |table| table.as_table().unwrap());
        let of_commands = ["clap", "tokio"].into_iter();
        let is_allowed = |one: &&str| [RUNTIME.0, SERVERS].contains(&&**name) && *one == "tokio";
        let mut of_commands =
            of_commands.filter(|one| dependencies.contains_key(*one) && !is_allowed(one));
        assert!(
            name.ends_with("-cli") || of_commands.next().is_none(),
            "{name} is a library and uses clap or tokio"
        );
        let used = dependencies.keys();
        let used: Vec<_> = used.filter(|one| one.starts_with("hone-")).collect();
        let mut used_and_not_told = used.iter().filter(|one| !may_use.contains(**one));
        assert_eq!(used_and_not_told.next(), None, "{name} uses it");
        let mut told_and_not_used = may_use.iter().filter(|one| !used.contains(one));
        assert_eq!(told_and_not_used.next(), None, "{name} does not use it");
        let place = |of: &str| map.iter().position(|(name, _)| name == of).unwrap();
        for below in may_use {
            assert!(place(below) < place(name), "{below} stands below {name}");
        }
    }
    for name in homes.keys() {
        assert!(
            name == "testkit" || map.iter().any(|(known, _)| known == name),
            "{name} is not in the code map"
        );
    }
}

/// What commands drag in, over all crates between, is what is linked and built with them.
#[test]
fn commands_link_none_of_what_is_not_for_them() {
    let map: BTreeMap<String, Vec<String>> = code_map().into_iter().collect();
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `hone-"))
        .collect();
    assert!(rows.len() > 1, "{rows:?}");
    for row in rows {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let command = cells[1].trim_matches('`');
        let mut linked: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = vec![command];
        while let Some(name) = open.pop() {
            let below = map
                .get(name)
                .unwrap_or_else(|| panic!("{name} is not in the code map"));
            open.extend(
                below
                    .iter()
                    .map(String::as_str)
                    .filter(|one| linked.insert(one)),
            );
        }
        for name in cells[2].split(", ").map(|name| format!("hone-{name}")) {
            assert!(map.contains_key(&name), "{name} is not in the code map");
            assert!(!linked.contains(&*name), "{command} links {name}");
        }
    }
}

#[test]
fn the_runtime_of_object_storage_stays_in_its_file() {
    let mut sources = Vec::new();
    files(&crates()[RUNTIME.0].join("src"), "rs", &mut sources);
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        let uses = text.contains("tokio::") || text.contains("object_store::");
        assert_eq!(uses, path.ends_with(RUNTIME.1), "{path:?}");
    }
}

/// Every benchmark of bench/README.md is a file, and a line of `make bench`, or of the `run` beside it.
#[test]
fn make_bench_runs_all_benchmarks() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let recipe = makefile.split("\nbench:").nth(1).unwrap();
    let recipe = recipe.split("\n\n").next().unwrap();
    let readme = fs::read_to_string(root().join("bench/README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert!(rows.len() > 30, "{rows:?}");
    for row in rows {
        let (path, arguments) = row.split_once(' ').unwrap_or((row, ""));
        let path = path.strip_prefix("bench/").unwrap_or(path);
        let mut command = format!("bench/{path}");
        if root().join(&command).is_dir() {
            command += "/run";
        }
        assert!(root().join(&command).is_file(), "there is no {command}");
        let line = format!("\t{command} {arguments}");
        let is_line = recipe
            .lines()
            .any(|known| known.starts_with(line.trim_end()));
        let (folder, name) = command.rsplit_once('/').unwrap();
        let beside = fs::read_to_string(root().join(folder).join("run")).unwrap_or_default();
        let is_beside = beside.lines().any(|known| known == format!("./{name}"));
        assert!(
            is_line || is_beside,
            "make bench lacks {command} {arguments}"
        );
    }
}

/// Ways to say of what a name stands for that leave the reader to guess: a function "reports whether", a field "is true if" or "is the number of".
const RIDDLES: [&str; 4] = [
    "is whether ",
    "are whether ",
    "is how many ",
    "is how much ",
];

#[test]
fn comments_in_all_languages_say_what_a_name_stands_for() {
    let mut sources = Vec::new();
    for folder in [
        "crates", "clients", "go", "mesh", "cpp", "bench", "examples",
    ] {
        for ending in ["rs", "go", "cpp", "hpp", "h", "cc"] {
            files(&root().join(folder), ending, &mut sources);
        }
    }
    assert!(sources.len() > 1000, "only {} files found", sources.len());
    for path in sources {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        if text.starts_with("// Code generated") {
            continue;
        }
        let mut comments = text
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with("//"));
        let riddle = comments.find(|line| RIDDLES.iter().any(|riddle| line.contains(riddle)));
        assert!(riddle.is_none(), "{}: {riddle:?}", path.display());
    }
}

/// Where unsafe code may stand: the paths of the invariant in ARCHITECTURE.md.
fn unsafe_addresses() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let is_of_unsafe = |line: &&str| line.contains("hold unsafe code");
    let line = text.lines().find(is_of_unsafe).expect("the invariant");
    let addresses: Vec<String> = line
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert!(addresses.len() > 3, "{line}");
    addresses
}

#[test]
fn unsafe_code_stands_at_its_addresses() {
    let addresses = unsafe_addresses();
    for path in rust_files() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.to_string_lossy();
        let is_its_address = addresses.iter().any(|address| name.contains(address));
        let uses = |line: &&str| {
            let code = line.split("//").next().unwrap_or("");
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        };
        let first = text.lines().find(uses).filter(|_| !is_its_address);
        let is_this_file = path.ends_with("tests/cli/tidy.rs");
        assert!(
            first.is_none() || is_this_file,
            "{}: {first:?}",
            path.display()
        );
    }
    let client = root().join("clients/rust/src/lib.rs");
    let text = fs::read_to_string(&client).unwrap();
    assert!(text.contains("#![forbid(unsafe_code)]"));
    let homes = crates();
    for library in [
        "profile", "symbols", "batch", "files", "fetch", "fdo", "measure", "build", "report",
        "emulate", "views", "diagnose", "unwind", "host", "run", "inputs", "bench", "convert",
        "look", "wrap", "optimize",
    ] {
        let lib = homes[&format!("hone-{library}")].join("src/lib.rs");
        let text = fs::read_to_string(&lib).unwrap();
        assert!(
            text.contains("#![forbid(unsafe_code)]"),
            "{}",
            lib.display()
        );
    }
}
