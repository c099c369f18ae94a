#include "result/export/read_run.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;

/// Of test-000012.json; 0 if there is none.
std::uint32_t number_in(const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t start = stem.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(stem.data() + start, stem.data() + stem.size(), number);
  return error == std::errc{} ? number : 0;
}

StoredTest read_stored_test(const fs::path& file, TestCase test) {
  const nlohmann::json object = parse_json(read_file(file), file.string());
  StoredTest stored{.number = number_in(file), .test = std::move(test), .end = "", .edges = {}};
  if (const auto end = object.find("end"); end != object.end() && end->is_string())
    stored.end = end->get<std::string>();
  if (const auto code = object.find("code"); code != object.end() && code->is_number_integer())
    stored.code = code->get<int>();
  return stored;
}

bool has_directory(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_used(const std::vector<StoredTest>& tests, std::uint32_t number) {
  return number == 0 || std::ranges::find(tests, number, &StoredTest::number) != tests.end();
}

std::uint32_t next_number(const std::vector<StoredTest>& tests) {
  return tests.empty() ? 1 : 1 + std::ranges::max(tests, {}, &StoredTest::number).number;
}

std::vector<StoredTest> read_files(const fs::path& directory) {
  std::vector<StoredTest> tests;
  for (auto& [file, test] : read_test_cases(directory)) {
    StoredTest stored = read_stored_test(file, std::move(test));
    if (is_used(tests, stored.number)) stored.number = next_number(tests);
    tests.push_back(std::move(stored));
  }
  return tests;
}

/// Those that `plumb check` writes beside its result.json.
std::vector<StoredTest> read_counterexamples(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (entry.path().filename().string().starts_with("counterexample") && entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<StoredTest> tests;
  for (const fs::path& file : files) {
    tests.push_back(read_stored_test(file, read_test_case(file)));
    tests.back().number = static_cast<std::uint32_t>(tests.size());
  }
  return tests;
}

void add_errors(const fs::path& directory, std::vector<StoredTest>& tests) {
  std::error_code error;
  if (!has_directory(directory) || fs::is_empty(directory, error)) return;
  for (auto& [file, test] : read_test_cases(directory)) {
    if (std::ranges::find(tests, test, &StoredTest::test) != tests.end()) continue;
    StoredTest stored = read_stored_test(file, std::move(test));
    stored.number = next_number(tests);
    tests.push_back(std::move(stored));
  }
}

/// What result.json knows of the program.
SuiteProgram read_result(const fs::path& file) {
  SuiteProgram program;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return program;
  const nlohmann::json object = parse_json(read_file(file), file.string());
  if (const auto inputs = object.find("inputs"); inputs != object.end() && inputs->is_array())
    for (const nlohmann::json& input : *inputs)
      if (input.is_string()) program.files.push_back(input.get<std::string>());
  return program;
}

void read_campaign(const fs::path& directory, RunDirectory& run) {
  const CampaignStore store(directory, CampaignStore::Mode::Read);
  const StoredProgram program = store.program();
  run.program.files = program.files;
  run.program.compiler_flags = program.compiler_flags;
  if (!program.entry.empty()) run.program.entry = program.entry;
  if (program.options.contains("--m32") ||
      std::ranges::find(program.compiler_flags, "-m32") != program.compiler_flags.end())
    run.program.word_size = 32;
  run.base = program.directory;
  run.tests = store.tests();
  run.has_coverage = true;
}

}  // namespace

RunDirectory read_run_directory(const fs::path& directory) {
  std::error_code error;
  RunDirectory run;
  if (fs::is_regular_file(directory, error)) {
    run.tests = read_files(directory);
    return run;
  }
  if (!has_directory(directory))
    throw UserError(SourceLocation{directory.string()}, "there is no such directory",
                    "name what `plumb test` wrote to: its --out, or plumb-out");
  if (fs::exists(directory / "campaign.db", error)) {
    read_campaign(directory, run);
  } else {
    run.program = read_result(directory / "result.json");
    // Without a result.json it may be a directory of tests alone.
    if (has_directory(directory / "tests")) {
      run.tests = read_files(directory / "tests");
    } else if (!fs::exists(directory / "result.json", error)) {
      run.tests = read_files(directory);
    } else {
      run.tests = read_counterexamples(directory);
    }
  }
  add_errors(directory / "errors", run.tests);
  if (run.tests.empty())
    throw UserError(SourceLocation{directory.string()}, "the run has no tests", "see what `plumb test` says");
  std::ranges::sort(run.tests, {}, &StoredTest::number);
  return run;
}

}  // namespace plumb::result
