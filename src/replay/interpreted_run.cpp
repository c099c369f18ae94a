#include "replay/interpreted_run.h"

#include <absl/container/flat_hash_set.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "replay/describe_defect.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

/// The interpreter is some tens of times slower than the program.
constexpr double kSeconds = 5;
constexpr std::uint64_t kInstructions = 400'000'000;
/// A run that goes wrong this often is cut off.
constexpr std::uint64_t kMostFaults = 100'000;

interpret::InputSource source_of(const result::TestCase& test) {
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

/// Takes the faults of a run; those of one instruction and caller once.
class FaultCollector {
 public:
  FaultCollector(const program::Program& program, DefectReplay& replay) : program_(program), replay_(replay) {}

  /// False if the run shall end.
  bool take(const program::Fault& fault, std::span<const program::CodePoint> stack) {
    if (++count_ > kMostFaults) return false;
    if (!is_checked(fault.kind, program_.checks)) return true;
    const program::CodePoint at = stack.empty() ? fault.allocated : stack.front();
    const program::CodePoint caller = stack.size() < 2 ? program::CodePoint{} : stack[1];
    if (!stack.empty() &&
        !known_.emplace(fault.kind, at.function, at.instruction, caller.function, caller.instruction).second)
      return true;
    const std::size_t before = replay_.defects.size();
    add(fault, stack);
    if (replay_.defects.size() > before && fault.kind == program::FaultKind::Leak)
      replay_.leaked.push_back(fault.object);
    return true;
  }
  void add(const program::Fault& fault, std::span<const program::CodePoint> stack) {
    result::Defect defect = describe_defect(program_, fault, stack);
    defect.shown_by = "interpreter";
    replay_.add(std::move(defect));
  }
  bool is_full() const noexcept { return count_ > kMostFaults; }

 private:
  const program::Program& program_;
  DefectReplay& replay_;
  std::uint64_t count_ = 0;
  absl::flat_hash_set<std::tuple<program::FaultKind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>
      known_;
};

}  // namespace

bool is_interpretable(const result::TestCase& test) {
  return test.environment.variables.empty() && test.environment.failing_calls.empty();
}

struct InterpretedRuns::Loaded {
  explicit Loaded(program::Program loaded) : program(std::move(loaded)), interpreter(program) {}
  program::Program program;
  interpret::Interpreter interpreter;
};

InterpretedRuns::InterpretedRuns(frontend::LoadOptions options, std::uint64_t memory, fs::path directory)
    : options_(std::move(options)), memory_(memory), directory_(std::move(directory)) {}

InterpretedRuns::~InterpretedRuns() = default;

InterpretedRuns::Loaded* InterpretedRuns::load(std::unique_ptr<Loaded>& slot, bool keep_variables,
                                               const Budget& budget) {
  if (slot != nullptr || !load_problem_.empty()) return slot.get();
  frontend::LoadOptions options = options_;
  options.keep_variables = keep_variables;
  try {
    slot = std::make_unique<Loaded>(frontend::load_program(options, budget));
  } catch (const UserError& problem) {
    load_problem_ = problem.message();
  }
  return slot.get();
}

interpret::RunResult InterpretedRuns::run(Loaded& loaded, const result::TestCase& test,
                                          interpret::InterpreterOptions options, const Budget& budget) {
  Scratch scratch(directory_ / "interpreted", test.environment);
  options.arguments = {options_.files.front()};
  options.arguments.insert(options.arguments.end(), test.environment.arguments.begin(),
                           test.environment.arguments.end());
  options.inputs = source_of(test);
  options.max_instructions = kInstructions;
  options.max_memory = memory_;
  options.open_file = [&scratch](const std::string& path, int flags) { return scratch.open(path, flags); };
  if (test.environment.standard_input)
    options.standard_input = [rest = std::span<const std::uint8_t>(*test.environment.standard_input)](
                                 std::span<std::uint8_t> buffer) mutable {
      const std::size_t size = std::min(buffer.size(), rest.size());
      if (size > 0) std::memcpy(buffer.data(), rest.data(), size);
      rest = rest.subspan(size);
      return size;
    };
  interpret::RunResult result =
      loaded.interpreter.run(options, budget.with_timeout(std::chrono::duration<double>(kSeconds)));
  budget.check();
  return result;
}

DefectReplay InterpretedRuns::replay(const result::TestCase& test, const Budget& budget) {
  budget.check();
  DefectReplay replay;
  if (!is_interpretable(test)) {
    replay.problem = "the interpreter has no variables of the environment and no calls that fail";
    return replay;
  }
  Loaded* loaded = load(program_, false, budget);
  if (loaded == nullptr) {
    replay.problem = load_problem_;
    return replay;
  }
  FaultCollector collector(loaded->program, replay);
  interpret::InterpreterOptions options;
  options.keep_stacks = true;
  options.on_fault = [&](const program::Fault& fault, std::span<const program::CodePoint> stack) {
    return collector.take(fault, stack);
  };
  const interpret::RunResult result = run(*loaded, test, std::move(options), budget);
  using End = interpret::RunResult::End;
  if (collector.is_full()) {
    replay.problem = "the run goes wrong too often";
  } else if (result.end == End::Unsupported || result.end == End::OutOfBudget) {
    replay.problem = result.reason.empty() ? "the interpreter ran out of time" : result.reason;
  } else if (result.end == End::Exit) {
    replay.end = fmt::format("exit code {}", result.exit_code);
  } else if (result.end == End::AssumeFailed) {
    replay.end = "an assumption that does not hold";
  } else if (!result.faults.empty()) {
    // Asked for or not, it ended the run: the quotient of a division that does not fit.
    if (!is_checked(result.faults.front().kind, options_.checks)) collector.add(result.faults.front(), result.stack);
    replay.end = name(result.faults.front().kind);
  }
  return replay;
}

void InterpretedRuns::find_losses(const result::TestCase& test, DefectReplay& replay, const Budget& budget) {
  Loaded* loaded = replay.leaked.empty() ? nullptr : load(with_variables_, true, budget);
  if (loaded == nullptr) return;
  interpret::InterpreterOptions options;
  options.find_losses = replay.leaked;
  std::vector<SourceLocation> places(replay.leaked.size());
  options.on_fault = [&](const program::Fault& fault, std::span<const program::CodePoint>) {
    const auto leak = std::ranges::find(replay.leaked, fault.object);
    if (fault.kind == program::FaultKind::Leak && leak != replay.leaked.end())
      places[static_cast<std::size_t>(leak - replay.leaked.begin())] = place_of(loaded->program, fault.lost);
    return true;
  };
  run(*loaded, test, std::move(options), budget);
  auto place = places.begin();
  for (result::Defect& defect : replay.defects)
    if (defect.kind == name(program::FaultKind::Leak)) defect.lost_at = *place++;
}

}  // namespace plumb::replay
