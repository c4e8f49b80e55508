//! `/v1/regressions`: what looks have found, and what people say of it.

use std::sync::Arc;

use hone_hub::question::NoAnswer;
use hone_hub::regressions::{Regressions, STEP_S, State};
use hone_hub::store::StoreError;
use hone_hub::tokens::{Grant, Scope};
use hone_regressions::{Acknowledged, Courses, Thresholds};
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
    let asked = Asked::parse(request.uri().query()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let services = of(hub, grant).and_then(|regressions| asked.answer(&regressions));
        let services = services.map_err(|error| refusal(NoAnswer::from(error)))?;
        let text = json!({ "step_s": STEP_S, "services": services }).to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    };
    in_turn(hub, grant, work).await
}

/// What is asked for.
#[derive(PartialEq, Debug, Default)]
struct Asked {
    /// Services, or all if none is named.
    services: Vec<String>,
    /// True if each finding comes with its share over the weeks.
    with_courses: bool,
}

impl Asked {
    fn parse(query: Option<&str>) -> Result<Self, String> {
        let mut asked = Self::default();
        for (key, value) in pairs(query)? {
            match (&*key, &*value) {
                ("service", _) => asked.services.push(value),
                ("courses", "yes") => asked.with_courses = true,
                ("courses", _) => return Err(format!("courses is {value:?}; it can be yes")),
                _ => {
                    return Err(format!(
                        "there is no parameter {key:?}; there are service and courses"
                    ));
                }
            }
        }
        if asked.with_courses && asked.services.is_empty() {
            return Err("courses are of some services: add service=NAME".into());
        }
        Ok(asked)
    }

    fn answer(&self, regressions: &Regressions<'_>) -> Result<Vec<Value>, StoreError> {
        let states = regressions.states(&self.services)?;
        let told = states.iter().map(|state| {
            let courses = self
                .with_courses
                .then(|| regressions.courses(&state.service));
            Ok(told(state, courses.transpose()?.as_ref()))
        });
        told.collect()
    }
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

fn told(state: &State, courses: Option<&Courses>) -> Value {
    let told = state.standings.told().map(|standing| {
        let mut told = json!(standing);
        told["text"] = in_words(standing).into();
        told["prove"] = proof(&state.service, standing).into();
        if let Some(courses) = courses {
            told["course"] = json!(courses.of(&standing.id));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_asked_for_by_name_and_courses_of_some_alone() {
        assert_eq!(Asked::parse(None), Ok(Asked::default()));
        let asked = Asked::parse(Some("service=a&service=b&courses=yes")).unwrap();
        assert_eq!(asked.services, ["a", "b"]);
        assert!(asked.with_courses);
        for (query, said) in [
            ("host=a", "no parameter \"host\""),
            ("service=a&courses=1", "it can be yes"),
            ("courses=yes", "add service=NAME"),
        ] {
            let refused = Asked::parse(Some(query)).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
