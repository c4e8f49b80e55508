//! Other engines read the very files: DataFusion through delta-rs, DuckDB and Polars; where Python has them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hone_batch::{Batch, wire};
use hone_hub::store::{Location, Received, Store};
use testkit::python_with;

use super::fleet::{MIDNIGHT_S, Sent, TENANT, batch, options};

/// Number of samples, weight, innermost files and branches; counts join to frames by way of stacks.
const QUESTION: &str = "
question = '''
    SELECT CAST(sum(s.times) AS BIGINT), CAST(sum(s.weight) AS BIGINT), count(DISTINCT f.file),
           (SELECT CAST(sum(taken) AS BIGINT) FROM branches)
    FROM samples s
    JOIN stacks k ON s.day = k.day AND (s.service IS NOT DISTINCT FROM k.service) AND s.stack = k.stack
    JOIN frames f ON f.day = k.day AND (f.service IS NOT DISTINCT FROM k.service) AND f.frame = k.frames[1]
'''
names = ['samples', 'stacks', 'frames', 'branches']
";

/// DataFusion, which delta-rs brings.
const DATAFUSION: &str = "
import sys
from deltalake import DeltaTable, QueryBuilder
engine = QueryBuilder()
for name in names:
    engine = engine.register(name, DeltaTable(f'{sys.argv[1]}/{name}'))
answer = engine.execute(question).read_all()
print(*(answer.column(at)[0].as_py() for at in range(answer.num_columns)))
";

/// DuckDB without an extension: the Delta log has the files, and their folders the columns.
const DUCKDB: &str = r#"
import duckdb, sys
duckdb.sql(macro)
for name in names:
    duckdb.sql(f"SET VARIABLE {name} = (FROM files('{sys.argv[1]}/{name}'))")
    duckdb.sql(f"CREATE VIEW {name} AS FROM read_parquet(getvariable('{name}'), hive_partitioning = true)")
print(*duckdb.sql(question).fetchall()[0])
"#;

/// Weight by service, in an engine of each kind: one that reads the Delta log, and two that read folders.
const BY_SERVICE: [(&str, &str); 3] = [
    (
        "deltalake",
        "
from deltalake import DeltaTable, QueryBuilder
engine = QueryBuilder().register('samples', DeltaTable(samples))
rows = engine.execute('SELECT service, CAST(sum(weight) AS BIGINT) FROM samples GROUP BY service').read_all()
rows = zip(*(column.to_pylist() for column in rows.columns))
",
    ),
    (
        "duckdb",
        r#"
import duckdb
duckdb.sql(macro)
duckdb.sql(f"SET VARIABLE samples = (FROM files('{samples}'))")
rows = duckdb.sql("SELECT service, CAST(sum(weight) AS BIGINT) FROM read_parquet(getvariable('samples'), hive_partitioning = true) GROUP BY service").fetchall()
"#,
    ),
    (
        "polars",
        "
import polars
table = polars.scan_delta(samples).group_by('service').agg(polars.sum('weight'))
rows = table.collect().rows()
",
    ),
];

/// The statement of the documents that lists the files of a table.
fn macro_of_documents() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/internals/hub-store.md");
    let text = std::fs::read_to_string(path).unwrap();
    let begin = text.find("CREATE MACRO").unwrap();
    let end = begin + text[begin..].find(';').unwrap();
    format!("macro = \"\"\"{}\"\"\"\n", &text[begin..end])
}

fn ask(python: &Path, engine: &str, tables: &Path) -> String {
    let output = Command::new(python)
        .args(["-c", &format!("{QUESTION}{}{engine}", macro_of_documents())])
        .arg(tables)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    print!("{errors}");
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Fills a folder with files of hours and of days, and replaced ones; returns the batches.
fn fill(folder: &Path) -> Vec<Batch> {
    let store = Store::open(Location::Folder(folder.to_owned()), options()).unwrap();
    let sent = |number: u64| Sent {
        host: 1,
        number,
        minute: number as u32 * 97,
    };
    for number in 0..20 {
        let batch = sent(number);
        for _ in 0..2 {
            store
                .append(TENANT, &batch.received(), batch.start_s())
                .unwrap();
        }
        store.compact(batch.start_s() + 3600).unwrap();
    }
    store.compact(MIDNIGHT_S + 40 * 3600).unwrap();
    (0..20).map(|number| batch(sent(number))).collect()
}

/// Asks an engine, and compares its answer with the batches.
fn reads_what_was_sent(module: &str, engine: &str) {
    let Some(python) = python_with(module) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let batches = fill(folder.path());
    let samples = || batches.iter().flat_map(|batch| &batch.samples);
    let times: u64 = samples().map(|row| row.times).sum();
    let weight: u64 = samples().map(|row| row.weight).sum();
    let branches = batches.iter().flat_map(|batch| &batch.branches);
    let taken: u64 = branches.map(|row| row.taken).sum();
    let answer = ask(&python, engine, &folder.path().join("acme/tables"));
    assert_eq!(answer, format!("{times} {weight} 2 {taken}"));
}

#[test]
fn datafusion_reads_and_joins_the_tables() {
    reads_what_was_sent("deltalake", DATAFUSION);
}

#[test]
#[ignore = "further end to end"]
fn duckdb_reads_and_joins_the_tables() {
    reads_what_was_sent("duckdb", DUCKDB);
}

/// Services whose names are no plain words, and one without a name.
const SERVICES: [&str; 5] = ["", "shop", "größe & co", "a/b=c %20'", "42"];

#[test]
#[ignore = "further end to end"]
fn engines_tell_services_apart_whatever_they_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let long = "long".repeat(70);
    let services: Vec<&str> = SERVICES.into_iter().chain([&*long]).collect();
    let expected = fill_services(folder.path(), &services);
    for (module, engine) in BY_SERVICE {
        let Some(python) = python_with(module) else {
            continue;
        };
        let head = "import json, sys\nsamples = sys.argv[1] + '/samples'\n";
        let end = "print(json.dumps({name or '': weight for name, weight in rows}))";
        let program = format!("{head}{engine}\n{end}");
        let answer = ask(&python, &program, &folder.path().join("acme/tables"));
        let mut told: BTreeMap<String, u64> = serde_json::from_str(&answer).unwrap();
        if module != "deltalake" {
            // A folder has the begin of a long name.
            let of_long = told.keys().find(|name| name.starts_with("longlong"));
            let of_long = of_long.cloned().unwrap();
            let weight = told.remove(&of_long).unwrap();
            told.insert(long.clone(), weight);
        }
        assert_eq!(told, expected, "{module}");
    }
}

/// Fills a folder with hours and days of these services; returns the weight of each.
fn fill_services(folder: &Path, services: &[&str]) -> BTreeMap<String, u64> {
    let store = Store::open(Location::Folder(folder.to_owned()), options()).unwrap();
    let mut weights = BTreeMap::new();
    for (number, service) in (0..).zip(services.iter().cycle()).take(4 * services.len()) {
        let sent = Sent {
            host: 1,
            number,
            minute: number as u32 * 80,
        };
        let mut batch = batch(sent);
        batch
            .groups
            .iter_mut()
            .for_each(|group| group.service = (*service).to_owned());
        let weight: u64 = batch.samples.iter().map(|row| row.weight).sum();
        *weights.entry((*service).to_owned()).or_default() += weight;
        let received = Received {
            bytes: wire::write(&batch),
            ..sent.received()
        };
        store.append(TENANT, &received, sent.start_s()).unwrap();
        store.compact(sent.start_s() + 3600).unwrap();
    }
    store.compact(MIDNIGHT_S + 40 * 3600).unwrap();
    weights.retain(|_, weight| *weight > 0);
    weights
}
