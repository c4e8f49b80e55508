//! `GET /v1/pprof` and `GET /v1/folded`: answers in forms that other tools read; `GET /v1/findings`: what is odd in them.

use std::sync::Arc;

use hone_batch::Batch;
use hone_hub::pyroscope::as_pprof;
use hone_hub::question::{Question, answer};
use hone_hub::store::tables::Table;
use hone_hub::tokens::{Grant, Scope};
use hone_hub::view::{Places, findings, stacks};
use hone_profile::Profile;
use hone_views::{Names, folded};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::json;

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::page::names;
use super::question::{in_turn, parse, refusal};
use crate::run::{Hub, now_s};

/// Kinds of answers.
const PPROF: &str = "application/vnd.google.protobuf+gzip";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

/// Names places by the hub's symbols.
type Naming<'h> = &'h dyn Fn(&Profile, &Places) -> Names;

/// Answers `/v1/pprof`.
pub(super) async fn pprof(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let form = |_: &Question, batch: &Batch, names: Naming<'_>| {
        let bytes = as_pprof(&stacks(batch, names)?, &batch.span_s);
        Some(typed(StatusCode::OK, PPROF, bytes))
    };
    let question = asked(request)?;
    let question = Question {
        tables: vec![Table::Samples],
        ..question
    };
    formed(request, hub, question, form).await
}

/// Answers `/v1/folded`.
pub(super) async fn text(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let form = |_: &Question, batch: &Batch, names: Naming<'_>| {
        Some(typed(StatusCode::OK, TEXT, folded(&stacks(batch, names)?)))
    };
    formed(request, hub, asked(request)?.for_stacks(now_s()), form).await
}

/// Answers `/v1/findings`, as `hone diagnose --json` does.
pub(super) async fn diagnosis(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let form = |question: &Question, batch: &Batch, names: Naming<'_>| {
        let diagnosis = findings(batch, &question.span_s, names)?;
        Some(typed(StatusCode::OK, JSON, json!(diagnosis).to_string()))
    };
    formed(request, hub, asked(request)?.for_stacks(now_s()), form).await
}

fn asked(request: &Request<Incoming>) -> Result<Question, Refused> {
    parse(request.uri().query(), now_s()).map_err(Refused::bad)
}

/// Answers in a form, which is `None` where there are no samples of CPU time.
async fn formed(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
    question: Question,
    form: impl FnOnce(&Question, &Batch, Naming<'_>) -> Option<Answer> + Send + 'static,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let rows_max = hub.limits.question_rows;
        let found = answer(&hub.store, &grant.tenant, &question, rows_max).map_err(refusal)?;
        let named = |profile: &Profile, places: &Places| names(hub, grant, profile, places);
        form(&question, &found.batch, &named).ok_or_else(|| {
            Refused::new(
                StatusCode::NOT_FOUND,
                "there are no samples of CPU time in that time",
            )
        })
    };
    in_turn(hub, grant, work).await
}
