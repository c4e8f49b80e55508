//! `POST /v1/batch`: a batch is read, checked and stored; the answer says that it is durable.

use std::sync::Arc;
use std::time::Duration;

use hone_batch::wire::HUB_TIME;
use hone_hub::check::Checked;
use hone_hub::store::StoreError;
use hone_hub::tokens::{Grant, Scope};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use tokio::time::timeout;

use super::answer::{Answer, Refused};
use super::{allowed, body};
use crate::checker::{ENDING, Outcome};
use crate::log;
use crate::run::{Hub, now_s};

/// Time for which a batch that was checked waits for its turn to be stored.
const TURN_TIME: Duration = Duration::from_secs(10);

/// Takes a batch.
pub(super) async fn take(request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let (head, mut sent) = request.into_parts();
    let taken = match allowed(hub, &head.headers, Scope::Ingest) {
        Ok(grant) => store(&mut sent, &grant, hub).await,
        Err(refused) => Err(refused),
    };
    let answer = match taken {
        Ok(()) => {
            let mut answer = Response::new(Bytes::new().into());
            *answer.status_mut() = StatusCode::NO_CONTENT;
            answer
        }
        Err(refused) => {
            body::discard(&mut sent).await;
            refused.answer()
        }
    };
    hub.figures.batches.count(answer.status());
    answer
}

async fn store(sent: &mut Incoming, grant: &Grant, hub: &Arc<Hub>) -> Result<(), Refused> {
    let (batch, held) = body::read(sent, hub.limits.batch_bytes, &hub.room).await?;
    let bytes = batch.len() as u64;
    let Some((batch, held, outcome)) = hub.checkers.check(batch, held).await else {
        return Err(Refused::busy(ENDING));
    };
    let checked = match outcome {
        Outcome::Good(checked) => checked,
        Outcome::Bad(why) => return Err(Refused::bad(why)),
        Outcome::Unavailable(why) => return Err(Refused::busy(why)),
    };
    let stored = Stored {
        batch,
        checked,
        sent_bytes: bytes,
    };
    keep(stored, held, grant, hub).await
}

/// A batch that can be read.
pub(super) struct Stored {
    pub(super) batch: Vec<u8>,
    pub(super) checked: Checked,
    /// Bytes in which it was sent.
    pub(super) sent_bytes: u64,
}

/// Stores a batch, if its sender may send it.
pub(super) async fn keep(
    stored: Stored,
    held: body::Held,
    grant: &Grant,
    hub: &Arc<Hub>,
) -> Result<(), Refused> {
    let Stored {
        batch,
        mut checked,
        sent_bytes,
    } = stored;
    if let Some(service) = grant.forbidden(&checked.services) {
        let why = match service {
            "" => "the token is for some services, and the batch has samples of no service: send only those of its services".to_owned(),
            service => format!("the token may not send batches of the service {service:?}: use another token"),
        };
        hub.figures.denied.add(1);
        return Err(Refused::new(StatusCode::FORBIDDEN, why));
    }
    let Ok(Ok(turn)) = timeout(TURN_TIME, Arc::clone(&hub.appends).acquire_owned()).await else {
        return Err(Refused::busy(
            "the store is busy: send the batch again later",
        ));
    };
    let builds = std::mem::take(&mut checked.builds);
    let received = checked.with_bytes(batch);
    let (hub, tenant) = (Arc::clone(hub), grant.tenant.clone());
    let appending = tokio::task::spawn_blocking(move || {
        let appended = hub.store.append(&tenant, &received, now_s());
        if appended.is_ok() {
            hub.figures.batch_bytes.add(sent_bytes);
            hub.symbols.saw(&tenant, builds);
        }
        drop((turn, held));
        appended.map_err(|error| refusal(&error, &received.origin.host))
    });
    match appending.await {
        Ok(outcome) => outcome,
        Err(_) => Err(Refused::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "storing the batch failed by a fault of the hub: see its log",
        )),
    }
}

/// Returns the refusal of a batch of a host. That of a batch from another time has the hub's own, by which the host can tell whether their
/// clocks differ.
fn refusal(error: &StoreError, host: &str) -> Refused {
    let status = match error {
        StoreError::BatchTooOld { .. } | StoreError::BatchAhead { .. } => {
            let sender = match host {
                "" => "another tool".to_owned(),
                host => format!("the host {host:?}"),
            };
            log::say_often("clock", format!("a batch of {sender} is refused: {error}"));
            let refused = Refused::new(StatusCode::CONFLICT, error.to_string());
            return refused.with(HUB_TIME, now_s());
        }
        StoreError::BatchTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        StoreError::Busy => StatusCode::SERVICE_UNAVAILABLE,
        error => {
            log::say_often("store", format!("a batch could not be stored: {error}"));
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    Refused::new(status, error.to_string())
}
