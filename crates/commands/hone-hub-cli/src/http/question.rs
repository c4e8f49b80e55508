//! `GET /v1/query` and `GET /v1/services`.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use hone_batch::wire;
use hone_hub::question::{NoAnswer, Question, label, short_answer};
use hone_hub::store::tables::Table;
use hone_hub::store::{Service, StoreError};
use hone_hub::tokens::{Grant, Scope};
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::allowed;
use super::answer::{Answer, Refused, typed};
use crate::log;
use crate::memory;
use crate::run::{Hub, now_s};

/// Kind of an answer that is a batch.
const BATCH: &str = "application/vnd.hone.batch";
/// Header that says what an answer does not tell apart, since there was too much.
const LEFT_OUT: &str = "hone-left-out";
/// Seconds that are asked for where no time is.
const USUAL_S: u64 = 86_400;
/// Values that a question may have.
const PARAMETERS_MAX: usize = 256;
/// Time for which a question waits for its turn.
const TURN_TIME: Duration = Duration::from_secs(20);

/// Answers `/v1/query`.
pub(super) async fn query(
    request: &hyper::Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let question = parse(request.uri().query(), now_s()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let rows_max = hub.limits.question_rows;
        let found = short_answer(&hub.store, &grant.tenant, &question, rows_max);
        let found = found.map_err(refusal)?;
        let mut answer = typed(StatusCode::OK, BATCH, wire::write(&found.batch));
        if !found.left_out.is_empty()
            && let Ok(left_out) = HeaderValue::try_from(found.left_out)
        {
            answer.headers_mut().insert(LEFT_OUT, left_out);
        }
        Ok(answer)
    };
    in_turn(hub, grant, work).await
}

/// Answers `/v1/services`.
pub(super) async fn services(
    request: &hyper::Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let span_s = parse_services(request.uri().query()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let services = hub.store.services(&grant.tenant, span_s);
        let services = services.map_err(|error| refusal(NoAnswer::from(error)))?;
        let text = list(&services).to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    };
    in_turn(hub, grant, work).await
}

fn list(services: &[Service]) -> serde_json::Value {
    let one = |service: &Service| json!({"name": service.name, "days": service.days, "bytes": service.bytes});
    json!({"services": services.iter().map(one).collect::<Vec<_>>()})
}

/// Does what blocks on a thread for it, when it is its turn among questions.
pub(super) async fn in_turn(
    hub: &Arc<Hub>,
    grant: Grant,
    work: impl FnOnce(&Hub, &Grant) -> Result<Answer, Refused> + Send + 'static,
) -> Result<Answer, Refused> {
    in_turn_of(&hub.questions, TURN_TIME, hub, grant, work).await
}

/// The same with other turns, for which it waits so long.
pub(super) async fn in_turn_of(
    turns: &Arc<Semaphore>,
    time: Duration,
    hub: &Arc<Hub>,
    grant: Grant,
    work: impl FnOnce(&Hub, &Grant) -> Result<Answer, Refused> + Send + 'static,
) -> Result<Answer, Refused> {
    let Ok(Ok(turn)) = timeout(time, Arc::clone(turns).acquire_owned()).await else {
        return Err(Refused::busy(
            "other questions are being answered: ask again later",
        ));
    };
    let hub = Arc::clone(hub);
    let working = tokio::task::spawn_blocking(move || {
        let worked = memory::giving_back(|| work(&hub, &grant));
        drop(turn);
        worked
    });
    working.await.unwrap_or_else(|_| {
        Err(Refused::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the question met a fault of the hub: see its log",
        ))
    })
}

pub(super) fn refusal(error: NoAnswer) -> Refused {
    let status = match &error {
        NoAnswer::TooManyRows { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        NoAnswer::Store(StoreError::Moving) => StatusCode::SERVICE_UNAVAILABLE,
        NoAnswer::Store(error) => {
            log::say_often("questions", format!("a question failed: {error}"));
            match error {
                StoreError::Storage { .. } => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            }
        }
        _ => StatusCode::NOT_FOUND,
    };
    Refused::new(status, error.to_string())
}

/// Reads the parameters of a question about named services.
pub(super) fn parse(query: Option<&str>, now_s: u64) -> Result<Question, String> {
    let question = parse_also(query, now_s, |_, _| Ok(false))?;
    if question.services.is_empty() {
        return Err("no service is asked for: add service=NAME; /v1/services lists names".into());
    }
    Ok(question)
}

/// Reads the parameters of a question about some services or all, with further ones that `also` takes: true if one is known.
pub(super) fn parse_also(
    query: Option<&str>,
    now_s: u64,
    mut also: impl FnMut(&str, &str) -> Result<bool, String>,
) -> Result<Question, String> {
    let mut question = Question::default();
    let (mut from_s, mut to_s) = (None, None);
    for (key, value) in pairs(query)? {
        match &*key {
            "service" => question.services.push(value),
            "build" => question.builds.push(build(&value)?),
            "host" => question.hosts.push(value),
            "container" => question.containers.push(value),
            "thread" => question.threads.push(value),
            "label" => question.labels.push(label(&value)?),
            "tables" => question.tables.extend(tables(&value)?),
            "from" => from_s = Some(seconds("from", &value)?),
            "to" => to_s = Some(seconds("to", &value)?),
            key if also(key, &value)? => {}
            key => {
                return Err(format!(
                    "there is no parameter {key:?}; there are service, build, host, container, thread, label, from, to and tables"
                ));
            }
        }
    }
    if question.tables.is_empty() {
        question.tables = Table::COUNTS.to_vec();
    }
    let to_s = to_s.unwrap_or(now_s);
    let from_s = from_s.unwrap_or(to_s.saturating_sub(USUAL_S));
    question.span_s = span(from_s, to_s)?;
    Ok(question)
}

fn parse_services(query: Option<&str>) -> Result<Range<u64>, String> {
    let (mut from_s, mut to_s) = (0, u64::MAX);
    for (key, value) in pairs(query)? {
        match &*key {
            "from" => from_s = seconds("from", &value)?,
            "to" => to_s = seconds("to", &value)?,
            key => {
                return Err(format!(
                    "there is no parameter {key:?}; there are from and to"
                ));
            }
        }
    }
    span(from_s, to_s)
}

pub(super) fn pairs(query: Option<&str>) -> Result<Vec<(String, String)>, String> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let pairs: Vec<_> = pairs.into_owned().take(PARAMETERS_MAX + 1).collect();
    if pairs.len() > PARAMETERS_MAX {
        return Err(format!(
            "there are more than {PARAMETERS_MAX} parameters: ask for less at once"
        ));
    }
    Ok(pairs)
}

pub(super) fn span(from_s: u64, to_s: u64) -> Result<Range<u64>, String> {
    if from_s >= to_s {
        return Err(format!(
            "from={from_s} is not before to={to_s}: swap them, or leave one out"
        ));
    }
    Ok(from_s..to_s)
}

pub(super) fn seconds(key: &str, value: &str) -> Result<u64, String> {
    value
        .parse()
        .map_err(|_| format!("{key}={value:?} is no time: give whole seconds since 1970"))
}

pub(super) fn build(value: &str) -> Result<String, String> {
    if value.is_empty() || !value.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(format!(
            "build={value:?} is no build id: give its first hexadecimal digits"
        ));
    }
    Ok(value.to_ascii_lowercase())
}

fn tables(value: &str) -> Result<Vec<Table>, String> {
    let table = |name: &str| {
        let mut tables = Table::COUNTS.into_iter();
        let found = tables.find(|table| table.name() == name);
        found.ok_or_else(|| {
            format!("there is no table {name:?}; there are samples, branches, ranges and records")
        })
    };
    value.split(',').map(table).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_what_its_parameters_say() {
        let query = "service=a%26b&service=c+d&build=AB12&host=h&container=c0&thread=t%C3%BC&label=class%3Aa:b&from=100&to=200&tables=samples,records";
        let question = parse(Some(query), 1000).unwrap();
        let expected = Question {
            services: vec!["a&b".into(), "c d".into()],
            span_s: 100..200,
            tables: vec![Table::Samples, Table::Records],
            builds: vec!["ab12".into()],
            hosts: vec!["h".into()],
            containers: vec!["c0".into()],
            threads: vec!["tü".into()],
            labels: vec![("class".into(), "a:b".into())],
            merged: &[],
        };
        assert_eq!(question, expected);
    }

    #[test]
    fn the_last_day_and_all_tables_are_asked_for_where_nothing_else_is() {
        let question = parse(Some("service=a"), 1_000_000).unwrap();
        assert_eq!(question.span_s, 913_600..1_000_000);
        assert_eq!(question.tables, Table::COUNTS);
        let until = parse(Some("service=a&to=100000"), 1_000_000).unwrap();
        assert_eq!(until.span_s, 13_600..100_000);
        assert_eq!(parse_services(None), Ok(0..u64::MAX));
        assert_eq!(parse_services(Some("from=3&to=7")), Ok(3..7));
    }

    #[test]
    fn what_is_no_question_is_refused_with_the_reason() {
        let many = format!("service=a{}", "&host=h".repeat(PARAMETERS_MAX));
        for (query, said) in [
            ("", "no service"),
            ("service=a&sevice=b", "no parameter \"sevice\""),
            ("service=a&from=yesterday", "seconds since 1970"),
            ("service=a&from=-1", "seconds since 1970"),
            ("service=a&from=2000", "is not before"),
            ("service=a&from=5&to=5", "is not before"),
            ("service=a&build=xyz", "no build id"),
            ("service=a&build=", "no build id"),
            ("service=a&tables=stacks", "no table"),
            ("service=a&tables=", "no table"),
            (&many, "more than 256 parameters"),
        ] {
            let refused = parse(Some(query), 1000).unwrap_err();
            assert!(refused.contains(said), "{query}: {refused}");
        }
    }
}
