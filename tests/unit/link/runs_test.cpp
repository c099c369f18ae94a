#include <gtest/gtest.h>

#include <random>

#include "unit/link/peer.h"

namespace plumb::link_test {
namespace {

Bytes run_payload(std::uint32_t run, std::uint64_t random, std::uint32_t flags, std::size_t data) {
  Bytes payload = varint(run) + varint(random);
  for (const std::uint32_t field : {200U, 300U, 4096U, 5000U, 0U, 64U, 8U}) payload = payload + varint(field);
  return payload + varint(flags) + varint(data);
}

TEST(Orders, AreReadFieldByField) {
  Peer peer;
  peer.open();
  // run 1; seed 2^63; 100 inputs; 128 nodes; objects of 4096; 1000 ms; no memory limit; 64 KiB; 16 processes; modes;
  // 3 bytes of data: 1, 2, 3.
  peer.send(PLUMB_WIRE_RUN, bytes("0180808080808080808001"
                                  "64"
                                  "8001"
                                  "8020"
                                  "e807"
                                  "00"
                                  "40"
                                  "10"
                                  "01"
                                  "03"
                                  "010203"));
  plumb_order order;
  ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << peer.link.trouble;
  EXPECT_EQ(order.run, 1U);
  EXPECT_EQ(order.random, std::uint64_t{1} << 63);
  EXPECT_EQ(order.max_inputs, 100U);
  EXPECT_EQ(order.max_nodes, 128U);
  EXPECT_EQ(order.max_object, 4096U);
  EXPECT_EQ(order.milliseconds, 1000U);
  EXPECT_EQ(order.memory, 0U);
  EXPECT_EQ(order.file_size, 64U);
  EXPECT_EQ(order.processes, 16U);
  EXPECT_EQ(order.has_modes, 1U);
  EXPECT_EQ(order.data, 3U);
  Bytes data(3);
  EXPECT_EQ(plumb_link_data(&peer.link, data.data(), 3), PLUMB_LINK_OK);
  EXPECT_EQ(hex(data), "010203");
  EXPECT_EQ(plumb_link_data(&peer.link, data.data(), 1), PLUMB_LINK_BROKEN);
}

TEST(Orders, PingIsAnsweredWhileWaiting) {
  Peer peer;
  peer.open();
  peer.send(PLUMB_WIRE_PING, {});
  peer.send(PLUMB_WIRE_PING, {});
  peer.send(PLUMB_WIRE_RUN, run_payload(3, 0, 0, 0));
  plumb_order order;
  ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK);
  EXPECT_EQ(order.run, 3U);
  const std::vector<Frame> frames = peer.frames();
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(hex(encode(frames[0])), hex(encode({PLUMB_WIRE_PONG, 2, {}})));
  EXPECT_EQ(frames[1].number, 3);
}

TEST(Orders, DataComesOverManyFrames) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    Peer peer;
    peer.chunk = 1 + random() % 40;
    peer.open();
    Bytes data(random() % 3000);
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
    const Bytes head = run_payload(1, 5, 0, data.size());
    std::size_t at = std::min<std::size_t>(random() % (256 - head.size()), data.size());
    peer.send(PLUMB_WIRE_RUN, head + Bytes(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(at)));
    while (at < data.size()) {
      const std::size_t part = std::min<std::size_t>(1 + random() % 255, data.size() - at);
      const auto from = data.begin() + static_cast<std::ptrdiff_t>(at);
      peer.send(PLUMB_WIRE_DATA, varint(1) + Bytes(from, from + static_cast<std::ptrdiff_t>(part)));
      at += part;
    }
    // Half of it is read in pieces, the rest is skipped before the next order.
    peer.send(PLUMB_WIRE_RUN, run_payload(2, 5, 0, 0));
    plumb_order order;
    ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << peer.link.trouble;
    Bytes got;
    while (got.size() < data.size() / 2) {
      Bytes piece(std::min<std::size_t>(1 + random() % 300, data.size() - got.size()));
      ASSERT_EQ(plumb_link_data(&peer.link, piece.data(), static_cast<std::uint32_t>(piece.size())), PLUMB_LINK_OK);
      got = got + piece;
    }
    EXPECT_TRUE(std::equal(got.begin(), got.end(), data.begin()));
    ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << peer.link.trouble;
    EXPECT_EQ(order.run, 2U);
  }
}

TEST(Orders, VarintsInTheDataMayCrossFrames) {
  Peer peer;
  peer.open();
  peer.send(PLUMB_WIRE_RUN, run_payload(1, 0, 0, 8) + bytes("ff"));
  peer.send(PLUMB_WIRE_DATA, bytes("01ffff"));
  peer.send(PLUMB_WIRE_DATA, bytes("01ff0f"));
  peer.send(PLUMB_WIRE_DATA, bytes("01007f05"));
  plumb_order order;
  ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK);
  for (const std::uint32_t expected : {0xffffffffU, 0U, 127U, 5U}) {
    std::uint32_t value = 1;
    ASSERT_EQ(plumb_link_data_varint(&peer.link, &value), PLUMB_LINK_OK) << peer.link.trouble;
    EXPECT_EQ(value, expected);
  }
}

TEST(Orders, VarintsThatAreTooLongAreErrors) {
  for (const char* bad : {"8000", "ffffffff10", "ffffffffff", "80808080808001", "80"}) {
    Peer peer;
    peer.open();
    const Bytes data = bytes(bad);
    peer.send(PLUMB_WIRE_RUN, run_payload(1, 0, 0, data.size()) + data);
    plumb_order order;
    ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK);
    std::uint32_t value = 0;
    EXPECT_EQ(plumb_link_data_varint(&peer.link, &value), PLUMB_LINK_BROKEN) << bad;
  }
}

struct BadFrame {
  const char* why;
  Bytes bytes;
};

TEST(Orders, WhatDoesNotFitEndsTheSession) {
  const std::uint16_t due = 2;
  const Bytes good = encode({PLUMB_WIRE_RUN, due, run_payload(1, 0, 0, 0)});
  std::vector<BadFrame> cases = {
      {"number", encode({PLUMB_WIRE_RUN, due + 1, run_payload(1, 0, 0, 0)})},
      {"old number", encode({PLUMB_WIRE_PING, due - 1, {}})},
      {"kind", encode({PLUMB_WIRE_DATA, due, bytes("0101")})},
      {"a target's kind", encode({PLUMB_WIRE_EVENTS, due, bytes("0101")})},
      {"no kind", encode({0, due, {}})},
      {"PING with something", encode({PLUMB_WIRE_PING, due, bytes("00")})},
      {"WELCOME again", encode({PLUMB_WIRE_WELCOME, due, Bytes(36, 0)})},
      {"run 0", encode({PLUMB_WIRE_RUN, due, run_payload(0, 0, 0, 0)})},
      {"unknown flag", encode({PLUMB_WIRE_RUN, due, run_payload(1, 0, 2, 0)})},
      {"more data than told", encode({PLUMB_WIRE_RUN, due, run_payload(1, 0, 0, 1) + bytes("0102")})},
      {"breaks off", encode({PLUMB_WIRE_RUN, due, bytes("0100")})},
      {"empty", encode({PLUMB_WIRE_RUN, due, {}})},
      {"longer varint than need be", encode({PLUMB_WIRE_RUN, due, bytes("8100") + run_payload(1, 0, 0, 0)})},
      {"varint of 33 bits", encode({PLUMB_WIRE_RUN, due, bytes("8080808010") + bytes("00")})},
      {"seed of 65 bits", encode({PLUMB_WIRE_RUN, due, bytes("0180808080808080808002") + Bytes(9, 0)})},
      {"too long", encode({PLUMB_WIRE_RUN, due, run_payload(1, 0, 0, 1000) + Bytes(300, 0)})},
      {"RESTART", encode({PLUMB_WIRE_RESTART, 0, {}})},
      {"RESTART with a number", encode({PLUMB_WIRE_RESTART, 9, {}})},
      {"BYE without a reason", encode({PLUMB_WIRE_BYE, due, {}})},
      {"BYE too long", encode({PLUMB_WIRE_BYE, due, Bytes(122, 1)})},
      {"one byte between", text("x") + good},
      {"breaks off in the head", Bytes(good.begin(), good.begin() + 7)},
      {"breaks off in the payload", Bytes(good.begin(), good.end() - 1)},
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes damaged = good;
    damaged[i] ^= 0x10;
    cases.push_back({"damaged", damaged});
  }
  for (const BadFrame& bad : cases) {
    Peer peer;
    peer.open();
    ASSERT_EQ(peer.number, due);
    peer.send(bad.bytes);
    plumb_order order;
    EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_BROKEN) << bad.why << " " << hex(bad.bytes);
    EXPECT_STRNE(peer.link.trouble, "");
    EXPECT_TRUE(peer.guards_are_whole());
    // On a line the session begins again over the same channel.
    peer.waits = 30;
    peer.open();
    peer.send(PLUMB_WIRE_RUN, run_payload(1, 0, 0, 0));
    EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << bad.why;
  }
}

TEST(Orders, DataThatDoesNotFitEndsTheSession) {
  const std::vector<std::pair<std::uint8_t, Bytes>> cases = {
      {PLUMB_WIRE_DATA, bytes("02ff")},     {PLUMB_WIRE_DATA, bytes("01")}, {PLUMB_WIRE_DATA, {}},
      {PLUMB_WIRE_DATA, bytes("01010203")}, {PLUMB_WIRE_PING, {}},          {PLUMB_WIRE_RUN, run_payload(2, 0, 0, 0)}};
  for (const auto& [kind, payload] : cases) {
    Peer peer;
    peer.open();
    peer.send(PLUMB_WIRE_RUN, run_payload(1, 0, 0, 2));
    peer.send(kind, payload);
    plumb_order order;
    ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK);
    std::uint8_t data[2];
    EXPECT_EQ(plumb_link_data(&peer.link, data, 2), PLUMB_LINK_BROKEN) << hex(payload);
  }
}

TEST(Orders, RunsRise) {
  Peer peer;
  peer.open();
  peer.send(PLUMB_WIRE_RUN, run_payload(5, 0, 0, 0));
  peer.send(PLUMB_WIRE_RUN, run_payload(5, 0, 0, 0));
  plumb_order order;
  EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK);
  EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_BROKEN);
}

TEST(Orders, ByeAfterARunEndsTheSession) {
  Peer peer;
  peer.open();
  peer.send(PLUMB_WIRE_BYE, Bytes{0} + text("done"));
  plumb_order order;
  EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OVER);
  EXPECT_EQ(std::string(peer.link.farewell, peer.link.farewell + peer.link.farewell_size), "done");
}

TEST(Orders, AServerThatIsSilentIsGone) {
  Peer peer;
  peer.open();
  peer.waits = 1000;
  std::uint32_t pings = 0;
  peer.when_waiting = [&] {
    if (peer.waits == 950 && ++pings == 1) peer.send(PLUMB_WIRE_PING, {});
  };
  plumb_order order;
  EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_BROKEN);
  EXPECT_EQ(peer.waits, 1000 - 50 - 60);  // waits of a second
}

TEST(Orders, NumbersOfFramesWrap) {
  Peer peer;
  peer.open();
  plumb_order order;
  for (std::uint32_t i = 0; i < 70000; ++i) peer.send(PLUMB_WIRE_PING, {});
  peer.send(PLUMB_WIRE_RUN, run_payload(1, 0, 0, 0));
  EXPECT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << peer.link.trouble;
  EXPECT_EQ(peer.frames().back().number, (70000 + 1) % 65536);
}

}  // namespace
}  // namespace plumb::link_test
