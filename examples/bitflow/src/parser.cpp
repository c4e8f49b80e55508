#include "parser.h"
#include <algorithm>

Program Parser::program() {
    Program all;
    while (lexer.peek().kind != Token::End)
        all.functions.push_back(function());
    all.errors = errors;
    return all;
}

Function Parser::function() {
    Function made;
    now = &made;
    names.clear();
    at = open();
    lexer.expect("fn");
    made.name = lexer.take().text;
    lexer.expect("(");
    while (!lexer.accept(")")) {
        variable(lexer.take().text);
        lexer.accept(",");
    }
    made.parameters = made.variables;
    body();
    emit({Op::Return, -1, 0});
    made.link();
    return made;
}

void Parser::body() {
    lexer.expect("{");
    while (!lexer.accept("}")) {
        if (lexer.peek().kind == Token::End)
            throw SyntaxError("the file ends in a body", lexer.peek().line);
        try {
            statement();
        } catch (const SyntaxError &) {
            errors++;
            recover();
        }
    }
}

void Parser::recover() {
    while (lexer.peek().kind != Token::End && lexer.peek().text != "}" && !lexer.accept(";"))
        lexer.take();
}

void Parser::statement() {
    if (lexer.accept("while")) {
        int head = open();
        now->blocks[at].next.push_back(head);
        at = head;
        int tested = expression();
        int before = at, inside = open();
        at = inside;
        body();
        now->blocks[at].next.push_back(head);
        int after = open();
        at = before;
        emit({Op::Branch, -1, tested});
        now->blocks[before].next = {inside, after};
        at = after;
    } else if (lexer.accept("if")) {
        int tested = expression();
        int before = at, then = open();
        emit({Op::Branch, -1, tested});
        at = then;
        body();
        int end_of_then = at, otherwise = open();
        at = otherwise;
        if (lexer.accept("else"))
            body();
        int after = open();
        now->blocks[end_of_then].next.push_back(after);
        now->blocks[at].next.push_back(after);
        now->blocks[before].next = {then, otherwise};
        at = after;
    } else if (lexer.accept("return")) {
        int value = expression();
        lexer.expect(";");
        emit({Op::Return, -1, value});
    } else {
        Token name = lexer.take();
        if (name.kind != Token::Name)
            throw SyntaxError("no statement begins with " + name.text, name.line);
        lexer.expect("=");
        int value = expression();
        lexer.expect(";");
        int target = variable(name.text);
        emit({Op::Copy, target, value});
    }
}

int Parser::expression() {
    int left = sum();
    while (lexer.accept("<"))
        left = emit({Op::Less, fresh(), left, sum()});
    return left;
}

int Parser::sum() { return chain(&Parser::product, {{"+", Op::Add}, {"-", Op::Sub}, {"|", Op::Or}}); }

int Parser::product() { return chain(&Parser::atom, {{"*", Op::Mul}, {"&", Op::And}}); }

// Operands with one of these signs between any two, from left to right.
int Parser::chain(int (Parser::*operand)(), std::initializer_list<std::pair<const char *, Op>> signs) {
    int left = (this->*operand)();
    for (;;) {
        auto sign = std::find_if(signs.begin(), signs.end(), [&](auto &one) { return lexer.accept(one.first); });
        if (sign == signs.end())
            return left;
        int right = (this->*operand)();
        left = emit({sign->second, fresh(), left, right});
    }
}

int Parser::atom() {
    Token token = lexer.take();
    if (token.kind == Token::Number)
        return emit({Op::Constant, fresh(), -1, -1, token.value});
    if (token.text == "(") {
        int inner = expression();
        lexer.expect(")");
        return inner;
    }
    if (token.kind != Token::Name)
        throw SyntaxError("no expression begins with " + token.text, token.line);
    if (!lexer.accept("("))
        return variable(token.text);
    int argument = expression();
    lexer.expect(")");
    return emit({Op::Call, fresh(), argument});
}

int Parser::variable(const std::string &name) {
    auto [place, is_new] = names.try_emplace(name, now->variables);
    if (is_new)
        now->variables++;
    return place->second;
}

int Parser::emit(Inst inst) {
    now->blocks[at].code.push_back(inst);
    return inst.target;
}

int Parser::open() {
    now->blocks.emplace_back();
    return static_cast<int>(now->blocks.size()) - 1;
}
