#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/prob/experiment.h"
#include "cli/prob/files.h"
#include "cli/program_options.h"
#include "cli/prove_files.h"

namespace plumb::cli {
namespace {

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Memory that is free for us: what the system calls available, and what is left of the limit of our control group.
std::optional<std::uint64_t> available_memory() {
  std::optional<std::uint64_t> least;
  const auto take = [&](std::uint64_t bytes) { least = least ? std::min(*least, bytes) : bytes; };
  const auto number_in = [](const char* file, std::string_view key) -> std::optional<std::uint64_t> {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    const std::string text = read_file(file);
    const std::size_t at = text.find(key);
    if (at == std::string::npos) return std::nullopt;
    char* end = nullptr;
    const char* begin = text.c_str() + at + key.size();
    const std::uint64_t number = std::strtoull(begin, &end, 10);
    return end == begin ? std::nullopt : std::optional(number);
  };
  if (const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:")) take(*kilobytes * 1024);
  if (const auto limit = number_in("/sys/fs/cgroup/memory.max", "")) take(*limit);
  return least;
}

/// Without --memory, building stops before the system has to kill us.
Context with_memory_limit(const Context& context) {
  const std::optional<std::uint64_t> available = available_memory();
  if (context.budget.memory_limit() || !available) return context;
  return {context.common, context.budget.with_memory_limit(*available / 16 * 15), context.out, context.winding_up};
}

int run(const prob::Options& options, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  prob::check_options(options);
  prepare_out(context);
  prob::ExperimentReport report = prob::run_experiment(options, with_memory_limit(context));
  try {
    prob::write_files(report, options, context);
  } catch (const UserError& error) {  // a full disk does not cost the answers
    report.failure = error;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.peak_memory = peak_memory();
  if (!context.common.json) context.out << prob::to_text(report, context.common.verbose > 0);
  const int code = publish(context, prob::to_report(report));
  if (report.failure) log().error("{}", report.failure->message());
  return code;
}

}  // namespace

Action add_prob_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<prob::Options>();
  CLI::App* command = app.add_subcommand("prob", "Probabilities and expected rewards of Markov models");
  prob::add_options(*command, *options);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb prob die.prism --prop 'P=? [ F d=6 ]'\n"
      "  plumb prob queue.prism queue.props --const N=10,lambda=0.1:0.1:0.9 --plot loss.svg --csv loss.csv\n"
      "  plumb prob robot.prism --prop 'Pmax=? [ F \"goal\" ]' --strategy strategy.txt --export robot\n"
      "Exit code 0 if every property was answered and no bound is violated; 10 if one is; 20 if something stayed "
      "unknown.");
  return [options](const Context& context) {
    std::vector<std::string> inputs{options->model};
    if (!options->properties_file.empty()) inputs.push_back(options->properties_file);
    return with_error_report(context, "prob", inputs, [&] { return run(*options, context); });
  };
}

}  // namespace plumb::cli
