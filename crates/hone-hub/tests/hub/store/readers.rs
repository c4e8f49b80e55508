//! Other engines read the very files: DataFusion through delta-rs, and DuckDB; where Python has them.

use std::path::Path;
use std::process::Command;

use hone_batch::Batch;
use hone_hub::store::{Location, Store};
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

/// DuckDB with its extension for Delta; where that cannot be had, with the list of files as the log has it.
const DUCKDB: &str = r#"
import duckdb, glob, json, sys
from urllib.parse import unquote
def listed(table):
    files = {}
    for version in sorted(glob.glob(f'{table}/_delta_log/*.json')):
        for line in open(version):
            action = json.loads(line)
            if 'remove' in action: del files[action['remove']['path']]
            if 'add' in action: files[action['add']['path']] = action['add']['partitionValues']
    text = lambda value: 'NULL::VARCHAR' if value is None else f"'{value}'"
    return 'FROM (' + ' UNION ALL '.join(
        f"SELECT *, {text(of['day'])} AS day, {text(of['service'])} AS service "
        f"FROM read_parquet('{table}/{unquote(path)}')" for path, of in files.items()) + ')'
try:
    duckdb.sql('INSTALL delta; LOAD delta')
    source = lambda table: f"FROM delta_scan('{table}')"
except duckdb.Error:
    print('skipped: DuckDB without its extension for Delta; its files are listed by this test', file=sys.stderr)
    source = listed
for name in names:
    duckdb.sql(f'CREATE VIEW {name} AS ' + source(f'{sys.argv[1]}/{name}'))
print(*duckdb.sql(question).fetchall()[0])
"#;

fn ask(python: &Path, engine: &str, tables: &Path) -> String {
    let output = Command::new(python)
        .args(["-c", &format!("{QUESTION}{engine}")])
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
