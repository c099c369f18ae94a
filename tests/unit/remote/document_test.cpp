#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "remote/session.h"
#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

/// The frames of the example in docs/remote-protocol.md, in their order.
std::vector<std::pair<std::string, Bytes>> example() {
  std::ifstream file(PLUMB_PROTOCOL_DOCUMENT);
  std::vector<std::pair<std::string, Bytes>> frames;
  std::string line;
  while (std::getline(file, line) && !line.starts_with("## Example")) continue;
  while (std::getline(file, line) && !line.starts_with("```")) continue;
  while (std::getline(file, line) && !line.starts_with("```")) {
    std::istringstream words(line);
    std::string word;
    if (!line.starts_with(" ") && words >> word) frames.push_back({word, {}});
    while (words >> word) frames.back().second.push_back(static_cast<std::uint8_t>(std::stoul(word, nullptr, 16)));
  }
  return frames;
}

TEST(Document, ItsExampleIsWhatASessionSaysAndTakes) {
  SessionOptions options;
  options.token = "plumb";
  for (std::size_t i = 0; i < options.fingerprint.size(); ++i)
    options.fingerprint[i] = static_cast<std::uint8_t>(0x20 + i);
  options.edges = 5;
  options.regions = 3;
  options.stream_words = 100;
  SessionSources sources;
  sources.nonce = [] {
    Nonce nonce;
    for (std::size_t i = 0; i < nonce.size(); ++i) nonce[i] = static_cast<std::uint8_t>(0x10 + i);
    return nonce;
  };
  sources.number = [] { return 7U; };
  Session session(options, sources, {});
  const auto frames = example();
  ASSERT_EQ(frames.size(), 9U);
  for (const auto& [name, bytes] : frames) {
    if (name == "RUN") {
      RunOrder order;
      order.max_inputs = 64;
      order.max_nodes = 4096;
      order.max_object = 1536;
      order.milliseconds = 1000;
      order.modes = {1, 0, 1};
      order.inputs = {4, 0x2a, 0, 0, 0, 0};
      session.start(order, {});
    }
    if (name == "BYE") session.close(PLUMB_WIRE_OVER, "over");
    if (name == "HELLO" || name == "PROOF" || name == "EVENTS" || name == "COVERAGE" || name == "END") {
      session.receive(bytes, {});
    } else {
      EXPECT_EQ(session.take_output(), bytes) << name;
    }
  }
  const std::vector<SessionEvent> events = session.take_events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].answer.words, (std::vector<std::uint32_t>{1, 128, 0xffffffff}));
  EXPECT_EQ(events[1].answer.coverage, (std::vector<std::uint8_t>{1, 0, 0, 0, 1}));
  EXPECT_EQ(events[1].answer.end.code, 3U);
}

}  // namespace
}  // namespace plumb::remote
