// A sink that writes down the messages that come.
#pragma once

#include <string>

#include "mocks.hpp"

namespace hone::mesh::testing {

// Recorder writes down one message.
class Recorder : public MessageSink {
 public:
  void on_head(Head head) override {
    seen += "[" + (head.status != 0
                       ? std::to_string(head.status)
                       : std::string(head.method) + " " + std::string(head.authority) + std::string(head.path));
    for (const Header& header : head.headers.items()) {
      seen += " " + std::string(header.name) + "=" + std::string(header.value);
    }
    seen += (head.upgrade.empty() ? "" : " ") + std::string(head.upgrade);
    seen += head.body.kind == Body::Kind::kSized      ? " +" + std::to_string(head.body.size) + "]"
            : head.body.kind == Body::Kind::kStreamed ? " ++]"
                                                      : "]";
  }
  void on_body(Slice slice) override {
    body_bytes += slice.bytes.size();
    if (body_bytes < 100) seen += slice.bytes;
  }
  void on_end(Headers trailers) override {
    for (const Header& header : trailers.items()) {
      seen += " " + std::string(header.name) + "=" + std::string(header.value);
    }
    seen += ".";
  }
  void on_reset(Reset reason) override { seen += word_of(reason); }
  void on_room() override { seen += "room"; }

  Exchange* exchange = nullptr;
  std::string seen;
  std::size_t body_bytes = 0;
};

}  // namespace hone::mesh::testing
