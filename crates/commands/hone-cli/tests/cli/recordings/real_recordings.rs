//! Every view of recordings of many processes: a compile, and a database under load.

use crate::common::{has_tools, hone, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use testkit::until_true;

/// Headers that take a compiler some time.
const SOURCE: &str = "#include <algorithm>\n#include <map>\n#include <regex>\n#include <string>\n\
    bool found(const std::string &text) { return std::regex_search(text, std::regex(\"a+b\")); }\n\
    std::map<std::string, int> counts;\nint count(const std::string &word) { return ++counts[word]; }\n";

/// The answer of a view in JSON.
fn json(directory: &Path, words: &[&str]) -> Value {
    let output = hone(words, directory);
    assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'j>(value: &'j Value, key: &str) -> &'j str {
    value[key].as_str().unwrap()
}

/// Looks at a recording through everything; gives the hottest function with a name that lies in a file.
fn looked_at(directory: &Path, recording: &str) -> String {
    let table = json(directory, &["top", recording, "--json"]);
    let rows = table["rows"].as_array().unwrap();
    let is_function =
        |row: &&Value| text(row, "binary").starts_with('/') && !text(row, "name").starts_with('[');
    let hottest = rows.iter().find(is_function).expect("a function of a file");
    let function = text(hottest, "name").to_owned();
    let weight = table["weight"].as_u64().unwrap();

    for by in ["file", "line", "binary", "thread", "process", "command"] {
        let rows = json(directory, &["top", recording, "--by", by, "--json"]);
        let rows = rows["rows"].as_array().unwrap();
        let sum: u64 = rows
            .iter()
            .filter_map(|row| row["self_weight"].as_u64())
            .sum();
        assert_eq!(sum, weight, "{by}");
    }
    for view in ["callers", "callees", "annotate"] {
        let output = hone(&[view, &function, recording], directory);
        let said = stderr(&output);
        assert!(output.status.success(), "{view} {function}: {said}");
        assert!(stdout(&output).lines().count() > 1, "{view} {function}");
    }
    let changes = hone(&["diff", recording, recording], directory);
    assert!(
        stdout(&changes).contains("Nothing changed"),
        "{}",
        stderr(&changes)
    );
    assert_eq!(changes.status.code(), Some(1), "no change, as --help says");
    for format in ["html", "folded", "speedscope", "firefox", "pprof"] {
        let words = ["view", recording, "--to", format, "-o", format];
        let output = hone(&words, directory);
        assert!(output.status.success(), "{format}: {}", stderr(&output));
        assert!(
            fs::metadata(directory.join(format)).unwrap().len() > 1_000,
            "{format}"
        );
    }
    let folded = fs::read_to_string(directory.join("folded")).unwrap();
    let weights = folded.lines().filter_map(|line| line.rsplit_once(' '));
    let sum: u64 = weights
        .map(|(_, weight)| weight.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, weight, "the folded stacks hold everything");
    let diagnosis = hone(&["diagnose", recording], directory);
    assert_ne!(diagnosis.status.code(), Some(2), "{}", stderr(&diagnosis));
    function
}

/// Share of a row, 0 to 1.
fn share(table: &Value, name: &str) -> f64 {
    let rows = table["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| text(row, "name") == name);
    let row = row.unwrap_or_else(|| panic!("no {name} in {table}"));
    row["self_share"].as_f64().unwrap()
}

#[test]
#[ignore = "finds by samples"]
fn a_compile_of_several_files() {
    if !has_tools(&["make", "g++"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for name in ["a", "b", "c"] {
        fs::write(directory.join(format!("{name}.cc")), SOURCE).unwrap();
    }
    let makefile = "all: a.o b.o c.o\n%.o: %.cc\n\tg++ -O1 -c $< -o $@\n";
    fs::write(directory.join("Makefile"), makefile).unwrap();
    let words = ["record", "-g", "--branches", "none", "-o", "compile.data"];
    let output = hone(&[&words[..], &["--", "make", "-j2"]].concat(), directory);
    assert!(output.status.success(), "{}", stderr(&output));

    looked_at(directory, "compile.data");
    let commands = json(
        directory,
        &["top", "compile.data", "--by", "command", "--json"],
    );
    assert!(share(&commands, "cc1plus") > 0.5, "{commands}");
    let processes = json(
        directory,
        &["top", "compile.data", "--by", "process", "--json"],
    );
    let rows = processes["rows"].as_array().unwrap();
    let compilers = rows
        .iter()
        .filter(|row| text(row, "name").starts_with("cc1plus (process "));
    assert_eq!(compilers.count(), 3, "{processes}");
}

/// Ended with its test.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A Redis that keeps nothing, and its port.
fn redis(directory: &Path) -> (Ends, u16) {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let words = format!("--bind 127.0.0.1 --port {port} --save");
    let server = Command::new("redis-server")
        .args(words.split(' ').chain([""]))
        .current_dir(directory)
        .stdout(Stdio::null())
        .spawn();
    let server = Ends(server.unwrap());
    let answers = || -> std::io::Result<bool> {
        let mut connection = TcpStream::connect(("127.0.0.1", port))?;
        connection.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        connection.read_exact(&mut answer)?;
        Ok(&answer == b"+PONG")
    };
    until_true("redis-server answers", || matches!(answers(), Ok(true)));
    (server, port)
}

#[test]
#[ignore = "finds by samples"]
fn a_database_under_load() {
    if !has_tools(&["redis-server", "redis-benchmark"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let (server, port) = redis(directory);
    let port = port.to_string();
    let words = [
        "-p",
        &port,
        "-q",
        "-l",
        "-t",
        "set,get,lpush,lrange_100",
        "-n",
        "100000",
    ];
    let load = Command::new("redis-benchmark")
        .args(words)
        .stdout(Stdio::null())
        .spawn();
    let load = Ends(load.unwrap());
    let pids = [server.0.id().to_string(), load.0.id().to_string()];
    let words = [
        "record",
        "-g",
        "--branches",
        "none",
        "-o",
        "redis.data",
        "--duration",
        "4",
    ];
    let output = hone(&[&words[..], &["-p", &pids.join(",")]].concat(), directory);
    assert!(output.status.success(), "{}", stderr(&output));

    looked_at(directory, "redis.data");
    let commands = json(
        directory,
        &["top", "redis.data", "--by", "command", "--json"],
    );
    assert!(share(&commands, "redis-server") > 0.05, "{commands}");
    assert!(share(&commands, "redis-benchmark") > 0.05, "{commands}");
    let stacks = hone(&["top", "redis.data"], directory);
    let stacks = stdout(&stacks);
    let quality = stacks
        .lines()
        .find_map(|line| line.strip_prefix("stacks: "));
    let whole = quality.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    assert!(whole.is_some_and(|whole| whole > 90.0), "{stacks}");
}
