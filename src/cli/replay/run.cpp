#include "cli/replay/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/file.h"
#include "frontend/toolchain/carried_code.h"
#include "replay/native_replayer.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using replay::RunEnd;
using result::StoredTest;

void note_newer_sources(fs::file_time_type written, replay::SourceBuild& build) {
  for (const fs::path& file : build.sources)
    if (std::error_code error; fs::last_write_time(file, error) > written && !error)
      build.notes.push_back(fmt::format("{} was changed after the campaign: its tests may not fit it", file.string()));
}

fs::path build_plainly(replay::Builds& builds, const Budget& budget) {
  const std::vector<std::string>& files = builds.options().files;
  try {
    return builds.plain(budget);
  } catch (const UserError&) {
    if (files.size() == 1 && frontend::is_native(files.front())) return fs::absolute(files.front());
    throw;
  }
}

}  // namespace

ReplayProgram build_replay_program(replay::Builds& builds, frontend::Purpose purpose,
                                   std::optional<fs::file_time_type> written, const Budget& budget) {
  ReplayProgram built;
  try {
    built.build = builds.from_sources(purpose, budget);
    if (written) note_newer_sources(*written, built.build);
  } catch (const UserError& error) {
    built.missing = error.hint().empty() ? error.message() : fmt::format("{} ({})", error.message(), error.hint());
    built.build.executable = build_plainly(builds, budget);
  }
  return built;
}

std::string recorded_end(const StoredTest& stored) {
  const std::optional<RunEnd> end = replay::run_end(stored.end);
  return end && !is_cut(*end) ? replay::describe({*end, stored.code}) : stored.end;
}

ReplayedTest compare(StoredTest stored, replay::NativeRun run) {
  ReplayedTest test{std::move(stored), std::move(run)};
  const std::optional<RunEnd> then = replay::run_end(test.stored.end);
  const replay::Ending& now = test.run.ending;
  test.is_failure = is_failure(now);
  test.is_different = then && !is_same_end({*then, test.stored.code}, now);
  const bool was_cut = then == RunEnd::Timeout || then == RunEnd::Killed || then == RunEnd::FileLimit;
  test.is_unfinished = is_cut(now) && !was_cut;
  return test;
}

RecordedRuns::RecordedRuns(const replay::SourceBuild& program, replay::Builds& builds, const replay::RunLimits& limits,
                           fs::path directory)
    : program_(program), builds_(builds), limits_(limits), directory_(std::move(directory)) {
  if (!program_.counters.empty()) counted_ = read_file(program_.counters);
}

/// A program may remove or cut what it can write to.
void RecordedRuns::restore_counters() {
  std::error_code error;
  if (fs::file_size(program_.counters, error) == counted_.size() && !error) return;
  fs::create_directories(program_.counters.parent_path());
  write_file(program_.counters, counted_);
}

ReplayedTest RecordedRuns::run_in_order(const StoredTest& test, const Budget& budget) {
  replay::NativeReplayer::Ordered made;
  try {
    made = replay::NativeReplayer(builds_, limits_).run_scheduled(test.test, budget);
  } catch (const UserError& error) {
    made.problem = error.message();
  }
  ReplayedTest replayed = compare(test, std::move(made.run));
  replayed.order_problem = std::move(made.problem);
  replayed.is_ordered = replayed.order_problem.empty();
  replayed.is_deadlock = made.is_deadlock;
  replayed.is_failure = replayed.is_ordered && (replayed.is_failure || made.is_deadlock);
  replayed.is_unfinished |= !replayed.is_ordered;
  return replayed;
}

ReplayedTest RecordedRuns::run(const StoredTest& test, const Budget& budget) {
  if (!test.test.schedule.empty()) return run_in_order(test, budget);
  std::vector<std::pair<std::string, std::string>> variables;
  if (!program_.counters.empty()) {
    restore_counters();
    variables.emplace_back(replay::kCountersVariable, program_.counters.string());
  }
  replay::RunLimits limits = limits_;
  // One that is expected to be cut off need not be waited for longer than it was.
  if (test.end == "timeout")
    limits.time = std::max((limits_.time - std::chrono::seconds(1)) / 4, std::chrono::duration<double>(0));
  replay::NativeRun run = replay::run_natively(program_.executable, test.test, limits, directory_, budget, variables);
  std::error_code error;
  if (!program_.counters.empty() && fs::file_size(program_.counters, error) == counted_.size() && !error)
    counted_ = read_file(program_.counters);
  return compare(test, std::move(run));
}

fs::path RecordedRuns::write_profile(const Budget& budget) {
  INVARIANT(!program_.counters.empty(), "a profile should come of a program with counters");
  restore_counters();
  fs::path profile = directory_ / "tests.profraw";
  replay::write_profile(program_, profile, budget);
  return profile;
}

}  // namespace plumb::cli
