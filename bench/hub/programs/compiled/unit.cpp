// What a C++ compiler has to do with a file that uses the standard library.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct Row {
    std::string name;
    std::variant<int, double, std::string> value;
    bool operator<(const Row& other) const { return name < other.name; }
};

template <int N> std::map<std::string, Row> table(const std::vector<Row>& rows) {
    std::map<std::string, Row> found;
    for (const auto& row : rows) {
        if (row.name.size() % (N + 2) == 0) found.emplace(row.name, row);
    }
    return found;
}

std::string joined(std::vector<Row> rows) {
    std::sort(rows.begin(), rows.end());
    std::ostringstream out;
    std::regex word("[a-z]+[0-9]*");
    for (auto& row : rows) {
        std::smatch match;
        if (std::regex_search(row.name, match, word)) out << match.str() << ' ';
        std::visit([&](auto& value) { out << value; }, row.value);
    }
    return out.str();
}

int counted(const std::vector<Row>& rows) {
    return int(table<0>(rows).size() + table<1>(rows).size() + table<2>(rows).size() + table<3>(rows).size() + table<4>(rows).size());
}
