//! Writer of HTML in which text from outside cannot become markup.
//!
//! Tags and attribute names are `&'static str`, so they come from this program's own source; everything else
//! goes through escaping. Elements are closed by construction. There is no way to insert a string from
//! outside as markup.

use std::fmt::{Display, Write};

use hone_page::escape::Escaping;

/// Attributes of an element: names from the source, values escaped.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A piece of HTML under construction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html {
    out: String,
}

impl Html {
    /// Returns an empty piece.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the finished markup.
    pub fn into_string(self) -> String {
        self.out
    }

    /// Writes the document type, which comes before everything else.
    pub fn doctype(&mut self) {
        self.out.push_str("<!doctype html>\n");
    }

    /// Writes text, escaped.
    pub fn text(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(Escaping(&mut self.out), "{text}");
    }

    /// Writes an element with the content that `body` writes.
    pub fn inside(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        body: impl FnOnce(&mut Self),
    ) {
        self.open(tag, attributes);
        body(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        if is_block(tag) {
            self.out.push('\n');
        }
    }

    /// Writes an element that holds only text.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.inside(tag, attributes, |html| html.text(text));
    }

    /// Writes an element without content and without an end tag, such as `meta`.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.open(tag, attributes);
    }

    /// Writes a style sheet from this program's own source.
    pub fn style(&mut self, css: &'static str) {
        self.inside("style", &[], |html| html.out.push_str(css));
    }

    /// Writes a script from this program's own source.
    pub fn script(&mut self, javascript: &'static str) {
        self.inside("script", &[], |html| html.out.push_str(javascript));
    }

    /// Writes JSON for machines, in a block that no browser runs. A `<` can occur only within a JSON string, where
    /// its escape means the same; so nothing inside can end the block.
    pub fn json_block(&mut self, id: &'static str, json: &str) {
        let attributes: Attributes<'_> = &[("type", &"application/json"), ("id", &id)];
        let safe = json.replace('<', "\\u003c");
        self.inside("script", attributes, |html| html.out.push_str(&safe));
    }

    fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            let _ = write!(Escaping(&mut self.out), "{value}");
            self.out.push('"');
        }
        self.out.push('>');
    }
}

/// Returns true for elements after which a newline changes nothing but keeps the source readable.
fn is_block(tag: &str) -> bool {
    matches!(
        tag,
        "html"
            | "head"
            | "body"
            | "title"
            | "style"
            | "script"
            | "header"
            | "footer"
            | "main"
            | "nav"
            | "section"
            | "table"
            | "thead"
            | "tbody"
            | "tfoot"
            | "tr"
            | "div"
            | "ul"
            | "ol"
            | "li"
            | "p"
            | "h1"
            | "h2"
            | "h3"
            | "figure"
            | "details"
            | "dl"
            | "pre"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_cannot_open_a_tag_or_end_a_value() {
        let mut html = Html::new();
        let hostile = "\"><img src=x onerror='alert(1)'>&";
        html.leaf("p", &[("title", &hostile)], hostile);
        let escaped = "&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;";
        let expected = format!("<p title=\"{escaped}\">{escaped}</p>\n");
        assert_eq!(html.into_string(), expected);
    }

    #[test]
    fn embedded_json_cannot_end_its_block_and_means_the_same() {
        let mut html = Html::new();
        let json = r#"{"a":"</script><script>alert(1)</script><!--"}"#;
        html.json_block("data", json);
        let page = html.into_string();
        let body = page
            .split_once('>')
            .unwrap()
            .1
            .rsplit_once("</script>")
            .unwrap()
            .0;
        assert!(!body.contains('<'));
        let back: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(back["a"], "</script><script>alert(1)</script><!--");
    }
}
