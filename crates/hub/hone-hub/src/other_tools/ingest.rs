//! `/ingest`, Pyroscope's older push: parameters in the address, and a body that is a profile or has it as a part.

use futures_util::FutureExt;
use futures_util::stream;
use hone_batch::Origin;
use multer::{Constraints, Multipart, SizeLimit};

use super::draft::{Making, Recorded};
use super::limits::{PARTS_MAX, UNPACKED_BYTES_MAX};
use super::parameters::Parameters;
use super::unpack::unpacked;
use super::{Refusal, Sent, folded, pprof};

/// Part of a body that has the profile.
const PROFILE: &str = "profile";
/// Part that has the profile before it, which is to be subtracted: no agent does so with CPU time.
const FORMER: &str = "prev_profile";

/// Makes a batch of a request.
pub(super) fn take(sent: &Sent, body: &[u8], origin: Origin) -> Result<Making, Refusal> {
    let parameters = Parameters::of_ingest(sent.query.as_deref())?;
    let mut making = Making::new(origin);
    making.left_out.labels += parameters.left_out.labels;
    let body = unpacked(body)?;
    let boundary = multer::parse_boundary(&sent.content_type).ok();
    let is_text = match (&*parameters.format, &boundary) {
        ("pprof", _) | ("", Some(_)) => false,
        ("" | "folded" | "collapsed" | "lines", _) => true,
        (other, _) => {
            return Err(Refusal::Kind(format!(
                "the hub does not read the format {other:?}; it reads pprof, folded and lines"
            )));
        }
    };
    let Some(boundary) = boundary else {
        add(&mut making, &body, &parameters, is_text, sent.now_s)?;
        return Ok(making);
    };
    let parts = Parts::of(body.into_owned(), boundary)?;
    if parts.has_former {
        making.left_out.not_cpu += 1;
        return Ok(making);
    }
    let profile = parts
        .profile
        .ok_or_else(|| Refusal::Bad(format!("the body has no part with the name {PROFILE:?}")))?;
    let profile = unpacked(&profile)?;
    add(&mut making, &profile, &parameters, is_text, sent.now_s)?;
    Ok(making)
}

fn add(
    making: &mut Making,
    profile: &[u8],
    parameters: &Parameters,
    is_text: bool,
    now_s: u64,
) -> Result<(), Refusal> {
    if is_text {
        let recorded = parameters.recorded.unwrap_or(Recorded::new(now_s, now_s));
        return folded::add(making, profile, parameters, recorded);
    }
    let known = pprof::Known {
        group: &parameters.group,
        recorded: parameters.recorded,
        now_s,
    };
    pprof::add(making, profile, &known)
}

/// The parts of a body that count.
#[derive(Default)]
struct Parts {
    profile: Option<Vec<u8>>,
    has_former: bool,
}

impl Parts {
    /// Reads a body. All of it is there, so nothing is ever waited for.
    fn of(body: Vec<u8>, boundary: String) -> Result<Self, Refusal> {
        let whole = stream::once(std::future::ready(Ok::<_, std::convert::Infallible>(body)));
        let sizes = SizeLimit::new()
            .whole_stream(UNPACKED_BYTES_MAX as u64)
            .per_field(UNPACKED_BYTES_MAX as u64);
        let constraints = Constraints::new().size_limit(sizes);
        let mut multipart = Multipart::with_constraints(whole, boundary, constraints);
        let odd = |why: String| Refusal::Bad(format!("the multipart body cannot be read: {why}"));
        let cut = || odd("it was cut".to_owned());
        let mut parts = Self::default();
        for _ in 0..PARTS_MAX {
            let next = multipart.next_field().now_or_never().ok_or_else(cut)?;
            let Some(field) = next.map_err(|error| odd(error.to_string()))? else {
                return Ok(parts);
            };
            let name = field.name().unwrap_or_default().to_owned();
            let bytes = field.bytes().now_or_never().ok_or_else(cut)?;
            let bytes = bytes.map_err(|error| odd(error.to_string()))?;
            match &*name {
                PROFILE => parts.profile = Some(bytes.to_vec()),
                FORMER => parts.has_former = true,
                _ => {}
            }
        }
        Err(Refusal::Bad(format!(
            "the multipart body has more than {PARTS_MAX} parts"
        )))
    }
}
