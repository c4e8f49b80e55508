//! The Delta log of each table, by which other engines find its files.
//!
//! Protocol of readers 1 and writers 2, as
//! [the Delta protocol](https://github.com/delta-io/delta/blob/master/PROTOCOL.md) has it: `protocol`, `metaData`, `add` and
//! `remove` with statistics, and `txn`, whose version is the number of the journal's entry that a commit makes visible.
//! There are no checkpoints of Delta: an engine reads one small file for each commit, which are some dozens a day.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::{StoreError, Tried};
use super::hive;
use super::journal::{DataFile, Entry, Journal};
use super::objects::Objects;
use super::tables::{DAY, Kind, SERVICE, Table};
use super::time::Time;

/// Application id of our transactions.
const APPLICATION: &str = "hone-hub";

/// What a commit of a Delta log says, as far as the store reads it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Action {
    txn: Option<Transaction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    app_id: String,
    version: u64,
}

/// The Delta log of one table.
pub(crate) struct DeltaLog<'a> {
    objects: &'a Arc<dyn Objects>,
    table: Table,
    directory: String,
}

/// What a Delta log says at its end.
#[derive(Default)]
struct End {
    /// Version behind the last.
    next_version: u64,
    /// Number of the last entry of the journal that is visible.
    published: u64,
}

impl<'a> DeltaLog<'a> {
    /// Names the log of a tenant's table.
    pub(crate) fn new(objects: &'a Arc<dyn Objects>, tenant: &str, table: Table) -> Self {
        let directory = format!("{tenant}/tables/{}/_delta_log/", table.name());
        Self {
            objects,
            table,
            directory,
        }
    }

    /// Makes the journal's entries visible up to `number`.
    pub(crate) fn publish(
        &self,
        journal: &Journal,
        tenant: &str,
        number: u64,
    ) -> Result<(), StoreError> {
        let mut end = self.end()?;
        while end.published < number {
            let next = end.published + 1;
            let entry = journal.entry(tenant, next)?;
            if entry.is_none() && end.next_version == 0 && self.table.source().is_some() {
                // Entries of before there were such tables have none of their files, and may be gone.
                end.published = journal
                    .oldest_entry(tenant)?
                    .map_or(number, |oldest| oldest - 1);
                continue;
            }
            let entry = entry.ok_or_else(|| StoreError::Damaged {
                name: super::journal::entry_name(tenant, next),
                what: format!("{} needs it, and it is not there", self.directory),
            })?;
            let commit = self.commit(&entry, next, end.next_version);
            let name = self.version_name(end.next_version);
            let put = self.objects.put_if_absent(&name, commit.as_bytes());
            if put.tried("commit", &name)? {
                end.next_version += 1;
                end.published = next;
            } else {
                // Another compactor was faster.
                end = self.end()?;
            }
        }
        Ok(())
    }

    /// Reads the end of the log: every commit has the number of its entry.
    fn end(&self) -> Result<End, StoreError> {
        let listed = self
            .objects
            .list(&self.directory)
            .tried("list", &self.directory)?;
        let Some(last) = listed.iter().rfind(|listed| listed.name.ends_with(".json")) else {
            return Ok(End::default());
        };
        let version = self.version_of(&last.name)?;
        let mut published = None;
        for action in self.actions(&last.name)? {
            published = published.or(action
                .txn
                .filter(|txn| txn.app_id == APPLICATION)
                .map(|txn| txn.version));
        }
        Ok(End {
            next_version: version + 1,
            published: published
                .ok_or_else(|| self.damaged(&last.name, "another program wrote it"))?,
        })
    }

    fn actions(&self, name: &str) -> Result<Vec<Action>, StoreError> {
        let bytes = self.objects.get(name).tried("read", name)?;
        let bytes = bytes.ok_or_else(|| self.damaged(name, "it is gone"))?;
        let text = str::from_utf8(&bytes).map_err(|_| self.damaged(name, "not UTF-8"))?;
        let read = |line| {
            serde_json::from_str(line).map_err(|error| self.damaged(name, &error.to_string()))
        };
        text.lines().map(read).collect()
    }

    fn version_name(&self, version: u64) -> String {
        format!("{}{version:020}.json", self.directory)
    }

    fn version_of(&self, name: &str) -> Result<u64, StoreError> {
        let file = name.rsplit('/').next().unwrap_or_default();
        let number = file.trim_end_matches(".json").parse();
        number.map_err(|_| self.damaged(name, "this is not the name of a commit"))
    }

    fn damaged(&self, name: &str, what: &str) -> StoreError {
        StoreError::Damaged {
            name: name.to_owned(),
            what: what.to_owned(),
        }
    }

    /// Returns the lines of a commit.
    fn commit(&self, entry: &Entry, number: u64, version: u64) -> String {
        let time_ms = entry.time_s.saturating_mul(1000);
        let mut lines = vec![json!({"commitInfo": {
            "timestamp": time_ms,
            "operation": "WRITE",
            "engineInfo": format!("hone-hub/{}", env!("CARGO_PKG_VERSION")),
        }})];
        if version == 0 {
            lines.push(json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}));
            lines.push(json!({"metaData": {
                "id": uuid(),
                "format": {"provider": "parquet", "options": {}},
                "schemaString": schema(self.table).to_string(),
                "partitionColumns": [DAY, SERVICE],
                "configuration": {},
                "createdTime": time_ms,
            }}));
        }
        lines.push(json!({"txn": {
            "appId": APPLICATION,
            "version": number,
            "lastUpdated": time_ms,
        }}));
        let removed = entry.removed.iter().filter_map(|path| {
            let path = path.strip_prefix(self.table.name())?.strip_prefix('/')?;
            Some(json!({"remove": {
                "path": hive::in_log(path),
                "deletionTimestamp": time_ms,
                "dataChange": true,
            }}))
        });
        lines.extend(removed);
        let added = entry.added.iter().filter(|file| file.is_of(self.table));
        lines.extend(added.map(|file| json!({"add": add(file, time_ms)})));
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn add(file: &DataFile, time_ms: u64) -> Value {
    let mut statistics = json!({"numRecords": file.rows});
    if let Some((least, greatest)) = file.times_us {
        // Times are cut to milliseconds, which our times are whole numbers of.
        statistics["minValues"] = json!({"time": Time::text(least)});
        statistics["maxValues"] = json!({"time": Time::text(greatest)});
        statistics["nullCount"] = json!({"time": 0});
    }
    // An empty text is null in the Delta log.
    let service = (!file.service.is_empty()).then_some(&file.service);
    json!({
        "path": hive::in_log(&file.path),
        "partitionValues": {DAY: file.day, SERVICE: service},
        "size": file.bytes,
        "modificationTime": time_ms,
        "dataChange": true,
        "stats": statistics.to_string(),
    })
}

fn schema(table: Table) -> Value {
    let field = |name: &str, kind: Value| json!({"name": name, "type": kind, "nullable": true, "metadata": {}});
    let columns = table.columns().iter().map(|column| {
        let kind = match column.kind {
            Kind::Int => json!("integer"),
            Kind::Long => json!("long"),
            Kind::Text => json!("string"),
            Kind::Time => json!("timestamp"),
            Kind::List => {
                json!({"type": "array", "elementType": "integer", "containsNull": true})
            }
        };
        field(column.name, kind)
    });
    let partitions = [DAY, SERVICE].map(|name| field(name, json!("string")));
    json!({"type": "struct", "fields": columns.chain(partitions).collect::<Vec<_>>()})
}

/// Returns a random id in the usual form of version 4.
fn uuid() -> String {
    let bits = rand::random::<u128>();
    let bits = bits & !(0xf << 76) | 4 << 76;
    let bits = bits & !(3 << 62) | 2 << 62;
    let text = format!("{bits:032x}");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32];
    parts.map(|part| &text[part]).join("-")
}
