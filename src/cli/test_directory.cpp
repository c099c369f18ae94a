#include "cli/test_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

/// The files of an earlier run; throws at the first that is none.
std::vector<fs::path> earlier_files(const fs::path& directory, std::string_view stem) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(directory, error)) return files;
  fs::directory_iterator entries(directory, error);
  if (error) throw UserError(SourceLocation{directory.string()}, fmt::format("cannot be read: {}", error.message()));
  for (const fs::directory_entry& entry : entries) {
    if (!is_ours(entry.path().filename().string(), stem) || !entry.is_regular_file())
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

ErrorKey key_of(const concolic::FoundError& error) { return {error.end, error.code, error.site, error.last_edge}; }

std::string edge_name(const concolic::Subject& subject, concolic::EdgeId edge) {
  const concolic::Site& site = subject.site_of_edge(edge);
  const std::uint32_t index = edge - site.first_edge;
  if (site.kind == concolic::SiteKind::Branch) return index == 0 ? "true" : "false";
  if (index == 0 || index > site.cases.size()) return "default";
  const std::uint64_t value = site.cases[index - 1];
  const unsigned shift = site.width > 0 && site.width < 64 ? 64 - site.width : 0;
  return fmt::format("case {}", static_cast<std::int64_t>(value << shift) >> shift);
}

nlohmann::ordered_json edge_object(const concolic::Subject& subject, concolic::EdgeId edge) {
  const concolic::Site& site = subject.site_of_edge(edge);
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  put_place(object, subject.program.describe(site.location));
  if (site.function != program::kNone) object["function"] = utf8(subject.program.functions[site.function].name);
  object["branch"] = edge_name(subject, edge);
  return object;
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
  const std::vector<fs::path> old_tests = earlier_files(tests(), "test");
  for (const std::vector<fs::path>& files : {old_tests, earlier_files(errors(), "error")})
    for (const fs::path& file : files) fs::remove(file);
  return old_tests.size();
}

void TestDirectory::write_test(const concolic::Subject& subject, const concolic::FoundTest& found) const {
  nlohmann::ordered_json object = test_object(found.test);
  object["end"] = concolic::name(found.end);
  object["code"] = found.code;
  object["covers_first"] = nlohmann::ordered_json::array();
  for (const concolic::EdgeId edge : found.new_edges) object["covers_first"].push_back(edge_object(subject, edge));
  write_file(tests() / fmt::format("test-{:06}.json", found.number), text_of(object));
}

fs::path TestDirectory::write_error(const concolic::FoundError& error, const nlohmann::ordered_json& described) {
  const std::size_t number = numbers_.try_emplace(key_of(error), numbers_.size() + 1).first->second;
  nlohmann::ordered_json object = test_object(error.test);
  object["end"] = concolic::name(error.end);
  object["code"] = error.code;
  object.update(described);
  fs::path file = errors() / fmt::format("error-{:03}.json", number);
  write_file(file, text_of(object));
  return file;
}

}  // namespace plumb::cli
