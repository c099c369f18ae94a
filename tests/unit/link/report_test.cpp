#include <gtest/gtest.h>

#include <random>

#include "unit/link/peer.h"

namespace plumb::link_test {
namespace {

void begin_run(Peer& peer, std::uint32_t run) {
  peer.open();
  peer.send(PLUMB_WIRE_RUN, varint(run) + Bytes(10, 0));
  plumb_order order;
  ASSERT_EQ(plumb_link_next(&peer.link, &order), PLUMB_LINK_OK) << peer.link.trouble;
}

std::vector<std::uint64_t> varints(const Bytes& payload) {
  std::vector<std::uint64_t> values(1, 0);
  int shift = 0;
  for (const std::uint8_t byte : payload) {
    values.back() |= std::uint64_t{byte & 127U} << shift;
    shift += 7;
    if (byte < 128) {
      values.push_back(0);
      shift = 0;
    }
  }
  EXPECT_EQ(shift, 0) << "a word goes on in the next frame";
  values.pop_back();
  return values;
}

// Frames of a run by hand: PROOF was number 1.
TEST(Report, IsTheBytesOfTheDocument) {
  Peer peer;
  begin_run(peer, 300);
  const std::uint32_t words[] = {0, 127, 128, 0x706c6d62, 0xffffffff};
  ASSERT_EQ(plumb_link_events(&peer.link, words, 5), PLUMB_LINK_OK);
  EXPECT_TRUE(peer.sent.empty());
  for (const std::uint32_t edge : {0U, 1U, 5U, 205U, 999U}) ASSERT_EQ(plumb_link_edge(&peer.link, edge), PLUMB_LINK_OK);
  const plumb_ending ending = {PLUMB_WIRE_SIGNALLED, 11, 0xfedcba9876543210U, 1000, 3};
  ASSERT_EQ(plumb_link_end(&peer.link, &ending), PLUMB_LINK_OK);
  const std::vector<Frame> frames = peer.frames();
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].kind, 0x03);
  EXPECT_EQ(frames[0].number, 2);
  EXPECT_EQ(hex(frames[0].payload),
            "ac02"
            "00"
            "7f"
            "8001"
            "e2dab18307"
            "ffffffff0f");
  EXPECT_EQ(frames[1].kind, 0x04);
  EXPECT_EQ(frames[1].number, 3);
  EXPECT_EQ(hex(frames[1].payload),
            "ac02"
            "00"
            "00"
            "03"
            "c701"
            "9906");
  EXPECT_EQ(frames[2].kind, 0x05);
  EXPECT_EQ(frames[2].number, 4);
  EXPECT_EQ(hex(frames[2].payload),
            "ac02"
            "01"
            "0b"
            "90e4d0b287d3aeeefe01"
            "05"
            "05"
            "e807"
            "03");
}

TEST(Report, NothingHappenedIsASingleFrame) {
  Peer peer;
  begin_run(peer, 1);
  const plumb_ending ending = {PLUMB_WIRE_EXITED, 0, 0, 0, 0};
  ASSERT_EQ(plumb_link_end(&peer.link, &ending), PLUMB_LINK_OK);
  ASSERT_EQ(peer.frames().size(), 1U);
  EXPECT_EQ(hex(peer.frames()[0].payload),
            "01"
            "00"
            "00"
            "00"
            "00"
            "00"
            "00"
            "00");
}

TEST(Report, NotesAreCutAndDoNotDisturbARun) {
  Peer peer;
  begin_run(peer, 1);
  const std::uint32_t word = 9;
  plumb_link_events(&peer.link, &word, 1);
  plumb_link_note(&peer.link, 2, std::string(300, 'x').c_str());
  plumb_link_events(&peer.link, &word, 1);
  const plumb_ending ending = {PLUMB_WIRE_EXITED, 0, 0, 0, 0};
  plumb_link_end(&peer.link, &ending);
  const std::vector<Frame> frames = peer.frames();
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(hex(frames[0].payload), "0109");
  EXPECT_EQ(frames[1].kind, 0x06);
  EXPECT_EQ(frames[1].payload, Bytes{2} + Bytes(200, 'x'));
  EXPECT_EQ(hex(frames[2].payload), "0109");
  EXPECT_EQ(frames[3].payload[4], 2);
}

TEST(Report, WordsAndEdgesComeBackFromFramesThatFit) {
  std::mt19937 random(3);
  for (const std::uint32_t payload : {256U, 300U, 4000U, 16384U}) {
    Peer peer(payload);
    begin_run(peer, 70000);
    std::vector<std::uint32_t> words(20000);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random() >> random() % 32);
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t part = std::min<std::size_t>(random() % 50, words.size() - at);
      ASSERT_EQ(plumb_link_events(&peer.link, words.data() + at, static_cast<std::uint32_t>(part)), PLUMB_LINK_OK);
      at += part;
    }
    std::vector<std::uint32_t> edges;
    for (std::uint32_t edge = 0; edge < 300000; edge += 1 + static_cast<std::uint32_t>(random() % 400)) {
      edges.push_back(edge);
      ASSERT_EQ(plumb_link_edge(&peer.link, edge), PLUMB_LINK_OK);
    }
    const plumb_ending ending = {PLUMB_WIRE_EXITED, 0, 0, 0, 0};
    ASSERT_EQ(plumb_link_end(&peer.link, &ending), PLUMB_LINK_OK);
    std::vector<std::uint32_t> got_words;
    std::vector<std::uint32_t> got_edges;
    std::uint32_t last = ~0U;
    std::uint16_t number = 2;
    for (const Frame& frame : peer.frames()) {
      EXPECT_EQ(frame.number, number++);
      EXPECT_LE(frame.payload.size(), payload);
      if (frame.kind == PLUMB_WIRE_END) continue;
      const std::vector<std::uint64_t> values = varints(frame.payload);
      ASSERT_EQ(values.at(0), 70000U);
      for (std::size_t i = 1; i < values.size(); ++i)
        if (frame.kind == PLUMB_WIRE_EVENTS) {
          got_words.push_back(static_cast<std::uint32_t>(values[i]));
        } else {
          got_edges.push_back(last += 1 + static_cast<std::uint32_t>(values[i]));
        }
    }
    EXPECT_EQ(got_words, words);
    EXPECT_EQ(got_edges, edges);
    EXPECT_EQ(peer.link.words, words.size());
    EXPECT_EQ(peer.link.edges, edges.size());
    EXPECT_TRUE(peer.guards_are_whole());
  }
}

TEST(Report, AChannelThatTakesNothingBreaksTheSession) {
  Peer peer;
  begin_run(peer, 1);
  peer.takes_bytes = false;
  const std::vector<std::uint32_t> words(1000, 0xffffffff);
  EXPECT_EQ(plumb_link_events(&peer.link, words.data(), 1000), PLUMB_LINK_BROKEN);
  const plumb_ending ending = {PLUMB_WIRE_EXITED, 0, 0, 0, 0};
  EXPECT_EQ(plumb_link_end(&peer.link, &ending), PLUMB_LINK_BROKEN);
}

}  // namespace
}  // namespace plumb::link_test
