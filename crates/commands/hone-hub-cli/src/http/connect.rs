//! Connect's protocol for single calls: messages as Protocol Buffers or JSON, errors as JSON.

use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, StatusCode};
use serde_json::json;

use super::answer::{Answer, Refused, typed};

/// Kinds of messages.
pub(super) const PROTO: &str = "application/proto";
pub(super) const JSON: &str = "application/json";

/// True if a request is in JSON, and its answer should be.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.contains("json"))
}

/// Returns the message without fields.
pub(super) fn nothing(headers: &HeaderMap) -> Answer {
    match is_json(headers) {
        true => typed(StatusCode::OK, JSON, "{}"),
        false => typed(StatusCode::OK, PROTO, ""),
    }
}

/// Returns a refusal as an error of Connect, which has words for some statuses.
pub(super) fn refusal(refused: Refused) -> Answer {
    let code = match refused.status {
        StatusCode::BAD_REQUEST => "invalid_argument",
        StatusCode::UNAUTHORIZED => "unauthenticated",
        StatusCode::FORBIDDEN => "permission_denied",
        StatusCode::NOT_FOUND => "not_found",
        StatusCode::REQUEST_TIMEOUT => "deadline_exceeded",
        StatusCode::PAYLOAD_TOO_LARGE => "resource_exhausted",
        StatusCode::NOT_IMPLEMENTED | StatusCode::METHOD_NOT_ALLOWED => "unimplemented",
        StatusCode::SERVICE_UNAVAILABLE => "unavailable",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "invalid_argument",
        _ => "internal",
    };
    let text = json!({"code": code, "message": refused.why()}).to_string();
    let mut plain = refused.answer();
    *plain.body_mut() = Bytes::from(text).into();
    let json = hyper::header::HeaderValue::from_static(JSON);
    plain.headers_mut().insert(CONTENT_TYPE, json);
    plain
}
