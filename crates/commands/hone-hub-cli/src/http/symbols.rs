//! `GET /v1/symbols`: of which builds there are files, and which lack names. `GET /v1/symbols/ID`: what there is of a build.

use std::sync::Arc;

use hone_batch::{Batch, EventIndex};
use hone_hub::question::{NoAnswer, Question, answer};
use hone_hub::store::tables::Table;
use hone_hub::symbols::{BuildFiles, Missing, SymbolsError};
use hone_hub::tokens::{Grant, Scope};
use hone_profile::BuildId;
use hone_views::is_time;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::question::{in_turn, parse_also, refusal};
use crate::log;
use crate::run::{Hub, now_s};

const JSON: &str = "application/json";
/// Files without names that are told, the heaviest ones first.
const LACKING_MAX: usize = 1000;

/// Answers `/v1/symbols`.
pub(super) async fn list(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let question =
        parse_also(request.uri().query(), now_s(), |_, _| Ok(false)).map_err(Refused::bad)?;
    let question = Question {
        tables: vec![Table::Samples],
        ..question
    };
    in_turn(hub, grant, move |hub, grant| {
        let there = hub.symbols.library.all_there(&grant.tenant);
        let there = there.map_err(|error| failed(&error))?;
        let there: Vec<Value> = there.iter().map(told).collect();
        let lacking = lacking(hub, grant, &question)?;
        let text = json!({"lacking": lacking, "there": there}).to_string();
        Ok(typed(StatusCode::OK, JSON, text))
    })
    .await
}

/// Answers `/v1/symbols/ID`, also those who may upload and nothing else.
pub(super) async fn of_build(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = match hub.access.check(request.headers(), Scope::Symbols) {
        Ok(grant) => grant,
        Err(_) => allowed(hub, request.headers(), Scope::Read)?,
    };
    let id = request.uri().path().trim_start_matches("/v1/symbols/");
    let build = BuildId::from_hex(id).ok_or_else(|| {
        Refused::new(
            StatusCode::NOT_FOUND,
            "that is no build id: give all of it in hexadecimal, as readelf -n shows it",
        )
    })?;
    in_turn(hub, grant, move |hub, grant| {
        let there = hub.symbols.library.there(&grant.tenant, &[build]);
        let there = there.map_err(|error| failed(&error))?;
        let text = there.first().map_or(Value::Null, told).to_string();
        Ok(typed(StatusCode::OK, JSON, text))
    })
    .await
}

fn told(build: &BuildFiles) -> Value {
    let files = build.files.iter();
    let files = files.map(|file| json!({"kind": file.kind.name(), "sha256": file.sha256}));
    json!({
        "build": build.build.to_string(),
        "files": files.collect::<Vec<_>>(),
        "bytes": build.bytes,
    })
}

/// Returns the files of samples that lack names, with their shares of the event of time, most first.
fn lacking(hub: &Hub, grant: &Grant, question: &Question) -> Result<Vec<Value>, Refused> {
    let rows_max = hub.limits.question_rows;
    let batch = match answer(&hub.store, &grant.tenant, question, rows_max) {
        Ok(found) => found.batch,
        // Without samples there is nothing to be named.
        Err(NoAnswer::Time { .. } | NoAnswer::Nothing { .. } | NoAnswer::Together) => {
            return Ok(Vec::new());
        }
        Err(other) => return Err(refusal(other)),
    };
    let Some((event, weight)) = heaviest(&batch) else {
        return Ok(Vec::new());
    };
    let named = hub
        .symbols
        .library
        .name_batch(&grant.tenant, &batch, now_s());
    let missing = named
        .map_err(|error| failed(&error))?
        .missing(&batch, event);
    let share = |part: u64| part as f64 / weight.max(1) as f64;
    let one = |missing: &Missing| {
        json!({
            "file": missing.file.path,
            "build": missing.file.build.as_ref().map(BuildId::to_string),
            "lacks": missing.file.lack.name(),
            "share": share(missing.weight),
            "own_share": share(missing.own_weight),
        })
    };
    Ok(missing.iter().take(LACKING_MAX).map(one).collect())
}

/// Returns the event of time with the largest weight, and that weight.
fn heaviest(batch: &Batch) -> Option<(EventIndex, u64)> {
    let mut weights = vec![0_u64; batch.events.len()];
    for row in &batch.samples {
        let weight = &mut weights[row.event.index()];
        *weight = weight.saturating_add(row.weight);
    }
    let events = batch.events.iter().zip(0..).zip(weights);
    let of_time = events.filter(|((event, _), _)| is_time(&event.name));
    let weights = of_time.map(|((_, index), weight)| (EventIndex(index), weight));
    weights.max_by_key(|(_, weight)| *weight)
}

/// Returns the refusal where the storage failed.
pub(super) fn failed(error: &SymbolsError) -> Refused {
    log::say_often("symbols", format!("symbols cannot be read: {error}"));
    Refused::busy(error.to_string())
}
