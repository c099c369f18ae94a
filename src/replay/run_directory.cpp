#include "replay/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "result/input_reader.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

/// As runtime/concolic/host_environment.c sets them.
constexpr timespec kFileTime{1'000'000'000, 0};

void put_file(const fs::path& file, std::span<const std::uint8_t> bytes) {
  write_file(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  ::chmod(file.c_str(), 0644);
  const std::array times = {kFileTime, kFileTime};
  ::utimensat(AT_FDCWD, file.c_str(), times.data(), 0);
}

/// What the clock says, as PLUMB_CLOCK of the replay runtime has it: "0=1700000000 1=25".
std::string clock_of(const result::TestCase& test) {
  std::string looks;
  for (const result::TestInput& input : test.inputs) {
    const std::optional<unsigned> which = result::clock_input(input.name);
    if (!which) continue;
    std::int64_t value = 0;
    std::memcpy(&value, input.bytes.data(), std::min(input.bytes.size(), sizeof value));
    looks += fmt::format("{}{}={}", looks.empty() ? "" : " ", *which, value);
  }
  return looks;
}

}  // namespace

std::vector<std::string> fixed_environment() {
  std::vector<std::string> variables = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  // Without it a program may not find its shared libraries at all.
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
    variables.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  return variables;
}

std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs) {
  std::vector<std::uint8_t> bytes;
  for (const result::TestInput& input : inputs) {
    const auto size = static_cast<std::uint32_t>(input.bytes.size());
    std::array<std::uint8_t, sizeof size> word{};
    std::memcpy(word.data(), &size, sizeof size);
    bytes.insert(bytes.end(), word.begin(), word.end());
    bytes.insert(bytes.end(), input.bytes.begin(), input.bytes.end());
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

std::vector<std::uint8_t> given_unset(std::span<const result::UnsetBytes> unset) {
  std::vector<std::uint8_t> bytes;
  const auto put = [&](std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
  };
  for (const result::UnsetBytes& each : unset) {
    put(result::site_number(each.site), 4);
    put(each.creation, 4);
    put(each.offset, 8);
    put(each.bytes.size(), 4);
    bytes.insert(bytes.end(), each.bytes.begin(), each.bytes.end());
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

RunDirectory::RunDirectory(const fs::path& parent, const result::TestCase& test)
    : path_(fs::absolute(parent) / "native-run"), test_(test) {
  std::error_code ignored;
  remove();
  fs::create_directories(scratch(), ignored);
  fs::permissions(scratch(), fs::perms::owner_all, ignored);
  put_file(inputs(), given_inputs(result::own_inputs(test)));
  if (!test.unset.empty()) put_file(unset(), given_unset(test.unset));
  if (test.environment.standard_input) put_file(standard_input(), *test.environment.standard_input);
  for (const result::Environment::File& file : test.environment.files) put_file(scratch() / file.name, file.bytes);
}

fs::path RunDirectory::standard_input() const {
  return test_.environment.standard_input ? path_ / "stdin" : fs::path("/dev/null");
}

std::vector<std::string> RunDirectory::variables() const {
  const result::Environment& given = test_.environment;
  std::vector<std::string> words;
  // As arguments.c puts them: the last one first.
  for (auto at = given.variables.rbegin(); at != given.variables.rend(); ++at)
    words.push_back(at->first + "=" + at->second);
  for (const std::string& variable : fixed_environment()) {
    const std::string start = variable.substr(0, variable.find('=') + 1);
    const bool is_set = std::ranges::any_of(given.variables, [&](const auto& own) { return own.first + "=" == start; });
    if (!is_set) words.push_back(variable);
  }
  words.push_back("PLUMB_TEST=" + inputs().string());
  if (const std::string looks = clock_of(test_); !looks.empty()) words.push_back("PLUMB_CLOCK=" + looks);
  if (!test_.unset.empty()) words.push_back("PLUMB_UNSET=" + unset().string());
  if (!given.failing_calls.empty())
    words.push_back(fmt::format("PLUMB_FAILING_CALLS={}", fmt::join(given.failing_calls, " ")));
  return words;
}

/// A program can take the permissions away that are needed to remove what it left.
void RunDirectory::remove() const {
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) return;
  std::error_code ignored;
  for (auto at = fs::recursive_directory_iterator(path_, fs::directory_options::skip_permission_denied, ignored);
       !ignored && at != fs::recursive_directory_iterator(); at.increment(ignored))
    if (at->is_directory(ignored)) fs::permissions(at->path(), fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

}  // namespace plumb::replay
