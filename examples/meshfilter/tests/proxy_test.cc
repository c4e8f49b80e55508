#include <gtest/gtest.h>

#include "fake_stream.h"
#include "proxy/connection.h"

namespace mesh {
namespace {

class FakeUpstream : public Upstream {
 public:
  UpstreamReply exchange(const StreamInfo& info, std::string_view requestHead,
                         HeaderMap& response) override {
    log.append(info.endpoint).append(" ").append(requestHead.substr(0, requestHead.find("\r\n")));
    log.append(";");
    response.add("x-up", "1");
    return {201, 10, 5};
  }
  std::string log;
};

/// Notes every event it sees; may stop a request.
class ProbeFactory : public FilterFactory {
 public:
  ProbeFactory(std::string name, std::string& log) : name_(std::move(name)), log_(log) {}

  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<Probe>(name_, log_, callbacks);
  }

 private:
  class Probe : public StreamFilter {
   public:
    Probe(const std::string& name, std::string& log, StreamCallbacks& callbacks)
        : name_(name), log_(log), callbacks_(callbacks) {}
    FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
      note("h");
      if (headers.get("x-stop") != name_) return FilterStatus::kContinue;
      callbacks_.sendLocalReply(403, "stop", "probe");
      return FilterStatus::kStop;
    }
    FilterStatus onRequestData(std::string_view) override {
      note("d");
      return FilterStatus::kContinue;
    }
    FilterStatus onRequestEnd() override {
      note("e");
      return FilterStatus::kContinue;
    }
    void onResponseHeaders(HeaderMap&) override { note("r"); }
    void onComplete(const HeaderMap&, const HeaderMap&) override { note("c"); }

   private:
    void note(std::string_view event) { log_.append(name_).append(event).append(" "); }
    const std::string& name_;
    std::string& log_;
    StreamCallbacks& callbacks_;
  };

  const std::string name_;
  std::string& log_;
};

std::string probeLog;

std::unique_ptr<FilterFactory> makeProbe(const Directive& directive, FilterContext&) {
  return std::make_unique<ProbeFactory>(directive.children.at(0).name, probeLog);
}

class ProxyTest : public testing::Test {
 protected:
  ProxyTest() {
    probeLog.clear();
    addBuiltinFilters(registry);
    registry.add("probe", makeProbe);
    const Directive root = parseConfig(
        "p.conf",
        "sink memory\ncluster c {\nendpoint e:1\n}\n"
        "filter probe {\nA\n}\nfilter probe {\nB\n}\n"
        "filter router {\nvirtual_host v {\ndomain present\nroute r {\ncluster c\n}\n}\n}\n");
    config = std::make_unique<MeshConfig>(root, registry, out, out);
    context = std::make_unique<ProxyContext>(ProxyContext{*config, upstream, time, downstream});
    connection = std::make_unique<Connection>(*context, "1.2.3.4");
  }

  FilterRegistry registry;
  StringSink out;
  StringSink downstream;
  FakeUpstream upstream;
  ManualTime time{1'000'000};
  std::unique_ptr<MeshConfig> config;
  std::unique_ptr<ProxyContext> context;
  std::unique_ptr<Connection> connection;
};

TEST_F(ProxyTest, RequestsGoDownTheChainAndResponsesUp) {
  EXPECT_TRUE(connection->onBytes("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"));
  EXPECT_EQ(probeLog, "Ah Bh Ad Bd Ae Be Br Ar Ac Bc ");
  EXPECT_EQ(upstream.log, "e:1 POST /x HTTP/1.1;");
  EXPECT_EQ(downstream.text, "HTTP/1.1 201 Created\r\nx-up: 1\r\n\r\n");
  EXPECT_TRUE(connection->idle());
}

TEST_F(ProxyTest, ALocalReplyPassesOnlyFiltersThatSawTheRequest) {
  connection->onBytes("POST / HTTP/1.1\r\nHost: h\r\nX-Stop: A\r\nContent-Length: 1\r\n\r\nz");
  EXPECT_EQ(probeLog, "Ah Ar Ac ");
  EXPECT_EQ(upstream.log, "");
  EXPECT_EQ(downstream.text,
            "HTTP/1.1 403 Forbidden\r\nserver: mesh\r\ncontent-type: text/plain\r\n"
            "content-length: 4\r\n\r\nstop");
}

TEST_F(ProxyTest, PipelinedAndSplitRequestsAreServedInOrder) {
  const std::string text =
      "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
      "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n";
  connection->onBytes(std::string_view(text).substr(0, 50));
  connection->onBytes(std::string_view(text).substr(50, 31));
  connection->onBytes(std::string_view(text).substr(81));
  EXPECT_EQ(upstream.log, "e:1 GET /1 HTTP/1.1;e:1 GET /2 HTTP/1.1;e:1 GET /3 HTTP/1.1;");
}

TEST_F(ProxyTest, BadRequestsCloseTheConnection) {
  EXPECT_FALSE(connection->onBytes("GET / HTTP/1.1\r\nBad Header: 1\r\n"));
  EXPECT_EQ(downstream.text,
            "HTTP/1.1 400 Bad Request\r\nconnection: close\r\nserver: mesh\r\n\r\n");
  EXPECT_FALSE(connection->onBytes("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(upstream.log, "");
  EXPECT_EQ(config->memory()->counter(config->stats().counter("parser.bad_header_name")), 1u);
}

TEST_F(ProxyTest, LongHeaderNamesKeepTheirHeader) {
  const std::string name(200, 'x');
  connection->onBytes("GET / HTTP/1.1\r\nHost: h\r\n" + name + ": 1\r\n\r\n");
  EXPECT_EQ(upstream.log, "e:1 GET / HTTP/1.1;");
}

}  // namespace
}  // namespace mesh
