//! `GET /v1/regressions`: what looks have found.

use std::sync::Arc;

use hone_hub::question::NoAnswer;
use hone_hub::regressions::{Regressions, STEP_S, State};
use hone_hub::tokens::{Grant, Scope};
use hone_regressions::Thresholds;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::{Value, json};

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::question::{in_turn, pairs, refusal};
use crate::regressions::{in_words, proof};
use crate::run::Hub;

/// Answers `/v1/regressions`.
pub(super) async fn regressions(
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let services = asked(request.uri().query()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let states = Regressions::of(&hub.store, &grant.tenant, None, Thresholds::default(), 1)
            .and_then(|regressions| regressions.states());
        let states = states.map_err(|error| refusal(NoAnswer::from(error)))?;
        let is_asked = |state: &&State| services.is_empty() || services.contains(&state.service);
        let told: Vec<Value> = states.iter().filter(is_asked).map(told).collect();
        let text = json!({ "step_s": STEP_S, "services": told }).to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    };
    in_turn(hub, grant, work).await
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
