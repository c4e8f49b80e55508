//! Reads sample profiles of any producer.

use crate::check::{self, CheckError, Marks, ParsedFunction};
use crate::sample_profile::{FunctionSamples, LineKey, LineSamples, SampleProfile};

/// A profile that was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadProfile {
    /// Counts of the profile.
    pub samples: SampleProfile,
    /// Names of all functions of the program, if the profile holds them.
    pub symbols: Vec<String>,
    /// Properties that the profile states.
    pub marks: Marks,
}

/// Reads LLVM's sample profile: text, extensible binary or raw binary.
pub fn read_sample_profile(bytes: &[u8]) -> Result<ReadProfile, CheckError> {
    let parsed = check::read_any(bytes)?;
    let functions = parsed.functions.into_iter();
    let functions = functions.map(|(name, function)| (name, function.into()));
    Ok(ReadProfile {
        samples: SampleProfile {
            functions: functions.collect(),
        },
        symbols: parsed.symbol_list,
        marks: parsed.marks,
    })
}

impl From<ParsedFunction> for FunctionSamples {
    fn from(parsed: ParsedFunction) -> Self {
        let key = |line_offset, discriminator| LineKey {
            line_offset,
            discriminator,
        };
        let mut function = Self {
            total: parsed.total,
            head: parsed.head,
            checksum: parsed.checksum,
            ..Self::default()
        };
        for ((line, discriminator), (count, targets)) in parsed.lines {
            let samples = LineSamples { count, targets };
            function.body.insert(key(line, discriminator), samples);
        }
        for ((line, discriminator, callee), samples) in parsed.inlined {
            let callees = function.callsites.entry(key(line, discriminator));
            callees.or_default().insert(callee, samples.into());
        }
        function
    }
}
