#include "frontend/compilations.h"

#include <fmt/format.h>

#include "base/parallel/loop.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kProcesses = 2;

std::string key_of(const CompileJob& job, const CompileSettings& settings) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", fs::absolute(job.source).string(), job.source.string(),
                     job.directory.string(), settings.word_size, settings.optimisation, settings.has_inline_bodies,
                     settings.debug_directory, fmt::join(job.flags, "\n"));
}

}  // namespace

std::vector<fs::path> Compilations::compile(const std::vector<CompileJob>& jobs, const CompileSettings& settings,
                                            const Budget& budget) {
  const std::scoped_lock lock(mutex_);
  std::vector<CompileJob> missing;
  for (const CompileJob& job : jobs)
    if (const auto at = known_.find(key_of(job, settings)); at == known_.end() || at->second.bitcode.empty())
      missing.push_back(job);
  const fs::path directory = directory_.path() / std::to_string(known_.size());
  fs::create_directories(directory);
  const std::vector<fs::path> made = frontend::compile(missing, settings, directory, budget);
  for (std::size_t i = 0; i < made.size(); ++i) known_[key_of(missing[i], settings)] = {missing[i], settings, made[i]};
  std::vector<fs::path> files;
  for (const CompileJob& job : jobs) files.push_back(known_.at(key_of(job, settings)).bitcode);
  return files;
}

void Compilations::note(const CompileJob& job, const CompileSettings& settings) {
  const std::scoped_lock lock(mutex_);
  known_.try_emplace(key_of(job, settings), Source{job, settings});
}

std::vector<ComputedFault> Compilations::computed_faults(program::CheckSet asked, const Budget& budget) {
  const std::scoped_lock lock(mutex_);
  std::vector<Source*> open;
  for (auto& [key, source] : known_)
    if (joined(source.asked, asked) != source.asked) open.push_back(&source);
  parallel::for_each_index(open.size(), kProcesses, budget, [&](std::size_t i, unsigned) {
    const TemporaryDirectory directory;
    Source& source = *open[i];
    const program::CheckSet all = joined(source.asked, asked);
    source.faults = frontend::computed_faults(source.job, source.settings, all, directory.path(), budget);
    source.asked = all;
  });
  std::vector<ComputedFault> all;
  for (const auto& [key, source] : known_) all.insert(all.end(), source.faults.begin(), source.faults.end());
  return all;
}

}  // namespace plumb::frontend
