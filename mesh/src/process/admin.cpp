#include "process/admin.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/text.hpp"
#include "http/reply.hpp"
#include "http/target.hpp"
#include "observe/cpu_parts.hpp"

namespace hone::mesh {
namespace {

// The number of operators and scrapers that are served at once.
constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kSpare = 8;

}  // namespace

// Connection answers one request after the other, each by itself.
class Admin::Connection final : public MessageSink {
 public:
  Connection(Admin& admin, Descriptor socket)
      : admin_(admin),
        wire_(admin.parts_.loop, admin.parts_.buffers, admin.parts_.blocks,
              std::make_unique<SocketTransport>(std::move(socket)), admin.limits_,
              {.open = Delegate<MessageSink*(Exchange&)>::of<&Connection::open>(*this),
               .refused = Delegate<void(const http1::Fault&)>::of<&Connection::refused>(*this),
               .greeting = {},
               .greeted = {},
               .ended = Delegate<void()>::of<&Connection::on_ended>(*this)}) {
    wire_.start();
  }

  void on_head(Head head) override {
    const std::string_view path = path_of(head.path);
    // A browser sends this field with every request of a page that may change something.
    if (head.headers.find("origin") != nullptr) return answer(403, kText, "pages of browsers are not answered\n");
    if (path == "/drain") {
      if (head.method != "POST") return answer(405, kText, "ask by POST\n");
      answer(200, kText, "draining\n");
      return admin_.pages_.drain();
    }
    if (path == "/reload") {
      if (head.method != "POST") return answer(405, kText, "ask by POST\n");
      const std::string faults = admin_.pages_.reload();
      return answer(faults.empty() ? 200 : 400, kText, faults.empty() ? "in force\n" : faults);
    }
    if (path == "/restart") {
      if (head.method != "POST") return answer(405, kText, "ask by POST\n");
      const std::string why = admin_.pages_.restart();
      return answer(why.empty() ? 202 : 409, kText, why.empty() ? "begun\n" : why + "\n");
    }
    if (head.method != "GET" && head.method != "HEAD") return answer(405, kText, "ask by GET\n");
    if (path == "/metrics") return answer(200, "text/plain; version=0.0.4", admin_.pages_.metrics());
    if (path == "/clusters") return answer(200, kJson, admin_.pages_.clusters());
    if (path == "/listeners") return answer(200, kJson, admin_.pages_.listeners());
    if (path == "/config") return answer(200, "application/yaml", admin_.pages_.config());
    if (path == "/profile") return profile(query_of(head.path));
    if (path != "/ready") {
      return answer(
          404, kText,
          "pages: /metrics, /clusters, /listeners, /config, /profile, /ready; POST /reload, /restart, /drain\n");
    }
    const std::string_view state = admin_.pages_.state();
    answer(state == kReady ? 200 : 503, kText, std::string(state).append("\n"));
  }
  void on_body(Slice) override {}
  void on_end(Headers) override {}
  void on_reset(Reset) override { stop_profile(); }
  void on_room() override {}

 private:
  MessageSink* open(Exchange& exchange) {
    exchange_ = &exchange;
    return this;
  }
  void refused(const http1::Fault&) {}
  static constexpr std::string_view kText = "text/plain";
  static constexpr std::string_view kJson = "application/json";

  void answer(int status, std::string_view type, const std::string& text) {
    Head head;
    head.status = status;
    head.body = {Body::Kind::kSized, text.size()};
    head.headers.add(exchange_->arena(), HeaderId::kContentType, type);
    exchange_->write_head(head);
    write_copy(*exchange_, admin_.parts_.buffers, text);
    exchange_->write_end({});
  }
  // Answers once the profile is there. The query has "seconds" (10 by default) and "to" (parts, routes, or a form of
  // hone view).
  void profile(std::string_view query) {
    std::string_view form = "parts";
    std::uint64_t seconds = 10;
    while (!query.empty()) {
      std::string_view value = take_until(query, '&');
      const std::string_view name = take_until(value, '=');
      if (name == "to") form = value;
      if (name == "seconds") seconds = number(value).value_or(0);
    }
    constexpr std::array<std::string_view, 4> kForms = {"parts", "routes", "folded", "pprof"};
    if (seconds == 0 || seconds > kMostSeconds || std::find(kForms.begin(), kForms.end(), form) == kForms.end()) {
      return answer(400, kText,
                    "ask for /profile?seconds=10&to=parts: 1 to 600 seconds, parts, routes, folded or pprof\n");
    }
    const bool is_by_route = form == "routes";
    if (is_by_route ? admin_.routes_.is_busy() : admin_.profiler_.is_busy()) {
      return answer(409, kText, "a profile is being taken: ask again later\n");
    }
    if (is_by_route) {
      is_measuring_ = true;
      return admin_.routes_.begin(static_cast<unsigned>(seconds),
                                  Delegate<void(const std::string&)>::of<&Connection::on_routes>(*this));
    }
    are_parts_ = form == "parts";
    const std::string why =
        admin_.profiler_.begin(static_cast<unsigned>(seconds), are_parts_ ? "folded" : form,
                               Delegate<void(const Profiler::Result&)>::of<&Connection::on_profile>(*this));
    is_profiling_ = why.empty();
    if (!why.empty()) answer(500, kText, why + "\n");
  }
  void on_profile(const Profiler::Result& result) {
    is_profiling_ = false;
    if (!result.is_there) return answer(500, kText, result.text);
    answer(200, are_parts_ ? kText : "application/octet-stream", are_parts_ ? cpu_parts(result.text) : result.text);
  }
  void on_routes(const std::string& text) {
    is_measuring_ = false;
    answer(200, kText, text);
  }
  void stop_profile() {
    if (std::exchange(is_profiling_, false)) admin_.profiler_.stop();
    if (std::exchange(is_measuring_, false)) admin_.routes_.stop();
  }
  void on_ended() {
    stop_profile();
    admin_.ended(*this);
  }

  static constexpr std::uint64_t kMostSeconds = 600;

  Admin& admin_;
  http1::ServerConnection wire_;
  Exchange* exchange_ = nullptr;
  bool is_profiling_ = false;
  bool is_measuring_ = false;
  bool are_parts_ = false;
};

Admin::Admin(Parts parts, AdminPages pages, RouteProfile& routes)
    : parts_(parts), pages_(pages), profiler_(parts), routes_(routes), graveyard_(parts.loop) {
  keep_spare();
}

Admin::~Admin() {
  listen({});
}

void Admin::listen(Descriptor listening) {
  pause();
  listening_ = std::move(listening);
  resume();
}

void Admin::pause() {
  if (watch_) parts_.loop.forget(*watch_);
  watch_.reset();
}

void Admin::resume() {
  if (!listening_) return;
  watch_.emplace(listening_.get(), Delegate<void(Ready)>::of<&Admin::on_ready>(*this));
  parts_.loop.watch(*watch_, {.readable = true});
}

void Admin::on_ready(Ready) {
  Accepted accepted = accept_from(listening_.get());
  while (accepted.error == EMFILE && !spare_.empty()) {
    spare_.pop_back();
    accepted = accept_from(listening_.get());
  }
  if (accepted.error != 0 || connections_.size() == kMostConnections) return;
  connections_.push_back(std::make_unique<Connection>(*this, std::move(accepted.socket)));
}

void Admin::keep_spare() {
  while (spare_.size() < kSpare) {
    Descriptor one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!one) return;
    spare_.push_back(std::move(one));
  }
}

void Admin::ended(Connection& connection) {
  graveyard_.take_from(connections_, connection);
  keep_spare();
}

}  // namespace hone::mesh
