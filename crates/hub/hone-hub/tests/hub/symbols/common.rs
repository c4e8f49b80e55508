//! What tests of symbols share.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use hone_hub::store::objects::Objects;
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Symbols};
use hone_profile::BuildId;
use hone_symbols::build_id_of;
pub(crate) use testkit::recipes::*;

/// The tenant of these tests.
pub(crate) const TENANT: &str = "acme";
/// A time of these tests: 2026-03-01, at noon.
pub(crate) const NOON_S: u64 = 1_772_366_400;

/// Opens symbols among objects, with limits.
pub(crate) fn symbols(objects: Arc<dyn Objects>, limits: Limits) -> Symbols {
    let parser = InProcess {
        limits: limits.clone(),
    };
    Symbols::open(objects, limits, Box::new(parser))
}

pub(crate) fn build_of(path: &Path) -> BuildId {
    build_id_of(File::open(path).unwrap()).unwrap().unwrap()
}

/// A file with these bytes.
pub(crate) fn file_with(bytes: &[u8]) -> File {
    use std::io::Write;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}
