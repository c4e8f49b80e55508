//! Instructions to put the winner into the user's own build.

use super::markup::Html;
use super::{empty, scrolling_table, section};
use crate::markdown;
use crate::model::{Flags, LadderReport, Recipe};
use crate::sentences::{self, Standing};

/// Writes the section.
pub(super) fn recipe(html: &mut Html, report: &LadderReport) {
    section(
        html,
        "recipe",
        "Put the winner into your own build",
        |html| {
            let Some(recipe) = &report.recipe else {
                empty(
                    html,
                    "Nothing was kept, so there is nothing to put into your build.",
                );
                return;
            };
            if let Some(winner) = sentences::winner(report) {
                html.leaf(
                    "p",
                    &[("class", &"lead")],
                    format_args!("The winner is {winner}."),
                );
            }
            if sentences::headline(report).standing != Standing::Confirmed {
                html.leaf(
                    "p",
                    &[("class", &"caution")],
                    "Measured afresh, its gain was not confirmed. Do not ship it for speed.",
                );
            }
            block(html, "Shell lines", &recipe.shell);
            flags(html, &recipe.flags);
            files(html, recipe);
            if !recipe.deploy.is_empty() {
                html.leaf("h3", &[], "What deploying it means");
                html.inside("ul", &[], |html| {
                    for sentence in &recipe.deploy {
                        html.leaf("li", &[], sentence);
                    }
                });
            }
            html.leaf("h3", &[], "For the pull request");
            block(html, "Summary in Markdown", &markdown::summary(report));
        },
    );
}

fn flags(html: &mut Html, flags: &Flags) {
    let environment = flags.environment();
    let groups = [
        ("Added to every compilation", flags.compile.join(" ")),
        ("Added to every link", flags.link.join(" ")),
        ("Environment of the running program", environment.join("\n")),
        ("Run on the linked binary", flags.post_link.join("\n")),
    ];
    for (title, lines) in groups {
        if !lines.is_empty() {
            block(html, title, &lines);
        }
    }
}

fn files(html: &mut Html, recipe: &Recipe) {
    html.leaf("h3", &[], "Files to keep");
    scrolling_table(html, "files", &["File", "What it is"], |html| {
        let binary = (recipe.binary.as_str(), "The winning binary");
        let files = recipe.files.iter();
        let files = files.map(|(path, what)| (path.as_str(), what.as_str()));
        for (path, what) in std::iter::once(binary).chain(files) {
            html.inside("tr", &[], |html| {
                html.inside("th", &[("scope", &"row"), ("class", &"place")], |html| {
                    html.leaf("code", &[], path);
                });
                html.leaf("td", &[], what);
            });
        }
    });
}

/// Writes lines to copy, with a button if scripts run.
fn block(html: &mut Html, title: &'static str, lines: &str) {
    if lines.trim().is_empty() {
        return;
    }
    html.inside("figure", &[("class", &"copy")], |html| {
        html.inside("figcaption", &[], |html| {
            html.leaf("span", &[], title);
            html.leaf(
                "button",
                &[
                    ("type", &"button"),
                    ("class", &"needs-script"),
                    ("data-copy", &"pre"),
                    ("aria-label", &format_args!("Copy: {title}")),
                    ("hidden", &"hidden"),
                ],
                "Copy",
            );
        });
        html.inside("pre", &[("tabindex", &"0")], |html| {
            html.leaf("code", &[], lines.trim_end());
        });
    });
}
