//! Response files: files with arguments, passed as `@FILE` if there are many.

/// Splits a response file into words: separated by white space, with quotes and backslashes as GCC and clang read them.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, None) if character.is_ascii_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_unless_quoted() {
        assert_eq!(words("-o\na.out\n  b.o "), ["-o", "a.out", "b.o"]);
        assert_eq!(
            words(r#""a b" 'c "d' e\ f '' g"h i"j"#),
            ["a b", "c \"d", "e f", "", "gh ij"]
        );
        assert!(words(" \n").is_empty());
    }
}
