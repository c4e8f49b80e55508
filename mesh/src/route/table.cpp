#include "route/table.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh {

std::uint32_t Forward::pick(Random& random) const {
  if (shares.size() == 1) return shares.front().cluster;
  std::uint32_t left = random.below(total_weight);
  for (const Share& share : shares) {
    if (left < share.weight) return share.cluster;
    left -= share.weight;
  }
  return shares.back().cluster;
}

RouteList::RouteList(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (std::uint32_t at = 0; at < routes_.size(); ++at) {
    const PathMatch& path = routes_[at].match.path;
    const bool is_exact = path.kind == PathMatch::Kind::kExact;
    (is_exact ? exact_[path.text] : others_).push_back(at);
  }
}

const Route* RouteList::find(const Head& head) const {
  static const std::vector<std::uint32_t> none;
  const auto found = exact_.empty() ? exact_.end() : exact_.find(path_of(head.path));
  const std::vector<std::uint32_t>& exact = found == exact_.end() ? none : found->second;
  // Both lists are merged in one order: the first route that was written wins.
  auto next_exact = exact.begin();
  auto next_other = others_.begin();
  while (next_exact != exact.end() || next_other != others_.end()) {
    const bool is_exact = next_other == others_.end() || (next_exact != exact.end() && *next_exact < *next_other);
    const Route& route = routes_[is_exact ? *next_exact++ : *next_other++];
    if (route.match.matches(head)) return &route;
  }
  return nullptr;
}

std::optional<std::string> HostTable::add(const std::vector<std::string>& names, RouteList routes) {
  const RouteList* const list = lists_.emplace_back(std::make_unique<const RouteList>(std::move(routes))).get();
  for (const std::string& name : names) {
    bool is_new = true;
    if (name == "*") {
      is_new = any_ == nullptr;
      any_ = list;
    } else if (name.starts_with("*.")) {
      is_new = suffixes_.emplace(name.substr(1), list).second;
    } else {
      is_new = exact_.emplace(name, list).second;
    }
    if (!is_new) return name;
  }
  return std::nullopt;
}

const Route* HostTable::find(const Head& head) const {
  const RouteList* const list = list_for(head.authority);
  return list == nullptr ? nullptr : list->find(head);
}

const RouteList* HostTable::list_for(std::string_view authority) const {
  if (exact_.empty() && suffixes_.empty()) return any_;
  std::string host(host_of(authority));
  std::transform(host.begin(), host.end(), host.begin(), lower);
  if (const auto found = exact_.find(host); found != exact_.end()) return found->second;
  if (suffixes_.empty()) return any_;
  for (std::size_t dot = host.find('.', 1); dot != host.npos; dot = host.find('.', dot + 1)) {
    if (const auto found = suffixes_.find(host.substr(dot)); found != suffixes_.end()) return found->second;
  }
  return any_;
}

}  // namespace hone::mesh
