//! `/querier.v1.QuerierService/...`: the questions of Grafana's data source for Pyroscope.

use std::io::Read;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use hone_hub::pyroscope::{Asked, Method, NoReply, NotAsked, Reply, reply};
use hone_hub::tokens::{Grant, Scope};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};

use super::answer::{Answer, Refused, typed};
use super::page::names;
use super::question::{in_turn, refusal};
use super::{allowed, body, connect};
use crate::run::{Hub, now_s};

const SERVICE: &str = "/querier.v1.QuerierService/";
/// Bytes of a question, also unpacked.
const QUESTION_BYTES_MAX: usize = 64 << 10;

/// Returns the name of the method that an address asks for; `None` if it asks for none.
pub(super) fn method(path: &str) -> Option<&str> {
    path.strip_prefix(SERVICE)
}

/// Answers a question.
pub(super) async fn answer(request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let answered = match asked(request, hub).await {
        Ok((question, grant)) => {
            let work = move |hub: &Hub, grant: &Grant| told(hub, grant, question);
            in_turn(hub, grant, work).await
        }
        Err(refused) => Err(refused),
    };
    super::counted(hub, answered).unwrap_or_else(connect::refusal)
}

/// A question as it was sent. It is read when it is its turn: regular expressions in it take time.
struct Question {
    method: Method,
    bytes: Vec<u8>,
    is_json: bool,
    _held: body::Held,
}

async fn asked(request: Request<Incoming>, hub: &Arc<Hub>) -> Result<(Question, Grant), Refused> {
    let (head, mut sent) = request.into_parts();
    let grant = allowed(hub, &head.headers, Scope::Read)?;
    let name = method(head.uri.path()).unwrap_or_default();
    let Some(method) = Method::named(name) else {
        return Err(Refused::new(
            StatusCode::NOT_IMPLEMENTED,
            format!("the hub does not answer {name}"),
        ));
    };
    if head.method != hyper::Method::POST {
        return Err(super::method("POST it"));
    }
    let (bytes, held) = body::read(&mut sent, QUESTION_BYTES_MAX, &hub.room).await?;
    let question = Question {
        method,
        bytes,
        is_json: connect::is_json(&head.headers),
        _held: held,
    };
    Ok((question, grant))
}

/// Unpacks a question that is packed. Questions as they are begin otherwise than gzip does.
fn unpacked(bytes: Vec<u8>, is_json: bool) -> Result<Vec<u8>, Refused> {
    if is_json && bytes.is_empty() {
        return Ok(b"{}".to_vec());
    }
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut whole = Vec::new();
    let mut unpacking = MultiGzDecoder::new(&*bytes).take(QUESTION_BYTES_MAX as u64 + 1);
    let is_whole = unpacking.read_to_end(&mut whole).is_ok();
    match is_whole && whole.len() <= QUESTION_BYTES_MAX {
        true => Ok(whole),
        false => Err(Refused::bad(format!(
            "the question cannot be unpacked, or has more than {QUESTION_BYTES_MAX} bytes"
        ))),
    }
}

fn told(hub: &Hub, grant: &Grant, question: Question) -> Result<Answer, Refused> {
    let is_json = question.is_json;
    let bytes = unpacked(question.bytes, is_json)?;
    let asked = Asked::parse(question.method, &bytes, is_json, now_s()).map_err(not_asked)?;
    let rows_max = hub.limits.question_rows;
    let names = |profile: &_, places: &_| names(hub, grant, profile, places);
    let reply = reply(&hub.store, &grant.tenant, &asked, rows_max, names);
    let reply: Reply = reply.map_err(|error| match error {
        NoReply::NotAsked(error) => not_asked(error),
        NoReply::NoAnswer(error) => refusal(error),
    })?;
    if !is_json {
        return Ok(typed(StatusCode::OK, connect::PROTO, reply.to_protobuf()));
    }
    let json = reply.to_json().ok_or_else(|| {
        Refused::new(
            StatusCode::NOT_IMPLEMENTED,
            "a profile has no JSON here: ask with Content-Type: application/proto",
        )
    })?;
    Ok(typed(StatusCode::OK, connect::JSON, json))
}

fn not_asked(error: NotAsked) -> Refused {
    match error {
        NotAsked::Bad(why) => Refused::bad(why),
        NotAsked::Missing(why) => Refused::new(StatusCode::NOT_IMPLEMENTED, why),
    }
}
