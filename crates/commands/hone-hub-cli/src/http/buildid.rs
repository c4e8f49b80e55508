//! `GET /buildid/ID/executable` and `/buildid/ID/debuginfo`: stored files, as debuginfod serves them.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use hone_hub::symbols::{Artifact, StoredFile};
use hone_hub::tokens::Scope;
use hone_profile::BuildId;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, ETAG, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::content::Content;
use super::deadline::Deadline;
use super::symbols::failed;
use crate::run::Hub;

/// Time for which a request waits for its turn.
const TURN_TIME: Duration = Duration::from_secs(20);
/// Time for a file to be sent.
const SEND_TIME: Duration = Duration::from_secs(1800);
/// Time in which a part of it must be taken: the turn is for others else.
const PART_TIME: Duration = Duration::from_secs(60);
/// Bytes that are sent at once.
const PIECE_BYTES: usize = 1 << 18;
/// Headers of debuginfod's protocol: bytes of the file, and how many whoever asks would take.
const SIZE: HeaderName = HeaderName::from_static("x-debuginfod-size");
const SIZE_MAX: &str = "x-debuginfod-maxsize";
const BYTES: &str = "application/octet-stream";

/// Answers with a stored file.
pub(super) async fn file(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let answered = find(request, hub).await;
    let status = match &answered {
        Ok(answer) => answer.status(),
        Err(refused) => refused.status,
    };
    hub.figures.symbols.downloads.count(status);
    answered
}

async fn find(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let (build, artifact) = parse(request.uri().path()).ok_or_else(|| {
        Refused::new(
            StatusCode::NOT_FOUND,
            "there are /buildid/ID/executable and /buildid/ID/debuginfo, with the build id in hexadecimal",
        )
    })?;
    let turn = Arc::clone(&hub.symbols.downloads).acquire_owned();
    let Ok(Ok(turn)) = timeout(TURN_TIME, turn).await else {
        return Err(Refused::busy("other files are being sent: ask again later"));
    };
    let absent = format!(
        "there is no {} of the build {build}: upload it by `hone hub symbols FILE`",
        artifact.name()
    );
    let looking = Arc::clone(hub);
    let looked = tokio::task::spawn_blocking(move || {
        let found = looking.symbols.library.get(&grant.tenant, &build, artifact);
        (found, turn)
    });
    let (found, turn) = looked.await.map_err(|_| fault())?;
    let found = found.map_err(|error| failed(&error))?;
    let stored = found.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, absent))?;
    let bytes = stored.size_bytes();
    if wanted_bytes(request.headers()).is_some_and(|max| bytes > max) {
        let why = format!("the file has {bytes} bytes, which is more than {SIZE_MAX} allows");
        return Err(Refused::new(StatusCode::NOT_ACCEPTABLE, why));
    }
    let mut answer = typed(StatusCode::OK, BYTES, Bytes::new());
    describe(answer.headers_mut(), &stored);
    if request.method() != Method::HEAD {
        if let Some(deadline) = request.extensions().get::<Deadline>() {
            deadline.put_off(SEND_TIME);
        }
        let (content, parts) = Content::in_parts(bytes);
        *answer.body_mut() = content;
        tokio::task::spawn_blocking(move || send(stored, &parts, turn));
    }
    Ok(answer)
}

fn describe(headers: &mut HeaderMap, stored: &StoredFile) {
    headers.insert(CONTENT_LENGTH, stored.size_bytes().into());
    headers.insert(SIZE, stored.size_bytes().into());
    if let Ok(sum) = HeaderValue::from_str(&format!("\"{}\"", stored.sha256())) {
        headers.insert(ETAG, sum);
    }
}

/// Reads a file until its end, or until nobody takes it any more.
fn send(
    mut stored: StoredFile,
    parts: &mpsc::Sender<io::Result<Bytes>>,
    turn: OwnedSemaphorePermit,
) {
    loop {
        let mut part = vec![0; PIECE_BYTES];
        let read = stored.read(&mut part).map(|bytes| {
            part.truncate(bytes);
            Bytes::from(part)
        });
        let is_last = read.as_ref().map_or(true, Bytes::is_empty);
        // An error cuts the answer, which is shorter than it said.
        let is_nothing = read.as_ref().is_ok_and(Bytes::is_empty);
        if is_nothing || !hand_on(parts, read, PART_TIME) || is_last {
            drop(turn);
            return;
        }
    }
}

/// Hands a part on, from a thread that may block; false if it is not taken in time.
fn hand_on(
    parts: &mpsc::Sender<io::Result<Bytes>>,
    part: io::Result<Bytes>,
    time: Duration,
) -> bool {
    let sent = Handle::current().block_on(async { timeout(time, parts.send(part)).await });
    matches!(sent, Ok(Ok(())))
}

/// Returns what an address asks for.
fn parse(path: &str) -> Option<(BuildId, Artifact)> {
    let (build, artifact) = path.strip_prefix("/buildid/")?.split_once('/')?;
    let mut all = Artifact::ALL.into_iter();
    let artifact = all.find(|known| known.name() == artifact)?;
    Some((BuildId::from_hex(&build.to_ascii_lowercase())?, artifact))
}

fn wanted_bytes(headers: &HeaderMap) -> Option<u64> {
    let max = headers.get(SIZE_MAX)?.to_str().ok()?.parse().ok()?;
    // None but a positive number is a limit.
    (max > 0).then_some(max)
}

fn fault() -> Refused {
    Refused::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the file met a fault of the hub: see its log",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_nobody_takes_ends_the_file() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        let handed_on = runtime.block_on(async {
            let (parts, taken) = mpsc::channel(1);
            let sending = tokio::task::spawn_blocking(move || {
                let time = Duration::from_millis(1);
                [(); 2].map(|()| hand_on(&parts, Ok(Bytes::new()), time))
            });
            let handed_on = sending.await.unwrap();
            drop(taken);
            handed_on
        });
        assert_eq!(handed_on, [true, false]);
    }

    #[test]
    fn addresses_are_those_of_debuginfod() {
        let build = BuildId::new(&[0xab, 1]).unwrap();
        for (path, expected) in [
            ("/buildid/ab01/executable", Some(Artifact::Executable)),
            ("/buildid/AB01/debuginfo", Some(Artifact::DebugInfo)),
            ("/buildid/ab01/source/a.c", None),
            ("/buildid/ab0/debuginfo", None),
            ("/buildid/../debuginfo", None),
            ("/buildid//debuginfo", None),
            ("/buildid/ab01", None),
        ] {
            let expected = expected.map(|artifact| (build.clone(), artifact));
            assert_eq!(parse(path), expected, "{path}");
        }
    }
}
