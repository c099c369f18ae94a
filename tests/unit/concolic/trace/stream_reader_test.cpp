#include "concolic/trace/stream_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sample_stream.h"

namespace plumb::concolic {
namespace {

/// Reads over all records; gives how many there were.
std::size_t skip_all(StreamReader& reader) {
  std::size_t count = 0;
  while (const std::optional<RecordHead> head = reader.next()) {
    reader.skip(*head);
    ++count;
  }
  return count;
}

/// In a buffer of its own size, so that a checker sees a read behind its end.
std::vector<std::uint32_t> first_words(const std::vector<std::uint32_t>& words, std::size_t size) {
  return {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace

TEST(StreamReader, ReadsOverEveryKindOfRecordToItsEnd) {
  const Subject subject = sample_subject();
  const StreamWriter written = sample_stream();
  StreamReader reader(subject, written.words);
  EXPECT_EQ(skip_all(reader), written.starts.size());
  EXPECT_FALSE(reader.has_failed()) << reader.problem();
}

TEST(StreamReader, AStreamCutBetweenRecordsIsGoodAndOneCutInsideARecordIsNot) {
  const Subject subject = sample_subject();
  const StreamWriter written = sample_stream();
  for (std::size_t size = 0; size < written.words.size(); ++size) {
    const std::vector<std::uint32_t> words = first_words(written.words, size);
    StreamReader reader(subject, words);
    skip_all(reader);
    const bool is_between = std::ranges::find(written.starts, size) != written.starts.end();
    EXPECT_EQ(reader.has_failed(), !is_between) << size;
  }
}

TEST(StreamReader, NothingFollowsTheEndOfTheRun) {
  const Subject subject = sample_subject();
  StreamWriter written;
  written.end(PLUMB_END_DEPTH);
  written.lost(PLUMB_PIN_CALL, 1);
  StreamReader reader(subject, written.words);
  EXPECT_EQ(skip_all(reader), 1U);
  EXPECT_TRUE(reader.has_failed());
}

TEST(StreamReader, RunsThatOverlapOrLieOutsideAreRefused) {
  const Subject subject = sample_subject();
  const auto fails = [&](std::vector<StreamWriter::Run> runs) {
    StreamWriter written;
    written.read(8, 1, 0x1000, {0x1000, std::vector<std::uint8_t>(16), std::move(runs), 0});
    StreamReader reader(subject, written.words);
    skip_all(reader);
    return reader.has_failed();
  };
  EXPECT_FALSE(fails({{0, 1, 0, 4, 4}, {4, 1, 1, 4, 3}, {12, 1, 0, 0, 4}}));
  EXPECT_TRUE(fails({{0, 1, 0, 4, 4}, {3, 1, 0, 4, 4}}));
  EXPECT_TRUE(fails({{4, 1, 0, 4, 4}, {0, 1, 0, 4, 4}}));
  EXPECT_TRUE(fails({{13, 1, 0, 4, 4}}));
  EXPECT_TRUE(fails({{0xffffffffU, 1, 0, 4, 4}}));
  EXPECT_TRUE(fails({{0, 1, 2, 4, 3}}));
  EXPECT_TRUE(fails({{0, 1, 0, 9, 9}}));
  EXPECT_TRUE(fails({{0, 1, 0, 4, 0}}));
  EXPECT_TRUE(fails({{0, 1, 1, 0, 4}}));
  EXPECT_TRUE(fails({{12, 1, 0, 0, 5}}));
}

TEST(StreamReader, AfterAFailureEveryWordIsZeroAndTheFirstProblemStays) {
  const Subject subject = sample_subject();
  const std::vector<std::uint32_t> words{PLUMB_LOST, 77, 78};
  StreamReader reader(subject, words);
  ASSERT_TRUE(reader.next());
  reader.fail("first");
  EXPECT_EQ(reader.word(), 0U);
  EXPECT_EQ(reader.value(), 0U);
  reader.fail("second");
  EXPECT_EQ(reader.problem(), "record at word 0 of 3: first");
  EXPECT_FALSE(reader.next());
}

TEST(StreamReader, SurvivesRandomWords) {
  const Subject subject = sample_subject();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint32_t> words(random() % 40);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random() % 3 == 0 ? random() : random() % 24);
    StreamReader reader(subject, words);
    EXPECT_LE(skip_all(reader), words.size());
  }
}

}  // namespace plumb::concolic
