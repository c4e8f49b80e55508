//! `POST /v1/batch`: a batch is read, checked and stored; the answer says that it is durable.

use std::sync::Arc;
use std::time::Duration;

use hone_batch::wire::{HOST_TIME, HUB_TIME, ahead_s};
use hone_hub::check::Checked;
use hone_hub::store::StoreError;
use hone_hub::tokens::{Grant, Scope};
use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Request, Response, StatusCode};
use tokio::time::timeout;

use super::answer::{Answer, Refused};
use super::{allowed, body};
use crate::checker::{ENDING, Outcome};
use crate::clocks::Apart;
use crate::log;
use crate::run::{Hub, now_s};

/// Time for which a batch that was checked waits for its turn to be stored.
const TURN_TIME: Duration = Duration::from_secs(10);

/// Takes a batch.
pub(super) async fn take(request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let (head, mut sent) = request.into_parts();
    let taken = match allowed(hub, &head.headers, Scope::Ingest) {
        Ok(grant) => store(&mut sent, &head.headers, &grant, hub).await,
        Err(refused) => Err(refused),
    };
    let mut answer = match taken {
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
    answer.headers_mut().insert(HUB_TIME, now_s().into());
    hub.figures.batches.count(answer.status());
    answer
}

async fn store(
    sent: &mut Incoming,
    headers: &HeaderMap,
    grant: &Grant,
    hub: &Arc<Hub>,
) -> Result<(), Refused> {
    let host_ahead_s = time_of(headers).map(|time_s| ahead_s(time_s, now_s()));
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
        host_ahead_s,
    };
    keep(stored, held, grant, hub).await
}

/// Returns the time that a host tells.
fn time_of(headers: &HeaderMap) -> Option<u64> {
    headers.get(HOST_TIME)?.to_str().ok()?.parse().ok()
}

/// A batch that can be read.
pub(super) struct Stored {
    pub(super) batch: Vec<u8>,
    pub(super) checked: Checked,
    /// Bytes in which it was sent.
    pub(super) sent_bytes: u64,
    /// Seconds by which the sender's clock is ahead, if the sender told its time.
    pub(super) host_ahead_s: Option<i64>,
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
        host_ahead_s,
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
        let now_s = now_s();
        let appended = hub.store.append(&tenant, &received, now_s);
        let apart = Apart {
            ahead_s: host_ahead_s.unwrap_or_else(|| ahead_s(received.span_s.end, now_s)),
            is_clock: host_ahead_s.is_some(),
            is_refused: appended.as_ref().is_err_and(is_of_another_time),
        };
        let host = &received.origin.host;
        if appended.is_ok() || apart.is_refused {
            hub.figures.clocks.saw(&tenant, host, apart);
        }
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

/// Returns true if a batch is refused for its time.
fn is_of_another_time(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::BatchTooOld { .. } | StoreError::BatchAhead { .. }
    )
}

/// Returns the refusal of a batch of a host.
fn refusal(error: &StoreError, host: &str) -> Refused {
    let status = match error {
        error if is_of_another_time(error) => {
            let sender = match host {
                "" => "another tool".to_owned(),
                host => format!("the host {host:?}"),
            };
            log::say_often("clock", format!("a batch of {sender} is refused: {error}"));
            StatusCode::CONFLICT
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
