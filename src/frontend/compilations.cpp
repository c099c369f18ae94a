#include "frontend/compilations.h"

#include <fmt/format.h>

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

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
    if (!known_.contains(key_of(job, settings))) missing.push_back(job);
  const fs::path directory = directory_.path() / std::to_string(known_.size());
  fs::create_directories(directory);
  const std::vector<fs::path> made = frontend::compile(missing, settings, directory, budget);
  for (std::size_t i = 0; i < made.size(); ++i) known_[key_of(missing[i], settings)] = made[i];
  std::vector<fs::path> files;
  for (const CompileJob& job : jobs) files.push_back(known_.at(key_of(job, settings)));
  return files;
}

std::vector<ComputedFault> Compilations::computed_faults() const {
  const std::scoped_lock lock(mutex_);
  std::vector<ComputedFault> all;
  for (const auto& [key, bitcode] : known_)
    for (ComputedFault& fault : frontend::computed_faults(bitcode)) all.push_back(std::move(fault));
  return all;
}

}  // namespace plumb::frontend
