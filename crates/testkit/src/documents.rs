//! Code in README and in the guides, so that tests can tell whether the product takes what its documents show.

use std::fs;
use std::path::Path;

/// Folders of docs with guides, by product.
pub const GUIDES: [&str; 7] = ["see", "optimize", "hub", "agent", "thrift", "rpc", "mesh"];

/// A block of code: fenced, or indented by four columns.
#[derive(Clone, Debug)]
pub struct Block {
    /// Document with the line of the block's first line, such as `docs/see/record.md:3`.
    pub place: String,
    /// Language behind the fence; empty for an indented block.
    pub language: String,
    /// Text without its indentation.
    pub text: String,
}

/// A command line of a document.
#[derive(Clone, Debug)]
pub struct Line {
    /// Document and line of the block that the command stands in.
    pub place: String,
    /// The command's name and its words as a shell would make them. Another command's output, and `PID`, is the word `1`.
    pub words: Vec<String>,
}

/// Returns the blocks of README, of the page about installing, and of all guides.
///
/// # Panics
///
/// Panics if the documents cannot be read, or are fewer than there have ever been.
pub fn blocks() -> Vec<Block> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec!["README.md".to_owned(), "docs/install.md".to_owned()];
    for guides in GUIDES.map(|product| format!("docs/{product}")) {
        let entries = fs::read_dir(root.join(&guides)).expect("a folder of guides");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.filter_map(|name| Some(format!("{guides}/{}", name.to_str()?)));
        documents.extend(names.filter(|name| name.ends_with(".md")));
    }
    documents.sort();
    let found: Vec<Block> = documents
        .iter()
        .flat_map(|name| {
            let text = fs::read_to_string(root.join(name)).expect("a document");
            blocks_of(name, &text)
        })
        .collect();
    assert!(found.len() > 150, "only {} blocks found", found.len());
    found
}

/// Returns the command lines of all blocks that call a program by its name: `hone`, or `hone-hub`, which is also `hone hub`.
pub fn lines_of(program: &str) -> Vec<Line> {
    let names = [vec![program], program.split('-').collect()];
    let mut lines = Vec::new();
    for block in blocks() {
        for words in commands(&block) {
            let is_begin = |name: &&Vec<&str>| {
                let begin = words.get(..name.len());
                begin.is_some_and(|begin| begin.iter().eq(name.iter()))
            };
            if let Some(name) = names.iter().find(is_begin) {
                let own = [program.to_owned()].into_iter();
                lines.push(Line {
                    place: block.place.clone(),
                    words: own.chain(words[name.len()..].iter().cloned()).collect(),
                });
            }
        }
    }
    lines
}

/// Checks that a program's parser takes each of these command lines, and that there are as many as there have ever been.
///
/// # Panics
///
/// Panics with the place, the line and the reason if a line is refused.
#[track_caller]
pub fn must_be_taken<E: std::fmt::Display>(
    lines: &[Line],
    least: usize,
    parse: impl Fn(&[String]) -> Result<(), E>,
) {
    assert!(lines.len() >= least, "only {} lines found", lines.len());
    for line in lines {
        if let Err(error) = parse(&line.words) {
            panic!("{}: {}\n{error}", line.place, line.words.join(" "));
        }
    }
}

fn blocks_of(document: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // The open block, with the columns that its text is indented by, and whether a fence ends it.
    let mut open: Option<(Block, usize, bool)> = None;
    let mut was_empty = true;
    for (at, line) in text.lines().enumerate() {
        let columns = line.len() - line.trim_start().len();
        let fence = line.trim_start().strip_prefix("```");
        if let Some((block, indent, is_fenced)) = &mut open {
            let ends = match is_fenced {
                true => fence.is_some(),
                false => columns < *indent && !line.trim().is_empty(),
            };
            if !ends {
                block.text += line.get(*indent..).unwrap_or_default();
                block.text += "\n";
                continue;
            }
            let was_fenced = *is_fenced;
            blocks.extend(open.take().map(|(block, ..)| block));
            was_empty = false;
            if was_fenced {
                continue;
            }
        }
        let begin = |language: &str, text: String, skipped: usize| Block {
            place: format!("{document}:{}", at + 1 + skipped),
            language: language.into(),
            text,
        };
        if let Some(language) = fence {
            open = Some((begin(language.trim(), String::new(), 1), columns, true));
        } else if was_empty && columns >= 4 {
            let text = format!("{}\n", &line[columns..]);
            open = Some((begin("", text, 0), columns, false));
        }
        was_empty = line.trim().is_empty();
    }
    blocks.extend(open.map(|(block, ..)| block));
    blocks
}

/// Returns the words of each command of a block of shell lines, without redirections: what stands between `|`, `&&`, `||` and `;`.
fn commands(block: &Block) -> Vec<Vec<String>> {
    let is_shell = ["", "sh", "console", "yaml"].contains(&block.language.as_str());
    if !is_shell {
        return Vec::new();
    }
    let mut text = String::new();
    for line in block.text.lines() {
        match line.strip_suffix('\\') {
            Some(line) => text += &format!("{} ", line.trim_end()),
            None => {
                text += &format!(
                    "{}\n",
                    if text.ends_with(' ') {
                        line.trim_start()
                    } else {
                        line
                    }
                )
            }
        }
    }
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start();
        match block.language.as_str() {
            "console" if block.text.contains("$ ") => line.strip_prefix("$ "),
            "yaml" => line.trim_start_matches("- ").strip_prefix("run: "),
            _ => Some(line.trim_start_matches("- ").trim_start_matches("run: ")),
        }
    });
    let mut commands = Vec::new();
    for line in lines {
        let Some(words) = shlex::split(&spaced(line)) else {
            continue;
        };
        for words in words.split(|word| ["|", "&&", "||", ";", "&"].contains(&word.as_str())) {
            let command = words.iter().skip_while(|word| word.contains('='));
            let command = command.take_while(|word| !word.starts_with(['>', '<']));
            // A process id stands for any number.
            let word = |word: &String| {
                if word == "PID" {
                    "1".to_owned()
                } else {
                    word.clone()
                }
            };
            commands.push(command.map(word).collect());
        }
    }
    commands
}

/// Returns a line without its remark, in which operators are words, and variables and commands within it the word 1.
fn spaced(line: &str) -> String {
    let mut spaced = String::new();
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, ' ') if spaced.ends_with("  ") => break,
            (None, '#') if spaced.ends_with(' ') => break,
            (None, '|' | ';') => {
                spaced += &format!(" {character} ");
                continue;
            }
            (None | Some('"'), '$') if characters.peek() == Some(&'(') => {
                let _ = characters.by_ref().find(|character| *character == ')');
                spaced.push('1');
                continue;
            }
            _ => {}
        }
        spaced.push(character);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_fenced_or_indented() {
        let text = "# A\n\n    one\n    two\n\nText\n    goes on\n\n```sh\nthree\n\n  four\n```\n- list\n\n   ```go\n   five\n   ```\n";
        let found: Vec<_> = blocks_of("a.md", text)
            .into_iter()
            .map(|block| (block.place, block.language, block.text))
            .collect();
        let expected = [
            ("a.md:3", "", "one\ntwo\n\n"),
            ("a.md:10", "sh", "three\n\n  four\n"),
            ("a.md:17", "go", "five\n"),
        ];
        let expected = expected.map(|(place, language, text)| {
            (place.to_owned(), language.to_owned(), text.to_owned())
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let of = |text: &str| {
            commands(&Block {
                place: String::new(),
                language: "sh".into(),
                text: text.into(),
            })
        };
        assert_eq!(
            of("A=1 hone top 'a | b'  # why\n"),
            [["hone", "top", "a | b"]]
        );
        assert_eq!(
            of("hone record -p $(pgrep -d, x)    several in one\n"),
            [["hone", "record", "-p", "1"]]
        );
        assert_eq!(
            of("hone view \\\n  -o -|flamegraph.pl > x\n"),
            [vec!["hone", "view", "-o", "-"], vec!["flamegraph.pl"]]
        );
    }
}
