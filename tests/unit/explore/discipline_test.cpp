#include "explore/discipline.h"

#include <gtest/gtest.h>

namespace plumb::explore {
namespace {

using Access = Discipline::Access;

constexpr std::uint64_t kMutex[] = {0x100};
constexpr std::uint64_t kOther[] = {0x200};

Access read(std::uint32_t thread, std::uint64_t address = 64, std::span<const std::uint64_t> held = {}) {
  return {address, 4, thread, false, held};
}
Access write(std::uint32_t thread, std::uint64_t address = 64, std::span<const std::uint64_t> held = {}) {
  return {address, 4, thread, true, held};
}

TEST(Discipline, HidesWhatOneThreadAccesses) {
  Discipline discipline;
  discipline.add(write(1));
  EXPECT_TRUE(discipline.hides(read(1)));
  EXPECT_FALSE(discipline.hides(read(2)));
  EXPECT_FALSE(discipline.is_broken());
}

TEST(Discipline, HidesWhatNobodyWrites) {
  Discipline discipline;
  discipline.add(read(1));
  discipline.add(read(2));
  EXPECT_TRUE(discipline.hides(read(3)));
  EXPECT_FALSE(discipline.hides(write(1)));
}

TEST(Discipline, HidesWhatOneMutexGuards) {
  Discipline discipline;
  discipline.add(write(1, 64, kMutex));
  discipline.add(write(2, 64, kMutex));
  EXPECT_TRUE(discipline.hides(write(3, 64, kMutex)));
  EXPECT_FALSE(discipline.hides(write(3, 64, kOther)));
  EXPECT_FALSE(discipline.hides(read(1)));
}

TEST(Discipline, IsBrokenByTheFirstAccessThatShowsOtherwiseAndHidesLessAfterThat) {
  Discipline discipline;
  discipline.add(write(1));
  discipline.add(read(2));
  EXPECT_TRUE(discipline.is_broken());
  discipline.mend();
  EXPECT_FALSE(discipline.is_broken());
  EXPECT_FALSE(discipline.hides(write(1)));
  EXPECT_FALSE(discipline.hides(read(2)));
  EXPECT_TRUE(discipline.hides(read(1)));  // nobody else writes it
}

TEST(Discipline, HidesNothingOfWhatManyWrite) {
  Discipline discipline;
  discipline.add(write(1));
  discipline.add(write(2));
  discipline.mend();
  EXPECT_FALSE(discipline.hides(read(1)));
  EXPECT_FALSE(discipline.hides(read(2)));
}

TEST(Discipline, ASecondWriterIsFoundOutToo) {
  Discipline discipline;
  discipline.add(write(1));
  discipline.add(read(2));
  discipline.mend();
  discipline.add(read(1));
  EXPECT_FALSE(discipline.is_broken());
  discipline.add(write(2));
  EXPECT_TRUE(discipline.is_broken());
  discipline.mend();
  EXPECT_FALSE(discipline.hides(read(1)));
}

TEST(Discipline, CellsAreApart) {
  Discipline discipline;
  discipline.add(write(1, 64));
  discipline.add(write(2, 68));
  EXPECT_FALSE(discipline.is_broken());
  EXPECT_TRUE(discipline.hides(write(1, 64)));
  EXPECT_FALSE(discipline.hides(Access{64, 8, 1, true, {}}));
}

}  // namespace
}  // namespace plumb::explore
