#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "instrument/fingerprint.h"
#include "remote/server.h"
#include "test_board.h"

namespace plumb::remote {

/// A server of sample_subject() on loopback, and boards for it.
class ServerTest : public ::testing::Test {
 protected:
  ServerTest() {
    options_.listen = {"127.0.0.1:0"};
    options_.token = "a token of tests";
    limits_.time = std::chrono::milliseconds(200);
    identity_.token = options_.token;
    identity_.fingerprint = digest_of(instrument::fingerprint(subject_));
    identity_.edges = subject_.edge_count;
    identity_.regions = static_cast<std::uint32_t>(subject_.regions.size());
  }

  void start() { server_ = std::make_unique<Server>(subject_, options_, limits_); }
  std::string address() const { return server_->addresses().front(); }
  std::unique_ptr<TestBoard> add_board(TestBoard::Program program = run_sample) {
    return std::make_unique<TestBoard>([address = address()] { return connect_to(address); }, false, identity_,
                                       std::move(program));
  }
  /// A connection with a session, for a test to go on by hand.
  FileDescriptor shake_hands(TargetSide& side) {
    FileDescriptor file = connect_to(address());
    send_all(file.get(), side.greet());
    const auto frames = receive_until(file.get(), PLUMB_WIRE_CHALLENGE);
    if (frames.empty()) return {};
    send_all(file.get(), side.prove(parse_challenge(frames.back().payload)->nonce));
    return receive_until(file.get(), PLUMB_WIRE_WELCOME).empty() ? FileDescriptor() : std::move(file);
  }
  /// Waits for it, up to a generous deadline.
  template <typename Condition>
  static bool comes_true(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return condition();
  }
  static std::vector<result::TestInput> inputs(std::uint8_t x, std::uint8_t y) { return {{"x", {x}}, {"y", {y}}}; }
  static concolic::TargetRun run(concolic::Target& target, const std::vector<result::TestInput>& given,
                                 const Budget& budget = Budget()) {
    return target.run({given, 0, {}, 0}, budget);
  }

  instrument::Subject subject_ = sample_subject();
  ServerOptions options_;
  concolic::RunLimits limits_;
  SessionOptions identity_;
  std::unique_ptr<Server> server_;
};

}  // namespace plumb::remote
