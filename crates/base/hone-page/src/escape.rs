//! Text from outside in HTML: it cannot become markup, and no mark in it changes how the rest of its line is read.

use std::fmt::{self, Write};

/// Escapes all characters of a text that mean something in HTML, in an element or in a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = Escaping(&mut out).write_str(text);
    out
}

/// A writer that escapes what is written to it, as [`escape`] does.
pub struct Escaping<'a>(pub &'a mut String);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                '\r' => {}
                c if c.is_control() || is_direction_mark(c) => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

/// Returns true for marks that turn the direction of writing; a name with such a mark could disguise the rest of its line.
pub fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
