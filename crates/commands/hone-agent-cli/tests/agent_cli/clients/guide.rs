//! The programs of `docs/agent/clients.md`, as they stand there: they compile, run, and what they measure is stored.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::agent::Agent;
use super::tools::{self, repository, run};

/// The block of this language that holds these words.
fn block(language: &str, words: &str) -> String {
    let guide = fs::read_to_string(repository().join("docs/agent/clients.md")).unwrap();
    let head = format!("\n```{language}\n");
    let blocks = guide.split(&head).skip(1);
    let mut blocks = blocks.map(|rest| rest.split("\n```").next().unwrap());
    let found = blocks.find(|block| block.contains(words));
    found
        .unwrap_or_else(|| panic!("no block of {language} with {words}"))
        .to_owned()
        + "\n"
}

/// Where the guide says `/path/to/hone`, and where the agent of this test listens.
fn here(text: &str, directory: &Path) -> String {
    let socket = directory.join("agent.sock");
    let repository = repository().canonicalize().unwrap();
    assert!(
        text.contains("/path/to/hone") || text.contains("/run/hone-agent/agent.sock"),
        "{text}"
    );
    text.replace("/path/to/hone", repository.to_str().unwrap())
        .replace("/run/hone-agent/agent.sock", socket.to_str().unwrap())
}

/// Builds a program in a directory, runs it against an agent, and looks at what was stored.
fn works(build: impl FnOnce(&Path) -> Command) {
    let directory = tempfile::tempdir().unwrap();
    let mut program = build(directory.path());
    let agent = Agent::start(directory.path());
    let output = run(program.current_dir(directory.path()));
    // Eight samples of each order, and one.
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told, "given 801, sent 801\n");
    let ended = agent.end();
    let shop = ["shop=eu"];
    assert_eq!(ended.sum("orders", &shop), 100.0);
    assert_eq!(ended.sum("checkout.ms.count", &shop), 101.0);
    assert_eq!(ended.sum("responses", &["status=500"]), 1.0);
    assert_eq!(ended.sum("responses", &["status=200"]), 99.0);
    assert_eq!(ended.values("queue.length", &[]).last().copied(), Some(1.0));
    assert_eq!(ended.sum("order.price.count", &[]), 100.0);
    assert_eq!(ended.sum("order.size.max", &[]).rem_euclid(6.0), 0.0);
    assert_eq!(ended.values("users", &[]).last().copied(), Some(2.0));
    assert_eq!(ended.sum("hone.client.samples", &[]), 801.0);
}

#[test]
#[ignore = "further end to end"]
fn the_program_in_rust_works() {
    works(|directory| {
        let package = "[package]\nname = \"service\"\nedition = \"2024\"\n[workspace]\n";
        let dependencies = here(&block("toml", "hone-agent-client"), directory);
        fs::write(
            directory.join("Cargo.toml"),
            format!("{package}{dependencies}"),
        )
        .unwrap();
        fs::create_dir(directory.join("src")).unwrap();
        let source = here(&block("rust", "fn main"), directory);
        fs::write(directory.join("src/main.rs"), source).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--quiet", "--offline"])
            .current_dir(directory);
        run(cargo.env("CARGO_TARGET_DIR", directory.join("target")));
        Command::new(directory.join("target/debug/service"))
    });
}

#[test]
#[ignore = "further end to end"]
fn the_program_in_go_works() {
    let Some(go) = testkit::go() else {
        return;
    };
    works(|directory| {
        fs::write(
            directory.join("go.mod"),
            here(&block("text", "module example"), directory),
        )
        .unwrap();
        fs::write(
            directory.join("main.go"),
            here(&block("go", "func main"), directory),
        )
        .unwrap();
        let program = directory.join("service");
        run(tools::go_in(&go, directory)
            .args(["build", "-o"])
            .arg(&program)
            .arg("."));
        Command::new(program)
    });
}

#[test]
#[ignore = "further end to end"]
fn the_program_in_cpp_works() {
    let Some(compiler) = tools::clang() else {
        return;
    };
    works(|directory| {
        fs::write(
            directory.join("service.cc"),
            here(&block("cpp", "int main"), directory),
        )
        .unwrap();
        let line = here(&block("text", "clang++"), directory);
        let arguments: Vec<&str> = line.split_whitespace().skip(1).collect();
        let warnings = ["-Wall", "-Wextra", "-Werror"];
        run(Command::new(compiler)
            .args(arguments)
            .args(warnings)
            .current_dir(directory));
        Command::new(directory.join("service"))
    });
}
