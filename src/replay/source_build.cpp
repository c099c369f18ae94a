#include "replay/source_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "instrument/build_subject.h"
#include "instrument/runtime_objects.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;
using frontend::Purpose;

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

fs::path build(const frontend::LoadOptions& load, const frontend::SourceProgram& source, Purpose purpose,
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

void make_counters(SourceBuild& build, const fs::path& directory, const Budget& budget) {
  // In a directory of its own: the only one besides its scratch that a confined run may write to.
  fs::create_directories(directory / "counters");
  build.counters = fs::absolute(directory / "counters" / "all");
  write_file(build.counters, "");
  write_profile(build, directory / "empty.profraw", budget);
}

}  // namespace

SourceBuild build_from_sources(const frontend::LoadOptions& load, Purpose purpose, const fs::path& directory,
                               const Budget& budget) {
  const frontend::SourceProgram source = frontend::source_program(load, fs::current_path());
  SourceBuild built;
  built.notes = source.notes;
  for (const frontend::SourceProgram::Unit& unit : source.units)
    if (unit.bitcode.empty()) built.sources.push_back(unit.job.directory / unit.job.source);
  built.executable = fs::absolute(build(load, source, purpose, directory, budget, built.notes));
  if (purpose == Purpose::Coverage) make_counters(built, directory, budget);
  return built;
}

void write_profile(const SourceBuild& build, const fs::path& profile, const Budget& budget) {
  const ProcessResult result =
      run_process({"env", fmt::format("{}={}", kCountersVariable, build.counters.string()),
                   fmt::format("PLUMB_PROFILE={}", profile.string()), build.executable.string()},
                  {}, budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0)
    throw UserError(fmt::format(
        "the program cannot be started with counters: {}",
        result.error.empty() ? fmt::format("it ended with code {}", result.code) : result.error.substr(0, 500)));
}

}  // namespace plumb::replay
