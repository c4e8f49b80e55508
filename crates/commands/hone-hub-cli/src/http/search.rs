//! `GET /v1/search` and `GET /v1/callers`: a function over all services.

use std::sync::Arc;

use hone_hub::question::Question;
use hone_hub::search::{Fleet, Found, NAME_BYTES_MAX, ROWS_MAX, callers, functions};
use hone_hub::tokens::{Grant, Scope};
use hone_hub::view::Places;
use hone_profile::Profile;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::page::names;
use super::question::{in_turn, parse_also, refusal};
use crate::run::{Hub, now_s};

/// Rows of an answer, unless `rows` asks for others.
const ROWS: usize = 100;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sought {
    /// Functions whose names contain a text.
    Functions,
    /// Callers of the function of a name.
    Callers,
}

/// Answers `/v1/search` and `/v1/callers`.
pub(super) async fn search(
    sought: Sought,
    request: &Request<Incoming>,
    hub: &Arc<Hub>,
) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let now_s = now_s();
    let asked = Asked::parse(request.uri().query(), now_s).map_err(Refused::bad)?;
    let question = asked.question.for_stacks(now_s);
    let work = move |hub: &Hub, grant: &Grant| {
        let question = &question;
        let Asked { function, rows, .. } = &asked;
        let fleet = Fleet {
            store: &hub.store,
            tenant: &grant.tenant,
            question,
            samples_max: hub.limits.question_rows,
            rows_max: *rows,
        };
        let named = |profile: &Profile, places: &Places| names(hub, grant, profile, places);
        let told = match sought {
            Sought::Functions => {
                functions(&fleet, function, named).map(|found| told("functions", &found, question))
            }
            Sought::Callers => {
                callers(&fleet, function, named).map(|found| told("callers", &found, question))
            }
        };
        let text = told.map_err(refusal)?.to_string();
        Ok(typed(StatusCode::OK, "application/json", text))
    };
    in_turn(hub, grant, work).await
}

fn told(rows: &str, found: &Found<impl Serialize>, question: &Question) -> Value {
    json!({
        "from": question.span_s.start,
        "to": question.span_s.end,
        "services": found.services,
        rows: found.rows,
        "left_out": found.left_out,
        "too_large": found.too_large,
    })
}

struct Asked {
    question: Question,
    function: String,
    rows: usize,
}

impl Asked {
    fn parse(query: Option<&str>, now_s: u64) -> Result<Self, String> {
        let (mut function, mut rows) = (String::new(), ROWS);
        let question = parse_also(query, now_s, |key, value| {
            match key {
                "function" => value.clone_into(&mut function),
                "rows" => {
                    rows = value
                        .parse()
                        .ok()
                        .filter(|rows| (1..=ROWS_MAX).contains(rows))
                        .ok_or_else(|| format!("rows is {value:?}; it can be 1 to {ROWS_MAX}"))?;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        match function.len() {
            0 => Err("no function is asked for: add function=NAME".into()),
            1..=NAME_BYTES_MAX => Ok(Self {
                question,
                function,
                rows,
            }),
            bytes => Err(format!(
                "function has {bytes} bytes; it can have {NAME_BYTES_MAX}: ask for a part of the name"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_S: u64 = 1_764_151_200;

    #[test]
    fn a_search_is_of_all_services_or_some_in_a_time() {
        let asked = Asked::parse(Some("function=std%3A%3Asort&rows=7&from=5"), NOW_S).unwrap();
        assert_eq!((&*asked.function, asked.rows), ("std::sort", 7));
        assert_eq!(asked.question.span_s, 5..NOW_S);
        assert_eq!(asked.question.services, [""; 0]);
        let one = Asked::parse(Some("function=a&service=shop"), NOW_S).unwrap();
        assert_eq!(
            (one.rows, one.question.services),
            (ROWS, vec!["shop".to_owned()])
        );
    }

    #[test]
    fn what_cannot_be_searched_is_refused_with_the_reason() {
        let long = format!("function={}", "x".repeat(NAME_BYTES_MAX + 1));
        for (query, said) in [
            ("", "no function is asked for"),
            ("function=", "no function is asked for"),
            ("function=a&rows=0", "1 to 1000"),
            ("function=a&rows=1001", "1 to 1000"),
            ("function=a&by=host", "no parameter \"by\""),
            ("function=a&from=9&to=8", "is not before"),
            (&long, "has 4097 bytes"),
        ] {
            let refused = Asked::parse(Some(query), NOW_S).err().unwrap();
            assert!(refused.contains(said), "{query}: {refused}");
        }
    }
}
