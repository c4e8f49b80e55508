//! Profiles of the target build alone, for forms that name addresses.

use hone_batch::Batch;
use hone_fdo::overview::{RecordingLosses, overview};
use hone_fdo::{Code, bolt_fdata, bolt_preaggregated, count_binary, order};

use crate::builds::{Builds, failed, open};
use crate::counts::Counted;
use crate::error::PgoError;
use crate::form::Form;
use crate::join::{Part, evidence};
use crate::weights::Chosen;

/// A profile of one build.
pub(crate) struct OneBuild {
    pub(crate) bytes: Vec<u8>,
    /// Functions with their weights.
    pub(crate) functions: Vec<(String, u64)>,
    pub(crate) part: Part,
}

/// Writes the profile of the target build, whose sum is given.
pub(crate) fn write(
    form: Form,
    chosen: &Chosen,
    sum: &Batch,
    builds: Builds<'_>,
) -> Result<OneBuild, PgoError> {
    let build = &chosen.target;
    let (binary, _) = open(build, builds)?;
    let code = Code::new(&binary);
    let counted = Counted::of(sum);
    let recorded = std::slice::from_ref(&counted.recorded);
    let counts = count_binary(recorded, evidence(chosen), None, &code).map_err(failed(build))?;
    let counts = counts.counts;
    let bytes = match form {
        Form::BoltPreaggregated if !counts.has_branches() => {
            return Err(PgoError::NoBranches { form: form.name() });
        }
        Form::BoltPreaggregated => bolt_preaggregated::write_with_origins(&counts, &code).into(),
        Form::BoltFdata => bolt_fdata::write(&counts, &code).text.into(),
        Form::SectionOrder => order::write_sections(&order::hot_functions(&counts, &code)).into(),
        _ => order::write_symbols(&order::hot_functions(&counts, &code)).into(),
    };
    let rows = overview(&counts, RecordingLosses::default(), &code).functions;
    let functions = rows.into_iter().map(|row| (row.symbol, row.weight));
    let part = Part {
        landed: 1.0,
        hot_covered: counted.hot_covered(&code, &counts),
        left_out: None,
    };
    Ok(OneBuild {
        bytes,
        functions: functions.collect(),
        part,
    })
}
