#include "remote/wire/frame.h"

#include <gtest/gtest.h>

#include <random>

#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

Bytes ping(std::uint16_t number) {
  Bytes bytes;
  put_frame(bytes, PLUMB_WIRE_PING, number, {});
  return bytes;
}

/// Kinds and payload sizes of all frames, the bytes given in such pieces.
std::vector<std::pair<std::uint8_t, std::size_t>> read_all(FrameReader& reader, const Bytes& bytes, std::size_t piece) {
  std::vector<std::pair<std::uint8_t, std::size_t>> found;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    ByteView part = ByteView(bytes).subspan(at, std::min(piece, bytes.size() - at));
    while (const auto frame = reader.next(part)) found.emplace_back(frame->kind, frame->payload.size());
  }
  return found;
}

TEST(Frame, HasTheBytesOfTheDocument) {
  Bytes bytes;
  const Bytes payload = {0x01, 0x00, 0x03};
  put_frame(bytes, PLUMB_WIRE_COVERAGE, 3, payload);
  EXPECT_EQ(bytes, (Bytes{0x70, 0x6c, 0x01, 0x04, 0x03, 0x00, 0x03, 0x00, 0xd7, 0x55, 0xbb, 0x9b, 0x01, 0x00, 0x03}));
}

TEST(FrameReader, FindsFramesHoweverTheyComeInPieces) {
  Bytes bytes;
  std::vector<std::pair<std::uint8_t, std::size_t>> expected;
  for (const std::size_t size : {0U, 1U, 5U, 300U, 16384U, 0U}) {
    const Bytes payload(size, 0x70);
    put_frame(bytes, static_cast<std::uint8_t>(size % 7), 1, payload);
    expected.emplace_back(static_cast<std::uint8_t>(size % 7), size);
  }
  for (const std::size_t piece : {1U, 2U, 3U, 11U, 12U, 13U, 1000U, 100000U}) {
    FrameReader reader(16384, false);
    EXPECT_EQ(read_all(reader, bytes, piece), expected) << piece;
    EXPECT_FALSE(reader.is_inside());
    EXPECT_EQ(reader.problem(), FrameProblem::None);
    EXPECT_LE(reader.capacity(), 2 * frame_size(16384));
  }
}

TEST(FrameReader, NamesWhatIsWrong) {
  const auto problem_of = [](Bytes bytes, std::uint32_t limit = 100) {
    FrameReader reader(limit, false);
    ByteView rest = bytes;
    EXPECT_FALSE(reader.next(rest).has_value());
    return reader.problem();
  };
  Bytes good;
  put_frame(good, 3, 0, Bytes(50, 1));
  Bytes other = good;
  other[2] = 2;
  EXPECT_EQ(problem_of(other), FrameProblem::Version);
  other = good;
  other[1] = 0;
  EXPECT_EQ(problem_of(other), FrameProblem::NoFrame);
  EXPECT_EQ(problem_of(good, 49), FrameProblem::Length);
  for (std::size_t at = 3; at < good.size(); ++at) {
    if (at == 4 || at == 5) continue;  // then the rest of the frame is missing
    other = good;
    other[at] ^= 0x10;
    EXPECT_EQ(problem_of(other), FrameProblem::Checksum) << at;
  }
}

TEST(FrameReader, RefusesALongFrameBeforeItHasCome) {
  const Bytes head = {0x70, 0x6c, 0x01, 0x03, 0x81, 0x00};
  FrameReader reader(128, false);
  ByteView rest = head;
  EXPECT_FALSE(reader.next(rest).has_value());
  EXPECT_EQ(reader.problem(), FrameProblem::Length);
}

TEST(FrameReader, SkipsWhatABoardPrintsIfItMay) {
  std::mt19937 random(1);
  for (const std::string text : {"", "plumb ready\r\n", "pl", "ppppl", "p\x6c\x01", "pl\x01zzzzzzzzzzzzzzz"}) {
    Bytes bytes(text.begin(), text.end());
    const Bytes frame = ping(0);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    // A false beginning may want more bytes than there are before it is known to be one.
    bytes.resize(bytes.size() + 200);
    for (const std::size_t piece : {1U, 3U, 1000U}) {
      FrameReader reader(128, true);
      EXPECT_EQ(read_all(reader, bytes, piece).size(), 1U) << text;
    }
  }
  Bytes noise(100000);
  for (std::uint8_t& byte : noise)
    byte = static_cast<std::uint8_t>(random() % 4 == 0 ? 'p' : random() % 3 == 0 ? 'l' : random());
  const Bytes frame = ping(0);
  noise.insert(noise.end(), 128 + 12, 0);
  noise.insert(noise.end(), frame.begin(), frame.end());
  FrameReader reader(128, true);
  EXPECT_EQ(read_all(reader, noise, 777).size(), 1U);
  EXPECT_LE(reader.capacity(), 2 * frame_size(128));
}

}  // namespace
}  // namespace plumb::remote
