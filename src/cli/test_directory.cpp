#include "cli/test_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;

/// "test-000001.json" for the stem "test".
bool is_ours(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || !name.ends_with(".json")) return false;
  name.remove_prefix(stem.size());
  name.remove_suffix(5);
  return name.size() > 1 && name.front() == '-' &&
         std::ranges::all_of(name.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// A file that was being written when its process was killed.
bool is_leftover(std::string_view name) { return name.starts_with(".plumb-") && name.ends_with(".tmp"); }

/// A system that went down may have left a name without content.
bool is_whole(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return !error && size > 0;
}

void remove_leftovers(const fs::path& directory) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored))
    if (is_leftover(entry.path().filename().string())) fs::remove(entry.path(), ignored);
}

/// The files of an earlier run; throws at the first that is none.
std::vector<fs::path> earlier_files(const fs::path& directory, std::string_view stem) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(directory, error)) return files;
  fs::directory_iterator entries(directory, error);
  if (error) throw UserError(SourceLocation{directory.string()}, fmt::format("cannot be read: {}", error.message()));
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (is_leftover(name)) continue;
    if (!is_ours(name, stem) || !entry.is_regular_file())
      throw UserError(
          SourceLocation{entry.path().string()},
          fmt::format("the directory for tests holds something that is no {}-….json of an earlier run", stem),
          "name another directory with --out");
    files.push_back(entry.path());
  }
  return files;
}

void make_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw UserError(SourceLocation{path.string()}, fmt::format("cannot make the directory: {}", error.message()),
                    "name another directory with --out");
}

std::string text_of(const nlohmann::ordered_json& object) { return object.dump(2) + "\n"; }

nlohmann::ordered_json test_object(const result::TestCase& test) {
  return nlohmann::ordered_json::parse(result::to_json(test));
}

}  // namespace

ErrorKey key_of(const replay::FoundError& error) { return {error.end, error.code, error.site, error.last_edge}; }

std::vector<replay::FoundError> found_errors(const std::vector<result::StoredError>& stored) {
  std::vector<replay::FoundError> errors;
  for (const result::StoredError& from : stored)
    if (const auto end = replay::run_end(from.end))
      errors.push_back({.end = *end,
                        .code = from.code,
                        .site = from.site,
                        .last_edge = from.edge,
                        .test = from.test,
                        .test_number = from.test_number,
                        .runs = from.runs});
  return errors;
}

std::string edge_name(const instrument::Subject& subject, instrument::EdgeId edge) {
  return edge_name(subject.site_of_edge(edge), edge);
}

std::string edge_name(const instrument::Site& site, instrument::EdgeId edge) {
  const std::uint32_t index = edge - site.first_edge;
  if (site.kind == instrument::SiteKind::Branch) return index == 0 ? "true" : "false";
  if (index == 0 || index > site.cases.size()) return "default";
  const std::uint64_t value = site.cases[index - 1];
  const unsigned shift = site.width > 0 && site.width < 64 ? 64 - site.width : 0;
  return fmt::format("case {}", static_cast<std::int64_t>(value << shift) >> shift);
}

namespace {

result::StoredBranch branch_of(const instrument::Subject& subject, const instrument::Site& site,
                               instrument::EdgeId edge) {
  const SourceLocation place = subject.program.describe(site.location);
  result::StoredBranch branch;
  branch.edge = edge;
  branch.file = place.file;
  branch.line = place.line;
  branch.column = place.column;
  if (site.function != program::kNone) branch.function = subject.program.functions[site.function].name;
  branch.side = edge_name(site, edge);
  return branch;
}

}  // namespace

nlohmann::ordered_json edge_object(const result::StoredBranch& branch) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  put_place(object, {branch.file, branch.line, branch.column});
  if (!branch.function.empty()) object["function"] = utf8(branch.function);
  object["branch"] = branch.side;
  return object;
}

nlohmann::ordered_json edge_object(const instrument::Subject& subject, instrument::EdgeId edge) {
  return edge_object(branch_of(subject, subject.site_of_edge(edge), edge));
}

BranchTable branches_of(const instrument::Subject& subject) {
  BranchTable branches;
  for (const instrument::Site& site : subject.sites)
    if (site.is_counted)
      for (instrument::EdgeId edge = site.first_edge; edge < site.first_edge + site.edge_count; ++edge)
        branches.emplace(edge, branch_of(subject, site, edge));
  return branches;
}

TestDirectory::TestDirectory(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error))
    throw UserError(SourceLocation{path_.string()}, "is a file, and tests need a directory",
                    "name another directory with --out");
  earlier_files(tests(), "test");
  earlier_files(errors(), "error");
}

std::size_t TestDirectory::prepare() const {
  make_directory(tests());
  make_directory(errors());
  remove_leftovers(tests());
  remove_leftovers(errors());
  const std::vector<fs::path> old_tests = earlier_files(tests(), "test");
  for (const std::vector<fs::path>& files : {old_tests, earlier_files(errors(), "error")})
    for (const fs::path& file : files) fs::remove(file);
  return old_tests.size();
}

fs::path TestDirectory::test_file(std::uint32_t number) const {
  return tests() / fmt::format("test-{:06}.json", number);
}

fs::path TestDirectory::error_file(std::size_t number) const {
  return errors() / fmt::format("error-{:03}.json", number);
}

void TestDirectory::restore(std::span<const result::StoredTest> stored, std::span<const replay::FoundError> found,
                            const BranchTable& branches) {
  make_directory(tests());
  make_directory(errors());
  remove_leftovers(tests());
  remove_leftovers(errors());
  std::set<fs::path> files;
  std::set<instrument::EdgeId> seen;
  for (const result::StoredTest& test : stored) {
    std::vector<instrument::EdgeId> fresh;
    for (const instrument::EdgeId edge : test.edges)
      if (seen.insert(edge).second) fresh.push_back(edge);
    const fs::path file = *files.insert(test_file(test.number)).first;
    if (!is_whole(file)) write_test(test, fresh, branches);
  }
  for (const replay::FoundError& error : found) {
    const std::size_t number = numbers_.try_emplace(key_of(error), numbers_.size() + 1).first->second;
    const fs::path file = *files.insert(error_file(number)).first;
    if (!is_whole(file)) write_error(error, nlohmann::ordered_json::object());
  }
  for (const std::vector<fs::path>& old : {earlier_files(tests(), "test"), earlier_files(errors(), "error")})
    for (const fs::path& file : old)
      if (!files.contains(file)) fs::remove(file);
}

void TestDirectory::write_test(const result::StoredTest& test, std::span<const instrument::EdgeId> new_edges,
                               const BranchTable& branches) const {
  nlohmann::ordered_json object = test_object(test.test);
  object["end"] = test.end;
  object["code"] = test.code;
  object["covers_first"] = nlohmann::ordered_json::array();
  for (const instrument::EdgeId edge : new_edges)
    if (const auto branch = branches.find(edge); branch != branches.end())
      object["covers_first"].push_back(edge_object(branch->second));
  write_file(test_file(test.number), text_of(object), Sync::No);  // the database has it
}

void TestDirectory::remove_test(std::uint32_t number) const { fs::remove(test_file(number)); }

fs::path TestDirectory::confirmed_file(const replay::FoundError& error) const {
  const auto number = numbers_.find(key_of(error));
  if (number == numbers_.end() || !is_whole(error_file(number->second))) return {};
  fs::path file = error_file(number->second);
  const auto object = nlohmann::ordered_json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || !object.contains("defect")) return {};
  const nlohmann::ordered_json test = test_object(error.test);
  const bool is_same = std::ranges::all_of(test.items(), [&](const auto& item) {
    return object.contains(item.key()) && object[item.key()] == item.value();
  });
  return is_same ? file : fs::path();
}

fs::path TestDirectory::write_error(const replay::FoundError& error, const nlohmann::ordered_json& described) {
  const std::size_t number = numbers_.try_emplace(key_of(error), numbers_.size() + 1).first->second;
  nlohmann::ordered_json object = test_object(error.test);
  object["end"] = replay::name(error.end);
  object["code"] = error.code;
  object.update(described);
  fs::path file = error_file(number);
  write_file(file, text_of(object));
  return file;
}

}  // namespace plumb::cli
