#include "result/export/ktest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "result/export/sha256.h"

namespace plumb::result {
namespace {

constexpr std::string_view kMagic = "KTEST";
constexpr std::string_view kListing = "tests.txt";
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kStatSize = 144;  // struct stat64 of x86-64, for which klee-replay is built

void put32(std::string& out, std::size_t number) {
  INVARIANT(number <= 0xffffffffU, "sizes in a test should have 32 bits");
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
}

void put_text(std::string& out, std::string_view text) {
  put32(out, text.size());
  out += text;
}

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// The status of a plain file: klee-replay makes the file by its mode and compares the rest, with a warning.
std::string file_status(std::size_t size) {
  std::string status(kStatSize, '\0');
  const auto put = [&](std::size_t offset, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) status[offset + i] = static_cast<char>(value >> (8 * i) & 0xff);
  };
  put(8, 1, 8);         // st_ino: any but 0
  put(16, 1, 8);        // st_nlink
  put(24, 0100644, 4);  // st_mode
  put(48, size, 8);     // st_size
  put(56, 4096, 8);     // st_blksize
  put(64, 8, 8);        // st_blocks
  return status;
}

/// Words and objects of a test's environment.
class EnvironmentObjects {
 public:
  EnvironmentObjects(const StoredTest& test, KTest& result, Losses& losses)
      : test_(test), environment_(test.test.environment), result_(result), losses_(losses) {}

  void add() {
    add_arguments();
    add_files();
    add_standard_input();
    if (!environment_.variables.empty()) lose("variables of the environment, which KLEE does not have");
    if (!environment_.failing_calls.empty()) lose("calls that fail, of which KLEE has another notion");
    add_object("model_version", std::string("\1\0\0\0", 4));
  }

 private:
  void lose(std::string what) { losses_.add(test_, std::move(what)); }
  void add_words(std::initializer_list<std::string> words) {
    result_.arguments.insert(result_.arguments.end(), words.begin(), words.end());
  }
  void add_object(std::string name, std::string bytes) {
    result_.objects.emplace_back(std::move(name), std::move(bytes));
  }

  void add_arguments() {
    for (std::size_t i = 0; i < environment_.arguments.size(); ++i) {
      const std::string& argument = environment_.arguments[i];
      add_words({"-sym-arg", fmt::format("{}", argument.size())});
      add_object(fmt::format("arg{:02}", i), argument + '\0');
    }
  }

  /// KLEE's files are A, B, … without a gap, and all of one size.
  void add_files() {
    std::vector<const Environment::File*> files;
    for (const Environment::File& file : environment_.files) {
      if (file.name == std::string(1, static_cast<char>('A' + files.size())) && files.size() < 26) {
        files.push_back(&file);
      } else {
        lose("files that are not named A, B, …: left out");
      }
    }
    std::size_t size = 0;
    for (const Environment::File* file : files) size = std::max(size, file->bytes.size());
    if (files.empty()) return;
    if (size == 0) return lose("empty files, which KLEE cannot have: left out");
    add_words({"-sym-files", fmt::format("{}", files.size()), fmt::format("{}", size)});
    for (const Environment::File* file : files) {
      if (file->bytes.size() < size) lose("files of different sizes, which KLEE cannot have: zeros fill the smaller");
      std::string bytes = text_of(file->bytes);
      bytes.resize(size);
      add_object(file->name + "_data", std::move(bytes));
      add_object(file->name + "_data_stat", file_status(size));
    }
  }

  void add_standard_input() {
    if (!environment_.standard_input) return;
    const std::size_t size = environment_.standard_input->size();
    if (size == 0) return lose("an empty standard input, which KLEE cannot have: klee-replay's own stays");
    add_words({"-sym-stdin", fmt::format("{}", size)});
    add_object("stdin", text_of(*environment_.standard_input));
    add_object("stdin_stat", file_status(size));
  }

  const StoredTest& test_;
  const Environment& environment_;
  KTest& result_;
  Losses& losses_;
};

}  // namespace

std::string to_bytes(const KTest& test) {
  std::string bytes(kMagic);
  put32(bytes, kVersion);
  put32(bytes, test.arguments.size());
  for (const std::string& argument : test.arguments) {
    INVARIANT(!argument.empty(), "an argument in a test of KLEE should not be empty");
    put_text(bytes, argument);
  }
  put32(bytes, 0);  // symbolic arguments of a form that KLEE no longer has, and their length
  put32(bytes, 0);
  put32(bytes, test.objects.size());
  for (const auto& [name, content] : test.objects) {
    INVARIANT(!name.empty() && !content.empty(), "an object in a test of KLEE should have a name and bytes");
    put_text(bytes, name);
    put_text(bytes, content);
  }
  return bytes;
}

KTest to_ktest(const StoredTest& test, const SuiteProgram& program, Losses& losses) {
  KTest result;
  const std::string name =
      program.files.empty() ? "" : std::filesystem::path(program.files.front()).filename().string();
  result.arguments.push_back(name.empty() ? "program" : name);
  if (test.test.environment != Environment{}) EnvironmentObjects(test, result, losses).add();
  for (const TestInput& input : test.test.inputs)
    if (!input.bytes.empty())
      result.objects.emplace_back(input.name.empty() ? "unnamed" : input.name, text_of(input.bytes));
  return result;
}

Export to_ktest(std::span<const StoredTest> tests, const SuiteProgram& program) {
  Export result;
  Losses losses;
  std::string listing;
  for (const StoredTest& test : tests) {
    const std::string name = fmt::format("test{:06}.ktest", test.number);
    const std::string content = to_bytes(to_ktest(test, program, losses));
    listing += fmt::format("{} {} {}\n", sha256(content), name, end_text(test));
    result.files.push_back({name, content});
  }
  result.files.push_back({std::string(kListing), listing});
  result.losses = losses.sentences();
  return result;
}

bool lists(std::string_view listing, std::string_view name, std::string_view content) {
  if (name == kListing) return true;
  return fmt::format("\n{}", listing).find(fmt::format("\n{} {} ", sha256(content), name)) != std::string::npos;
}

}  // namespace plumb::result
