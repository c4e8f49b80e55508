//! `PUT /v1/symbols`: a file with symbols goes to a temporary file, is read by a confined process, and stored.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use hone_hub::store::StoreError;
use hone_hub::symbols::{Refused as NotTaken, SymbolsError, Taken, Was};
use hone_hub::tokens::{Grant, Scope};
use hone_serve::waiting;
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::EXPECT;
use hyper::{Request, StatusCode};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, timeout_at};

use super::answer::{Answer, Refused, typed};
use super::deadline::Deadline;
use super::{allowed, body};
use crate::log;
use crate::run::{Hub, now_s};

/// Pieces of a body that wait to be written.
const PIECES_MAX: usize = 8;
/// Bytes of a body that must come in a time: the turn is for others else.
const LEAST_BYTES: u64 = 64 << 10;
const LEAST_TIME: Duration = Duration::from_secs(60);
/// Time for a file that has come to be read and stored, and for its answer.
const WORK_TIME: Duration = Duration::from_secs(3600);

/// Takes a file.
pub(super) async fn take(request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let (head, mut sent) = request.into_parts();
    let admitted = allowed(hub, &head.headers, Scope::Symbols)
        .and_then(|grant| admit(&sent, hub).map(|turn| (grant, turn)));
    let answer = match admitted {
        Ok((grant, turn)) => {
            if let Some(deadline) = head.extensions.get::<Deadline>() {
                deadline.put_off(hub.symbols.settings.upload_time + WORK_TIME);
            }
            match store(&mut sent, grant, turn, hub).await {
                Ok(answer) => answer,
                Err(refused) => {
                    body::discard(&mut sent).await;
                    refused.answer()
                }
            }
        }
        Err(refused) => {
            // Whoever asks first has sent nothing yet, and would be told to by the first read.
            if !head.headers.contains_key(EXPECT) {
                body::discard(&mut sent).await;
            }
            refused.answer()
        }
    };
    hub.figures.symbols.uploads.count(answer.status());
    answer
}

/// Returns the turn for an upload, as far as its head tells that there can be one.
fn admit(sent: &Incoming, hub: &Hub) -> Result<OwnedSemaphorePermit, Refused> {
    let bytes_max = hub.symbols.settings.limits.file_bytes;
    if sent.size_hint().lower() > bytes_max {
        return Err(too_large(bytes_max));
    }
    let turn = Arc::clone(&hub.symbols.uploads).try_acquire_owned();
    turn.map_err(|_| Refused::busy("other files are being uploaded: send it again later"))
}

async fn store(
    sent: &mut Incoming,
    grant: Grant,
    turn: OwnedSemaphorePermit,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let (bytes_max, time) = {
        let settings = &hub.symbols.settings;
        (settings.limits.file_bytes, settings.upload_time)
    };
    let (file, turn) = spooled(sent, bytes_max, time, turn).await?;
    let hub = Arc::clone(hub);
    let storing = tokio::task::spawn_blocking(move || {
        let taken = hub.symbols.library.take(&grant.tenant, &file, now_s());
        drop(turn);
        match taken {
            Ok(taken) => {
                let bytes = match taken.was {
                    Was::New => taken.file.bytes,
                    Was::There => 0,
                };
                hub.figures.symbols.upload_bytes.add(bytes);
                Ok(answer(&hub, &grant, &taken))
            }
            Err(error) => Err(refusal(&error)),
        }
    });
    storing.await.unwrap_or_else(|_| Err(fault()))
}

/// Writes a body to a temporary file, on a thread for it.
async fn spooled(
    sent: &mut Incoming,
    bytes_max: u64,
    time: Duration,
    turn: OwnedSemaphorePermit,
) -> Result<(File, OwnedSemaphorePermit), Refused> {
    let (pieces, received) = mpsc::channel(PIECES_MAX);
    let writing = tokio::task::spawn_blocking(move || (write(received), turn));
    let came = forward(sent, bytes_max, time, &pieces).await;
    drop(pieces);
    let (written, turn) = writing.await.map_err(|_| fault())?;
    // Without a place for the file its rest was not waited for.
    let file = written.map_err(|error| unwritten(&error))?;
    came?;
    Ok((file, turn))
}

fn write(mut pieces: mpsc::Receiver<Bytes>) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    while let Some(piece) = pieces.blocking_recv() {
        file.write_all(&piece)?;
    }
    Ok(file)
}

/// Hands the pieces of a body on, until its end or until nobody takes them any more.
async fn forward(
    sent: &mut Incoming,
    bytes_max: u64,
    time: Duration,
    pieces: &mpsc::Sender<Bytes>,
) -> Result<(), Refused> {
    let began = Instant::now();
    let mut bytes = 0;
    let mut pace = Pace::after(began);
    let waiting = waiting();
    loop {
        let patience = pace.until.min(began + time);
        let frame = timeout_at(patience, sent.frame()).await.map_err(|_| {
            let (all, least) = (time.as_secs(), LEAST_TIME.as_secs());
            let why = format!(
                "the file took more than {all} s, or less than {LEAST_BYTES} bytes of it came in {least} s: send it again, over a faster connection"
            );
            Refused::new(StatusCode::REQUEST_TIMEOUT, why)
        })?;
        let Some(frame) = frame else {
            return Ok(());
        };
        let frame = frame.map_err(|error| Refused::bad(format!("the body was cut: {error}")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        waiting.got(data.len());
        bytes += data.len() as u64;
        if bytes > bytes_max {
            return Err(too_large(bytes_max));
        }
        pace.came(bytes, Instant::now());
        let waits = Instant::now();
        if pieces.send(data).await.is_err() {
            return Ok(());
        }
        // A slow disk is not the sender's fault.
        pace.until += waits.elapsed();
    }
}

/// The next bytes of a body, and until when they must have come.
struct Pace {
    bytes: u64,
    until: Instant,
}

impl Pace {
    fn after(began: Instant) -> Self {
        Self {
            bytes: LEAST_BYTES,
            until: began + LEAST_TIME,
        }
    }

    /// Notes how many bytes have come so far.
    fn came(&mut self, bytes: u64, now: Instant) {
        if bytes >= self.bytes {
            self.bytes = bytes.saturating_add(LEAST_BYTES);
            self.until = now + LEAST_TIME;
        }
    }
}

/// Says what is kept now: 201 if it is new.
fn answer(hub: &Hub, grant: &Grant, taken: &Taken) -> Answer {
    let (status, was) = match taken.was {
        Was::New => (StatusCode::CREATED, "new"),
        Was::There => (StatusCode::OK, "there"),
    };
    let about = &taken.file;
    let builds: Vec<_> = about.build_id().into_iter().collect();
    // A debug file alone names nothing. What is not known now is not said.
    let there = hub.symbols.library.there(&grant.tenant, &builds);
    let lacks_code = there.is_ok_and(|there| {
        let mut files = there.iter().flat_map(|build| &build.files);
        !files.any(|file| file.kind.has_code)
    });
    let said = json!({
        "build": about.build,
        "kind": about.kind.name(),
        "bytes": about.bytes,
        "was": was,
        "lacks": lacks_code.then_some("code"),
    });
    typed(status, "application/json", said.to_string())
}

fn too_large(bytes_max: u64) -> Refused {
    let why = NotTaken::TooLarge {
        bytes: bytes_max.saturating_add(1),
        max: bytes_max,
    };
    // How many there are was not waited for.
    let why = why.to_string().replacen("has", "has at least", 1);
    Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

fn fault() -> Refused {
    Refused::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the file met a fault of the hub: see its log",
    )
}

fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}

fn unwritten(error: &io::Error) -> Refused {
    log::say_often(
        "uploads",
        format!("an uploaded file cannot be written: {error}"),
    );
    let status = match is_full(error) {
        true => StatusCode::INSUFFICIENT_STORAGE,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    let why = format!(
        "the hub has no room for the file now: {error}; make room there, and send it again"
    );
    Refused::new(status, why)
}

fn refusal(error: &SymbolsError) -> Refused {
    let status = match error {
        SymbolsError::Refused(NotTaken::Quota { .. }) => StatusCode::INSUFFICIENT_STORAGE,
        SymbolsError::Refused(NotTaken::OtherBytes { .. }) => StatusCode::CONFLICT,
        SymbolsError::Refused(NotTaken::Unavailable(_)) => StatusCode::SERVICE_UNAVAILABLE,
        SymbolsError::Refused(refused) if refused.is_too_large() => StatusCode::PAYLOAD_TOO_LARGE,
        SymbolsError::Refused(_) => StatusCode::BAD_REQUEST,
        SymbolsError::Store(StoreError::Storage { source, .. }) if is_full(source) => {
            StatusCode::INSUFFICIENT_STORAGE
        }
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    if status.is_server_error() {
        log::say_often(
            "uploads",
            format!("a file with symbols is not kept: {error}"),
        );
    }
    Refused::new(status, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_byte_by_byte_does_not_put_off_its_end() {
        let began = Instant::now();
        let mut pace = Pace::after(began);
        let half = began + LEAST_TIME / 2;
        pace.came(LEAST_BYTES - 1, half);
        assert_eq!(pace.until, began + LEAST_TIME);
        pace.came(LEAST_BYTES, half);
        assert_eq!(pace.until, half + LEAST_TIME);
        pace.came(2 * LEAST_BYTES - 1, half + LEAST_TIME / 2);
        assert_eq!(pace.until, half + LEAST_TIME);
    }
}
