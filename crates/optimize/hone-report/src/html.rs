//! The report as one self-contained page: no network, no fonts, no scripts from elsewhere.
//!
//! Everything can be read without JavaScript; the script adds copy buttons and a button that saves the
//! embedded JSON. The page forbids itself every request (Content-Security-Policy), so a report that is
//! opened from a pull request or a ticket cannot tell anybody that it was opened.

pub mod markup;
pub mod plot;

mod evidence;
mod ladder;
mod levers;
mod raw;
mod recipe;
mod verdict;
mod workloads;

use crate::model::LadderReport;
use crate::{json, sentences};
use markup::Html;

/// Id of the block with the embedded JSON.
pub const JSON_BLOCK: &str = "hone-report";

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Anchors and titles of the sections, in their order.
const SECTIONS: [(&str, &str); 8] = [
    ("ladder", "Ladder"),
    ("workloads", "By workload"),
    ("levers", "What each lever did"),
    ("recipe", "Use it"),
    ("noise", "Noise"),
    ("recording", "Recording cost"),
    ("machine", "Machine"),
    ("raw", "Raw numbers"),
];

/// Returns the report as one HTML page.
pub fn render(report: &LadderReport) -> String {
    let mut html = Html::new();
    html.doctype();
    html.inside("html", &[("lang", &"en-GB")], |html| {
        head(html, report);
        html.inside("body", &[], |html| {
            header(html, report);
            html.inside("main", &[], |html| {
                verdict::verdict(html, report);
                navigation(html);
                ladder::ladder(html, report);
                workloads::workloads(html, report);
                levers::levers(html, report);
                recipe::recipe(html, report);
                evidence::noise(html, report);
                evidence::recordings(html, report);
                evidence::machine(html, report);
                raw::raw(html, report);
            });
            footer(html, report);
            html.json_block(JSON_BLOCK, &json::compact(report));
            html.script(hone_page::SCRIPT);
            html.script(include_str!("../ui/report.js"));
        });
    });
    html.into_string()
}

fn head(html: &mut Html, report: &LadderReport) {
    html.inside("head", &[], |html| {
        html.void("meta", &[("charset", &"utf-8")]);
        let policy = (
            "http-equiv",
            &"Content-Security-Policy" as &dyn std::fmt::Display,
        );
        html.void("meta", &[policy, ("content", &POLICY)]);
        let viewport = "width=device-width, initial-scale=1";
        html.void("meta", &[("name", &"viewport"), ("content", &viewport)]);
        html.void(
            "meta",
            &[("name", &"color-scheme"), ("content", &"light dark")],
        );
        let short = sentences::headline(report).short;
        html.leaf("title", &[], format_args!("{}: {short}", report.program));
        html.style(hone_page::STYLE);
        html.style(include_str!("../ui/report.css"));
    });
}

fn header(html: &mut Html, report: &LadderReport) {
    html.inside("header", &[("class", &"top")], |html| {
        html.leaf("p", &[("class", &"kind")], "Optimisation report");
        html.leaf("h1", &[], &report.program);
        html.inside("p", &[("class", &"meta")], |html| {
            let machine = &report.machine;
            html.leaf("span", &[], &report.finished_at);
            html.leaf(
                "span",
                &[],
                format_args!("{} × {}", machine.cpus, machine.cpu),
            );
            html.leaf("span", &[], format_args!("Hone {}", report.hone_version));
        });
    });
}

fn navigation(html: &mut Html) {
    html.inside("nav", &[("aria-label", &"Sections")], |html| {
        for (anchor, title) in SECTIONS {
            html.leaf("a", &[("href", &format_args!("#{anchor}"))], title);
        }
    });
}

fn footer(html: &mut Html, report: &LadderReport) {
    html.inside("footer", &[], |html| {
        html.inside("p", &[], |html| {
            html.text("A gain is CPU old / new: above 1 is better. All numbers of this page stand in it as ");
            html.text("JSON, in the script block ");
            html.leaf("code", &[], JSON_BLOCK);
            html.text(format_args!(" (format {}). ", report.format));
            html.leaf(
                "button",
                &[
                    ("type", &"button"),
                    ("class", &"needs-script"),
                    ("data-save", &JSON_BLOCK),
                    ("hidden", &"hidden"),
                ],
                "Save the JSON",
            );
        });
    });
}

/// Writes a section with its heading.
fn section(
    html: &mut Html,
    anchor: &'static str,
    title: &'static str,
    body: impl FnOnce(&mut Html),
) {
    html.inside("section", &[("id", &anchor)], |html| {
        html.leaf("h2", &[], title);
        body(html);
    });
}

/// Returns prose in which no line breaks between a number and its per cent sign. Not for text that is copied.
fn prose(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Writes the sentence of a section that has nothing to show.
fn empty(html: &mut Html, sentence: &'static str) {
    html.leaf("p", &[("class", &"empty")], sentence);
}

/// Writes a table that scrolls sideways by itself on a narrow screen.
fn scrolling_table(
    html: &mut Html,
    class: &'static str,
    headings: &[&'static str],
    body: impl FnOnce(&mut Html),
) {
    html.inside("div", &[("class", &"scroll"), ("tabindex", &"0")], |html| {
        html.inside(
            "table",
            &[("class", &format_args!("facts {class}"))],
            |html| {
                html.inside("thead", &[], |html| {
                    html.inside("tr", &[], |html| {
                        for heading in headings {
                            html.leaf("th", &[("scope", &"col")], heading);
                        }
                    });
                });
                html.inside("tbody", &[], body);
            },
        );
    });
}
