//! `GET /v1/pprof` and `GET /v1/folded`: answers in forms that other tools read.

use std::ops::Range;
use std::sync::Arc;

use hone_hub::pyroscope::as_pprof;
use hone_hub::question::{Question, answer};
use hone_hub::store::tables::Table;
use hone_hub::tokens::{Grant, Scope};
use hone_hub::view::stacks;
use hone_views::{Stacks, folded};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::page::names;
use super::question::{in_turn, parse, refusal};
use crate::run::{Hub, now_s};

/// Kinds of answers.
const PPROF: &str = "application/vnd.google.protobuf+gzip";
const TEXT: &str = "text/plain; charset=utf-8";

/// Answers `/v1/pprof`.
pub(super) async fn pprof(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let form = |stacks: &Stacks, span_s: &Range<u64>| {
        typed(StatusCode::OK, PPROF, as_pprof(stacks, span_s))
    };
    formed(request, hub, form).await
}

/// Answers `/v1/folded`.
pub(super) async fn text(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let form = |stacks: &Stacks, _: &Range<u64>| typed(StatusCode::OK, TEXT, folded(stacks));
    formed(request, hub, form).await
}

async fn formed(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
    form: impl FnOnce(&Stacks, &Range<u64>) -> Answer + Send + 'static,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let question = parse(request.uri().query(), now_s()).map_err(Refused::bad)?;
    let question = Question {
        tables: vec![Table::Samples],
        ..question
    };
    let work = move |hub: &Hub, grant: &Grant| {
        let rows_max = hub.limits.question_rows;
        let found = answer(&hub.store, &grant.tenant, &question, rows_max).map_err(refusal)?;
        let named = |profile: &_, places: &_| names(hub, grant, profile, places);
        let stacks = stacks(&found.batch, named).ok_or_else(|| {
            Refused::new(
                StatusCode::NOT_FOUND,
                "there are no samples of CPU time in that time",
            )
        })?;
        Ok(form(&stacks, &found.batch.span_s))
    };
    in_turn(hub, grant, work).await
}
