//! A strict reader of the pages that Hone writes. It knows only what they may hold: elements with quoted
//! attributes, properly nested, and text with every special character escaped. Whatever else stands in a page is an
//! error, even where a browser would forgive it.

const VOID: [&str; 2] = ["meta", "br"];
const RAW: [&str; 2] = ["script", "style"];
const ENTITIES: [&str; 5] = ["amp;", "lt;", "gt;", "quot;", "#39;"];

/// The start tags of a page with the names of their attributes, and its end tags, in order.
pub(crate) fn of(page: &str) -> Result<Vec<String>, String> {
    let mut rest = page
        .strip_prefix("<!doctype html>\n")
        .ok_or("the page does not start with its document type")?;
    let mut open: Vec<String> = Vec::new();
    let mut out = Vec::new();
    while let Some(at) = rest.find('<') {
        text(&rest[..at])?;
        rest = &rest[at + 1..];
        if let Some(end) = rest.strip_prefix('/') {
            let (name, after) = end.split_once('>').ok_or("an end tag has no end")?;
            match open.pop() {
                Some(expected) if expected == name => {}
                other => return Err(format!("</{name}> ends {other:?}")),
            }
            out.push(format!("/{name}"));
            rest = after;
            continue;
        }
        let (name, attributes, after) = start_tag(rest)?;
        rest = after;
        out.push(format!("{name} {}", attributes.join(" ")));
        if RAW.contains(&name) {
            let end = format!("</{name}");
            let at = rest.find(&end).ok_or(format!("<{name}> has no end"))?;
            rest = &rest[at..];
        }
        if !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    text(rest)?;
    if open.is_empty() {
        Ok(out)
    } else {
        Err(format!("never ended: {open:?}"))
    }
}

/// Name, attribute names and what follows, of a tag whose `<` was read.
fn start_tag(tag: &str) -> Result<(&str, Vec<&str>, &str), String> {
    let end = tag
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(tag.len());
    let (name, mut rest) = tag.split_at(end);
    if name.is_empty() {
        return Err(format!("a lone < before {:?}", start(tag)));
    }
    let mut attributes = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((name, attributes, after));
        }
        let attribute = rest
            .strip_prefix(' ')
            .ok_or(format!("in <{name}: {:?}", start(rest)))?;
        let (key, value) = attribute
            .split_once("=\"")
            .ok_or("an attribute has no value")?;
        if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("attribute {key:?} in <{name}"));
        }
        let (value, after) = value.split_once('"').ok_or("a value has no end")?;
        text(value)?;
        if value.contains('<') {
            return Err(format!("{key} holds <"));
        }
        attributes.push(key);
        rest = after;
    }
}

/// Text in which everything special is escaped.
fn text(text: &str) -> Result<(), String> {
    if text.contains(['>', '"', '\''])
        || text.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
    {
        return Err(format!("not escaped: {text:?}"));
    }
    for after in text.split('&').skip(1) {
        if !ENTITIES.iter().any(|entity| after.starts_with(entity)) {
            return Err(format!("a lone & before {:?}", start(after)));
        }
    }
    Ok(())
}

fn start(text: &str) -> String {
    text.chars().take(30).collect()
}
