#include <gtest/gtest.h>

#include "session_fixture.h"

namespace plumb::remote {
namespace {

using std::chrono::seconds;

class LineTest : public SessionTest {
 protected:
  LineTest() {
    options_.is_line = true;
    reset();
    EXPECT_EQ(one(PLUMB_WIRE_RESTART).number, 0);
  }
};

TEST_F(LineTest, BeginsAnewWhereAConnectionWouldBeClosed) {
  shake_hands();
  start();
  send({'x'});
  EXPECT_EQ(the_end().end, SessionEnd::Broken);
  EXPECT_EQ(one(PLUMB_WIRE_RESTART).number, 0);
  EXPECT_FALSE(session_->is_over());
  EXPECT_FALSE(session_->has_proved());
  // What was still on its way means nothing any more.
  send(target_->events(1, {1, 2}));
  send(target_->end({.run = 1, .words = 2}));
  EXPECT_TRUE(session_->take_events().empty());
  shake_hands();
  runs_ = 0;
  start();
  send(target_->end({.run = 1}));
  EXPECT_EQ(answer().coverage, (std::vector<std::uint8_t>(5)));
}

TEST_F(LineTest, TakesAGreetingForANewBeginningAtAnyTime) {
  shake_hands();
  start();
  send(target_->greet());
  EXPECT_EQ(the_end().end, SessionEnd::Broken);
  send(target_->prove(challenge()));
  one(PLUMB_WIRE_WELCOME);
  EXPECT_TRUE(session_->is_free());
}

TEST_F(LineTest, AnswersTheLastOfSeveralGreetings) {
  send(target_->greet());
  challenge();
  shake_hands();
}

TEST_F(LineTest, TakesNoProofThatCrossedAChallengeForAWrongToken) {
  send(target_->greet());
  const Nonce first = challenge();
  send(target_->greet());
  challenge();
  send(target_->prove(first));
  EXPECT_TRUE(session_->take_events().empty());
  EXPECT_TRUE(sent().empty());
  EXPECT_FALSE(session_->has_proved());
  shake_hands();
}

TEST_F(LineTest, AsksForAGreetingUntilOneComes) {
  pass(seconds(5));
  EXPECT_EQ(one(PLUMB_WIRE_RESTART).number, 0);
  pass(seconds(5));
  EXPECT_EQ(one(PLUMB_WIRE_RESTART).number, 0);
  EXPECT_TRUE(session_->take_events().empty());
  shake_hands();
}

TEST_F(LineTest, SaysWhyItRefuses) {
  target_->token = "another";
  send(target_->greet());
  send(target_->prove(challenge()));
  EXPECT_EQ(the_end().end, SessionEnd::Refused);
  EXPECT_EQ(parse_bye(one(PLUMB_WIRE_BYE).payload)->reason, PLUMB_WIRE_REFUSED);
  target_->token = options_.token;
  shake_hands();
}

}  // namespace
}  // namespace plumb::remote
