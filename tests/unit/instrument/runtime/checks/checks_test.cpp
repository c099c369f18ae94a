// runtime/checks as programs are linked with it: programs of unit/instrument/runtime/checks, for both word sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/subprocess.h"

extern "C" {
#include "runtime/checks/checks.h"
#include "runtime/checks/report.h"
}

namespace plumb::instrument {
namespace {

std::string program(const std::string& name, int bits) {
  return std::string(PLUMB_CHECK_PROGRAMS) + "_" + name + "-" + std::to_string(bits);
}

ProcessResult run(std::vector<std::string> words, const std::vector<std::string>& variables = {}) {
  std::vector<std::string> command = {"env"};
  command.insert(command.end(), variables.begin(), variables.end());
  command.insert(command.end(), words.begin(), words.end());
  return run_process(command, "", Budget());
}

class Checks : public testing::TestWithParam<int> {
 protected:
  void check(const std::string& name) {
    const ProcessResult result = run({program("cases", GetParam()), name}, {"PLUMB_MEMORY=300000000"});
    EXPECT_EQ(result.end, ProcessResult::End::Exited);
    EXPECT_EQ(result.code, 0) << result.error;
  }
};
INSTANTIATE_TEST_SUITE_P(, Checks, testing::Values(64, 32), testing::PrintToStringParamName());

TEST_P(Checks, HeapAccessesAreRightWithinTheObjectAlone) { check("heap_accesses"); }
TEST_P(Checks, ObjectsOfNoBytesAreObjects) { check("zero_sizes"); }
TEST_P(Checks, AlignedObjectsAreAlignedAndHaveRoomAroundThem) { check("alignments"); }
TEST_P(Checks, WhatIsNoLiveObjectIsNotFreed) { check("bad_frees"); }
TEST_P(Checks, ReallocKeepsTheContentAndTheOldPlaceIsFreed) { check("reallocations"); }
TEST_P(Checks, FreedMemoryIsSeenForLong) { check("quarantine"); }
TEST_P(Checks, MemoryThatIsUsedAgainIsAccessible) { check("memory_is_used_again"); }
TEST_P(Checks, SmallObjectsShareTheRoomBetweenThem) { check("shared_room"); }
TEST_P(Checks, AllocationsFailAsTheLibrarysDo) { check("failing_allocations"); }
TEST_P(Checks, TheLibraryAllocatesAndFreesForTheProgram) { check("library_calls"); }
TEST_P(Checks, MemoryFromBeforeAllConstructorsIsCheckedToo) { check("early_memory"); }
TEST_P(Checks, ThreadsShareTheHeapAndMayFork) { check("threads"); }
TEST_P(Checks, ChildrenHaveTheirOwnHeap) { check("forks"); }
TEST_P(Checks, StacksOfAllocationsNameTheirCallers) { check("stacks"); }
TEST_P(Checks, FramePointersThatAreNoneDoNoHarm) { check("broken_frame_pointers"); }
TEST_P(Checks, VariablesInFramesHaveRoomAroundThem) { check("frames"); }
TEST_P(Checks, VariablesOfFunctionsThatReturnedAreSeen) { check("returned_frames"); }
TEST_P(Checks, VariablesOfBlocksThatWereLeftAreSeen) { check("scoped_variables"); }
TEST_P(Checks, WithoutRoomThereIsNoFrame) { check("deep_frames"); }
TEST_P(Checks, FramesThatLongjmpSkipsAreTakenBackAndNoOthers) { check("skipped_frames"); }
TEST_P(Checks, OtherThreadsHaveNoFrames) { check("frames_of_threads"); }
TEST_P(Checks, GlobalsHaveRoomBehindThem) { check("globals"); }
TEST_P(Checks, TheFirstPagesAndImpossibleAddressesAreWrong) { check("null_and_wild"); }
TEST_P(Checks, WrongAccessesGoWhereTheyDoNoHarm) { check("substitutes"); }
TEST_P(Checks, BlocksAreRightIfAllOfThemIs) { check("blocks"); }
TEST_P(Checks, QuestionsAreAnsweredExactlyAndSilently) { check("questions"); }
TEST_P(Checks, AccessesToWatchedObjectsAreTold) { check("watched_objects"); }
TEST_P(Checks, LostObjectsAreLeaks) { check("leaks"); }
TEST_P(Checks, WhatAnythingPointsToIsNoLeak) { check("no_leaks"); }
TEST_P(Checks, BesideOtherThreadsThereIsNoVerdictOnLeaks) { check("no_verdict"); }

TEST_P(Checks, AgreeWithAddressSanitizerOnRandomSequences) {
  const ProcessResult ours = run({program("random", GetParam()), "300"});
  const ProcessResult sanitized = run({program("sanitized", GetParam()), "300"}, {"ASAN_OPTIONS=detect_leaks=0"});
  ASSERT_EQ(ours.code, 0) << ours.error;
  ASSERT_EQ(sanitized.code, 0) << sanitized.error;
  EXPECT_GT(std::ranges::count(ours.output, '\n'), 20'000);
  if (ours.output == sanitized.output) return;
  const auto [first, second] = std::ranges::mismatch(ours.output, sanitized.output);
  ADD_FAILURE() << "they differ at " << std::string(first, std::ranges::find(first, ours.output.end(), '\n'));
}

// --- The report of a replay ---

struct Told {
  std::uint32_t kind = 0;
  std::uint32_t site = 0;
  std::uint32_t access = 0;
  std::uint32_t object_kind = 0;
  std::uint64_t address = 0;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::vector<std::uint64_t> stack;
  std::vector<std::uint64_t> allocated;
  std::vector<std::uint64_t> freed;
};

std::vector<std::uint64_t> take_stack(std::istream& words) {
  std::size_t depth = 0;
  words >> std::dec >> depth;
  std::vector<std::uint64_t> frames(std::min<std::size_t>(depth, 100));
  for (std::uint64_t& frame : frames) words >> std::hex >> frame;
  return frames;
}

struct Report {
  ProcessResult result;
  std::vector<Told> defects;
};

Report report_of(std::vector<std::string> command) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "defects";
  Report report{run(std::move(command), {"PLUMB_DEFECTS=" + file.string(), "PLUMB_MEMORY=100000000"}), {}};
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head;
    Told told;
    words >> head >> told.kind >> told.site >> told.access >> told.object_kind;
    words >> std::hex >> told.address >> told.base >> told.size >> told.a >> told.b;
    told.stack = take_stack(words);
    told.allocated = take_stack(words);
    told.freed = take_stack(words);
    EXPECT_EQ(head, "defect");
    EXPECT_TRUE(words && (words >> std::ws).eof()) << line;
    report.defects.push_back(told);
  }
  return report;
}

Report report_of(const std::string& what, int bits) { return report_of({program("report", bits), what}); }

/// The function at an address of the executable's file.
std::string function_at(std::uint64_t address, int bits) {
  std::ostringstream text;
  text << "0x" << std::hex << address - 1;
  const ProcessResult result = run({"addr2line", "-f", "-e", program("report", bits), text.str()});
  return result.output.substr(0, result.output.find('\n'));
}

class CheckedReplay : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(, CheckedReplay, testing::Values(64, 32), testing::PrintToStringParamName());

TEST_P(CheckedReplay, ReportsEachDefectOnceWithItsObjectAndStacks) {
  const Report report = report_of("some", GetParam());
  EXPECT_EQ(report.result.code, 0);
  ASSERT_EQ(report.defects.size(), 4U);
  const Told& overrun = report.defects[0];
  EXPECT_EQ(overrun.kind, PLUMB_DEFECT_POINTER);
  EXPECT_EQ(overrun.access, 4 | PLUMB_ACCESS_WRITE);
  EXPECT_EQ(overrun.address - overrun.base, 20U);
  EXPECT_EQ(overrun.size, 20U);
  ASSERT_GE(overrun.stack.size(), 3U);
  EXPECT_EQ(function_at(overrun.stack[0], GetParam()), "overrun");
  EXPECT_EQ(function_at(overrun.stack[1], GetParam()), "tell_some");
  EXPECT_EQ(function_at(overrun.stack[2], GetParam()), "main");
  EXPECT_EQ(function_at(overrun.allocated.at(0), GetParam()), "allocate");
  EXPECT_TRUE(overrun.freed.empty());
  const Told& freed = report.defects[1];
  EXPECT_EQ(freed.kind, PLUMB_DEFECT_FREED);
  EXPECT_EQ(function_at(freed.freed.at(0), GetParam()), "tell_some");
  const Told& global = report.defects[2];
  EXPECT_EQ(global.kind, PLUMB_DEFECT_ARRAY);
  EXPECT_EQ(global.object_kind, PLUMB_OBJECT_GLOBAL);
  EXPECT_EQ(global.address - global.base, 20U);
  EXPECT_LT(global.base, 0x1000000U);
  const Told& leak = report.defects[3];
  EXPECT_EQ(leak.kind, PLUMB_DEFECT_LEAK);
  EXPECT_EQ(leak.size, 30U);
  EXPECT_EQ(leak.a, 1U);
  EXPECT_TRUE(leak.stack.empty());
  EXPECT_EQ(function_at(leak.allocated.at(0), GetParam()), "allocate");
}

TEST_P(CheckedReplay, DoesNotReportWithoutEnd) {
  const Report report = report_of("many", GetParam());
  EXPECT_EQ(report.result.code, 0);
  EXPECT_EQ(report.defects.size(), std::size_t{PLUMB_REPORT_MOST});
}

TEST_P(CheckedReplay, ReportsFaultsOfTheMachineBeforeTheSignal) {
  struct Fault {
    const char* what;
    std::uint32_t kind;
    int signal;
  };
  for (const Fault& fault : {Fault{"null", PLUMB_DEFECT_NULL, 11}, Fault{"wild", PLUMB_DEFECT_WILD, 11},
                             Fault{"constant", PLUMB_DEFECT_CONSTANT, 11}, Fault{"divide", PLUMB_DEFECT_DIVISION, 8},
                             Fault{"library", PLUMB_DEFECT_NULL, 11}}) {
    SCOPED_TRACE(fault.what);
    const Report report = report_of(fault.what, GetParam());
    EXPECT_EQ(report.result.end, ProcessResult::End::Signalled);
    EXPECT_EQ(report.result.code, fault.signal);
    ASSERT_EQ(report.defects.size(), 1U);
    EXPECT_EQ(report.defects[0].kind, fault.kind);
    EXPECT_EQ(report.defects[0].a, static_cast<std::uint64_t>(fault.signal));
    ASSERT_FALSE(report.defects[0].stack.empty());
    EXPECT_EQ(function_at(report.defects[0].stack[0], GetParam()), "main");
  }
}

TEST_P(CheckedReplay, ANullPointerIsNotNearAStackAtTheEndOfAllAddresses) {
  // Without randomisation the stack of 32 bits is there.
  const Report report = report_of({"setarch", "-R", program("report", GetParam()), "null"});
  ASSERT_EQ(report.defects.size(), 1U) << report.result.error;
  EXPECT_EQ(report.defects[0].kind, PLUMB_DEFECT_NULL);
}

TEST_P(CheckedReplay, AnOverflowOfTheStackIsNoDefect) {
  const Report report = report_of("deep", GetParam());
  EXPECT_EQ(report.result.end, ProcessResult::End::Signalled);
  EXPECT_TRUE(report.defects.empty());
}

TEST_P(CheckedReplay, SaysThatExitWasCalledBeforeTheEntryReturned) {
  const Report report = report_of("exit", GetParam());
  ASSERT_EQ(report.defects.size(), 1U);
  EXPECT_EQ(report.defects[0].kind, PLUMB_DEFECT_LEAK);
  EXPECT_EQ(report.defects[0].a, 0U);
}

TEST_P(CheckedReplay, LimitsTheMemoryThatIsTakenAfterTheStart) {
  EXPECT_EQ(report_of("memory", GetParam()).result.code, 0);
}

}  // namespace
}  // namespace plumb::instrument
