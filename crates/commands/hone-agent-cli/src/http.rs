//! The agent's own HTTP server: figures, health, the list of senders, and requests to reload.
//!
//! One thread, apart from all threads that receive and send. Clients that are slow or ask too much are limited: in
//! connections, of which slow ones make room for others, in bytes of headers and in time; a connection serves one request.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hone_agent::wire::scrape;
use hone_serve::{Place, Places};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderValue, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::run::events::{Event, Reloaded};
use crate::state::State;

/// Connections at a time; further ones wait for their turn, unless they ask for health, and so many at a time say what they want.
const CONNECTIONS_MAX: usize = 32;
const BESIDE: usize = 8;
/// Bytes and lines of a request's head.
const HEAD_BYTES_MAX: usize = 16 << 10;
const HEADERS_MAX: usize = 64;

/// How long a client may take.
#[derive(Clone, Copy)]
struct Times {
    /// Longest time for a request's head to arrive.
    head: Duration,
    /// Longest time for the whole connection until the answer is sent.
    whole: Duration,
}

const TIMES: Times = Times {
    head: Duration::from_secs(5),
    whole: Duration::from_secs(30),
};

const PLAIN: &str = "text/plain; charset=utf-8";

/// Starts to answer on a thread of its own, until the process ends. Returns the bound address.
pub(crate) fn serve(listen: SocketAddr, state: Arc<State>) -> io::Result<SocketAddr> {
    serve_within(listen, state, TIMES)
}

fn serve_within(listen: SocketAddr, state: Arc<State>, times: Times) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    thread::Builder::new()
        .name("http".into())
        .spawn(move || runtime.block_on(accept(listener, state, times)))?;
    Ok(address)
}

async fn accept(listener: TcpListener, state: Arc<State>, times: Times) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let places = Places::new(CONNECTIONS_MAX, BESIDE);
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let place = places.take(peer.ip()).await;
                let state = Arc::clone(&state);
                tokio::spawn(async move {
                    let connection = connection(stream, peer.ip(), state, times, &place);
                    place.serve(connection).await;
                });
            }
            // Most likely too many open files: a pause, so that the loop does not take all of a CPU.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn connection(
    stream: TcpStream,
    peer: IpAddr,
    state: Arc<State>,
    times: Times,
    place: &Place,
) {
    let answer = service_fn(|request: Request<Incoming>| {
        place.is_answered();
        let is_health = matches!(request.uri().path(), "/healthz" | "/readyz");
        let state = Arc::clone(&state);
        async move {
            Ok::<_, Infallible>(match is_health || place.has_turn().await {
                true => answer(&request, peer, &state).await,
                false => plain(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "the agent has as many clients as it can have: try again later\n",
                ),
            })
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(times.head)
        .keep_alive(false)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    // The client notices errors itself.
    let _ = tokio::time::timeout(times.whole, serving).await;
}

type Answer = Response<Full<Bytes>>;

async fn answer(request: &Request<Incoming>, peer: IpAddr, state: &State) -> Answer {
    let is_get = [Method::GET, Method::HEAD].contains(request.method());
    match request.uri().path() {
        "/-/reload" if request.method() == Method::POST => {
            // A request from a page in somebody's browser has an `Origin` header.
            match peer.is_loopback() && !request.headers().contains_key(ORIGIN) {
                true => reload(state).await,
                false => plain(StatusCode::FORBIDDEN, "only from this machine\n"),
            }
        }
        "/-/reload" => plain(StatusCode::METHOD_NOT_ALLOWED, "POST it\n"),
        "/metrics" | "/healthz" | "/readyz" | "/top" | "/" if !is_get => {
            plain(StatusCode::METHOD_NOT_ALLOWED, "GET it\n")
        }
        "/metrics" => metrics(state, request),
        "/healthz" => health(state),
        "/readyz" if state.is_ready() => plain(StatusCode::OK, "ready\n"),
        "/readyz" => plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "listeners are not open, or the agent is ending\n",
        ),
        "/top" => top(state),
        "/" => plain(
            StatusCode::OK,
            "hone-agent: /metrics /healthz /readyz /top, POST /-/reload\n",
        ),
        _ => plain(StatusCode::NOT_FOUND, "see /\n"),
    }
}

fn metrics(state: &State, request: &Request<Incoming>) -> Answer {
    let text = state.exposition();
    let accepts = request.headers().get_all(ACCEPT).iter();
    let accepts: Vec<_> = accepts.filter_map(|value| value.to_str().ok()).collect();
    match wants_open_metrics(&accepts.join(",")) {
        true => typed(
            StatusCode::OK,
            scrape::OPEN_METRICS,
            scrape::open_metrics(&text),
        ),
        false => typed(StatusCode::OK, scrape::TEXT, text),
    }
}

/// Returns true if OpenMetrics is wanted at least as much as the older format (RFC 9110, "Accept").
fn wants_open_metrics(accepts: &str) -> bool {
    let weight_of = |wanted: &[&str]| {
        let ranges = accepts.split(',').filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next()?.to_ascii_lowercase();
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok());
            wanted
                .contains(&name.as_str())
                .then_some(weight.unwrap_or(1.0))
        });
        ranges.fold(0.0, f64::max)
    };
    let open_metrics = weight_of(&["application/openmetrics-text"]);
    open_metrics > 0.0 && open_metrics >= weight_of(&["text/plain"])
}

fn health(state: &State) -> Answer {
    match state.stuck_for(Instant::now()) {
        None => plain(StatusCode::OK, "healthy\n"),
        Some(since) => {
            let said = format!("no interval has ended for {} s\n", since.as_secs());
            plain(StatusCode::SERVICE_UNAVAILABLE, said)
        }
    }
}

fn top(state: &State) -> Answer {
    let top = state.top().with_series(&state.caps);
    match serde_json::to_string(&top) {
        Ok(text) => typed(StatusCode::OK, "application/json", text),
        Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

async fn reload(state: &State) -> Answer {
    let (done, outcome) = oneshot::channel();
    let is_asked = state.events.send(Event::Reload(Some(done))).is_ok();
    match (is_asked, outcome.await) {
        (true, Ok(Reloaded::Done(said))) => plain(StatusCode::OK, format!("{said}\n")),
        (true, Ok(Reloaded::Refused(why))) => plain(StatusCode::BAD_REQUEST, format!("{why}\n")),
        _ => plain(StatusCode::SERVICE_UNAVAILABLE, "the agent is ending\n"),
    }
}

fn plain(status: StatusCode, text: impl Into<String>) -> Answer {
    typed(status, PLAIN, text)
}

fn typed(status: StatusCode, kind: &'static str, text: impl Into<String>) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text.into())));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use hone_agent::store::{Caps, Limits};
    use testkit::http::request;
    use testkit::{PATIENCE, until};

    use super::*;
    use crate::config::Config;

    /// They have all places at first, and would keep them for longer than the test waits.
    #[test]
    fn clients_that_say_nothing_make_room() {
        let (events, _) = std::sync::mpsc::channel();
        let config = Config::parse("").unwrap();
        let state = State::new(&config, Arc::new(Caps::new(Limits::default())), events);
        let times = Times {
            head: 2 * PATIENCE,
            whole: 2 * PATIENCE,
        };
        let address = serve_within(([127, 0, 0, 1], 0).into(), Arc::new(state), times).unwrap();
        let silent = (0..CONNECTIONS_MAX + 2 * BESIDE).map(|_| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.write_all(b"GET /metrics HTTP/1.1\r\n").unwrap();
            stream
        });
        let _silent: Vec<_> = silent.collect();
        for path in ["/healthz", "/metrics"] {
            until("an answer", || {
                let answer = request(address, "GET", path, "", b"")?;
                (answer.status == 200).then_some(())
            });
        }
    }

    #[test]
    fn the_format_is_the_one_that_is_wanted_most() {
        for (accepts, open_metrics) in [
            ("", false),
            ("*/*", false),
            ("text/plain", false),
            ("application/openmetrics-text", true),
            // Prometheus 2.42.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                 text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                true,
            ),
            (
                "text/plain;version=0.0.4, application/openmetrics-text; q=0.3",
                false,
            ),
            ("application/openmetrics-text;q=0", false),
            ("Application/OpenMetrics-Text;q=x", true),
        ] {
            assert_eq!(wants_open_metrics(accepts), open_metrics, "{accepts}");
        }
    }
}
