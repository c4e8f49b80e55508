//! The hub's HTTP server.
//!
//! One thread talks to all clients, and whatever may take long is done on others: checks by processes, the store's calls on
//! as many threads as may be under way. Clients that are slow or ask too much are limited: in connections, of which slow ones make room for
//! others, in bytes of heads and bodies, and in time. A connection serves one request.

mod answer;
mod batch;
mod body;
mod buildid;
mod connect;
mod content;
mod deadline;
mod export;
mod other_tools;
mod page;
mod pgo;
mod querier;
mod question;
mod regressions;
mod search;
mod symbols;
mod upload;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::future::{Either, select};
use hone_hub::tokens::{Grant, Scope};
use hone_serve::{Place, Places};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::access::Denied;
use crate::log;
use crate::run::Hub;
use answer::{Answer, Refused, plain, typed};
pub(crate) use body::{Held, Room};
use deadline::Deadline;
use search::{Sought, search};

/// Bytes and lines of a request's head.
const HEAD_BYTES_MAX: usize = 16 << 10;
const HEADERS_MAX: usize = 64;
/// Connections beside those that have a place, in which clients say what they want.
const BESIDE: usize = 32;
/// Time for TLS to be agreed on, and for a request's head to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Time for a connection as a whole, until its answer is sent, unless a file with symbols goes or comes, or a
/// profile is made.
const TIME: Duration = Duration::from_secs(300);
/// Time for requests under way when the hub ends, and then for the store's calls that nobody waits for any more.
const END_TIME: Duration = Duration::from_secs(20);
const LEFT_TIME: Duration = Duration::from_secs(1);

/// What there is, for whoever asks for something else.
const PATHS: &str = "there is nothing; there are POST /v1/batch /v1/pprof /v1/perf-script /ingest /push.v1.PusherService/Push /querier.v1.QuerierService/METHOD, PUT /v1/symbols and GET / /buildid/ID/executable /buildid/ID/debuginfo /v1/callers /v1/clocks /v1/findings /v1/folded /v1/pgo/SERVICE /v1/pprof /v1/query /v1/regressions /v1/search /v1/series /v1/services /v1/settings /v1/symbols /v1/view /healthz /metrics";

/// A server at work.
pub(crate) struct Server {
    address: SocketAddr,
    ending: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

/// What all connections share.
struct Shared {
    hub: Arc<Hub>,
    tls: Option<TlsAcceptor>,
    ending: watch::Receiver<bool>,
}

impl Server {
    /// Starts to answer.
    pub(crate) fn start(
        listen: SocketAddr,
        tls: Option<Arc<ServerConfig>>,
        hub: Arc<Hub>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(listen)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(hub.blocking_threads())
            .build()?;
        let (ending, is_ending) = watch::channel(false);
        let shared = Arc::new(Shared {
            hub,
            tls: tls.map(TlsAcceptor::from),
            ending: is_ending,
        });
        let thread = thread::Builder::new().name("http".into()).spawn(move || {
            runtime.block_on(serve(listener, shared));
            runtime.shutdown_timeout(LEFT_TIME);
        })?;
        Ok(Self {
            address,
            ending,
            thread,
        })
    }

    /// Returns where the server listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more requests; returns when those under way are answered, or have taken too long.
    pub(crate) fn end(self) {
        // The thread may have ended by itself.
        let _ = self.ending.send(true);
        let _ = self.thread.join();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let places = Places::new(shared.hub.limits.connections, BESIDE);
    let mut ending = shared.ending.clone();
    {
        let accepting = pin!(accept(listener, &places, &shared));
        let ended = pin!(end_of(&mut ending));
        select(accepting, ended).await;
    }
    if timeout(END_TIME, places.are_free()).await.is_err() {
        log::say("ending: requests that are still under way get no answer");
    }
}

async fn accept(listener: tokio::net::TcpListener, places: &Arc<Places>, shared: &Arc<Shared>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let place = places.take(peer.ip()).await;
                let shared = Arc::clone(shared);
                tokio::spawn(async move {
                    // The client notices errors itself.
                    let deadline = Deadline::after(TIME);
                    let conversing = connection(stream, &shared, &deadline, &place);
                    select(pin!(place.serve(conversing)), pin!(deadline.is_over())).await;
                });
            }
            // Most likely too many open files: a pause, so that the loop does not take all of a CPU.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn connection(stream: TcpStream, shared: &Arc<Shared>, deadline: &Deadline, place: &Place) {
    match &shared.tls {
        None => converse(stream, shared, deadline, place).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = timeout(HEAD_TIME, tls.accept(stream)).await {
                converse(stream, shared, deadline, place).await;
            }
        }
    }
}

async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    shared: &Arc<Shared>,
    deadline: &Deadline,
    place: &Place,
) {
    let has_request = AtomicBool::new(false);
    let answer = service_fn(|mut request: Request<Incoming>| {
        has_request.store(true, Ordering::Relaxed);
        place.is_answered();
        let shared = Arc::clone(shared);
        request.extensions_mut().insert(deadline.clone());
        async move {
            let is_health = matches!(request.uri().path(), "/healthz" | "/metrics");
            Ok::<_, Infallible>(match is_health || place.has_turn().await {
                true => answer(request, &shared.hub).await,
                false => {
                    Refused::busy("the hub has as many clients as it can have: try again later")
                        .answer()
                }
            })
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .keep_alive(false)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    let mut serving = pin!(serving);
    let mut ending = shared.ending.clone();
    let ended = pin!(end_of(&mut ending));
    let is_ending = matches!(select(serving.as_mut(), ended).await, Either::Right(_));
    // A connection without a request ends at once, also if a part of its head has come.
    if is_ending && has_request.load(Ordering::Relaxed) {
        serving.as_mut().graceful_shutdown();
        let _ = serving.await;
    }
}

/// Waits until the hub ends.
async fn end_of(ending: &mut watch::Receiver<bool>) {
    // Without a sender there is no server any more either.
    let _ = ending.wait_for(|is_ending| *is_ending).await;
}

async fn answer(request: Request<Incoming>, hub: &Arc<Hub>) -> Answer {
    let is_get = [Method::GET, Method::HEAD].contains(request.method());
    if let Some(to) = other_tools::to(&request) {
        return other_tools::answer(to, request, hub).await;
    }
    if querier::method(request.uri().path()).is_some() {
        return querier::answer(request, hub).await;
    }
    let answered = match request.uri().path() {
        "/v1/batch" if request.method() == Method::POST => return batch::take(request, hub).await,
        "/v1/batch" => Err(method("POST it")),
        "/v1/regressions" if request.method() == Method::POST => {
            regressions::acknowledge(request, hub).await
        }
        "/v1/symbols" if request.method() == Method::PUT => {
            return upload::take(request, hub).await;
        }
        "/v1/symbols" if !is_get => Err(method("PUT it a file, or GET it")),
        path if path.starts_with(pgo::PATH) => pgo::answer(&request, hub).await,
        _ if !is_get => Err(method("GET it")),
        "/v1/query" => counted(hub, question::query(&request, hub).await),
        "/v1/services" => counted(hub, question::services(&request, hub).await),
        "/v1/series" => counted(hub, page::series(&request, hub).await),
        "/v1/regressions" => counted(hub, regressions::regressions(&request, hub).await),
        "/v1/search" => counted(hub, search(Sought::Functions, &request, hub).await),
        "/v1/callers" => counted(hub, search(Sought::Callers, &request, hub).await),
        "/v1/view" => counted(hub, page::page(&request, hub).await),
        "/v1/pprof" => counted(hub, export::pprof(&request, hub).await),
        "/v1/findings" => counted(hub, export::diagnosis(&request, hub).await),
        "/v1/folded" => counted(hub, export::text(&request, hub).await),
        "/v1/settings" => page::settings(&request, hub),
        "/v1/clocks" => page::clocks(&request, hub),
        "/v1/symbols" => counted(hub, symbols::list(&request, hub).await),
        "/metrics" => metrics(&request, hub),
        "/healthz" => Ok(plain(StatusCode::OK, "healthy\n")),
        path if path.starts_with("/v1/symbols/") => symbols::of_build(&request, hub).await,
        path if path.starts_with("/buildid/") => buildid::file(&request, hub).await,
        path => page::part(path).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, PATHS)),
    };
    answered.unwrap_or_else(Refused::answer)
}

fn method(why: &str) -> Refused {
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, why)
}

fn counted(hub: &Hub, answered: Result<Answer, Refused>) -> Result<Answer, Refused> {
    let status = match &answered {
        Ok(answer) => answer.status(),
        Err(refused) => refused.status,
    };
    hub.figures.questions.count(status);
    answered
}

fn metrics(request: &Request<Incoming>, hub: &Hub) -> Result<Answer, Refused> {
    allowed(hub, request.headers(), Scope::Admin)?;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(typed(StatusCode::OK, kind, hub.figures.exposition()))
}

/// Returns what a request may do that needs a scope.
fn allowed(hub: &Hub, headers: &HeaderMap, scope: Scope) -> Result<Grant, Refused> {
    hub.access.check(headers, scope).map_err(|denied| {
        hub.figures.denied.add(1);
        match denied {
            Denied::Unknown => Refused::new(
                StatusCode::UNAUTHORIZED,
                "the hub wants a token that it knows: send Authorization: Bearer TOKEN",
            ),
            Denied::Scope(scope) => Refused::new(
                StatusCode::FORBIDDEN,
                format!("the token has not the scope {}: use another token", scope.name()),
            ),
            Denied::Page => Refused::new(
                StatusCode::FORBIDDEN,
                "a hub without tokens is for programs of its own machine: make a token by `hone-hub token new`",
            ),
            Denied::File => Refused::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the hub cannot read its tokens: see its log",
            ),
        }
    })
}
