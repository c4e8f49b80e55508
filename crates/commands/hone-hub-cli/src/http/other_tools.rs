//! What other tools send: Pyroscope's two pushes, pprof and the text of `perf script`. Checkers make batches of it.

use std::sync::Arc;

use hone_hub::other_tools::{Form, Refusal, Sent, Taken};
use hone_hub::tokens::{Grant, Scope};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};

use super::answer::{Answer, Refused, typed};
use super::batch::{Stored, keep};
use super::{allowed, body, connect};
use crate::checker::NotMade;
use crate::run::{Hub, now_s};

/// Header that says how many profiles of something else than CPU time a request had.
const LEFT_OUT: &str = "hone-left-out";

/// Returns the form of what is sent to an address; `None` if nothing of other tools is.
pub(super) fn to(request: &Request<Incoming>) -> Option<Form> {
    let is_post = request.method() == Method::POST;
    Some(match request.uri().path() {
        "/ingest" => Form::Ingest,
        "/push.v1.PusherService/Push" => Form::Push,
        "/v1/pprof" if is_post => Form::Pprof,
        "/v1/perf-script" => Form::PerfScript,
        "/v1development/profiles" => Form::Otlp,
        _ => return None,
    })
}

/// Takes what was sent.
pub(super) async fn answer(form: Form, request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let (head, mut sent) = request.into_parts();
    let taken = match allowed(hub, &head.headers, Scope::Ingest) {
        _ if form == Form::Otlp && !hub.experimental.otlp_profiles => Err(Refused::new(
            StatusCode::NOT_FOUND,
            "OpenTelemetry's profiles are taken where the hub's settings have otlp_profiles = true in [experimental]",
        )),
        _ if head.method != Method::POST => Err(super::method("POST it")),
        Ok(grant) => match described(form, &head.uri, &head.headers) {
            Ok(described) => take(described, &mut sent, &grant, hub).await,
            Err(refused) => Err(refused),
        },
        Err(refused) => Err(refused),
    };
    let answer = match taken {
        Ok(not_cpu) => done(form, &head.headers, not_cpu),
        Err(refused) => {
            body::discard(&mut sent).await;
            match form {
                Form::Push => connect::refusal(refused),
                _ => refused.answer(),
            }
        }
    };
    hub.figures.batches.count(answer.status());
    answer
}

fn described(form: Form, uri: &Uri, headers: &HeaderMap) -> Result<Sent, Refused> {
    let content_type = headers.get(CONTENT_TYPE);
    let content_type = content_type.and_then(|kind| kind.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_owned();
    let has = |kind: &str| content_type.contains(kind) && !content_type.contains("grpc");
    let (is_read, instead) = match form {
        Form::Push => (
            has("proto") || has("json"),
            "application/proto or application/json",
        ),
        Form::Otlp => (has("proto"), "application/x-protobuf"),
        _ => (true, ""),
    };
    if !is_read {
        return Err(Refused::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("the hub does not read {content_type:?} here; send {instead}"),
        ));
    }
    Ok(Sent {
        form,
        query: uri.query().map(str::to_owned),
        content_type,
        now_s: now_s(),
    })
}

/// Stores what was sent; returns the number of profiles of something else than CPU time.
async fn take(
    described: Sent,
    sent: &mut Incoming,
    grant: &Grant,
    hub: &Arc<Hub>,
) -> Result<u64, Refused> {
    let (body, held) = body::read(sent, hub.limits.batch_bytes, &hub.room).await?;
    let sent_bytes = body.len() as u64;
    let (Taken { batch, left_out }, held) = match hub.checkers.take(described, body, held).await {
        Ok(taken) => taken,
        Err(NotMade::Unavailable(why)) => return Err(Refused::busy(why)),
        Err(NotMade::Refused(refusal)) => return Err(refused(refusal)),
    };
    hub.figures.others.count(&left_out);
    if let Some((batch, checked)) = batch {
        let stored = Stored {
            batch,
            checked,
            sent_bytes,
            host_ahead_s: None,
        };
        keep(stored, held, grant, hub).await?;
    }
    Ok(left_out.not_cpu)
}

fn refused(refusal: Refusal) -> Refused {
    let status = match &refusal {
        Refusal::Bad(_) => StatusCode::BAD_REQUEST,
        Refusal::Kind(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Refusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
    };
    Refused::new(status, refusal.why())
}

/// Says that all is stored, as each of the tools expects.
fn done(form: Form, headers: &HeaderMap, not_cpu: u64) -> Answer {
    let mut answer = match form {
        Form::Push => connect::nothing(headers),
        Form::Otlp => typed(StatusCode::OK, "application/x-protobuf", ""),
        // Pyroscope's agents take no other status than 200 for success.
        Form::Ingest => typed(StatusCode::OK, "text/plain; charset=utf-8", ""),
        Form::Pprof | Form::PerfScript => {
            let mut answer = Response::new(Bytes::new().into());
            *answer.status_mut() = StatusCode::NO_CONTENT;
            answer
        }
    };
    if not_cpu > 0 {
        answer.headers_mut().insert(LEFT_OUT, not_cpu.into());
    }
    answer
}
