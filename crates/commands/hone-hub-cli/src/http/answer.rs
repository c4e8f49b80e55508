//! Answers, and refusals with one line that says why.

use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};

use super::content::Content;

const PLAIN: &str = "text/plain; charset=utf-8";

pub(super) type Answer = Response<Content>;

/// A refusal: status, and what was wrong.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    why: String,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self {
            status,
            why: why.into(),
        }
    }

    pub(super) fn bad(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    pub(super) fn busy(why: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// Returns what was wrong.
    pub(super) fn why(&self) -> &str {
        &self.why
    }

    pub(super) fn answer(self) -> Answer {
        // One line, whatever a name of somebody's contains.
        let line: String = self.why.chars().filter(|c| !c.is_control()).collect();
        let mut answer = plain(self.status, format!("{line}\n"));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            answer.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        answer
    }
}

pub(super) fn plain(status: StatusCode, text: impl Into<String>) -> Answer {
    typed(status, PLAIN, text.into())
}

pub(super) fn typed(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Content::from(body.into()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert("x-content-type-options", nosniff);
    answer
}
