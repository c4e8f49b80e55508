//! Writes the IR of the sources that a build compiles; `hone_build::wrapper::ir` says which calls have IR.
//!
//! ```text
//! KEY.O2.bc      IR of one source; O2 is the optimisation level of the build, KEY the hash of the call
//! KEY.O2.failed  messages of the compiler, if it made no IR
//! ```

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use hone_build::wrapper::{Call, ir};
use sha2::{Digest, Sha256};

/// Extension of a file of IR.
const IR: &str = "bc";
/// First bytes of a file of IR (LLVM's bitcode format).
const IR_MAGIC: &[u8; 4] = b"BC\xC0\xDE";
/// Extension of the file with the compiler's messages, if the compiler made no IR.
const FAILED: &str = "failed";

/// Writes the IR of the sources of one call. The build goes on if the compiler makes no IR.
pub fn write(call: &Call, directory: &Path) -> Result<()> {
    for one in ir::calls(call) {
        fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        let mut key = Sha256::new();
        key.update(env::current_dir()?.as_os_str().as_encoded_bytes());
        for word in &one.arguments {
            key.update(word);
            key.update([0]);
        }
        let stem = directory.join(hex::encode(key.finalize()));
        let file = stem.with_extension(format!("{}.{IR}", one.level));
        let failed = stem.with_extension(format!("{}.{FAILED}", one.level));
        let output = Command::new(&call.program)
            .args(&one.arguments)
            .arg("-o")
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .with_context(|| call.program.display().to_string())?;
        // An earlier call with the same words may have left this file.
        let _ = fs::remove_file(&failed);
        if !output.status.success() {
            let _ = fs::remove_file(&file);
            fs::write(&failed, output.stderr).with_context(|| failed.display().to_string())?;
        } else if !is_ir(&file) {
            let _ = fs::remove_file(&file);
        }
    }
    Ok(())
}

/// True if a file holds IR. Precompiled headers and analyses have none.
fn is_ir(file: &Path) -> bool {
    let mut start = [0; IR_MAGIC.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *IR_MAGIC
}

/// Files of IR that a build wrote.
pub struct Written {
    /// Files of IR with their levels, sorted.
    pub files: Vec<(PathBuf, String)>,
    /// Number of sources for which the compiler failed to write IR.
    pub failed: usize,
}

impl Written {
    /// Lists the files of IR in a directory.
    pub fn in_directory(directory: &Path) -> Result<Self> {
        let mut written = Self {
            files: Vec::new(),
            failed: 0,
        };
        let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let stem = path.file_stem().map(Path::new);
            let level = stem
                .and_then(Path::extension)
                .and_then(|level| level.to_str());
            match (ending, level) {
                (Some(IR), Some(level)) => {
                    let level = level.to_owned();
                    written.files.push((path, level));
                }
                (Some(FAILED), _) => written.failed += 1,
                _ => {}
            }
        }
        written.files.sort();
        Ok(written)
    }
}
