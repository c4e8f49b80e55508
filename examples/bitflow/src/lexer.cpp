#include "lexer.h"
#include <cctype>

void Lexer::advance() {
    int letter = input.get();
    while (letter != EOF && (std::isspace(letter) || letter == '#')) {
        if (letter == '#')
            while (letter != EOF && letter != '\n')
                letter = input.get();
        if (letter == '\n')
            line++;
        letter = input.get();
    }
    current = Token{Token::End, "", 0, line};
    if (letter == EOF)
        return;
    if (std::isalpha(letter)) {
        current.kind = Token::Name;
        for (; letter != EOF && std::isalnum(letter); letter = input.get())
            current.text += static_cast<char>(letter);
        input.unget();
    } else if (std::isdigit(letter)) {
        current.kind = Token::Number;
        for (; letter != EOF && std::isdigit(letter); letter = input.get()) {
            current.value = current.value * 10 + (letter - '0');
            current.text += static_cast<char>(letter);
        }
        input.unget();
    } else {
        current.kind = Token::Sign;
        current.text = static_cast<char>(letter);
    }
}
