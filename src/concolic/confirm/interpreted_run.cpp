#include "concolic/confirm/interpreted_run.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/file_descriptor.h"

namespace plumb::concolic {
namespace {

namespace fs = std::filesystem;

/// The interpreter is some tens of times slower than the program.
constexpr double kSeconds = 5;
constexpr std::uint64_t kInstructions = 400'000'000;

program::InputSource source_of(const result::TestCase& test) {
  return [&test, next = std::size_t{0}](std::string_view,
                                        std::size_t size) mutable -> std::optional<std::vector<std::uint8_t>> {
    if (next == test.inputs.size()) return std::nullopt;
    std::vector<std::uint8_t> bytes = test.inputs[next++].bytes;
    bytes.resize(size);
    return bytes;
  };
}

/// The directory of one run, made when the program opens its first file and removed at the end: most runs open none,
/// and there may be thousands of them a second.
class Scratch {
 public:
  Scratch(fs::path path, const result::Environment& environment) : path_(std::move(path)), environment_(environment) {}
  ~Scratch() {
    std::error_code ignored;
    if (descriptor_.is_open()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// As open(2) of a process in the directory to which all else is read-only.
  int open(const std::string& path, int flags) {
    if (!descriptor_.is_open()) make();
    const bool is_inside = path.find('/') == std::string::npos && path != "." && path != "..";
    if (!is_inside && (flags & O_ACCMODE) != O_RDONLY) {
      errno = EROFS;
      return -1;
    }
    // A pipe or a terminal would wait for somebody.
    return ::openat(descriptor_.get(), path.c_str(), flags | O_NONBLOCK | O_NOCTTY, 0666);
  }

 private:
  void make() {
    fs::create_directories(path_);
    for (const result::Environment::File& file : environment_.files)
      write_file(path_ / file.name, {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    descriptor_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  fs::path path_;
  const result::Environment& environment_;
  FileDescriptor descriptor_;
};

}  // namespace

bool is_interpretable(const result::TestCase& test) {
  return test.environment.variables.empty() && test.environment.failing_calls.empty();
}

program::RunResult run_interpreted(program::Interpreter& interpreter, const std::string& program_name,
                                   const result::TestCase& test, const fs::path& directory, const Budget& budget) {
  Scratch scratch(directory / "interpreted", test.environment);
  program::InterpreterOptions options;
  options.arguments = {program_name};
  options.arguments.insert(options.arguments.end(), test.environment.arguments.begin(),
                           test.environment.arguments.end());
  options.inputs = source_of(test);
  options.check_leaks = false;
  options.max_instructions = kInstructions;
  options.open_file = [&scratch](const std::string& path, int flags) { return scratch.open(path, flags); };
  if (test.environment.standard_input)
    options.standard_input = [rest = std::span<const std::uint8_t>(*test.environment.standard_input)](
                                 std::span<std::uint8_t> buffer) mutable {
      const std::size_t size = std::min(buffer.size(), rest.size());
      if (size > 0) std::memcpy(buffer.data(), rest.data(), size);
      rest = rest.subspan(size);
      return size;
    };
  return interpreter.run(options, budget.with_timeout(std::chrono::duration<double>(kSeconds)));
}

}  // namespace plumb::concolic
