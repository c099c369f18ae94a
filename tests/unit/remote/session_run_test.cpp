#include <gtest/gtest.h>

#include <functional>

#include "session_fixture.h"

namespace plumb::remote {
namespace {

using std::chrono::seconds;

TEST_F(SessionTest, GivesAnAnswerForACompleteRun) {
  shake_hands();
  session_->start(order(), now_);
  EXPECT_FALSE(session_->is_free());
  const std::size_t sent_bytes = session_->take_output().size();
  const Bytes frames[] = {target_->events(1, {1, 2, 3}), target_->coverage(1, {0}), target_->events(1, {4}),
                          target_->coverage(1, {2}), target_->end({.run = 1, .code = 9, .words = 4, .edges = 2})};
  std::size_t bytes = 0;
  for (const Bytes& frame : frames) {
    EXPECT_TRUE(session_->take_events().empty());
    send(frame);
    bytes += frame.size();
  }
  const RunAnswer got = answer();
  EXPECT_EQ(got.end.code, 9U);
  EXPECT_EQ(got.words, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(got.coverage, (std::vector<std::uint8_t>{1, 0, 0, 1, 0}));
  EXPECT_EQ(got.bytes_received, bytes);
  EXPECT_EQ(got.bytes_sent, sent_bytes);
  EXPECT_TRUE(session_->is_free());
}

TEST_F(SessionTest, TellsCoverageAgainstTheRunBefore) {
  shake_hands();
  start();
  send(target_->coverage(1, {0, 2}));
  send(target_->end({.run = 1, .edges = 2}));
  EXPECT_EQ(answer().coverage, (std::vector<std::uint8_t>{1, 0, 0, 1, 0}));
  start();
  send(target_->coverage(2, {0, 0}));
  send(target_->end({.run = 2, .edges = 2}));
  EXPECT_EQ(answer().coverage, (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
  start();
  send(target_->end({.run = 3}));
  EXPECT_EQ(answer().coverage, (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
}

TEST_F(SessionTest, TellsModesOnlyWhenTheyChange) {
  shake_hands();
  RunOrder with_modes = order();
  with_modes.modes = {1, 0, 1};
  with_modes.inputs = {0x01, 0x2a};
  for (const std::uint32_t run : {1U, 2U}) {
    session_->start(with_modes, now_);
    const ReceivedFrame frame = one(PLUMB_WIRE_RUN);
    const auto got = parse_run(frame.payload);
    EXPECT_EQ(got->flags, run == 1 ? std::uint32_t{PLUMB_WIRE_MODES} : 0U);
    EXPECT_EQ(Bytes(got->data.begin(), got->data.end()), run == 1 ? (Bytes{5, 1, 0x2a}) : (Bytes{1, 0x2a}));
    send(target_->end({.run = run}));
  }
}

TEST_F(SessionTest, CutsDataIntoFramesThatTheTargetTakes) {
  target_->hello.longest_payload = 256;
  shake_hands();
  RunOrder large = order();
  for (int i = 0; i < 5000; ++i) large.inputs.push_back(static_cast<std::uint8_t>(i));
  session_->start(large, now_);
  Bytes data;
  for (const ReceivedFrame& frame : sent()) {
    EXPECT_LE(frame.payload.size(), 256U);
    const ByteView part =
        frame.kind == PLUMB_WIRE_RUN ? parse_run(frame.payload)->data : parse_data(frame.payload)->bytes;
    put_bytes(data, part);
  }
  EXPECT_EQ(data, large.inputs);
}

TEST_F(SessionTest, BreaksOnFramesThatDoNotBelongToTheRun) {
  using Script = std::function<void()>;
  const Script scripts[] = {
      [&] { send(target_->events(2, {1})); },  // another run
      [&] { send(target_->coverage(2, {1})); },
      [&] { send(target_->end({.run = 2})); },
      [&] { send(target_->end({.run = 1, .words = 1})); },  // sums
      [&] { send(target_->end({.run = 1, .edges = 1})); },
      [&] { send(target_->coverage(1, {5})); },  // no such edge
      [&] { send(target_->coverage(1, {0, 0, 0, 0, 0, 0})); },
      [&] { send(target_->coverage(1, {0xffffffff})); },
      [&] { send(target_->pong()); },  // not due
      [&] { send(target_->frame(PLUMB_WIRE_RUN, {})); },
      [&] { send(target_->frame(PLUMB_WIRE_EVENTS, {})); },
      [&] { send(target_->greet()); },
      [&] {
        ++target_->number;
        send(target_->end({.run = 1}));
      },  // a frame is missing
      [&] {
        --target_->number;
        send(target_->end({.run = 1}));
      },
      [&] { send({'x'}); },  // between frames
      [&] {
        Bytes frame = target_->end({.run = 1});
        frame.back() ^= 1;
        send(frame);
      },
      [&] {
        Bytes frame = target_->end({.run = 1});
        frame[5] = 0x41;
        send(frame);
      },
      [&] {
        for (int i = 0; i < 500 && !session_->is_over(); ++i) send(target_->events(1, {1}));
      },  // without end
  };
  for (const Script& script : scripts) {
    shake_hands();
    start();
    script();
    expect_end(SessionEnd::Broken, PLUMB_WIRE_NOT_UNDERSTOOD);
    reset();
    runs_ = 0;
  }
}

TEST_F(SessionTest, KeepsNoMoreOfAStreamThanItMay) {
  shake_hands();
  start();
  for (int i = 0; i < 60; ++i) send(target_->events(1, {1, 2}));
  send(target_->end({.run = 1, .words = 120}));
  const RunAnswer got = answer();
  EXPECT_EQ(got.words.size(), 100U);
  EXPECT_LE(got.words.capacity(), 100U);
  EXPECT_TRUE(got.is_cut);
}

TEST_F(SessionTest, AnswersNothingWithoutAnOrder) {
  shake_hands();
  send(target_->end({.run = 0}));
  expect_end(SessionEnd::Broken, PLUMB_WIRE_NOT_UNDERSTOOD);
}

TEST_F(SessionTest, TellsWhatATargetSaysButNotForEver) {
  shake_hands();
  for (int i = 0; i < 1000; ++i) send(target_->note("hot \x1b[2J"));
  const std::vector<SessionEvent> events = session_->take_events();
  EXPECT_EQ(events.size(), 100U);
  EXPECT_EQ(events[0].text, "hot ?[2J");
}

// --- Time ---

TEST_F(SessionTest, WaitsForARunAsLongAsItMayTake) {
  shake_hands();
  start();
  pass(std::chrono::milliseconds(10'900));
  EXPECT_TRUE(session_->has_proved());
  pass(std::chrono::milliseconds(200));
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
}

TEST_F(SessionTest, GivesARunNoMoreTimeForWhatIsSaidBesideIt) {
  shake_hands();
  start();
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 20; ++j) send(target_->note(std::string(200, 'x')));
    pass(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(session_->has_proved());
  session_->take_events();
  pass(std::chrono::milliseconds(1'100));
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
}

TEST_F(SessionTest, LetsAnIdleTargetEndItsFrame) {
  shake_hands();
  const Bytes frame = target_->note("it is warm here");
  pass(seconds(15));
  send({frame.begin(), frame.begin() + 7});
  pass(seconds(9));
  EXPECT_TRUE(session_->has_proved());
  send({frame.begin() + 7, frame.end()});
  EXPECT_TRUE(session_->has_proved());
  EXPECT_EQ(session_->take_events().size(), 1U);
}

TEST_F(SessionTest, EndsASenderThatIsSlow) {
  shake_hands();
  start();
  const Bytes frame = target_->events(1, {1, 2, 3});
  for (const std::uint8_t byte : frame) {
    send({byte});
    if (session_->is_over()) break;
    pass(std::chrono::milliseconds(800));
  }
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
}

TEST_F(SessionTest, AsksATargetThatIsIdleWhetherItIsThere) {
  shake_hands();
  for (int i = 0; i < 3; ++i) {
    pass(seconds(19));
    EXPECT_TRUE(sent().empty());
    pass(seconds(1));
    one(PLUMB_WIRE_PING);
    EXPECT_FALSE(session_->is_free());
    pass(seconds(9));
    send(target_->pong());
    EXPECT_TRUE(session_->is_free());
  }
  pass(seconds(20));
  one(PLUMB_WIRE_PING);
  pass(seconds(10));
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
}

TEST_F(SessionTest, NamesItsNextDeadline) {
  EXPECT_EQ(session_->deadline(), now_ + seconds(10));
  shake_hands();
  EXPECT_EQ(session_->deadline(), now_ + seconds(20));
  send({0x70});
  EXPECT_EQ(session_->deadline(), now_ + seconds(10));
}

}  // namespace
}  // namespace plumb::remote
