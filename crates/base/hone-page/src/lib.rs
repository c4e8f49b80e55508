//! What the pages of all commands share: one stylesheet with the elements that it knows, and one script.
//!
//! A page embeds [`STYLE`] and [`SCRIPT`] before its own, as they are in the source. Nothing is built, and nothing is asked of a network. Colours are names
//! (`--ink` on `--paper`), which `ui/page.css` gives values for light and for dark: a page has no colour of its own for text, lines and controls.

pub mod escape;

/// Colours, type and elements of every page.
pub const STYLE: &str = include_str!("../ui/page.css");

/// Functions for scripts of pages: `copied` puts a text into the clipboard, `save` has the browser save a file.
pub const SCRIPT: &str = include_str!("../ui/page.js");
