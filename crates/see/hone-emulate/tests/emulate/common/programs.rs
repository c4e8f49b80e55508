//! The programs that are walked: some of our own, compiled here, and what the machine has.

use super::compiled;
use std::path::Path;
use std::process::{Command, Stdio};

/// Keeps the threads of Go's runtime from changing the memory of the one that is stepped.
const GO_SETTINGS: [&str; 4] = [
    "env",
    "GOMAXPROCS=1",
    "GOGC=off",
    "GODEBUG=asyncpreemptoff=1",
];

pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<String>,
}

/// All that can run here; what is missing is said.
pub(crate) fn all(directory: &Path) -> Vec<Program> {
    let mut programs = own();
    programs.extend(installed(directory));
    programs
}

/// A program that does the same every time, down to the addresses: of C alone, with the library in it.
pub(crate) fn constant() -> Option<Program> {
    let program = compiled("cc", &["-O2", "-static"], "programs/strings.c")?;
    Some(Program {
        name: "C strings, static",
        command: vec!["--whole".to_owned(), program.display().to_string()],
    })
}

/// Our own programs, each also built for newer CPUs.
fn own() -> Vec<Program> {
    const RUST: [&str; 4] = ["--edition", "2021", "-C", "opt-level=3"];
    const V3: [&str; 2] = ["-C", "target-cpu=x86-64-v3"];
    let rust_v3 = [&RUST[..], &V3].concat();
    let for_v3 = ["-O3", "-march=x86-64-v3"];
    let recipes: [(&str, &str, &[&str], &str); 7] = [
        ("C strings", "cc", &["-O2"], "strings.c"),
        ("C strings v3", "cc", &for_v3, "strings.c"),
        ("C++ objects", "c++", &["-O2"], "objects.cc"),
        ("C++ objects v3", "c++", &for_v3, "objects.cc"),
        ("Rust tables", "rustc", &RUST, "tables.rs"),
        ("Rust tables v3", "rustc", &rust_v3, "tables.rs"),
        ("Go tables", "go", &["build"], "tables.go"),
    ];
    let build = |(name, compiler, options, source): (&'static str, &str, &[&str], &str)| {
        let program = compiled(compiler, options, &format!("programs/{source}"))?;
        let settings = GO_SETTINGS.iter().filter(|_| compiler == "go");
        let settings = settings.map(|&word| word.to_owned());
        let command = settings.chain([program.display().to_string()]).collect();
        Some(Program { name, command })
    };
    recipes.into_iter().filter_map(build).collect()
}

fn installed(directory: &Path) -> Vec<Program> {
    const PYTHON: &str = "
import json, re
words = [('w%d' % (i * 7919 % 1000)) for i in range(2000)]
while True:
    d = {}
    for w in words:
        d[w] = d.get(w, 0) + len(w) * 1.5
    t = json.dumps(d)
    x = sum(json.loads(t).values()) + len(re.findall('w1[0-9]+', t))
    s = sorted(words, key=lambda w: (len(w), w))
";
    const PERL: &str = "
while (1) { my %h; for my $i (0..3000) { my $k = sprintf('k%d', $i * 7919 % 700); $h{$k} .= chr(65 + $i % 26); }
  my $t = join(',', map { $_ . '=' . lc($h{$_}) } sort keys %h); my $n = () = $t =~ /k1\\d+=a/g; }
";
    const SQL: &str = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100000000) \
        SELECT x % 97, count(*), sum(length(hex(x) || 'abc')), max(upper('k' || x)), avg(x * 1.5) FROM c \
        WHERE ('n' || x) LIKE '%7%' GROUP BY 1 ORDER BY 3;";
    let input = directory.join("input");
    std::fs::write(&input, words(24_000_000)).expect("a temporary file");
    let input = input.display().to_string();
    let python = python();
    let list: [(&'static str, Vec<&str>); 5] = [
        ("python3", vec![&python, "-c", PYTHON]),
        ("perl", vec!["perl", "-e", PERL]),
        ("xz -9", vec!["xz", "-9", "-T1", "-k", "-c", &input]),
        ("gzip -9", vec!["gzip", "-9", "-k", "-c", &input]),
        ("sqlite3", vec!["sqlite3", ":memory:", SQL]),
    ];
    let there = |(name, command): (&'static str, Vec<&str>)| {
        let found = Command::new(command[0])
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if !found {
            println!("skipped: {name} is not installed");
        }
        found.then(|| Program {
            name,
            command: command.into_iter().map(str::to_owned).collect(),
        })
    };
    list.into_iter().filter_map(there).collect()
}

/// The interpreter itself, where `python3` is a script that looks for it.
fn python() -> String {
    let asked = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable, end='')"])
        .output();
    match asked {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        _ => "python3".to_owned(),
    }
}

/// Text that compresses, but not too well.
fn words(bytes: usize) -> Vec<u8> {
    let mut seed = 1_u32;
    let mut text = Vec::with_capacity(bytes + 16);
    while text.len() < bytes {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = (seed >> 20) * (seed >> 28);
        text.extend(number.to_string().bytes());
        text.extend([b" of", b"\n\t ", b"abc"][seed as usize >> 30 & 1].iter());
    }
    text
}
