//! `/v1/pgo/SERVICE`: POST makes and publishes a profile, GET answers with the published one.

use std::sync::Arc;
use std::time::Duration;

use hone_hub::tokens::{Grant, Scope};
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Method, Request, StatusCode};

use super::answer::{Answer, Refused, typed};
use super::deadline::Deadline;
use super::question::{in_turn, in_turn_of, refusal};
use super::{allowed, counted, method};
use crate::log;
use crate::pgo::{Asked, DECISION, Failed, Outcome};
use crate::run::{Hub, now_s};

/// Beginning of paths.
pub(super) const PATH: &str = "/v1/pgo/";
/// Kind of an answer that is an archive of profile, manifest and signature.
const ARCHIVE: &str = "application/x-tar";
/// Kind of an answer that is the manifest of a profile which is not fit.
const MANIFEST: &str = "application/json";
/// Time for which a profile waits for its turn.
const TURN_TIME: Duration = Duration::from_secs(40);
/// Time for a profile to wait for its turn, to be made and to be sent.
const MAKE_TIME: Duration = Duration::from_secs(900);

/// Answers.
pub(super) async fn answer(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let service = request.uri().path().strip_prefix(PATH).unwrap_or_default();
    let asked = || Asked::parse(service, request.uri().query()).map_err(Refused::bad);
    match *request.method() {
        Method::POST => {
            let grant = allowed(hub, request.headers(), Scope::Pgo)?;
            if let Some(deadline) = request.extensions().get::<Deadline>() {
                deadline.put_off(MAKE_TIME);
            }
            counted(hub, make(grant, asked()?, hub).await)
        }
        Method::GET | Method::HEAD => {
            let headers = request.headers();
            // Who may make a profile may read it.
            let maker = hub.access.check(headers, Scope::Pgo);
            let grant = maker.or_else(|_| allowed(hub, headers, Scope::Read))?;
            counted(hub, published(grant, asked()?, hub).await)
        }
        _ => Err(method("GET the published profile, or POST to make one")),
    }
}

async fn make(grant: Grant, asked: Asked, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let work = move |hub: &Hub, grant: &Grant| {
        let rows_max = hub.limits.question_rows;
        let made = hub
            .pgo
            .make(&hub.store, &grant.tenant, &asked, now_s(), rows_max);
        match made.map_err(refused)? {
            Outcome::Published { bundle, decision } => {
                let mut answer = typed(StatusCode::OK, ARCHIVE, bundle);
                let text = serde_json::to_string(&decision).unwrap_or_default();
                if let Ok(value) = HeaderValue::from_str(&text) {
                    answer.headers_mut().insert(DECISION, value);
                }
                Ok(answer)
            }
            Outcome::Unfit(manifest) => {
                Ok(typed(StatusCode::UNPROCESSABLE_ENTITY, MANIFEST, manifest))
            }
        }
    };
    in_turn_of(&hub.pgo.turns, TURN_TIME, hub, grant, work).await
}

async fn published(grant: Grant, asked: Asked, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let work = move |hub: &Hub, grant: &Grant| {
        let published = hub.pgo.published(&grant.tenant, &asked).map_err(refused)?;
        let bundle = published.ok_or_else(|| {
            let why = format!(
                "no profile {} of {} was published: POST to make it, with a token that has the scope pgo",
                asked.form.name(),
                asked.service
            );
            Refused::new(StatusCode::NOT_FOUND, why)
        })?;
        Ok(typed(StatusCode::OK, ARCHIVE, bundle))
    };
    in_turn(hub, grant, work).await
}

fn refused(failed: Failed) -> Refused {
    match failed {
        Failed::NoAnswer(error) => refusal(error),
        Failed::Cannot(why) => Refused::new(StatusCode::CONFLICT, why),
        Failed::Hub(why) => {
            log::say_often("profiles", format!("a profile was not made: {why}"));
            Refused::busy(why)
        }
    }
}
