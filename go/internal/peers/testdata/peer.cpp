// Calls the service Shop, or answers its calls, by Apache's library for C++.
//
// peer call|serve HOST PORT WIRE, which is binary|old|compact, framed|buffered and plain|multiplexed, with dashes between them
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include <thrift/async/TConcurrentClientSyncInfo.h>
#include <thrift/processor/TMultiplexedProcessor.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/protocol/TMultiplexedProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>
#include <thrift/transport/TSocket.h>

#include "Shop.h"

using namespace apache::thrift;
using std::make_shared;
using std::shared_ptr;
using std::string;

// A shop: what a function does follows from what it is asked.
class Handler : public shop::ShopIf {
public:
  bool alive() override { return true; }

  void find(shop::Item& item, const shop::ItemID id, const ::Context& context) override {
    ::NotFound missing;
    std::lock_guard<std::mutex> lock(mutex_);
    if (id == -1 || forgotten_.count(id) != 0) {
      missing.key = id == -1 ? "of " + context.caller : "forgotten";
      throw missing;
    }
    if (id == -2) {
      throw std::runtime_error("the shelf fell over");
    }
    item.__set_id(id);
    item.__set_raw(string(id, 'x'));
  }

  int64_t order(const shop::Order& order, const int32_t limit) override {
    if (order.items.size() > static_cast<size_t>(limit)) {
      shop::OutOfStock stock;
      stock.__set_id(order.items[0]);
      stock.__set_text("größer");
      throw stock;
    }
    return order.items.size();
  }

  void forget(const shop::ItemID id) override {
    std::lock_guard<std::mutex> lock(mutex_);
    forgotten_.insert(id);
  }

  void nothing() override {}

  void all(std::map<string, std::vector<shop::Item>>& all) override {
    shop::Item item;
    item.__set_id(1);
    all["a"].push_back(item);
  }

private:
  std::mutex mutex_;
  std::set<int64_t> forgotten_;
};

static void expect(bool holds, const string& what) {
  if (!holds) {
    std::cerr << what << std::endl;
    std::exit(1);
  }
}

template <class Exception, class Call>
static Exception raised(const string& what, Call call) {
  try {
    call();
  } catch (const Exception& exception) {
    return exception;
  }
  expect(false, what + ": no exception");
  std::abort();
}

// Calls what is not there, with a number of its own.
static void call_unknown(protocol::TProtocol& in, protocol::TProtocol& out) {
  out.writeMessageBegin("fly", protocol::T_CALL, 77);
  shop::Shop_nothing_args().write(&out);
  out.writeMessageEnd();
  out.getTransport()->writeEnd();
  out.getTransport()->flush();
  string name;
  protocol::TMessageType type;
  int32_t sequence;
  in.readMessageBegin(name, type, sequence);
  expect(name == "fly" && type == protocol::T_EXCEPTION && sequence == 77, "the answer of an unknown function: " + name);
  TApplicationException exception;
  exception.read(&in);
  in.readMessageEnd();
  in.getTransport()->readEnd();
  expect(exception.getType() == TApplicationException::UNKNOWN_METHOD, "the type of an unknown function");
}

template <class Client>
static void call_all(Client& client) {
  ::Context me;
  me.caller = "me";
  shop::Item item;
  expect(client.alive(), "alive");
  for (int64_t id : {7, 100000}) {
    client.find(item, id, me);
    expect(item.id == id && item.price == 9.99 && item.raw.size() == static_cast<size_t>(id), "find");
  }
  auto missing = raised< ::NotFound>("a declared exception", [&] { client.find(item, -1, me); });
  expect(missing.key == "of me", missing.key);
  auto failed = raised<TApplicationException>("an error", [&] { client.find(item, -2, me); });
  expect(failed.getType() == TApplicationException::INTERNAL_ERROR, "the type of an error");
  expect(string(failed.what()).find("the shelf fell over") != string::npos, failed.what());
  shop::Order order;
  order.__set_items({1, 2});
  order.payment.__set_cash(3);
  order.__isset.payment = true;
  expect(client.order(order, 2) == 2, "order");
  auto stock = raised<shop::OutOfStock>("another declared exception", [&] { client.order(order, 1); });
  expect(stock.id == 1 && stock.text == "größer", stock.text);
  client.forget(5);
  missing = raised< ::NotFound>("after a one-way call", [&] { client.find(item, 5, me); });
  expect(missing.key == "forgotten", missing.key);
  client.nothing();
  std::map<string, std::vector<shop::Item>> all;
  client.all(all);
  expect(all["a"].size() == 1 && all["a"][0].id == 1, "all");
}

// Calls from several threads over one connection, told apart by their numbers. One thread writes while another reads, and
// TCompactProtocol keeps the last field of both in one place, so `in` and `out` are two objects.
static void call_at_once(shared_ptr<protocol::TProtocol> in, shared_ptr<protocol::TProtocol> out) {
  auto sync = make_shared<async::TConcurrentClientSyncInfo>();
  shop::ShopConcurrentClient client(in, out, sync);
  std::vector<std::thread> threads;
  for (int64_t thread = 1; thread <= 8; thread++) {
    threads.emplace_back([&client, thread] {
      ::Context me;
      shop::Item item;
      for (int64_t turn = 0; turn < 50; turn++) {
        client.find(item, thread * 100 + turn, me);
        expect(item.id == thread * 100 + turn, "an answer of another call");
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

static shared_ptr<protocol::TProtocolFactory> protocols(const string& name) {
  if (name == "compact") {
    return make_shared<protocol::TCompactProtocolFactory>();
  }
  return make_shared<protocol::TBinaryProtocolFactory>(0, 0, name != "old", name != "old");
}

static shared_ptr<transport::TTransportFactory> transports(const string& name) {
  if (name == "framed") {
    return make_shared<transport::TFramedTransportFactory>();
  }
  return make_shared<transport::TBufferedTransportFactory>();
}

struct Wire {
  string protocol, transport, names;

  explicit Wire(const string& wire) {
    std::istringstream parts(wire);
    std::getline(parts, protocol, '-');
    std::getline(parts, transport, '-');
    std::getline(parts, names);
  }
};

struct Listening : server::TServerEventHandler {
  shared_ptr<transport::TServerSocket> socket;
  void preServe() override { std::cout << socket->getPort() << std::endl; }
};

static void serve(const string& host, int port, const Wire& wire) {
  shared_ptr<TProcessor> processor = make_shared<shop::ShopProcessor>(make_shared<Handler>());
  if (wire.names == "multiplexed") {
    auto several = make_shared<TMultiplexedProcessor>();
    several->registerProcessor("Shop", processor);
    processor = several;
  }
  auto listening = make_shared<Listening>();
  listening->socket = make_shared<transport::TServerSocket>(host, port);
  server::TThreadedServer server(processor, listening->socket, transports(wire.transport), protocols(wire.protocol));
  server.setServerEventHandler(listening);
  std::thread([] {
    while (std::cin.get() != EOF) {
    }
    std::_Exit(0);
  }).detach();
  server.serve();
}

static void call(const string& host, int port, const Wire& wire) {
  auto socket = transports(wire.transport)->getTransport(make_shared<transport::TSocket>(host, port));
  socket->open();
  auto in = protocols(wire.protocol)->getProtocol(socket);
  auto out = protocols(wire.protocol)->getProtocol(socket);
  if (wire.names == "multiplexed") {
    out = make_shared<protocol::TMultiplexedProtocol>(out, "Shop");
  }
  shop::ShopClient client(in, out);
  call_all(client);
  call_unknown(*in, *out);
  if (wire.names == "plain") {
    call_at_once(in, out);
  }
  expect(client.alive(), "alive after all");
  socket->close();
}

int main(int, char** arguments) {
  try {
    (string(arguments[1]) == "serve" ? serve : call)(arguments[2], std::atoi(arguments[3]), Wire(arguments[4]));
  } catch (const std::exception& exception) {
    std::cerr << exception.what() << std::endl;
    return 1;
  }
}
