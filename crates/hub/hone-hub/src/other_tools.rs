//! What other tools send, made into batches: Pyroscope's two pushes, pprof, and the text of `perf script`.
//!
//! Everything here computes on bytes alone, and is called where little can be lost, as the check of batches is: the bytes
//! come from other machines. A batch that is made goes through that check too.
//!
//! Only CPU time has a place in the hub. Profiles of memory, locks and the like are left out and counted, not refused: agents
//! send them beside those of CPU time, and a refusal would be in their logs for ever.
//!
//! A request that comes twice within an hour is one batch: its sender's run is a hash of the request.

mod draft;
mod folded;
mod ingest;
mod labels;
pub mod limits;
mod otlp;
mod parameters;
mod perf_script;
mod pprof;
mod push;
mod times;
mod unpack;

use hone_batch::{Batch, Origin, wire};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::check::{Checked, check};
use crate::store::limits::REQUEST_NUMBER;
use draft::Making;
use parameters::Parameters;

/// Form of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Form {
    /// Pyroscope's `/ingest`.
    Ingest,
    /// Pyroscope's `/push.v1.PusherService/Push`.
    Push,
    /// A profile in pprof's format.
    Pprof,
    /// The text of `perf script`.
    PerfScript,
    /// OpenTelemetry's profiles.
    Otlp,
}

/// A request, but for its body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sent {
    /// Form of the body.
    pub form: Form,
    /// Parameters in the address.
    pub query: Option<String>,
    /// Kind of the body as it was told; empty if it was not.
    pub content_type: String,
    /// Time, in seconds since 1970.
    pub now_s: u64,
}

/// What of a request is not in its batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Profiles of something else than CPU time.
    pub not_cpu: u64,
    /// Samples without a stack or with impossible values.
    pub samples: u64,
    /// Labels that are too long, too many, or different each time.
    pub labels: u64,
    /// Samples that are in the batch.
    pub taken: u64,
}

/// Reason why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Refusal {
    /// It cannot be read.
    Bad(String),
    /// It is of a kind that is not read.
    Kind(String),
    /// It is beyond a limit.
    TooLarge(String),
}

impl Refusal {
    /// Returns what is wrong with the request.
    pub fn why(&self) -> &str {
        match self {
            Self::Bad(why) | Self::Kind(why) | Self::TooLarge(why) => why,
        }
    }
}

/// What became of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The batch with what the hub needs to know of it; `None` if there are no samples of CPU time.
    pub batch: Option<(Vec<u8>, Checked)>,
    /// What is not in it.
    pub left_out: LeftOut,
}

/// Makes a batch of a request.
///
/// # Errors
///
/// [`Refusal`] says what is wrong.
pub fn take(sent: &Sent, body: &[u8]) -> Result<Taken, Refusal> {
    if body.is_empty() {
        return Err(Refusal::Bad("the body is empty".to_owned()));
    }
    let origin = origin(sent, body);
    let (batch, left_out) = match sent.form {
        Form::Ingest => ingest::take(sent, body, origin)?.finish(),
        Form::Push => push::take(sent, body, origin)?.finish(),
        Form::Pprof => uploaded(sent, body, origin)?.finish(),
        Form::Otlp => otlp::take(sent, body, origin)?.finish(),
        Form::PerfScript => perf_script::take(sent, body, origin)?,
    };
    if left_out.taken == 0 {
        return Ok(Taken {
            batch: None,
            left_out,
        });
    }
    let bytes = written(&batch)?;
    let checked = check(&bytes).map_err(Refusal::Bad)?;
    Ok(Taken {
        batch: Some((bytes, checked)),
        left_out,
    })
}

fn written(batch: &Batch) -> Result<Vec<u8>, Refusal> {
    let bytes = wire::write(batch);
    let bytes_max = crate::store::limits::BATCH_BYTES_MAX;
    match bytes.len() > bytes_max {
        true => Err(Refusal::TooLarge(format!(
            "its batch has more than {bytes_max} bytes"
        ))),
        false => Ok(bytes),
    }
}

fn uploaded(sent: &Sent, body: &[u8], origin: Origin) -> Result<Making, Refusal> {
    let parameters = Parameters::of_upload(sent.query.as_deref())?;
    let mut making = Making::new(origin);
    making.left_out.labels += parameters.left_out.labels;
    let known = pprof::Known {
        group: &parameters.group,
        recorded: parameters.recorded,
        now_s: sent.now_s,
    };
    pprof::add(&mut making, &unpack::unpacked(body)?, &known)?;
    Ok(making)
}

/// Returns a sender that is the same for the same request.
fn origin(sent: &Sent, body: &[u8]) -> Origin {
    let mut hash = Sha256::new();
    hash.update([sent.form as u8]);
    hash.update(sent.query.as_deref().unwrap_or_default());
    hash.update([0]);
    hash.update(body);
    let hash: [u8; 32] = hash.finalize().into();
    let (run, _) = hash.split_first_chunk().expect("32 bytes are more than 16");
    Origin {
        host: String::new(),
        run: u128::from_le_bytes(*run),
        number: REQUEST_NUMBER,
    }
}
