// A server that sends anything: the target may give up the session, but writes nowhere else and comes to an end.
#include <gtest/gtest.h>

#include <random>

#include "unit/link/peer.h"

namespace plumb::link_test {
namespace {

Bytes random_bytes(std::mt19937& random, std::size_t size) {
  Bytes result(size);
  for (std::uint8_t& byte : result) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 3);
  return result;
}

// Often almost right, so that what lies behind the checks is reached.
Bytes piece(std::mt19937& random, Peer& peer) {
  static const std::uint8_t kinds[] = {PLUMB_WIRE_CHALLENGE, PLUMB_WIRE_WELCOME, PLUMB_WIRE_RUN, PLUMB_WIRE_DATA,
                                       PLUMB_WIRE_PING,      PLUMB_WIRE_BYE,     PLUMB_WIRE_RUN, PLUMB_WIRE_DATA};
  if (random() % 40 == 0) return random_bytes(random, random() % 30);
  Frame frame{kinds[random() % 8], peer.number, {}};
  if (random() % 30 == 0) frame.kind = static_cast<std::uint8_t>(random());
  if (random() % 30 != 0) ++peer.number;
  if (frame.kind == PLUMB_WIRE_BYE && random() % 4 != 0) frame.kind = PLUMB_WIRE_PING;
  if (frame.kind == PLUMB_WIRE_RUN) {
    const std::size_t data = random() % 500;
    frame.payload = varint(peer.link.run + random() % 4) + varint(random());
    for (int i = 0; i < 7; ++i) frame.payload = frame.payload + varint(random() >> random() % 32);
    frame.payload =
        frame.payload + varint(random() % 2) + varint(data) + random_bytes(random, random() % (data + 1) % 200);
  } else if (frame.kind == PLUMB_WIRE_DATA) {
    frame.payload = varint(peer.link.run) + random_bytes(random, random() % 250);
  } else if (frame.kind != PLUMB_WIRE_PING) {
    frame.payload = random_bytes(random, random() % 40);
  }
  Bytes result = encode(frame);
  if (random() % 20 == 0) result[random() % result.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
  if (random() % 60 == 0) result.resize(random() % result.size());
  return result;
}

void take_data(std::mt19937& random, Peer& peer) {
  while (peer.link.data_left != 0) {
    std::uint8_t data[64];
    std::uint32_t value = 0;
    const auto size = static_cast<std::uint32_t>(random() % 64);
    const int state = random() % 2 == 0 ? plumb_link_data(&peer.link, random() % 4 == 0 ? nullptr : data, size)
                                        : plumb_link_data_varint(&peer.link, &value);
    if (state != PLUMB_LINK_OK) return;
  }
}

TEST(RandomServer, DoesNoHarm) {
  std::mt19937 random(11);
  std::size_t runs = 0;
  std::size_t sessions = 0;
  for (int round = 0; round < 4000; ++round) {
    Peer peer(256 + static_cast<std::uint32_t>(random() % 3));
    peer.chunk = 1 + random() % 300;
    peer.waits = 40;
    peer.channel.is_line = random() % 2;
    int state = PLUMB_LINK_OK;
    if (round % 4 != 0) {
      peer.open();
      ++sessions;
    }
    for (int i = 0; i < 30; ++i) peer.send(piece(random, peer));
    if (round % 4 == 0) state = plumb_link_open(&peer.link);
    plumb_order order;
    while (state == PLUMB_LINK_OK && plumb_link_next(&peer.link, &order) == PLUMB_LINK_OK) {
      ++runs;
      take_data(random, peer);
    }
    ASSERT_TRUE(peer.guards_are_whole()) << round;
    ASSERT_LE(peer.link.in_count, peer.link.in_size);
    EXPECT_NO_THROW(peer.frames());
  }
  // The test would say nothing if all of it were refused at once.
  EXPECT_GT(runs, sessions / 8);
}

TEST(RandomServer, BytesWithoutAnyOrderNeverMakeASession) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    Peer peer;
    peer.chunk = 1 + random() % 300;
    peer.waits = 5;
    for (int i = 0; i < 50; ++i) {
      peer.send(random_bytes(random, random() % 60));
      if (random() % 2 == 0) peer.send(Bytes{0x70, 0x6c, 1});
    }
    EXPECT_EQ(plumb_link_open(&peer.link), PLUMB_LINK_BROKEN);
    ASSERT_TRUE(peer.guards_are_whole());
  }
}

}  // namespace
}  // namespace plumb::link_test
