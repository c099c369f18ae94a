#include "interpret/races.h"

#include <gtest/gtest.h>

#include "thread_programs.h"

namespace plumb::interpret {
namespace {

using Section = Races::Section;

/// Two threads that nothing orders, each with a place of its own.
class RacesTest : public testing::Test {
 protected:
  RacesTest() {
    races_.created(0, 1);
    races_.created(0, 2);
  }
  bool access(std::size_t t, std::uint64_t address, std::uint64_t size, bool is_write, bool is_atomic = false) {
    return races_.access(t, {address, size, is_write, is_atomic, {0, next_place_++}}).has_value();
  }
  bool write(std::size_t t, std::uint64_t address = 64) { return access(t, address, 4, true); }
  bool read(std::size_t t, std::uint64_t address = 64) { return access(t, address, 4, false); }

  Races races_;
  std::uint32_t next_place_ = 0;
};

TEST_F(RacesTest, AreBetweenThreadsOneOfWhichWrites) {
  EXPECT_FALSE(write(1));
  EXPECT_FALSE(write(1));
  EXPECT_TRUE(read(2));
  EXPECT_TRUE(write(2));
  EXPECT_FALSE(read(1, 128));
  EXPECT_FALSE(read(2, 128));
  EXPECT_TRUE(write(0, 128));
}

TEST_F(RacesTest, AreOfTheSameBytes) {
  EXPECT_FALSE(access(1, 62, 4, true));
  EXPECT_FALSE(access(2, 60, 2, true));
  EXPECT_FALSE(access(2, 66, 2, true));
  EXPECT_TRUE(access(2, 65, 1, false));
  EXPECT_FALSE(access(1, 100, 40, true));
  EXPECT_TRUE(access(2, 120, 1, true));
}

TEST_F(RacesTest, OfOnePairOfPlacesAreToldOfOnce) {
  EXPECT_FALSE(races_.access(1, {64, 4, true, false, {0, 7}}));
  EXPECT_TRUE(races_.access(2, {64, 4, true, false, {0, 7}}));
  EXPECT_FALSE(races_.access(1, {64, 4, true, false, {0, 7}}));
}

TEST_F(RacesTest, AreNotWhereCreationJoiningOrAMutexOrders) {
  write(0);
  EXPECT_TRUE(write(1)) << "it was made before";
  races_.created(0, 3);
  write(0, 96);
  races_.created(0, 4);
  EXPECT_FALSE(read(4, 96));
  EXPECT_TRUE(read(3, 96));
  write(1, 200);
  races_.joined(0, 1);
  EXPECT_FALSE(read(0, 200));
  write(1, 300);
  races_.unlocked(1, 1000);
  races_.locked(2, 2000);
  EXPECT_TRUE(read(2, 300)) << "another mutex";
  write(1, 400);
  races_.unlocked(1, 1000);
  races_.locked(2, 1000);
  EXPECT_FALSE(write(2, 400));
  EXPECT_TRUE(read(0, 400));
}

TEST_F(RacesTest, AreNotBetweenAtomicAccesses) {
  EXPECT_FALSE(access(1, 64, 4, true, true));
  EXPECT_FALSE(access(2, 64, 4, true, true));
  EXPECT_TRUE(read(2)) << "with that of the first thread";
}

TEST_F(RacesTest, AreOrderedByWhatReleasesAndWhatAcquires) {
  for (const bool releases : {false, true})
    for (const bool acquires : {false, true}) {
      const std::uint64_t data = 64 + 128 * next_place_;
      write(1, data);
      races_.atomic_write(1, data + 64, releases, false);
      races_.atomic_read(2, data + 64, acquires);
      EXPECT_EQ(read(2, data), !(releases && acquires));
    }
}

TEST_F(RacesTest, UpdatesHandOnAndWritesByOthersDoNot) {
  for (const bool is_update : {false, true}) {
    const std::uint64_t data = 64 + 128 * next_place_;
    write(1, data);
    races_.atomic_write(1, data + 64, true, false);
    races_.atomic_write(0, data + 64, false, is_update);
    races_.atomic_read(2, data + 64, true);
    EXPECT_EQ(read(2, data), !is_update);
  }
}

TEST_F(RacesTest, FencesMakeRelaxedAccessesOrder) {
  write(1);
  races_.fence(1, false, true);
  races_.atomic_write(1, 128, false, false);
  races_.atomic_read(2, 128, false);
  races_.fence(2, true, false);
  EXPECT_FALSE(read(2));
  write(1, 256);
  races_.atomic_write(1, 320, false, false);
  races_.atomic_read(2, 320, false);
  races_.fence(2, true, false);
  EXPECT_TRUE(read(2, 256)) << "the write is behind the fence";
}

TEST_F(RacesTest, SectionsOfTheProgramAreOrderedAmongThemselves) {
  races_.begin_section(1, Section::User);
  write(1);
  races_.end_section(1);
  races_.begin_section(2, Section::User);
  EXPECT_FALSE(write(2));
  races_.end_section(2);
  EXPECT_TRUE(write(0));
  EXPECT_EQ(races_.section(0), std::nullopt);
}

TEST(DataRaces, EndARunUnlessItGoesOn) {
  Scene s;
  s.p.main([&](FunctionBuilder& b) {
    Scene::create(b, 1);
    s.note(b, 1);
    give_number(b, 4);
  });
  s.thread("writer", [&](FunctionBuilder& b) { s.note(b, 2); });
  InterpreterOptions options;
  EXPECT_EQ(kinds(s.p.run(options)), Kinds{}) << "nobody looks";
  options.finds_races = true;
  const result::Schedule schedule = {{0, 3}, {1, 2}, {0, 1}};
  options.schedule = &schedule;
  const RunResult result = s.p.run(options);
  ASSERT_EQ(kinds(result), Kinds{"data-race"});
  EXPECT_NE(result.faults[0].message.find("write of 'log' by thread 2, and read by thread 1"), std::string::npos)
      << result.faults[0].message;
  std::size_t count = 0;
  options.on_fault = [&](const Fault& fault, std::span<const CodePoint> stack) {
    EXPECT_EQ(fault.kind, FaultKind::DataRace);
    EXPECT_FALSE(stack.empty());
    return ++count > 0;
  };
  EXPECT_EQ(s.p.run(options).exit_code, 4);
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace plumb::interpret
