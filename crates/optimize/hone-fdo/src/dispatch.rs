//! Dispatch of interpreters: functions that jump to one of many labels (computed gotos), and the jumps that they do it by.
//!
//! An interpreter that ends each instruction with a jump of its own lets the CPU learn which instruction follows which. Compilers join
//! these jumps to one and copy it again later. Clang 19 and 20 do not copy it if more than 16 jumps or labels would be joined
//! (llvm-project issue 106846), so that a large interpreter is left with a few jumps for all of its labels.

use crate::code::{Code, Flow};
use hone_symbols::{Binary, SymbolError, demangle, labels};

/// Number of labels from which clang's limit holds.
const LABELS_MIN: usize = 16;

/// A function that jumps to many labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// Name of the function, demangled.
    pub function: String,
    /// Number of its labels.
    pub labels: usize,
    /// Number of its indirect jumps.
    pub jumps: usize,
}

impl Dispatch {
    /// Returns true if the function has far fewer jumps than labels, so that copies could pay.
    pub fn is_joined(&self) -> bool {
        self.jumps * 2 <= self.labels
    }

    /// Returns what is said of the function behind its name.
    pub fn in_words(&self) -> String {
        format!(
            "jumps to {} labels by {} indirect jumps",
            self.labels, self.jumps
        )
    }
}

/// Returns the functions of a binary that jump to many labels, the one with most labels first.
///
/// # Errors
///
/// Returns an error if the binary's headers cannot be read.
pub fn dispatches(binary: &Binary<'_>) -> Result<Vec<Dispatch>, SymbolError> {
    let code = Code::new(binary);
    let mut found = Vec::new();
    for (start, labels) in labels(binary)? {
        let Some(function) = binary.function_at(start).filter(|_| labels >= LABELS_MIN) else {
            continue;
        };
        let instructions = code.of_function(function);
        let jumps = (0..instructions.len())
            .filter(|index| instructions.flow(*index) == Flow::IndirectJump)
            .count();
        // Labels that no jump leads to are no dispatch.
        if jumps > 0 {
            found.push(Dispatch {
                function: demangle(function.canonical_name()),
                labels,
                jumps,
            });
        }
    }
    found.sort_by(|a, b| {
        b.labels
            .cmp(&a.labels)
            .then_with(|| a.function.cmp(&b.function))
    });
    Ok(found)
}
