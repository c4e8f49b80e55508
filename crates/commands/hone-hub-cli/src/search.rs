//! `hone hub search FUNCTION`: which services of the fleet run a function, how many cores it takes there, and who calls it.

use std::fmt::Write;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hone_fetch::hub::Time;
use hone_hub::search::{Cores, in_words};
use serde::Deserialize;

use crate::client::{Client, clean};
use crate::run::now_s;

/// Time in which an answer must begin, and each further piece of it come: as long as the hub works on one.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of an answer that are read: a thousand names of the longest that there are.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  hone-hub search memcpy\n  hone-hub search Json::parse --service checkout --from -6h\n  \
                  hone-hub search --callers 'Json::parse(char const*)'"
)]
pub(crate) struct Args {
    /// A part of the function's name, in capital or small letters; with --callers its whole name
    function: String,
    /// Tell who calls the function, and what it costs when it is called from there
    #[arg(long)]
    callers: bool,
    /// Search in this service alone; may be given several times
    #[arg(long = "service", value_name = "NAME")]
    services: Vec<String>,
    /// Begin of the time: -6h, 2026-11-26T10:00:00Z, or seconds since 1970 [default: a day before its end]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    from: Option<Time>,
    /// End of the time [default: now]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    to: Option<Time>,
    /// Rows to print at most
    #[arg(long, value_name = "NUMBER", default_value_t = 30)]
    rows: u32,
    /// Print the hub's answer as JSON
    #[arg(long)]
    json: bool,
    /// The hub [default: HONE_HUB, or http://127.0.0.1:7007]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The file with a token that has the scope read [default: what HONE_HUB_TOKEN holds]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// A hub's answer.
#[derive(Deserialize)]
struct Answer {
    services: usize,
    #[serde(default)]
    functions: Vec<Function>,
    #[serde(default)]
    callers: Vec<Caller>,
    left_out: usize,
    too_large: Vec<String>,
}

#[derive(Deserialize)]
struct Function {
    function: String,
    service: String,
    #[serde(rename = "self")]
    own: Cores,
    total: Cores,
}

#[derive(Deserialize)]
struct Caller {
    service: String,
    caller: Option<String>,
    cores: Cores,
}

/// Prints what a hub finds.
pub(crate) fn run(args: &Args) -> Result<()> {
    let hub = Client::new(args.url.as_deref(), args.token_file.as_deref(), PATIENCE)?;
    let bytes = ask(&hub, &path(args, now_s()))?;
    let text = String::from_utf8(bytes).context("the hub's answer is no text")?;
    if args.json {
        println!("{}", clean(&text));
        return Ok(());
    }
    let answer: Answer = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} answers something else: see what answers there",
            hub.shown()
        )
    })?;
    print!("{}", told(&answer));
    Ok(())
}

fn ask(hub: &Client, path: &str) -> Result<Vec<u8>> {
    let response = hub.get(&format!("{}{path}", hub.address))?;
    let status = response.status().as_u16();
    let mut bytes = Vec::new();
    let mut body = response
        .into_body()
        .into_reader()
        .take(ANSWER_BYTES_MAX + 1);
    let read = body.read_to_end(&mut bytes);
    if status != 200 {
        let next = match status {
            401 | 403 => ": give a token with the scope read by --token-file or HONE_HUB_TOKEN",
            _ => "",
        };
        return Err(hub.refusal(status, &bytes, next));
    }
    read.context("the answer broke off: ask again")?;
    if bytes.len() as u64 > ANSWER_BYTES_MAX {
        bail!(
            "the answer has more than {ANSWER_BYTES_MAX} bytes: see what answers at {}",
            hub.shown()
        );
    }
    Ok(bytes)
}

/// Returns the path of the question.
fn path(args: &Args, now_s: u64) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("function", &args.function);
    for service in &args.services {
        query.append_pair("service", service);
    }
    for (key, time) in [("from", args.from), ("to", args.to)] {
        if let Some(time) = time {
            query.append_pair(key, &time.seconds(now_s).to_string());
        }
    }
    query.append_pair("rows", &args.rows.to_string());
    let what = if args.callers { "callers" } else { "search" };
    format!("/v1/{what}?{}", query.finish())
}

/// Returns the answer as a table.
fn told(answer: &Answer) -> String {
    let functions = answer.functions.iter();
    let functions = functions.map(|row| {
        let Function {
            function,
            service,
            own,
            total,
        } = row;
        [
            in_words(*total),
            in_words(*own),
            clean(service),
            clean(function),
        ]
    });
    let callers = answer.callers.iter().map(|row| {
        let caller = row.caller.as_deref().unwrap_or("(nobody: outermost)");
        [
            in_words(row.cores),
            String::new(),
            clean(&row.service),
            clean(caller),
        ]
    });
    let head = match answer.callers.is_empty() {
        true => ["cores", "in itself", "service", "function"],
        false => ["cores", "", "service", "caller"],
    };
    let rows: Vec<[String; 4]> = functions.chain(callers).collect();
    let mut text = match rows.is_empty() {
        true => "no function of that name has samples in that time\n".to_owned(),
        false => table(head, &rows),
    };
    let mut tell = |line: String| text += &line;
    tell(format!("services searched: {}\n", answer.services));
    if answer.left_out > 0 {
        tell(format!(
            "{} more rows are left out: raise --rows, or give more of the name\n",
            answer.left_out
        ));
    }
    if !answer.too_large.is_empty() {
        tell(format!(
            "not searched, since they have too many different rows: {}; ask for a shorter time\n",
            clean(&answer.too_large.join(", "))
        ));
    }
    text
}

/// Returns columns, of which the first two are numbers; an empty one is left out.
fn table(head: [&str; 4], rows: &[[String; 4]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).max(head[column].len())
    };
    let widths = [0, 1, 2].map(width);
    let mut text = String::new();
    let mut line = |[total, own, service, name]: [&str; 4]| {
        let [total_wide, own_wide, service_wide] = widths;
        let own = match own_wide {
            0 => String::new(),
            wide => format!("{own:>wide$}  "),
        };
        // A string takes all that is written to it.
        let _ = writeln!(
            text,
            "{total:>total_wide$}  {own}{service:service_wide$}  {name}"
        );
    };
    line(head);
    for row in rows {
        line([&row[0], &row[1], &row[2], &row[3]]);
    }
    text
}

fn time(text: &str) -> Result<Time, String> {
    Time::parse(text).map_err(|error| {
        format!("{error}: write -6h, now, 2026-11-26T10:00:00Z, or seconds since 1970")
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        let words = ["search"].iter().chain(words);
        Line::try_parse_from(words).unwrap().args
    }

    #[test]
    fn words_become_a_question() {
        let asked = args(&[
            "a<b> c",
            "--service",
            "x&y",
            "--from",
            "-6h",
            "--to",
            "90000",
        ]);
        assert_eq!(
            path(&asked, 100_000),
            "/v1/search?function=a%3Cb%3E+c&service=x%26y&from=78400&to=90000&rows=30"
        );
        let callers = args(&["--callers", "f", "--rows", "5"]);
        assert_eq!(path(&callers, 0), "/v1/callers?function=f&rows=5");
        let wrong = Line::try_parse_from(["search", "f", "--from", "yesterday"]);
        let wrong = wrong.err().unwrap().to_string();
        assert!(wrong.contains("\"yesterday\" is not a time"), "{wrong}");
    }

    #[test]
    fn an_answer_becomes_a_table() {
        let answer = r#"{"services": 3, "left_out": 2, "too_large": ["huge"], "functions": [
            {"function": "parse\u001b[2J", "service": "checkout", "self": [0, 0], "total": [12.345, 0.123]},
            {"function": "parse_json", "service": "till", "self": [1.5, 0.01], "total": [1.5, 0.01]}]}"#;
        let expected = "\
cores  in itself  service   function
12.35 ± 0.12  0.00 ± 0.00  checkout  parse[2J
1.500 ± 0.010  1.500 ± 0.010  till      parse_json
";
        let told = told(&serde_json::from_str(answer).unwrap());
        let words = |text: &str| -> Vec<Vec<String>> {
            let lines = text.lines();
            let words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect());
            words.collect()
        };
        assert_eq!(words(&told)[..3], words(expected));
        for line in [
            "services searched: 3",
            "2 more rows",
            "too many different rows: huge",
        ] {
            assert!(told.contains(line), "{told}");
        }
    }

    #[test]
    fn callers_have_one_number() {
        let answer = r#"{"services": 1, "left_out": 0, "too_large": [], "callers": [
            {"service": "shop", "caller": "main", "cores": [1, 0.25]},
            {"service": "shop", "caller": null, "cores": [0.5, 0.25]}]}"#;
        let expected = "      cores  service  caller
1.00 ± 0.25  shop     main
0.50 ± 0.25  shop     (nobody: outermost)
services searched: 1
";
        assert_eq!(told(&serde_json::from_str(answer).unwrap()), expected);
        let none = r#"{"services": 4, "left_out": 0, "too_large": [], "functions": []}"#;
        let told = told(&serde_json::from_str(none).unwrap());
        assert!(told.starts_with("no function of that name"), "{told}");
    }
}
