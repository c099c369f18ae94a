#include "cli/environment_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using instrument::SymbolicEnvironment;

constexpr std::uint32_t kMostArguments = 99;
constexpr std::uint32_t kLongestText = 4096;
constexpr std::uint32_t kMostFiles = 26;
constexpr std::uint32_t kLargestFile = 1U << 20;
constexpr std::uint32_t kMostFailures = 16;

/// A number of an option that takes several words.
std::uint32_t number(const std::string& option, const std::string& word, std::uint32_t least, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < least || value > most)
    throw CLI::ValidationError(option, fmt::format("takes a number from {} to {}, not '{}'", least, most, word));
  return value;
}

/// The order of these options among each other is that of the arguments, so they are looked at one by one. That is
/// before CLI11 counts the words.
CLI::Option* add_in_order(CLI::App& app, const std::string& name, std::size_t words,
                          std::function<void(const std::vector<std::string>&)> take, const std::string& help) {
  const auto take_all = [=, take = std::move(take)](const std::vector<std::string>& given) {
    if (given.size() < words)
      throw CLI::ValidationError(
          name, fmt::format("takes {} words, and there {} {}", words, given.size() == 1 ? "is" : "are", given.size()));
    take(given);
  };
  return app.add_option_function<std::vector<std::string>>(name, take_all, help)
      ->expected(static_cast<int>(words))
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->trigger_on_parse();
}

void add_group(const std::string& option, SymbolicEnvironment& environment, SymbolicEnvironment::Arguments group) {
  if (instrument::most_arguments(environment) + std::max(group.maximum, 1U) > kMostArguments + 1)
    throw CLI::ValidationError(option, fmt::format("there are more than {} arguments", kMostArguments));
  environment.arguments.push_back(std::move(group));
}

void add_argument_options(CLI::App& app, SymbolicEnvironment& environment) {
  add_in_order(
      app, "--sym-args", 3,
      [&environment](const std::vector<std::string>& words) {
        SymbolicEnvironment::Arguments group;
        group.minimum = number("--sym-args", words[0], 0, kMostArguments);
        group.maximum = number("--sym-args", words[1], 1, kMostArguments);
        group.length = number("--sym-args", words[2], 0, kLongestText);
        if (group.minimum > group.maximum) throw CLI::ValidationError("--sym-args", "MIN is more than MAX");
        add_group("--sym-args", environment, std::move(group));
      },
      "From MIN to MAX symbolic arguments of at most LEN bytes each")
      ->type_name("MIN MAX LEN");
  add_in_order(
      app, "--sym-arg", 1,
      [&environment](const std::vector<std::string>& words) {
        add_group("--sym-arg", environment, {{}, 1, 1, number("--sym-arg", words[0], 0, kLongestText)});
      },
      "One symbolic argument of at most N bytes")
      ->type_name("N");
  add_in_order(
      app, "--arg", 1,
      [&environment](const std::vector<std::string>& words) { add_group("--arg", environment, {words[0], 0, 0, 0}); },
      "A plain argument; arguments come in the order of these three options")
      ->type_name("TEXT");
}

bool is_variable_name(const std::string& name) {
  return !name.empty() && name.find_first_of("= \t\n") == std::string::npos;
}

void add_variable_option(CLI::App& app, SymbolicEnvironment& environment) {
  add_in_order(
      app, "--sym-env", 2,
      [&environment](const std::vector<std::string>& words) {
        if (!is_variable_name(words[0]))
          throw CLI::ValidationError("--sym-env", fmt::format("'{}' cannot be the name of a variable", words[0]));
        if (std::ranges::any_of(environment.variables, [&](const auto& known) { return known.first == words[0]; }))
          throw CLI::ValidationError("--sym-env", fmt::format("'{}' is there twice", words[0]));
        environment.variables.emplace_back(words[0], number("--sym-env", words[1], 0, kLongestText));
      },
      "An environment variable NAME with a symbolic value of at most N bytes")
      ->type_name("NAME N");
}

std::vector<fs::path> corpus_files(const std::string& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory, error))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) files.push_back(entry.path());
  if (error) throw UserError(SourceLocation{directory}, fmt::format("cannot read the directory: {}", error.message()));
  if (files.empty()) throw UserError(SourceLocation{directory}, "the directory has no files to begin with");
  std::ranges::sort(files);
  return files;
}

std::vector<std::uint8_t> seed_of(const fs::path& file) {
  std::error_code error;
  if (const auto size = fs::file_size(file, error); !error && size > kLargestFile)
    throw UserError(SourceLocation{file.string()},
                    fmt::format("the file has {} bytes; a seed has at most {}", size, kLargestFile));
  const std::string text = read_file(file);
  return {text.begin(), text.end()};
}

}  // namespace

void add_environment_options(CLI::App& app, EnvironmentOptions& options) {
  SymbolicEnvironment& environment = options.environment;
  add_argument_options(app, environment);
  app.add_option("--sym-stdin", environment.standard_input, "Standard input with at most N symbolic bytes")
      ->type_name("N")
      ->check(CLI::Range(1U, kLargestFile));
  add_in_order(
      app, "--sym-files", 2,
      [&environment](const std::vector<std::string>& words) {
        environment.file_count = number("--sym-files", words[0], 1, kMostFiles);
        environment.file_size = number("--sym-files", words[1], 0, kLargestFile);
      },
      "Files A, B, … in the working directory with at most SIZE symbolic bytes each")
      ->type_name("COUNT SIZE");
  add_variable_option(app, environment);
  app.add_option("--fail-io", environment.failing_calls,
                 "Let up to N calls for input and output of a run fail or come up short")
      ->type_name("N")
      ->check(CLI::Range(0U, kMostFailures));
  app.add_option("--seed-input", options.seed_inputs,
                 "Begin with this content of file A, or of standard input if there are no symbolic files")
      ->type_name("FILE…");
  app.add_option("--corpus", options.corpus,
                 "Begin with every file of this directory (of AFL++ or libFuzzer), as --seed-input does")
      ->type_name("DIR");
}

EnvironmentPlan plan_environment(const EnvironmentOptions& options) {
  EnvironmentPlan plan{options.environment, {}, {}};
  std::vector<fs::path> files(options.seed_inputs.begin(), options.seed_inputs.end());
  if (!options.corpus.empty()) std::ranges::move(corpus_files(options.corpus), std::back_inserter(files));
  if (files.empty()) return plan;
  const bool is_file = options.environment.file_count != 0;
  if (!is_file && options.environment.standard_input == 0)
    throw UserError("there are seeds, but nothing that they could be the content of",
                    "say --sym-stdin N or --sym-files COUNT SIZE");
  std::size_t largest = 0;
  for (const fs::path& file : files) {
    result::TestCase test;
    std::vector<std::uint8_t> bytes = seed_of(file);
    largest = std::max(largest, bytes.size());
    if (is_file) {
      test.environment.files.push_back({instrument::name_of_file(0), std::move(bytes)});
    } else {
      test.environment.standard_input = std::move(bytes);
    }
    plan.seeds.push_back(std::move(test));
  }
  std::uint32_t& size = is_file ? plan.environment.file_size : plan.environment.standard_input;
  if (largest > size) {
    plan.notes.push_back(fmt::format("{} now up to {} bytes, as the largest seed has them, instead of {}",
                                     is_file ? "files have" : "standard input has", largest, size));
    size = static_cast<std::uint32_t>(largest);
  }
  return plan;
}

}  // namespace plumb::cli
