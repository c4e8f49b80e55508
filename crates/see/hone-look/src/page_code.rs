//! The code of a recording's hottest functions and its source, read for the page of `hone view`.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use hone_profile::BinaryId;
use hone_views::{HotFunction, PageCode, Stacks, hot_functions};

use crate::recording::Recording;

/// Largest size of a source file in bytes; people do not write larger ones.
const SOURCE_FILE_BYTES_MAX: u64 = 16 << 20;

/// Returns the code of the hottest functions, as far as their files are still here as they were recorded.
pub fn page_code(recording: &Recording<'_>, stacks: &Stacks, is_without_source: bool) -> PageCode {
    let (profile, event) = (recording.profile(), recording.event());
    let hot = hot_functions(profile, recording.tally(), event, stacks);
    // Heaviest first.
    let mut binaries: Vec<BinaryId> = Vec::new();
    for function in &hot {
        if !binaries.contains(&function.binary) {
            binaries.push(function.binary);
        }
    }
    let mut code = PageCode::default();
    let mut built: Option<SystemTime> = None;
    for id in binaries {
        if code.is_full() {
            break;
        }
        let own: Vec<&HotFunction> = hot.iter().filter(|of| of.binary == id).collect();
        // The naming of stacks has already reported files that cannot be read.
        let Ok(opened) = recording.open(profile.binary(id)) else {
            continue;
        };
        let Ok(debug) = opened.debug() else {
            continue;
        };
        for function in own {
            code.add(opened.binary, debug, function);
        }
        built = built.max(modified(opened.path()));
    }
    match is_without_source {
        true => code.leave_sources_out(),
        false => add_sources(&mut code, built),
    }
    code
}

fn add_sources(code: &mut PageCode, built: Option<SystemTime>) {
    for (path, wanted) in code.lines() {
        match source_text(Path::new(&path)) {
            Ok(text) => {
                let is_newer = modified(Path::new(&path)) > built;
                let note = match is_newer {
                    true => "was changed after the program was built: lines may be off",
                    false => "",
                };
                code.add_source(&path, &wanted, &text, note);
            }
            Err(note) => code.without_source(&path, note),
        }
    }
    for path in code.sources_by_weight() {
        if let Ok(text) = source_text(Path::new(&path)) {
            code.complete_source(&path, &text);
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Returns a source file's text, or why the text is not on the page. A binary may name anything as its source: a device
/// or a pipe is not opened.
fn source_text(path: &Path) -> Result<String, &'static str> {
    let metadata = fs::metadata(path).map_err(|_| "is not on the machine that made the page")?;
    if !path.is_absolute() || !metadata.is_file() || metadata.len() > SOURCE_FILE_BYTES_MAX {
        return Err("is not a source file");
    }
    let text = fs::read(path).map_err(|_| "could not be read where the page was made")?;
    String::from_utf8(text).map_err(|_| "is not text")
}
