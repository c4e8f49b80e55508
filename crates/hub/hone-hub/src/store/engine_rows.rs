//! Rows that another engine has added up, read in place of the store's own files of counts and sums.
//!
//! ```text
//! store ──files of tables──▶ engine, such as Spark ──▶ prepared.json, TABLE/n=NUMBER/*.parquet
//!   │                                                          │
//!   └──frames, stacks, symbols, states──▶ [Prepared] ◀─────────┘
//! ```
//!
//! Constraints that shaped this module ([0070](../../../../../docs/decisions/0070-engines-add-up.md)):
//! - What answers, looks and makes profiles is the same code that reads the store: it is handed objects in which the
//!   journal names the prepared files, and all that is written goes to the store.
//! - Frames and stacks stay where they are: their ids never change, so rows that an engine added up refer to them.
//! - An engine has seen what was compacted. Batches in segments are not in its rows, and so in no answer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use super::error::{StoreError, Tried};
use super::journal::{self, DataFile, Entry, State};
use super::objects::{Appender, Listed, Object, Objects, Version};
use super::table_files::HOURS;
use super::tables::Table;
use super::{Location, Options, Store, check_tenant, hive, parquet_files, segments};

/// Name of the object that is written last, and says what there is.
const CONTENT: &str = "prepared.json";
/// Format of what an engine writes.
const FORMAT: u32 = 1;
/// The only entry of the journal that is read.
const ENTRY: u64 = 1;

/// A store whose counts are those that an engine has added up.
pub struct PreparedStore {
    /// The store.
    pub store: Store,
    /// Hosts that rows of counts tell apart; `None` if there are only sums without hosts.
    pub hosts_apart: Option<Vec<String>>,
    /// Days that the store has of services and the engine has not added up, in order.
    pub days_left_out: BTreeMap<String, Vec<String>>,
    /// Segments with batches that were not compacted when the store was opened, and so are in no answer.
    pub segments_left_out: usize,
}

/// What an engine says of its rows.
#[derive(Deserialize)]
struct Content {
    format: u32,
    tenant: String,
    /// Days of services; folders of rows are named by their position.
    parts: Vec<PartContent>,
    #[serde(default)]
    hosts_apart: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct PartContent {
    day: String,
    service: String,
}

/// Objects of a store, but for the files of counts, the journal and the segments of a tenant.
struct Prepared {
    main: Arc<dyn Objects>,
    rows: Arc<dyn Objects>,
    tenant: String,
    entry: Vec<u8>,
    /// Names among the prepared rows by the names that the journal has.
    names: HashMap<String, String>,
}

impl Store {
    /// Opens a store with the rows that an engine has added up for a tenant.
    ///
    /// # Errors
    ///
    /// Those of [`Store::open`], and [`StoreError::Damaged`] if the rows are of another tenant or are none.
    pub fn open_prepared(
        main: Location,
        rows: Location,
        tenant: &str,
        options: Options,
    ) -> Result<PreparedStore, StoreError> {
        check_tenant(tenant)?;
        let main = Self::open(main, options.clone())?;
        let rows = rows.objects()?;
        let content = content(rows.as_ref(), tenant)?;
        let listed = segments::list(main.objects.as_ref(), tenant)?;
        let state = main.journal.refresh(tenant)?;
        let is_left = |name: &str| !state.segments.contains(name);
        let segments_left_out = listed.iter().filter(|(listed, _)| is_left(&listed.name));
        let segments_left_out = segments_left_out.count();
        let days_left_out = days_left_out(&state, &content.parts);
        let (added, names) = files(rows.as_ref(), &state, tenant, &content.parts)?;
        let entry = Entry {
            format: journal::FORMAT,
            id: String::new(),
            time_s: 0,
            elapsed_s: None,
            added,
            removed: Vec::new(),
            expired: Default::default(),
            segments: Vec::new(),
            runs: Vec::new(),
            forgotten: Vec::new(),
            ended_runs: Vec::new(),
        };
        let entry = serde_json::to_vec(&entry).map_err(|error| damaged(&error.to_string()))?;
        let objects = Prepared {
            main: main.objects(),
            rows,
            tenant: tenant.to_owned(),
            entry,
            names,
        };
        Ok(PreparedStore {
            store: Self::open(Location::Objects(Arc::new(objects)), options)?,
            hosts_apart: content.hosts_apart,
            days_left_out,
            segments_left_out,
        })
    }
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged {
        name: CONTENT.to_owned(),
        what: what.to_owned(),
    }
}

fn content(rows: &dyn Objects, tenant: &str) -> Result<Content, StoreError> {
    let missing = || {
        let what = "it is not there: it is written last, by the job that adds up";
        io::Error::new(io::ErrorKind::NotFound, what)
    };
    let bytes = rows
        .get(CONTENT)
        .and_then(|bytes| bytes.ok_or_else(missing));
    let bytes = bytes.tried("read", CONTENT)?;
    let content: Content =
        serde_json::from_slice(&bytes).map_err(|error| damaged(&error.to_string()))?;
    if content.format != FORMAT {
        return Err(StoreError::Newer {
            name: CONTENT.to_owned(),
            format: content.format,
        });
    }
    if content.tenant != tenant {
        let what = format!("its rows are of the tenant {:?}", content.tenant);
        return Err(damaged(&what));
    }
    Ok(content)
}

fn days_left_out(state: &State, parts: &[PartContent]) -> BTreeMap<String, Vec<String>> {
    let there: BTreeSet<(&str, &str)> = parts
        .iter()
        .map(|part| (part.service.as_str(), part.day.as_str()))
        .collect();
    let days = state
        .files
        .values()
        .map(|file| (file.service.as_str(), file.day.as_str()));
    let days: BTreeSet<(&str, &str)> = days.filter(|day| !there.contains(day)).collect();
    let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (service, day) in days {
        let days = left_out.entry(service.to_owned()).or_default();
        days.push(day.to_owned());
    }
    left_out
}

/// Files as the journal has them, and where those of rows lie.
type Files = (Vec<DataFile>, HashMap<String, String>);

/// Returns the files of frames and stacks that the store has of the parts, and those of rows that the engine has written.
fn files(
    rows: &dyn Objects,
    state: &State,
    tenant: &str,
    parts: &[PartContent],
) -> Result<Files, StoreError> {
    let (mut files, mut names) = (Vec::new(), HashMap::new());
    for part in parts {
        let of_part = state.files_of(&part.day, &part.service);
        let is_of_ids = |file: &&DataFile| file.is_of(Table::Frames) || file.is_of(Table::Stacks);
        files.extend(of_part.filter(is_of_ids).cloned());
    }
    for table in Table::timed() {
        let directory = format!("{}/", table.name());
        let listed = rows.list(&directory).tried("list", &directory)?;
        for listed in listed {
            let Some((number, file)) = place(&listed.name[directory.len()..]) else {
                continue;
            };
            let part = parts
                .get(number)
                .ok_or_else(|| damaged(&format!("it does not say what {} is of", listed.name)))?;
            let Some(file) = data_file(rows, table, part, file, &listed)? else {
                continue;
            };
            names.insert(file.object(tenant), listed.name);
            files.push(file);
        }
    }
    Ok((files, names))
}

/// Returns the number of a part and the name of the file in its folder; `None` if that is no file of rows.
fn place(path: &str) -> Option<(usize, &str)> {
    let (folder, file) = path.split_once('/')?;
    let is_rows = file.ends_with(".parquet") && !file.starts_with(['.', '_']);
    let number = folder.strip_prefix("n=")?.parse().ok()?;
    is_rows.then_some((number, file))
}

/// Returns a file of rows; `None` if there are none in it.
fn data_file(
    rows: &dyn Objects,
    table: Table,
    part: &PartContent,
    file: &str,
    listed: &Listed,
) -> Result<Option<DataFile>, StoreError> {
    let bytes = rows.get(&listed.name).tried("read", &listed.name)?;
    let (count, times_us) = parquet_files::extent(bytes.unwrap_or_default(), &listed.name)?;
    Ok((count > 0).then(|| DataFile {
        table: table.name().to_owned(),
        path: format!("{}/{file}", hive::folder(&part.day, &part.service)),
        day: part.day.clone(),
        service: part.service.clone(),
        level: HOURS,
        rows: count,
        bytes: listed.bytes,
        times_us,
        // Sums that are asked for are there, or are not asked for: they are never made of these rows.
        is_summed: table.sums().next().is_some(),
    }))
}

impl Prepared {
    /// True if the name is one of the journal or the segments, of which nothing but the entry is to be seen.
    fn is_hidden(&self, name: &str) -> bool {
        let directories = [journal::directory, segments::directory];
        let mut directories = directories.map(|of| of(&self.tenant)).into_iter();
        directories.any(|directory| name.starts_with(&directory))
    }

    /// Refuses to write what the store's own upkeep writes.
    fn check_written(&self, name: &str) -> io::Result<()> {
        let tables = journal::tables_directory(&self.tenant);
        if self.is_hidden(name) || name.starts_with(&tables) {
            let what = "tables are only read together with rows that an engine has added up";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
        }
        Ok(())
    }
}

impl Objects for Prepared {
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>> {
        if name == journal::entry_name(&self.tenant, ENTRY) {
            return Ok(Some(Object {
                bytes: self.entry.clone(),
                version: Version(String::new()),
            }));
        }
        match self.names.get(name) {
            Some(name) => self.rows.get_versioned(name),
            None if self.is_hidden(name) => Ok(None),
            None => self.main.get_versioned(name),
        }
    }

    fn get_range(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        match self.names.get(name) {
            Some(name) => self.rows.get_range(name, range),
            None if self.is_hidden(name) => Ok(None),
            None => self.main.get_range(name, range),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.check_written(name)?;
        self.main.put(name, bytes)
    }

    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        self.check_written(name)?;
        self.main.put_if_absent(name, bytes)
    }

    fn replace(&self, name: &str, bytes: &[u8], version: &Version) -> io::Result<bool> {
        self.check_written(name)?;
        self.main.replace(name, bytes, version)
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        match self.is_hidden(prefix) {
            true => Ok(Vec::new()),
            false => self.main.list(prefix),
        }
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.check_written(name)?;
        self.main.delete(name)
    }

    fn appender(&self, name: &str) -> io::Result<Option<Box<dyn Appender>>> {
        self.check_written(name)?;
        self.main.appender(name)
    }
}
