// Runs commands from its standard input on a client, one line at a time. The commands are those of
// clients/rust/examples/driver/driver.rs, and two of its own:
//
//   allocations   allocations while samples of each type are given on handles and ad hoc
//   fork          the number of its two samples that a forked child dropped as closed, or `killed` if it ended badly
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hone/agent.hpp"

namespace agent = hone::agent;

static std::atomic<std::size_t> allocations{0};

// The thread sanitizer brings its own operators.
#if !defined(HONE_KEEP_NEW)
void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace {

using Words = std::vector<std::string>;
using OwnTags = std::vector<std::pair<std::string, std::string>>;

std::uint64_t number(const std::string& word, int base = 10) {
  return std::strtoull(word.c_str(), nullptr, base);
}

double value_of(const std::string& word) {
  return std::bit_cast<double>(number(word, 16));
}

std::string text(const std::string& word) {
  std::string bytes;
  for (std::size_t at = 1; at + 2 < word.size(); at += 2) {
    bytes += static_cast<char>(number(word.substr(at, 2), 16));
  }
  return bytes;
}

void by_handle(agent::Client& client, char letter, const std::string& metric, const std::string& value,
               agent::Tags tags) {
  switch (letter) {
    case 'c':
      return client.counter(metric, tags).add(value_of(value));
    case 'r':
      return client.rate(metric, tags).add(value_of(value));
    case 'g':
      return client.gauge(metric, tags).set(value_of(value));
    case 't':
      return client.timer(metric, tags).record_ms(value_of(value));
    case 'n':
      return client.timer(metric, tags).record(std::chrono::nanoseconds(number(value)));
    case 'h':
      return client.histogram(metric, tags).record(value_of(value));
    case 'd':
      return client.distribution(metric, tags).record(value_of(value));
    default:
      return client.set(metric, tags).insert(text(value));
  }
}

void ad_hoc(agent::Client& client, char letter, const std::string& metric, const std::string& value, agent::Tags tags) {
  switch (letter) {
    case 'n':
      return client.record_duration(metric, std::chrono::nanoseconds(number(value)), tags);
    case 's':
      return client.insert(metric, text(value), tags);
    default:
      return client.record(static_cast<agent::Kind>(letter), metric, value_of(value), tags);
  }
}

template <class Do>
void in_threads(std::uint64_t count, Do work) {
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < count; ++thread) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

// Gives samples whose sums and counts a test can tell.
void load(agent::Client& client, std::uint64_t threads, std::uint64_t count, const std::string& letters) {
  const auto counter = client.counter("load.c", {{"k", "v"}});
  const auto rate = client.rate("load.r", {{"k", "v"}});
  const auto gauge = client.gauge("load.g", {{"k", "v"}});
  const auto timer = client.timer("load.t", {{"k", "v"}});
  const auto histogram = client.histogram("load.h", {{"k", "v"}});
  const auto distribution = client.distribution("load.d", {{"k", "v"}});
  const auto set = client.set("load.s", {{"k", "v"}});
  in_threads(threads, [&] {
    for (std::uint64_t sample = 0; sample < count; ++sample) {
      for (const char letter : letters) {
        if (letter == 'c') counter.add(1);
        if (letter == 'r') rate.add(2);
        if (letter == 'g') gauge.set(sample);
        if (letter == 't') timer.record(std::chrono::microseconds(sample % 1000));
        if (letter == 'h') histogram.record(static_cast<double>(sample % 100) / 4);
        if (letter == 'd') distribution.record(sample % 100);
        if (letter == 's') set.insert("m" + std::to_string(sample % 100));
      }
    }
  });
}

std::int64_t measured(agent::Client& client, const std::string& how, std::uint64_t threads, std::uint64_t count) {
  const std::vector<agent::Tag> tags = {{"shop", "eu"}, {"paid", "yes"}, {"kind", "book"}};
  const auto handle = client.counter("bench.orders", tags);
  const auto start = std::chrono::steady_clock::now();
  const bool is_by_handle = how == "handle";
  in_threads(threads, [&] {
    for (std::uint64_t sample = 0; sample < count; ++sample) {
      if (is_by_handle) {
        handle.add(1);
      } else {
        client.record(agent::Kind::counter, "bench.orders", 1, tags);
      }
    }
  });
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
}

// Returns the allocations of samples while existing packets are filled.
std::size_t allocations_of_samples(agent::Client& client) {
  const auto counter = client.counter("c", {{"k", "v"}});
  const auto gauge = client.gauge("g");
  const auto timer = client.timer("t");
  const auto set = client.set("s");
  const auto give = [&] {
    for (int sample = 0; sample < 1000; ++sample) {
      counter.add(sample);
      gauge.set(0.1 + 0.2);
      {
        const auto timing = timer.start();
      }
      set.insert("a member of this set that is no short text");
      client.record(agent::Kind::histogram, "h", 1e300, {{"k", "a-value-that-is-no-short-text-either"}});
    }
  };
  for (int round = 0; round < 4; ++round) give();
  client.flush();
  const std::size_t before = allocations.load();
  give();
  return allocations.load() - before;
}

// A child has its parent's buffers, but sends nothing of them.
std::string forked(agent::Client* client) {
  const auto handle = client->counter("of.the.child");
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    handle.add(1);
    client->record(agent::Kind::counter, "of.the.child", 1);
    client->flush();
    const auto dropped = static_cast<int>(client->counts().dropped_for(agent::Reason::closed));
    client->close();
    delete client;
    ::_exit(dropped);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? std::to_string(WEXITSTATUS(status)) : "killed";
}

std::string counts(const agent::Client& client) {
  const agent::Counts counts = client.counts();
  std::ostringstream answer;
  answer << counts.given << ' ' << counts.sent << ' ' << counts.waiting << ' ' << counts.packets;
  for (const std::uint64_t dropped : counts.by_reason) answer << ' ' << dropped;
  return answer.str();
}

std::unique_ptr<agent::Client> started(const Words& words) {
  agent::Options options;
  options.address = words[1];
  options.packet_bytes = number(words[2]);
  options.queue_packets = number(words[3]);
  options.shards = number(words[4]);
  options.flush_every = std::chrono::milliseconds(number(words[5]));
  options.close_within = std::chrono::milliseconds(number(words[6]));
  return std::make_unique<agent::Client>(options);
}

void give(agent::Client& client, const Words& words) {
  OwnTags own;
  for (std::size_t at = 4; at < words.size(); at += 2) own.emplace_back(text(words[at]), text(words[at + 1]));
  std::vector<agent::Tag> tags;
  for (const auto& [key, value] : own) tags.push_back({key, value});
  (words[0] == "handle" ? by_handle : ad_hoc)(client, words[1][0], text(words[2]), words[3], tags);
}

std::string answer(std::unique_ptr<agent::Client>& client, const Words& words) {
  const std::string& what = words[0];
  if (what == "start") {
    client = started(words);
    return client->error().empty() ? "ok" : client->error();
  }
  if (what == "handle" || what == "adhoc") return give(*client, words), "ok";
  if (what == "load") return load(*client, number(words[1]), number(words[2]), words[3]), "ok";
  if (what == "time") return std::to_string(measured(*client, words[1], number(words[2]), number(words[3])));
  if (what == "allocations") return std::to_string(allocations_of_samples(*client));
  if (what == "fork") return forked(client.get());
  if (what == "flush") client->flush();
  if (what == "close") client->close();
  return counts(*client);
}

}  // namespace

int main() {
  std::unique_ptr<agent::Client> client;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream rest(line);
    Words words;
    for (std::string word; rest >> word;) words.push_back(word);
    std::cout << answer(client, words) << std::endl;
  }
}
