#pragma once
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>

struct SyntaxError : std::runtime_error {
    int line;
    SyntaxError(const std::string &text, int line) : std::runtime_error(text), line(line) {}
};

struct Token {
    enum Kind { Name, Number, Sign, End } kind;
    std::string text;
    std::int64_t value;
    int line;
};

class Lexer {
public:
    explicit Lexer(std::istream &input) : input(input) { advance(); }
    const Token &peek() const { return current; }
    Token take() {
        Token taken = current;
        advance();
        return taken;
    }
    bool accept(const char *text) {
        if (current.text != text || current.kind == Token::Number)
            return false;
        advance();
        return true;
    }
    void expect(const char *text) {
        if (!accept(text))
            throw SyntaxError("expected " + std::string(text) + ", found " + current.text, current.line);
    }

private:
    void advance();
    std::istream &input;
    Token current;
    int line = 1;
};
