#include "remote/session.h"

#include <gtest/gtest.h>

#include "session_fixture.h"

namespace plumb::remote {
namespace {

using std::chrono::seconds;

TEST_F(SessionTest, ProvesBothSides) {
  send(target_->greet());
  const Nonce nonce = challenge();
  send(target_->prove(nonce));
  const auto welcome = parse_welcome(one(PLUMB_WIRE_WELCOME).payload);
  EXPECT_EQ(welcome->mac, server_proof(options_.token, nonce, target_->hello_payload));
  EXPECT_EQ(welcome->session, 1U);
  EXPECT_EQ(session_->name(), "board");
}

TEST_F(SessionTest, RefusesAWrongToken) {
  target_->token = "another";
  send(target_->greet());
  send(target_->prove(challenge()));
  expect_end(SessionEnd::Refused, PLUMB_WIRE_REFUSED);
}

TEST_F(SessionTest, RefusesAHandshakeThatWasRecorded) {
  const Bytes greeting = target_->greet();
  send(greeting);
  const Bytes proof = target_->prove(challenge());
  send(proof);
  one(PLUMB_WIRE_WELCOME);
  reset();
  send(greeting);
  challenge();
  send(proof);
  expect_end(SessionEnd::Refused, PLUMB_WIRE_REFUSED);
}

TEST_F(SessionTest, RefusesAnotherProgram) {
  const auto refuses = [&] {
    send(target_->greet());
    send(target_->prove(challenge()));
    expect_end(SessionEnd::Refused, PLUMB_WIRE_REFUSED);
    reset();
  };
  target_->hello.fingerprint[31] ^= 1;
  refuses();
  ++target_->hello.edges;
  refuses();
  ++target_->hello.regions;
  refuses();
  target_->hello.flags = PLUMB_WIRE_BIG_ENDIAN;
  refuses();
}

TEST_F(SessionTest, RefusesAnotherVersion) {
  target_->hello.version = 2;
  send(target_->greet());
  expect_end(SessionEnd::Refused, PLUMB_WIRE_OTHER_VERSION);
}

TEST_F(SessionTest, SkipsWhatABoardPrintsBeforeItsGreeting) {
  const std::string text = "plumb ready\r\nplplpl";
  send(Bytes(text.begin(), text.end()));
  shake_hands();
}

TEST_F(SessionTest, ListensToNoiseForALimitedTime) {
  for (int i = 0; i < 40 && !session_->is_over(); ++i) send(Bytes(200, 'p'));
  expect_end(SessionEnd::Refused, PLUMB_WIRE_NOT_UNDERSTOOD);
}

TEST_F(SessionTest, TakesNoLongFrameBeforeTheProof) {
  send(target_->greet());
  challenge();
  send(target_->frame(PLUMB_WIRE_PROOF, Bytes(129)));
  expect_end(SessionEnd::Broken, PLUMB_WIRE_NOT_UNDERSTOOD);
}

TEST_F(SessionTest, TakesNothingElseBeforeTheProof) {
  for (const std::uint8_t kind :
       {PLUMB_WIRE_EVENTS, PLUMB_WIRE_END, PLUMB_WIRE_PONG, PLUMB_WIRE_NOTICE, PLUMB_WIRE_HELLO}) {
    send(target_->greet());
    challenge();
    send(target_->frame(kind, Bytes(32)));
    expect_end(SessionEnd::Broken, PLUMB_WIRE_NOT_UNDERSTOOD);
    reset();
  }
}

TEST_F(SessionTest, EndsAHandshakeThatTakesLong) {
  pass(seconds(9));
  EXPECT_FALSE(session_->is_over());
  pass(seconds(1));
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
  reset();
  pass(seconds(9));
  send(target_->greet());
  challenge();
  pass(seconds(1));
  expect_end(SessionEnd::Stalled, PLUMB_WIRE_TOO_SLOW);
}

}  // namespace
}  // namespace plumb::remote
