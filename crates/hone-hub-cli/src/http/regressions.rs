//! `/v1/regressions`: what looks have found, and what people say of it.

use std::sync::Arc;

use hone_hub::question::NoAnswer;
use hone_hub::regressions::{Regressions, STEP_S, State};
use hone_hub::store::StoreError;
use hone_hub::tokens::{Grant, Scope};
use hone_regressions::{Acknowledged, Thresholds};
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{Answer, Refused, plain, typed};
use super::question::{in_turn, pairs, refusal};
use super::{allowed, body};
use crate::regressions::{in_words, proof};
use crate::run::{Hub, now_s};

/// Answers `/v1/regressions`.
pub(super) async fn regressions(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let services = asked(request.uri().query()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let states = of(hub, grant).and_then(|regressions| regressions.states());
        let states = states.map_err(|error| refusal(NoAnswer::from(error)))?;
        let is_asked = |state: &&State| services.is_empty() || services.contains(&state.service);
        let told: Vec<Value> = states.iter().filter(is_asked).map(told).collect();
        let text = json!({ "step_s": STEP_S, "services": told }).to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    };
    in_turn(hub, grant, work).await
}

/// Bytes of what is said of a finding, with its name.
const SAID_BYTES_MAX: usize = 1 << 14;
/// Letters of what is said.
const WORD_LETTERS_MAX: usize = 400;

/// What somebody says of a finding.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    service: String,
    id: String,
    /// Empty to take back what was said.
    word: String,
}

/// Takes what somebody says of a finding (`POST /v1/regressions`).
pub(super) async fn acknowledge(
    request: Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let (head, mut sent) = request.into_parts();
    let grant = allowed(hub, &head.headers, Scope::Acknowledge)?;
    let (bytes, _held) = body::read(&mut sent, SAID_BYTES_MAX, &hub.room).await?;
    let said: Said = serde_json::from_slice(&bytes).map_err(|error| {
        Refused::bad(format!(
            "{error}: send {{\"service\": …, \"id\": …, \"word\": …}}"
        ))
    })?;
    if said.word.chars().count() > WORD_LETTERS_MAX {
        return Err(Refused::bad(format!(
            "the word has more than {WORD_LETTERS_MAX} letters: say it shorter"
        )));
    }
    let work = move |hub: &Hub, grant: &Grant| {
        let word = said.word.trim();
        let acknowledged = (!word.is_empty()).then(|| Acknowledged {
            word: word.to_owned(),
            at_s: now_s(),
        });
        let is_there = of(hub, grant)
            .and_then(|regressions| {
                regressions.acknowledge(&said.service, &said.id, acknowledged.as_ref())
            })
            .map_err(|error| refusal(NoAnswer::from(error)))?;
        match is_there {
            true => Ok(plain(StatusCode::OK, "noted\n")),
            false => Err(Refused::new(
                StatusCode::NOT_FOUND,
                "there is no such regression of that service: ask /v1/regressions for its id",
            )),
        }
    };
    in_turn(hub, grant, work).await
}

/// Returns what is known of a tenant's services; nothing is looked for.
fn of<'s>(hub: &'s Hub, grant: &'s Grant) -> Result<Regressions<'s>, StoreError> {
    Regressions::of(&hub.store, &grant.tenant, None, Thresholds::default(), 1)
}

fn told(state: &State) -> Value {
    let told = state.standings.told().map(|standing| {
        let mut told = json!(standing);
        told["text"] = in_words(standing).into();
        told["prove"] = proof(&state.service, standing).into();
        told
    });
    json!({
        "service": state.service,
        "looked_s": state.standings.at_s,
        "tested": state.tested,
        "no_claim_over_time": state.no_claim_over_time,
        "no_claim_of_builds": state.no_claim_of_builds,
        "regressions": told.collect::<Vec<_>>(),
        "filtered": state.filtered,
    })
}

fn asked(query: Option<&str>) -> Result<Vec<String>, String> {
    let pairs = pairs(query)?.into_iter();
    pairs
        .map(|(key, value)| match &*key {
            "service" => Ok(value),
            key => Err(format!("there is no parameter {key:?}; there is service")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_asked_for_by_name() {
        assert_eq!(asked(None), Ok(Vec::new()));
        assert_eq!(asked(Some("service=a&service=b")).unwrap(), ["a", "b"]);
        let refused = asked(Some("host=a")).unwrap_err();
        assert!(refused.contains("no parameter \"host\""), "{refused}");
    }
}
