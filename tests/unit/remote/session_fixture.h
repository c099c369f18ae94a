#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "remote/session.h"
#include "target_side.h"

namespace plumb::remote {

/// A session, the target's side of it, and a clock that stands still unless it is told to go on.
class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    options_.token = "a token of tests";
    options_.fingerprint.fill(7);
    options_.edges = 5;
    options_.regions = 3;
    options_.stream_words = 100;
    sources_.nonce = [this] {
      Nonce nonce{};
      nonce[3] = ++nonces_;
      return nonce;
    };
    sources_.number = [this] { return ++sessions_; };
    reset();
  }

  void reset() {
    session_ = std::make_unique<Session>(options_, sources_, now_);
    target_ = std::make_unique<TargetSide>(options_);
  }

  void send(const Bytes& bytes) { session_->receive(bytes, now_); }
  void pass(std::chrono::milliseconds time) {
    now_ += time;
    session_->tick(now_);
  }
  std::vector<ReceivedFrame> sent() { return frames_of(session_->take_output()); }
  /// The only frame that was sent.
  ReceivedFrame one(std::uint8_t kind) {
    const std::vector<ReceivedFrame> frames = sent();
    EXPECT_EQ(frames.size(), 1U);
    if (frames.size() != 1) return {};
    EXPECT_EQ(frames[0].kind, kind);
    return frames[0];
  }
  /// Of the only event, which is an end.
  SessionEvent the_end() {
    std::vector<SessionEvent> events = session_->take_events();
    EXPECT_EQ(events.size(), 1U);
    if (events.empty()) return {};
    EXPECT_EQ(events.back().kind, SessionEvent::Kind::Ended);
    return std::move(events.back());
  }
  void expect_end(SessionEnd end, std::uint8_t reason) {
    EXPECT_EQ(the_end().end, end);
    EXPECT_EQ(parse_bye(one(PLUMB_WIRE_BYE).payload)->reason, reason);
    EXPECT_TRUE(session_->is_over());
    EXPECT_FALSE(session_->has_proved());
  }

  Nonce challenge() { return parse_challenge(one(PLUMB_WIRE_CHALLENGE).payload)->nonce; }
  void shake_hands() {
    send(target_->greet());
    send(target_->prove(challenge()));
    const ReceivedFrame welcome = one(PLUMB_WIRE_WELCOME);
    EXPECT_EQ(welcome.number, 1);
    const std::vector<SessionEvent> events = session_->take_events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind, SessionEvent::Kind::Proved);
    EXPECT_TRUE(session_->is_free());
  }
  RunOrder order() {
    RunOrder order;
    order.milliseconds = 1000;
    order.modes.resize(3);
    return order;
  }
  void start() {
    session_->start(order(), now_);
    EXPECT_EQ(parse_run(one(PLUMB_WIRE_RUN).payload)->number, ++runs_);
  }
  RunAnswer answer() {
    std::vector<SessionEvent> events = session_->take_events();
    EXPECT_EQ(events.size(), 1U);
    if (events.empty()) return {};
    EXPECT_EQ(events[0].kind, SessionEvent::Kind::Answered);
    return std::move(events[0].answer);
  }

  SessionOptions options_;
  SessionSources sources_;
  std::uint8_t nonces_ = 0;
  std::uint32_t sessions_ = 0;
  std::uint32_t runs_ = 0;
  Time now_{};
  std::unique_ptr<Session> session_;
  std::unique_ptr<TargetSide> target_;
};

}  // namespace plumb::remote
