#include "xds/client.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/memory.hpp"
#include "envoy/parts.hpp"

namespace hone::mesh::xds {
namespace {

constexpr Duration kBetweenLooks = std::chrono::seconds(1);
constexpr Duration kFirstPause = std::chrono::milliseconds(500);
constexpr Duration kLongestPause = std::chrono::seconds(30);
// The time before the same refusal is sent again, since some control planes repeat their response at once.
constexpr Duration kBetweenRefusals = std::chrono::seconds(1);
// The time before changes are kept, so that changes one after the other are kept together.
constexpr Duration kKeepAfter = std::chrono::seconds(1);
// The size of a response that takes much memory for a while.
constexpr std::size_t kLarge = 1 << 20;
// The most bytes of text in a refusal.
constexpr std::size_t kMostText = 4096;

void say(const std::string& text) {
  std::fprintf(stderr, "hone-mesh: control plane: %s\n", text.c_str());
}

std::string joined(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& one : faults) text.append(text.empty() ? "" : "; ").append(one);
  if (text.size() <= kMostText) return text;
  // The text does not end within a letter: only UTF-8 can be sent.
  std::size_t size = kMostText;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  text.resize(size);
  return text;
}

std::vector<std::string> difference(const std::set<std::string>& of, const std::set<std::string>& without) {
  std::vector<std::string> all;
  std::set_difference(of.begin(), of.end(), without.begin(), without.end(), std::back_inserter(all));
  return all;
}

}  // namespace

Client::Client(Parts parts, ControlPlaneSpec spec, const ClusterSpec* planes, std::optional<AccessLogSpec> log,
               Host host)
    : parts_(parts),
      spec_(std::move(spec)),
      log_(std::move(log)),
      host_(host),
      again_(spec_.files.empty() ? Delegate<void()>::of<&Client::connect>(*this)
                                 : Delegate<void()>::of<&Client::look_at_files>(*this)),
      pause_(kFirstPause),
      refuse_late_(Delegate<void()>::of<&Client::refuse_late>(*this)),
      keep_(Delegate<void()>::of<&Client::keep>(*this)) {
  if (planes == nullptr) {
    look_at_files();
    return;
  }
  ClusterSpec own = planes->with_own_totals();
  own.is_kept_alive = true;
  for (const EndpointSpec& endpoint : own.endpoints) {
    const Call::Events events{.opened = Delegate<void()>::of<&Client::on_open>(*this),
                              .message = Delegate<void(std::string_view)>::of<&Client::on_message>(*this),
                              .ended = Delegate<void(const std::string&)>::of<&Client::on_ended>(*this)};
    calls_.push_back(std::make_unique<Call>(parts_, own, endpoint.address, events));
  }
  if (!spec_.keep.empty() && ::access(spec_.keep.c_str(), F_OK) == 0) serve_kept();
  parts_.loop.set(again_, parts_.loop.now());
}

Client::~Client() {
  if (keep_.is_set()) keep();
}

// The stream.

void Client::connect() {
  calls_[at_]->open(std::string(method_of(spec_.is_delta)));
}

void Client::on_open() {
  say("connected");
  has_told_node_ = false;
  for (const Kind kind : kKinds) {
    Asking& asking = of(kind);
    asking.nonce.clear();
    asking.refused_version.clear();
    asking.late_refusal.reset();
    asking.names.clear();
    // The versions of known resources are sent, so that the first response has only the differences.
    asking.is_whole_next = !spec_.is_delta || store_.of(kind).empty();
  }
  for (const Kind kind : kKinds) ask_first(kind);
}

void Client::on_ended(const std::string& why) {
  say(why + "; what was said stays in force");
  at_ = (at_ + 1) % calls_.size();
  // The pause is random, so that processes that have lost a control plane together do not come back together.
  const auto most_us = static_cast<std::uint32_t>(pause_.count() / 1000);
  const Duration pause = pause_ / 2 + std::chrono::microseconds(parts_.random.below(most_us / 2 + 1));
  pause_ = std::min(pause_ * 2, kLongestPause);
  parts_.loop.set(again_, parts_.loop.now() + pause);
}

void Client::on_message(std::string_view bytes) {
  std::optional<Response> response = parse_response(bytes, spec_.is_delta);
  if (!response || !response->kind) {
    return say(!response ? "a response cannot be read" : "nobody asked for " + response->url);
  }
  pause_ = kFirstPause;
  const std::vector<std::string> faults = take(*response);
  answer(*response, faults);
  for (const Kind kind : kKinds) {
    if (is_by_name(kind) && !is_by_name(*response->kind)) ask_for_names(kind);
  }
  if (bytes.size() > kLarge) {
    response.reset();
    give_memory_back();
  }
}

// Requests.

void Client::send(Request request) {
  if (!std::exchange(has_told_node_, true)) request.node = &spec_.node;
  calls_[at_]->send(bytes_of(request, spec_.is_delta));
}

std::set<std::string> Client::names_of(Kind kind) const {
  std::set<std::string> names;
  for (const auto& [name, users] : of(kind).users) names.insert(names.end(), name);
  return names;
}

void Client::ask_first(Kind kind) {
  if (is_by_name(kind)) return ask_for_names(kind);
  send({.kind = kind, .names = {}, .known = spec_.is_delta ? &store_.of(kind) : nullptr, .version = of(kind).version});
}

void Client::ask_for_names(Kind kind) {
  Asking& asking = of(kind);
  const std::set<std::string> wanted = names_of(kind);
  if (wanted == asking.names) return;
  const bool is_first = asking.names.empty() && asking.nonce.empty();
  const std::vector<std::string> gone = difference(asking.names, wanted);
  // A request without names would ask for all resources.
  if (!spec_.is_delta && wanted.empty()) return;
  send({.kind = kind,
        .names = difference(wanted, spec_.is_delta ? asking.names : std::set<std::string>()),
        .names_gone = gone,
        .known = spec_.is_delta && is_first ? &store_.of(kind) : nullptr,
        .version = asking.version,
        .nonce = spec_.is_delta ? "" : asking.nonce});
  for (const std::string& name : gone) store_.of(kind).erase(name);
  asking.names = wanted;
}

void Client::answer(const Response& response, const std::vector<std::string>& faults) {
  Asking& asking = of(*response.kind);
  asking.nonce = response.nonce;
  Request request{.kind = *response.kind, .names = {}, .nonce = response.nonce, .refusal = joined(faults)};
  if (faults.empty()) {
    ++taken_;
    asking.version = response.version;
  } else {
    ++refused_;
  }
  const bool is_again =
      !faults.empty() && std::exchange(asking.refused_version, response.version) == response.version && !spec_.is_delta;
  if (!is_again) {
    for (const std::string& fault : faults) say("refused: " + fault);
  }
  if (!spec_.is_delta) {
    asking.names = names_of(request.kind);
    request.names = {asking.names.begin(), asking.names.end()};
    request.version = asking.version;
    if (is_again) {
      asking.late_refusal = std::move(request);
      if (!refuse_late_.is_set()) parts_.loop.set(refuse_late_, parts_.loop.now() + kBetweenRefusals);
      return;
    }
  }
  send(std::move(request));
}

void Client::refuse_late() {
  for (Asking& asking : kinds_) {
    if (asking.late_refusal) send(*std::exchange(asking.late_refusal, std::nullopt));
  }
}

// Responses.

std::vector<std::string> Client::take(Response& response) {
  const Kind kind = *response.kind;
  Asking& asking = of(kind);
  const bool is_whole = !is_by_name(kind) && (asking.is_whole_next || !spec_.is_delta);
  asking.is_whole_next = false;
  const Before changed = put(kind, response, is_whole);
  Update update{.origin = Origin::kControlPlane, .is_whole = false};
  std::vector<std::string> faults;
  // Resources that are gone make room for new ones.
  for (const auto& [name, before] : changed) {
    if (!store_.of(kind).contains(name)) forget(kind, name, update);
  }
  for (const auto& [name, before] : changed) {
    if (store_.of(kind).contains(name) && !make(kind, name, update, faults)) put_back(kind, name, before);
  }
  // Another control plane may have sent resources that this one does not have.
  if (is_whole && !asking.is_known) forget_others(kind, update);
  asking.is_known = true;
  const std::string problem = host_.serve(std::move(update));
  if (!problem.empty()) {
    faults.push_back(problem);
    for (const auto& [name, before] : changed) put_back(kind, name, before);
  }
  if (!changed.empty()) keep_soon();
  return faults;
}

// Puts resources into the store. Returns the earlier resources of all names whose resource has changed.
Client::Before Client::put(Kind kind, Response& response, bool is_whole) {
  Resources& all = store_.of(kind);
  Before changed;
  if (is_whole) {
    for (const auto& [name, one] : all) {
      if (!response.resources.contains(name)) response.gone.push_back(name);
    }
  }
  for (const std::string& name : response.gone) {
    const auto found = all.find(name);
    // A resource that is requested by name goes when nothing names it any more, and not before.
    if (found == all.end() || is_by_name(kind)) continue;
    changed.emplace(name, std::move(found->second));
    all.erase(found);
  }
  for (auto& [name, one] : response.resources) {
    // Some control planes send more resources than those that are requested by name.
    if (is_by_name(kind) && !of(kind).users.contains(name)) continue;
    const auto found = all.find(name);
    if (found != all.end() && found->second.bytes == one.bytes) {
      found->second.version = std::move(one.version);
      continue;
    }
    changed.emplace(name, found == all.end() ? std::nullopt : std::optional(std::move(found->second)));
    all.insert_or_assign(name, std::move(one));
  }
  return changed;
}

void Client::put_back(Kind kind, const std::string& name, const std::optional<Resource>& before) {
  if (before) {
    store_.of(kind).insert_or_assign(name, *before);
  } else {
    store_.of(kind).erase(name);
  }
}

bool Client::make(Kind kind, const std::string& name, Update& update, std::vector<std::string>& faults) {
  if (kind == Kind::kClusters) return make_cluster(name, update, faults);
  if (kind == Kind::kListeners) return make_listener(name, update, faults);
  const auto found = of(kind).users.find(name);
  if (found == of(kind).users.end()) return true;
  bool is_right = true;
  for (const auto& [of, user] : std::set<User>(found->second)) {
    if (of == Kind::kListeners) {
      is_right &= make_listener(user, update, faults);
    } else if (kind == Kind::kSecrets) {
      is_right &= renew_secrets(user, update, faults);
    } else {
      is_right &= fill_cluster(user, update, faults);
    }
  }
  return is_right;
}

// Makes a cluster without its endpoints, and then with them.
bool Client::make_cluster(const std::string& name, Update& update, std::vector<std::string>& faults) {
  Made<ClusterSpec> made = make_cluster_spec(store_, name, host_.names);
  if (made.spec && host_.served.origin_of_cluster(made.spec->number) == Origin::kFile) {
    made.faults.push_back("clusters." + name + ": the file has a cluster of this name");
  }
  faults.insert(faults.end(), made.faults.begin(), made.faults.end());
  if (!made.faults.empty()) return false;
  note_needs({Kind::kClusters, name}, made.needs);
  // The cluster that is served has the same TLS, so that both see files that rotate.
  const auto before = bare_clusters_.find(name);
  if (before != bare_clusters_.end()) made.spec->keep_tls_of(before->second);
  bare_clusters_.insert_or_assign(name, *std::move(made.spec));
  return fill_cluster(name, update, faults);
}

// Gives a cluster the endpoints that it names, and has it served as soon as all of them have come.
bool Client::fill_cluster(const std::string& name, Update& update, std::vector<std::string>& faults) {
  const auto bare = bare_clusters_.find(name);
  if (bare == bare_clusters_.end()) return true;
  if (bare->second.tls != nullptr && bare->second.tls->context() == nullptr) return true;
  ClusterSpec spec = bare->second;
  for (const std::string& needed : needs_of(Kind::kEndpoints, {Kind::kClusters, name})) {
    if (!store_.of(Kind::kEndpoints).contains(needed)) return true;
    std::vector<std::string> wrong;
    set_endpoints(store_, needed, spec, wrong);
    faults.insert(faults.end(), wrong.begin(), wrong.end());
    if (!wrong.empty()) return false;
  }
  update.clusters.push_back(std::move(spec));
  return true;
}

// Gives a cluster other secrets.
bool Client::renew_secrets(const std::string& name, Update& update, std::vector<std::string>& faults) {
  const auto bare = bare_clusters_.find(name);
  if (bare == bare_clusters_.end()) return true;
  std::vector<std::string> wrong;
  set_secrets(store_, *bare->second.tls, wrong);
  faults.insert(faults.end(), wrong.begin(), wrong.end());
  return wrong.empty() && fill_cluster(name, update, faults);
}

bool Client::make_listener(const std::string& name, Update& update, std::vector<std::string>& faults) {
  Made<ListenerSpec> made = make_listener_spec(store_, name, log_, host_.names);
  if (made.spec) {
    const std::string problem = clash_of(*made.spec, update);
    if (!problem.empty()) made.faults.push_back("listeners." + name + ": " + problem);
  }
  faults.insert(faults.end(), made.faults.begin(), made.faults.end());
  if (!made.faults.empty()) return false;
  note_needs({Kind::kListeners, name}, made.needs);
  if (!made.spec) return true;
  // Several secrets of a listener may have come at once, and the listener is made for each of them.
  std::erase_if(update.listeners, [&](const ListenerSpec& other) { return other.name == made.spec->name; });
  update.listeners.push_back(*std::move(made.spec));
  return true;
}

// Returns the reason why a listener clashes with the others; empty where it does not.
std::string Client::clash_of(const ListenerSpec& spec, const Update& update) const {
  if (host_.served.origin_of_listener(spec.name) == Origin::kFile) return "the file has a listener of this name";
  const auto& gone = update.listeners_gone;
  for (const auto& [name, other] : host_.served.listeners()) {
    const bool ends = std::find(gone.begin(), gone.end(), name) != gone.end();
    if (!ends && spec.has_address_of(*other.spec)) return "listener " + name + " has its address";
  }
  for (const ListenerSpec& other : update.listeners) {
    if (spec.has_address_of(other)) return "listener " + other.name + " has its address";
  }
  return {};
}

void Client::note_needs(const User& user, const Needs& needs) {
  for (const Kind kind : kKinds) {
    const auto found = needs.find(kind);
    if (is_by_name(kind)) note_needs(kind, user, found == needs.end() ? std::set<std::string>() : found->second);
  }
}

void Client::note_needs(Kind kind, const User& user, const std::set<std::string>& needs) {
  Asking& asking = of(kind);
  for (const std::string& name : needs_of(kind, user)) {
    if (needs.contains(name)) continue;
    asking.users[name].erase(user);
    if (asking.users[name].empty()) asking.users.erase(name);
  }
  for (const std::string& name : needs) asking.users[name].insert(user);
  if (needs.empty()) {
    asking.needs.erase(user);
  } else {
    asking.needs[user] = needs;
  }
}

std::set<std::string> Client::needs_of(Kind kind, const User& user) const {
  const auto found = of(kind).needs.find(user);
  return found == of(kind).needs.end() ? std::set<std::string>() : found->second;
}

void Client::forget(Kind kind, const std::string& name, Update& update) {
  if (kind == Kind::kClusters) {
    const std::uint32_t number = host_.names.clusters.of(envoy::name_of(name));
    if (host_.served.origin_of_cluster(number) == Origin::kControlPlane) update.clusters_gone.push_back(number);
    note_needs({kind, name}, {});
    bare_clusters_.erase(name);
  } else if (kind == Kind::kListeners) {
    const std::string own = envoy::name_of(name);
    if (host_.served.origin_of_listener(own) == Origin::kControlPlane) update.listeners_gone.push_back(own);
    note_needs({kind, name}, {});
  }
}

void Client::forget_others(Kind kind, Update& update) {
  std::set<std::string> known;
  for (const auto& [name, one] : store_.of(kind)) known.insert(envoy::name_of(name));
  if (kind == Kind::kClusters) {
    for (const auto& [number, one] : host_.served.clusters()) {
      if (one.origin == Origin::kControlPlane && !known.contains(one.spec->name))
        update.clusters_gone.push_back(number);
    }
  } else {
    for (const auto& [name, one] : host_.served.listeners()) {
      if (one.origin == Origin::kControlPlane && !known.contains(name)) update.listeners_gone.push_back(name);
    }
  }
}

// Files with resources.

void Client::look_at_files() {
  std::map<std::string, FileStamp> now;
  for (const std::string& path : spec_.files) now.emplace(path, FileStamp::of(path));
  if (now != files_) {
    files_ = std::move(now);
    take_files();
  }
  parts_.loop.set(again_, parts_.loop.now() + kBetweenLooks);
}

// All files are read together, since the resources in one may need those in another.
void Client::take_files() {
  Store all;
  for (const auto& [path, stamp] : files_) {
    const std::optional<std::string> text = text_of_file(path);
    const std::string problem = text ? add_resources(*text, all) : std::strerror(errno);
    if (problem.empty()) continue;
    ++refused_;
    return say(path + ": " + problem + "; all files stay as they were");
  }
  std::vector<std::string> faults;
  for (const Kind kind : kKinds) {
    Response response;
    response.kind = kind;
    response.resources = std::move(all.of(kind));
    of(kind).is_whole_next = true;
    const std::vector<std::string> some = take(response);
    faults.insert(faults.end(), some.begin(), some.end());
  }
  ++(faults.empty() ? taken_ : refused_);
  for (const std::string& fault : faults) say("refused: " + fault);
}

// Resources kept for the next start.

void Client::serve_kept() {
  const std::string problem = store_.load(spec_.keep);
  if (!problem.empty()) {
    store_ = {};
    return say(problem + "; what was kept is left out");
  }
  Update update{.origin = Origin::kControlPlane};
  std::vector<std::string> faults;
  for (const Kind kind : {Kind::kClusters, Kind::kListeners}) {
    std::vector<std::string> wrong;
    for (const auto& [name, one] : store_.of(kind)) {
      if (!make(kind, name, update, faults)) wrong.push_back(name);
    }
    for (const std::string& name : wrong) store_.of(kind).erase(name);
    of(kind).is_known = true;
  }
  const std::size_t clusters = update.clusters.size();
  const std::size_t listeners = update.listeners.size();
  if (const std::string refusal = host_.serve(std::move(update)); !refusal.empty()) faults.push_back(refusal);
  for (const std::string& fault : faults) say("kept: " + fault);
  say(std::to_string(listeners) + " listeners and " + std::to_string(clusters) +
      " clusters are served as they were kept in " + spec_.keep);
}

void Client::keep_soon() {
  if (!spec_.keep.empty() && !keep_.is_set()) parts_.loop.set(keep_, parts_.loop.now() + kKeepAfter);
}

void Client::keep() {
  keep_.cancel();
  const std::string problem = store_.save(spec_.keep);
  if (!problem.empty()) say(problem + "; what was said is not kept");
}

}  // namespace hone::mesh::xds
