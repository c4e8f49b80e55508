//! The page, and what it asks for beside what other programs do: `GET /`, `/hub.css`, `/hub.js`, `/v1/settings`,
//! `/v1/series` and `/v1/view`.

mod missing_names;

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use hone_batch::{BUCKET_S, GroupField};
use hone_hub::question::{Question, add_totals, answer};
use hone_hub::series::{Adding, By, Steps};
use hone_hub::tokens::{Grant, Scope};
use hone_hub::view::{Asked, Places, view};
use hone_profile::Profile;
use hone_views::Names;
use hyper::body::Incoming;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use hyper::{Request, StatusCode};
use jiff::Timestamp;
use serde_json::json;

use super::allowed;
use super::answer::{Answer, Refused, typed};
use super::question::{in_turn, parse_also, refusal, seconds, span};
use crate::run::{Hub, now_s};

const PAGE: &str = include_str!("../../ui/hub.html");
const STYLE: &str = include_str!("../../ui/hub.css");
const SCRIPTS: [&str; 15] = [
    "\"use strict\";\n",
    hone_page::SCRIPT,
    hone_views::COLOURS,
    hone_views::NAMES,
    include_str!("../../ui/api.js"),
    include_str!("../../ui/time.js"),
    include_str!("../../ui/state.js"),
    include_str!("../../ui/chart.js"),
    include_str!("../../ui/clocks.js"),
    include_str!("../../ui/services.js"),
    include_str!("../../ui/course.js"),
    include_str!("../../ui/regressions.js"),
    include_str!("../../ui/saved.js"),
    include_str!("../../ui/search.js"),
    include_str!("../../ui/main.js"),
];
/// What the page may load: its own parts and the hub's answers, of which views are pages with their scripts in them.
const POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
    connect-src 'self' blob:; img-src blob:; frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Kinds of answers.
const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
/// Steps of a series, unless `step` asks for others.
const STEPS: u64 = 300;
/// Lines of a series: those that are asked for, and at most.
const LINES: usize = 8;
const LINES_MAX: usize = 1_000;
/// Letters of the ids of builds and containers in the name of a view.
const ID_LETTERS: usize = 12;

/// Returns a part of the page; `None` if a path is none.
pub(super) fn part(path: &str) -> Option<Answer> {
    let mut answer = match path {
        "/" => typed(StatusCode::OK, HTML, PAGE),
        "/hub.css" => typed(
            StatusCode::OK,
            "text/css; charset=utf-8",
            [hone_page::STYLE, STYLE].concat(),
        ),
        "/hub.js" => typed(
            StatusCode::OK,
            "text/javascript; charset=utf-8",
            SCRIPTS.concat(),
        ),
        _ => return None,
    };
    let policy = HeaderValue::from_static(POLICY);
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    Some(answer)
}

/// Answers `/v1/settings`: what the page's figures need.
pub(super) fn settings(request: &Request<Incoming>, hub: &Hub) -> Result<Answer, Refused> {
    allowed(hub, request.headers(), Scope::Read)?;
    let text = json!({ "cost": hub.cost }).to_string();
    Ok(typed(StatusCode::OK, JSON, text))
}

/// Answers `/v1/clocks`: hosts whose clocks differ from the hub's, and the hub's clock beside its store's time.
pub(super) fn clocks(request: &Request<Incoming>, hub: &Hub) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let told = hub.figures.clocks.told(&grant.tenant);
    Ok(typed(StatusCode::OK, JSON, json!(told).to_string()))
}

/// Answers `/v1/series`: CPU cores in use over time.
pub(super) async fn series(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let asked = SeriesAsked::parse(request.uri().query(), now_s()).map_err(Refused::bad)?;
    in_turn(hub, grant, move |hub, grant| asked.answer(hub, grant)).await
}

struct SeriesAsked {
    question: Question,
    by: By,
    lines: usize,
    step_s: Option<u64>,
}

impl SeriesAsked {
    fn parse(query: Option<&str>, now_s: u64) -> Result<Self, String> {
        let (mut by, mut lines, mut step_s) = (By::Nothing, LINES, None);
        let question = parse_also(query, now_s, |key, value| {
            match key {
                "by" => {
                    by = By::named(value).ok_or_else(|| {
                        format!("there is no way {value:?} to tell lines apart; there are nothing, service, build, host, container, thread and label:KEY")
                    })?;
                }
                "lines" => {
                    lines = value
                        .parse()
                        .ok()
                        .filter(|lines| (1..=LINES_MAX).contains(lines))
                        .ok_or_else(|| format!("lines is {value:?}; it can be 1 to {LINES_MAX}"))?;
                }
                "step" => step_s = Some(seconds("step", value)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Self {
            question,
            by,
            lines,
            step_s,
        })
    }

    fn answer(&self, hub: &Hub, grant: &Grant) -> Result<Answer, Refused> {
        let rows_max = hub.limits.question_rows;
        let span_s = &self.question.span_s;
        let mut least_s = BUCKET_S;
        loop {
            let usual_s = Steps::usual_step_s(span_s, STEPS, least_s);
            let step_s = self.step_s.unwrap_or(usual_s).max(least_s);
            let steps = Steps::new(span_s.clone(), step_s).ok_or_else(|| {
                Refused::bad(format!(
                    "{step_s} is no step for that time: ask for one of {usual_s} seconds"
                ))
            })?;
            let mut adding = Adding::new(self.by.clone(), steps);
            let (store, tenant) = (&hub.store, &grant.tenant);
            let detail = add_totals(store, tenant, &self.question, rows_max, &mut adding);
            // Where there is much, minutes or hours were given up.
            least_s = detail.map_err(refusal)?.step_s();
            if least_s <= step_s {
                let series = json!(adding.finish(self.lines)).to_string();
                return Ok(typed(StatusCode::OK, JSON, series));
            }
        }
    }
}

/// Answers `/v1/view`: flame graph, sandwich and table as a page, of one time and build or of two beside each other.
pub(super) async fn page(request: &Request<Incoming>, hub: &Arc<Hub>) -> Result<Answer, Refused> {
    let grant = allowed(hub, request.headers(), Scope::Read)?;
    let questions = view_asked(request.uri().query(), now_s()).map_err(Refused::bad)?;
    let work = move |hub: &Hub, grant: &Grant| {
        let rows_max = hub.limits.question_rows;
        let answers = questions
            .iter()
            .map(|question| answer(&hub.store, &grant.tenant, question, rows_max).map_err(refusal))
            .collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = questions.iter().map(name).collect();
        let asked = answers.iter().zip(&names).zip(&questions);
        let asked = asked.map(|((answer, name), question)| Asked {
            name,
            batch: &answer.batch,
            step_s: answer.detail.step_s(),
            span_s: &question.span_s,
        });
        let lacking = RefCell::new(Vec::new());
        let names = |profile: &Profile, places: &Places| {
            let (names, more) = hub.symbols.names(&grant.tenant, profile, places);
            lacking.borrow_mut().extend(more);
            names
        };
        let view = view(&asked.collect::<Vec<_>>(), names).ok_or_else(|| {
            Refused::new(
                StatusCode::NOT_FOUND,
                "there are no samples of CPU time in that time",
            )
        })?;
        let told = missing_names::header(&view, lacking.into_inner());
        let mut answer = typed(StatusCode::OK, HTML, view.page);
        answer.headers_mut().extend(told);
        Ok(answer)
    };
    in_turn(hub, grant, work).await
}

/// Returns the names of places by the hub's symbols, beside those that hosts sent.
pub(super) fn names(hub: &Hub, grant: &Grant, profile: &Profile, places: &Places) -> Names {
    let (names, _) = hub.symbols.names(&grant.tenant, profile, places);
    names
}

/// Reads the questions of a view, the older one first: `old_from`, `old_to` and `old_build` take the place of their like.
fn view_asked(query: Option<&str>, now_s: u64) -> Result<Vec<Question>, String> {
    let (mut from_s, mut to_s, mut build) = (None, None, None);
    let question = parse_also(query, now_s, |key, value| {
        match key {
            "old_from" => from_s = Some(seconds(key, value)?),
            "old_to" => to_s = Some(seconds(key, value)?),
            "old_build" => build = Some(super::question::build(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if (from_s, to_s, &build) == (None, None, &None) {
        return Ok(vec![question.for_stacks(now_s)]);
    }
    let Range { start, end } = question.span_s;
    let span_s = span(from_s.unwrap_or(start), to_s.unwrap_or(end))?;
    let builds = build.map_or_else(|| question.builds.clone(), |build| vec![build]);
    let old = Question {
        span_s,
        builds,
        ..question.clone()
    };
    Ok(vec![old.for_stacks(now_s), question.for_stacks(now_s)])
}

/// Returns the name of a question on the page, with the begin of ids: `checkout, build 4f2a6d018c3e, 2026-11-26 09:00 to 10:00 UTC`.
fn name(question: &Question) -> String {
    let mut name = question.services.join(", ");
    for (kind, values, letters) in [
        ("build", &question.builds, ID_LETTERS),
        ("host", &question.hosts, usize::MAX),
        ("container", &question.containers, ID_LETTERS),
        ("thread", &question.threads, usize::MAX),
    ] {
        let begins = values
            .iter()
            .map(|value| match value.char_indices().nth(letters) {
                Some((end, _)) => &value[..end],
                None => value,
            });
        let begins: Vec<&str> = begins.collect();
        if !begins.is_empty() {
            name += &format!(", {kind} {}", begins.join(", "));
        }
    }
    for (key, value) in &question.labels {
        name += &format!(", {key} {value}");
    }
    let Range { start, end } = question.span_s;
    let times = [start, end].map(|time_s| time(time_s).unwrap_or_else(|| time_s.to_string()));
    let [from, to] = &times;
    let to = match from.split_once(' ').zip(to.split_once(' ')) {
        Some(((day, _), (last_day, hour))) if day == last_day => hour,
        _ => to,
    };
    format!("{name}, {from} to {to} UTC")
}

fn time(time_s: u64) -> Option<String> {
    let time = Timestamp::from_second(time_s.try_into().ok()?).ok()?;
    Some(time.strftime("%Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_S: u64 = 1_764_151_200; // 2025-11-26 10:00 UTC

    #[test]
    fn a_view_is_of_one_time_or_of_two() {
        let asked = |query| view_asked(Some(query), NOW_S).unwrap();
        let one = asked("service=a&from=1764147600");
        assert_eq!(one.len(), 1);
        assert_eq!(name(&one[0]), "a, 2025-11-26 09:00 to 10:00 UTC");
        let before = asked("service=a&from=1764147600&old_from=1764060000&old_to=1764147600");
        // A long time is of whole hours: it was to begin at 08:40.
        assert_eq!(
            name(&before[0]),
            "a, 2025-11-25 08:00 to 2025-11-26 09:00 UTC"
        );
        assert_eq!(before[1], one[0]);
        let builds = asked("service=a&build=bb&host=h&from=1764147600&old_build=0123456789abcdef");
        assert_eq!(
            name(&builds[0]),
            "a, build 0123456789ab, host h, 2025-11-26 09:00 to 10:00 UTC"
        );
        assert!(name(&builds[1]).starts_with("a, build bb, host h, "));
    }

    #[test]
    fn a_series_is_of_all_services_or_some() {
        let all = SeriesAsked::parse(Some("by=service&lines=20"), NOW_S).unwrap();
        assert_eq!(
            (all.by, all.lines, all.step_s),
            (By::Field(GroupField::Service), 20, None)
        );
        assert_eq!(all.question.services, [""; 0]);
        let one = SeriesAsked::parse(Some("service=a&by=label:region&step=60"), NOW_S).unwrap();
        assert_eq!((one.by, one.step_s), (By::Label("region".into()), Some(60)));
    }

    #[test]
    fn what_cannot_be_shown_is_refused_with_the_reason() {
        for (query, said) in [
            ("by=colour", "no way \"colour\""),
            ("lines=0", "1 to 1000"),
            ("step=x", "no time"),
            ("size=1", "no parameter \"size\""),
        ] {
            let refused = SeriesAsked::parse(Some(query), NOW_S).err().unwrap();
            assert!(refused.contains(said), "{query}: {refused}");
        }
        let refused = view_asked(Some("service=a&old_from=2&old_to=1"), NOW_S).unwrap_err();
        assert!(refused.contains("is not before"), "{refused}");
        assert!(view_asked(Some("old_build=zz&service=a"), NOW_S).is_err());
    }
}
