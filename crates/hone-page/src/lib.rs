//! What the pages of all commands share: one stylesheet, and the elements that it knows.
//!
//! A page embeds [`STYLE`] before its own rules, as it is in the source. Nothing is built, and nothing is asked of a network. Colours are names
//! (`--ink` on `--paper`), which `ui/page.css` gives values for light and for dark: a page has no colour of its own for text, lines and controls.

/// Colours, type and elements of every page.
pub const STYLE: &str = include_str!("../ui/page.css");
