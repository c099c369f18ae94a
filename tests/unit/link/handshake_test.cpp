#include <gtest/gtest.h>

#include "unit/link/peer.h"

namespace plumb::link_test {
namespace {

// Written out from docs/remote-protocol.md, with another implementation of the sums.
const char* const kHello =
    "706c0101410000007102ac1a010004030001a0a1a2a3a4a5a6a7a8a9aaabacadaeaf000102030405060708090a0b0c0d0e0f10111213141516"
    "17"
    "18191a1b1c1d1e1fe803000007000000616263";
const char* const kChallenge = "706c018112000000309ed18d101112131415161718191a1b1c1d1e1f0001";
const char* const kProof = "706c01022000010000020a74158069f0f200584c7144439779fdaa687d8d702530e48b6fc6def0dfefd948dd";
const char* const kWelcome =
    "706c01822400010040b7bddb7f4c04ff5c3cb9b2e52e4ed0ddb89555675a5741f11491402061c5831fa7b03f04030201";

TEST(Handshake, IsTheBytesOfTheDocument) {
  Peer peer;
  peer.send(bytes(kChallenge) + bytes(kWelcome));
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_OK);
  EXPECT_EQ(hex(peer.sent), std::string(kHello) + kProof);
  EXPECT_EQ(peer.link.session, 0x01020304U);
  EXPECT_EQ(peer.link.out_limit, 256U);
  EXPECT_EQ(peer.link.bytes_in, 30U + 48U);
  EXPECT_EQ(peer.link.bytes_out, peer.sent.size());
}

TEST(Handshake, WorksByteByByte) {
  Peer peer;
  peer.chunk = 1;
  peer.open();
  EXPECT_EQ(peer.link.session, 0x01020304U);
}

TEST(Handshake, SkipsWhatIsNoFrameBeforeTheChallenge) {
  const Bytes challenge = bytes(kChallenge);
  const Bytes damaged = Bytes(challenge.begin(), challenge.end() - 1) + Bytes{0x77};
  const std::vector<Bytes> garbage = {
      text("Booting…\r\n"),
      text("ppplpl"),
      Bytes{0x70, 0x6c, 1},
      Bytes{0x70, 0x6c, 1, 0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0},  // longer than any frame
      Bytes{0x70, 0x6c, 1, 0x81, 0x80, 0x00, 0, 0, 0, 0, 0, 0},  // hides what follows: 128 bytes that never come
      Bytes(challenge.begin(), challenge.end() - 1),
      damaged,
      Bytes(500, 0x70),
      encode({PLUMB_WIRE_RUN, 7, Bytes(20, 1)}),  // of a session that was before
      encode({PLUMB_WIRE_CHALLENGE, 3, Bytes(18, 0)}),
      encode({PLUMB_WIRE_CHALLENGE, 0, Bytes(17, 0)}),
      encode({PLUMB_WIRE_WELCOME, 0, Bytes(36, 0)}),
  };
  for (const Bytes& before : garbage)
    for (const std::size_t chunk : {1U, 1000U}) {
      Peer peer;
      peer.chunk = chunk;
      peer.send(before + challenge);
      // What hides the frame is given up when nothing more comes.
      bool is_welcomed = false;
      peer.when_waiting = [&] {
        if (!is_welcomed && peer.frames().back().kind == PLUMB_WIRE_PROOF) {
          is_welcomed = true;
          peer.send(bytes(kWelcome));
        }
      };
      EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_OK) << hex(before) << ": " << peer.link.trouble;
      EXPECT_TRUE(peer.guards_are_whole());
    }
}

TEST(Handshake, IsStrictAfterTheChallenge) {
  Peer peer;
  peer.send(bytes(kChallenge) + text("x") + bytes(kWelcome));
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
  EXPECT_STREQ(peer.link.trouble, "bytes that are no frame");
}

TEST(Handshake, RepeatsHelloOnALineWithAFreshNonce) {
  Peer peer;
  peer.has_random = false;
  peer.link.entropy = 5;
  peer.waits = 4;
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
  const std::vector<Frame> hellos = peer.frames();
  ASSERT_EQ(hellos.size(), 5U);
  for (std::size_t i = 0; i < hellos.size(); ++i) {
    EXPECT_EQ(hellos[i].kind, PLUMB_WIRE_HELLO);
    EXPECT_EQ(hellos[i].number, 0);
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(
          std::equal(hellos[i].payload.begin() + 6, hellos[i].payload.begin() + 22, hellos[k].payload.begin() + 6));
  }
}

TEST(Handshake, SaysHelloOnceOverTcp) {
  Peer peer;
  peer.channel.is_line = 0;
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
  EXPECT_STREQ(peer.link.trouble, "no answer to HELLO");
  EXPECT_EQ(peer.frames().size(), 1U);
}

TEST(Handshake, AWrongTokenIsRefusedByEitherSide) {
  Peer refused;
  refused.answer("other");
  EXPECT_EQ(plumb_link_open(&refused.link), PLUMB_LINK_REFUSED);
  EXPECT_EQ(refused.link.reason, std::uint32_t{PLUMB_WIRE_REFUSED});
  EXPECT_EQ(std::string(refused.link.farewell, refused.link.farewell + refused.link.farewell_size), "token");

  // A server that takes anybody, but has not the token.
  for (std::size_t bit = 0; bit < 8 * PLUMB_WIRE_MAC; bit += 5) {
    Peer peer;
    Frame welcome = decode(bytes(kWelcome)).front();
    welcome.payload[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    peer.send(bytes(kChallenge) + encode(welcome));
    EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_REFUSED);
    EXPECT_EQ(peer.link.session, 0U);
  }
}

TEST(Handshake, ARecordedOneIsWorthNothing) {
  Peer first;
  first.has_random = false;
  first.link.entropy = 1;
  first.open();
  Peer second;
  second.has_random = false;
  second.link.entropy = 2;
  second.send(bytes(kChallenge) + bytes(kWelcome));
  EXPECT_EQ(plumb_link_open(&second.link), PLUMB_LINK_REFUSED);
}

TEST(Handshake, EmptyTokenIsAKeyToo) {
  Peer peer;
  peer.identity.token = nullptr;
  peer.identity.token_size = 0;
  peer.answer("");
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_OK);
}

TEST(Handshake, LongNamesAreCutAndMissingOnesAreEmpty) {
  for (const char* name : {static_cast<const char*>(nullptr), "a name of more than thirty-two characters"}) {
    Peer peer;
    peer.identity.name = name;
    peer.answer(peer.token);
    ASSERT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_OK);
    const Frame hello = peer.frames().front();
    const std::size_t length = name == nullptr ? 0 : 32;
    EXPECT_EQ(hello.payload[3], length);
    EXPECT_EQ(hello.payload.size(), 62 + length);
    if (name != nullptr) {
      EXPECT_EQ(std::string(hello.payload.begin() + 62, hello.payload.end()), std::string(name, 32));
    }
  }
}

TEST(Handshake, PayloadsAreAsLongAsBothSidesTake) {
  for (const auto [own, servers, both] : {std::array{300U, 256U, 256U}, {300U, 16384U, 300U}, {16384U, 1000U, 1000U}}) {
    Peer peer(own);
    peer.longest = servers;
    peer.open();
    EXPECT_EQ(peer.link.out_limit, both);
  }
  for (const std::uint32_t servers : {0U, 255U, 16385U, 65535U}) {
    Peer peer;
    peer.longest = servers;
    peer.answer(peer.token);
    EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
  }
}

TEST(Handshake, ByeEndsItByItsReason) {
  const std::vector<std::pair<int, int>> cases = {{PLUMB_WIRE_OVER, PLUMB_LINK_OVER},
                                                  {PLUMB_WIRE_NOT_UNDERSTOOD, PLUMB_LINK_BROKEN},
                                                  {PLUMB_WIRE_OTHER_VERSION, PLUMB_LINK_REFUSED},
                                                  {PLUMB_WIRE_REFUSED, PLUMB_LINK_REFUSED},
                                                  {PLUMB_WIRE_TOO_SLOW, PLUMB_LINK_BROKEN},
                                                  {PLUMB_WIRE_TOO_MANY, PLUMB_LINK_BROKEN}};
  for (const auto& [reason, state] : cases) {
    Peer peer;
    peer.send(PLUMB_WIRE_BYE, Bytes{static_cast<std::uint8_t>(reason)} + text("x"));
    EXPECT_EQ(plumb_link_open(&peer.link), state);
    Peer later;
    later.send(bytes(kChallenge));
    later.number = 1;
    later.send(PLUMB_WIRE_BYE, Bytes{static_cast<std::uint8_t>(reason)});
    EXPECT_EQ(plumb_link_open(&later.link), state);
  }
}

TEST(Handshake, RestartBeginsItAgain) {
  Peer peer;
  peer.send(encode({PLUMB_WIRE_RESTART, 0, {}}));
  peer.answer(peer.token);
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_OK);
  EXPECT_EQ(peer.frames().size(), 3U);  // HELLO twice, PROOF
}

TEST(Handshake, AChannelThatTakesNothingBreaksIt) {
  Peer peer;
  peer.takes_bytes = false;
  EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
}

}  // namespace
}  // namespace plumb::link_test
