#include "semantics/memory/cow_vector.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::semantics {
namespace {

/// Counts how often its values are copied.
struct Counted {
  int value = 0;
  static inline std::size_t copies = 0;

  Counted() = default;
  explicit Counted(int v) : value(v) {}
  Counted(const Counted& other) : value(other.value) { ++copies; }
  Counted& operator=(const Counted& other) {
    value = other.value;
    ++copies;
    return *this;
  }
  Counted(Counted&&) noexcept = default;
  Counted& operator=(Counted&&) noexcept = default;
  ~Counted() = default;
};

CowVector<Counted> numbers(int count) {
  CowVector<Counted> v;
  for (int i = 0; i < count; ++i) v.push_back(Counted(i));
  return v;
}

TEST(CowVector, ACopyCopiesNoElements) {
  const CowVector<Counted> original = numbers(100'000);
  Counted::copies = 0;
  const CowVector<Counted> copy = original;
  EXPECT_EQ(copy.size(), original.size());
  EXPECT_EQ(Counted::copies, 0U);
}

TEST(CowVector, TheFirstWriteToASharedChunkCopiesThatChunkAndLaterOnesNothing) {
  const CowVector<Counted> original = numbers(1000);
  CowVector<Counted> copy = original;
  Counted::copies = 0;
  copy.writable(70).value = -1;
  EXPECT_EQ(Counted::copies, CowVector<Counted>::kChunk);
  copy.writable(71).value = -2;
  EXPECT_EQ(Counted::copies, CowVector<Counted>::kChunk);
  EXPECT_EQ(original[70].value, 70);
  EXPECT_EQ(original[71].value, 71);
  EXPECT_EQ(copy[70].value, -1);
  EXPECT_EQ(copy[72].value, 72);
}

TEST(CowVector, AnOwnerThatIsLeftAloneWritesInPlace) {
  CowVector<Counted> original = numbers(64);
  {
    const CowVector<Counted> copy = original;
  }
  Counted::copies = 0;
  original.writable(3).value = 5;
  EXPECT_EQ(Counted::copies, 0U);
}

TEST(CowVector, ForksBehaveAsVectorsThatWereCopied) {
  std::mt19937 random(1);
  std::vector<CowVector<int, 2>> ours(1);
  std::vector<std::vector<int>> plain(1);
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t which = random() % ours.size();
    const auto value = static_cast<int>(random() % 1000);
    const std::size_t action = random() % 10;
    if (action == 0 && ours.size() < 6) {
      ours.push_back(CowVector<int, 2>(ours[which]));
      plain.push_back(std::vector<int>(plain[which]));
    } else if (action == 1 && ours.size() > 1) {
      ours[which] = ours.back();
      plain[which] = plain.back();
      ours.pop_back();
      plain.pop_back();
    } else if (action == 2) {
      const std::size_t count = random() % 20;
      ours[which].append(count, value);
      plain[which].insert(plain[which].end(), count, value);
    } else if (action < 4 || plain[which].empty()) {
      ours[which].push_back(value);
      plain[which].push_back(value);
    } else {
      const std::size_t i = random() % plain[which].size();
      ASSERT_EQ(ours[which][i], plain[which][i]);
      ours[which].writable(i) = value;
      plain[which][i] = value;
    }
  }
  for (std::size_t v = 0; v < ours.size(); ++v) {
    ASSERT_EQ(ours[v].size(), plain[v].size());
    for (std::size_t i = 0; i < plain[v].size(); ++i) ASSERT_EQ(ours[v][i], plain[v][i]);
  }
}

}  // namespace
}  // namespace plumb::semantics
