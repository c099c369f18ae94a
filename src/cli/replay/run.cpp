#include "cli/replay/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/toolchain/coverage_build.h"
#include "instrument/build_subject.h"
#include "instrument/runtime_objects.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using frontend::Purpose;
using replay::RunEnd;
using result::StoredTest;

constexpr std::string_view kCountersVariable = "PLUMB_COUNTERS";

fs::path write_runtime(std::uint32_t word_size, const fs::path& directory) {
  const fs::path object = directory / "replay-runtime.o";
  write_file(object, instrument::replay_object(word_size));
  return object;
}

/// Another entry than main needs a main that calls it, which is made in bitcode.
fs::path link_other_entry(const frontend::LoadOptions& load, const frontend::SourceProgram& source,
                          const std::vector<fs::path>& units, const std::vector<fs::path>& objects,
                          const fs::path& directory, const Budget& budget) {
  frontend::LoadOptions options;
  options.entry = load.entry;
  options.word_size = source.word_size;
  for (const fs::path& unit : units) options.files.push_back(unit.string());
  for (const fs::path& object : objects) options.compiler_flags.push_back(fmt::format("-Wl,{}", object.string()));
  options.compiler_flags.insert(options.compiler_flags.end(), source.link_words.begin(), source.link_words.end());
  return instrument::build_replay(options, directory, budget);
}

fs::path build_from_sources(const frontend::LoadOptions& load, const frontend::SourceProgram& source, Purpose purpose,
                            const fs::path& directory, const Budget& budget, std::vector<std::string>& notes) {
  const bool is_main = load.entry == "main";
  std::vector<fs::path> objects;
  if (is_main) objects.push_back(write_runtime(source.word_size, directory));
  if (purpose == Purpose::Coverage)
    std::ranges::move(frontend::coverage_objects(source.word_size, directory, budget), std::back_inserter(objects));
  frontend::CompiledUnits compiled = frontend::compile_units(
      source, purpose, is_main ? frontend::UnitForm::Object : frontend::UnitForm::Bitcode, directory, budget);
  std::ranges::move(compiled.notes, std::back_inserter(notes));
  if (!is_main) return link_other_entry(load, source, compiled.files, objects, directory, budget);
  frontend::LinkedProgram linked = frontend::link_units(source, purpose, objects, directory, budget);
  std::ranges::move(linked.notes, std::back_inserter(notes));
  return linked.executable;
}

void note_newer_sources(const frontend::SourceProgram& source, fs::file_time_type written,
                        std::vector<std::string>& notes) {
  for (const frontend::SourceProgram::Unit& unit : source.units) {
    std::error_code error;
    const fs::path file = unit.job.directory / unit.job.source;
    if (unit.bitcode.empty() && fs::last_write_time(file, error) > written && !error)
      notes.push_back(fmt::format("{} was changed after the campaign: its tests may not fit it", file.string()));
  }
}

/// Runs the program only to write what the counters hold, or to make them.
void run_for_profile(const ReplayProgram& program, const fs::path& profile, const Budget& budget) {
  const ProcessResult result =
      run_process({"env", fmt::format("{}={}", kCountersVariable, program.counters.string()),
                   fmt::format("PLUMB_PROFILE={}", profile.string()), program.executable.string()},
                  {}, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0)
    throw UserError(fmt::format(
        "the program cannot be started with counters: {}",
        result.error.empty() ? fmt::format("it ended with code {}", result.code) : result.error.substr(0, 500)));
}

void make_counters(ReplayProgram& program, const fs::path& directory, const Budget& budget) {
  // In a directory of its own: the only one besides its scratch that a confined run may write to.
  fs::create_directories(directory / "counters");
  program.counters = fs::absolute(directory / "counters" / "all");
  write_file(program.counters, "");
  run_for_profile(program, directory / "empty.profraw", budget);
}

fs::path build_without_coverage(const frontend::LoadOptions& load, const fs::path& base, const fs::path& directory,
                                const Budget& budget) {
  frontend::LoadOptions options = load;
  for (std::string& file : options.files) file = (base / file).string();
  try {
    return instrument::build_replay(options, directory, budget);
  } catch (const UserError&) {
    if (options.files.size() == 1 && frontend::is_native(options.files.front())) return options.files.front();
    throw;
  }
}

}  // namespace

ReplayProgram build_replay_program(const frontend::LoadOptions& load, const fs::path& base,
                                   std::optional<fs::file_time_type> written, WithCoverage coverage,
                                   const fs::path& directory, const Budget& budget) {
  ReplayProgram built;
  try {
    const frontend::SourceProgram source = frontend::source_program(load, base);
    built.notes = source.notes;
    if (written) note_newer_sources(source, *written, built.notes);
    const Purpose purpose = coverage == WithCoverage::Yes ? Purpose::Coverage : Purpose::Run;
    built.executable = fs::absolute(build_from_sources(load, source, purpose, directory, budget, built.notes));
    if (coverage == WithCoverage::Yes) make_counters(built, directory, budget);
  } catch (const UserError& error) {
    built.counters.clear();
    built.missing = error.hint().empty() ? error.message() : fmt::format("{} ({})", error.message(), error.hint());
    built.executable = fs::absolute(build_without_coverage(load, base, directory, budget));
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
  const bool was_cut = then == RunEnd::Timeout || then == RunEnd::MemoryLimit || then == RunEnd::FileLimit;
  test.is_unfinished = is_cut(now) && !was_cut;
  return test;
}

Replayer::Replayer(const ReplayProgram& program, const replay::RunLimits& limits, fs::path directory)
    : program_(program), limits_(limits), directory_(std::move(directory)) {
  if (!program_.counters.empty()) counted_ = read_file(program_.counters);
}

/// A program may remove or cut what it can write to.
void Replayer::restore_counters() {
  std::error_code error;
  if (fs::file_size(program_.counters, error) == counted_.size() && !error) return;
  fs::create_directories(program_.counters.parent_path());
  write_file(program_.counters, counted_);
}

ReplayedTest Replayer::run(const StoredTest& test, const Budget& budget) {
  std::vector<std::pair<std::string, std::string>> variables;
  if (!program_.counters.empty()) {
    restore_counters();
    variables.emplace_back(kCountersVariable, program_.counters.string());
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

fs::path Replayer::write_profile(const Budget& budget) {
  INVARIANT(!program_.counters.empty(), "a profile should come of a program with counters");
  restore_counters();
  fs::path profile = directory_ / "tests.profraw";
  run_for_profile(program_, profile, budget);
  return profile;
}

}  // namespace plumb::cli
