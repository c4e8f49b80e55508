#pragma once
#include "ir.h"
#include "lexer.h"
#include <initializer_list>
#include <map>
#include <utility>

struct Program {
    std::vector<Function> functions;
    int errors = 0;
};

// Reads all functions. A statement that cannot be read is skipped and counted.
class Parser {
public:
    explicit Parser(std::istream &input) : lexer(input) {}
    Program program();

private:
    Function function();
    void body();
    void statement();
    int expression();
    int sum();
    int product();
    int chain(int (Parser::*operand)(), std::initializer_list<std::pair<const char *, Op>> signs);
    int atom();
    int variable(const std::string &name);
    int fresh() { return now->variables++; }
    int emit(Inst inst);
    int open();
    void recover();

    Lexer lexer;
    Function *now = nullptr;
    int at = 0;
    std::map<std::string, int> names;
    int errors = 0;
};
