//! What README and the guides show in other languages is valid: settings, scripts, data, C++.

use hone_build::config::Project;
use std::fs;
use std::path::Path;
use std::process::Command;
use testkit::c_compiler;
use testkit::documents::{Block, blocks};
use toml::{Table, Value};
use yaml_rust2::YamlLoader;

/// Guides with settings of hone-agent, of hone-hub, and of Cargo, which have their own tests.
const OF_OTHERS: [&str; 3] = ["docs/agent/", "docs/hub/", "docs/optimize/fleet.md"];

fn blocks_in(language: &str) -> Vec<Block> {
    let mut found = blocks();
    found.retain(|block| block.language == language);
    found
}

/// The rest of a file of which a document shows a part.
fn with_the_rest(part: Table) -> Table {
    let is_server = part.contains_key("server") || part.to_string().contains("{port}");
    let mut whole: Table = toml::from_str(
        r#"
        program.binary = "build/program"
        build.command = "make"
        train = [{ command = "{binary} 1" }]
        measure = [{ command = "{binary} 2" }]
        "#,
    )
    .unwrap();
    if is_server {
        let server = toml::from_str("start = \"{binary} {port}\"").unwrap();
        whole.insert("server".into(), Value::Table(server));
        let load = toml::from_str("load = [{ command = \"load\", requests_total = 1 }]");
        let load: Table = load.unwrap();
        whole.insert("measure".into(), load["load"].clone());
    }
    for (name, value) in part {
        match (whole.get_mut(&name), value) {
            (Some(Value::Table(known)), Value::Table(more)) => known.extend(more),
            (_, value) => {
                whole.insert(name, value);
            }
        }
    }
    whole
}

#[test]
fn hone_toml_is_taken_as_the_documents_show_it() {
    let mut found = blocks_in("toml");
    found.retain(|block| !OF_OTHERS.iter().any(|other| block.place.starts_with(other)));
    assert!(found.len() >= 8, "only {} blocks found", found.len());
    for block in found {
        let place = &block.place;
        let part: Table =
            toml::from_str(&block.text).unwrap_or_else(|why| panic!("{place}: {why}"));
        // A document's whole file is taken as it stands, with whatever it leaves out.
        let text = match part.contains_key("program") {
            true => block.text.clone(),
            false => with_the_rest(part).to_string(),
        };
        if let Err(why) = Project::parse(&text) {
            panic!("{place} is refused: {why}\n{text}");
        }
    }
}

#[test]
fn scripts_are_such_as_a_shell_reads() {
    let found = blocks_in("sh");
    assert!(found.len() >= 10, "only {} blocks found", found.len());
    for block in found {
        let words = ["-n", "-c", &block.text];
        let output = Command::new("bash").args(words).output().unwrap();
        assert!(output.status.success(), "{}: {output:?}", block.place);
    }
}

#[test]
fn yaml_and_json_are_such_as_a_parser_reads() {
    let yaml = blocks_in("yaml");
    let json = blocks_in("json");
    assert!(!yaml.is_empty() && !json.is_empty());
    for block in yaml {
        let read = YamlLoader::load_from_str(&block.text);
        assert!(read.is_ok(), "{}: {read:?}", block.place);
    }
    for block in json {
        let read = serde_json::from_str::<serde_json::Value>(&block.text);
        assert!(read.is_ok(), "{}: {read:?}", block.place);
    }
}

#[test]
fn programs_in_cpp_compile_as_the_documents_show_them() {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../clients/cpp/include");
    let directory = tempfile::tempdir().unwrap();
    let found = blocks_in("cpp");
    assert!(!found.is_empty());
    for block in found {
        let source = directory.path().join("shown.cc");
        fs::write(&source, &block.text).unwrap();
        let output = Command::new(c_compiler())
            .args(["-xc++", "-std=c++20", "-fsyntax-only", "-Werror", "-I"])
            .args([&headers, &source])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}: {output:?}", block.place);
    }
}
