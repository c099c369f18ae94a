#include "replay/checked_replayer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "replay/describe_defect.h"
#include "replay/native_run.h"
#include "runtime/checks/checks.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;
using program::FaultKind;

constexpr std::string_view kLineStart = "defect ";

/// Numbers of a line, in the order that they stand in.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}

  std::uint64_t number() {
    while (text_.starts_with(' ')) text_.remove_prefix(1);
    const bool is_hexadecimal = text_.starts_with("0x");
    if (is_hexadecimal) text_.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data(), text_.data() + text_.size(), value, is_hexadecimal ? 16 : 10);
    if (error != std::errc()) is_good_ = false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return is_good_ ? value : 0;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(number()); }
  std::vector<std::uint64_t> stack() {
    const std::uint64_t depth = number();
    if (depth > PLUMB_STACK_DEPTH) is_good_ = false;
    std::vector<std::uint64_t> frames;
    for (std::uint64_t i = 0; is_good_ && i < depth; ++i) frames.push_back(number());
    return frames;
  }
  bool is_good() const noexcept { return is_good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool is_good_ = true;
};

std::optional<ToldDefect> parse_line(std::string_view line) {
  if (!line.starts_with(kLineStart)) return std::nullopt;
  NumberReader reader(line.substr(kLineStart.size()));
  ToldDefect told;
  told.kind = reader.word();
  reader.word();  // the site: of a numbering that is not the subject's
  told.access = reader.word();
  told.object_kind = reader.word();
  told.address = reader.number();
  told.object_base = reader.number();
  told.object_size = reader.number();
  told.a = reader.number();
  told.b = reader.number();
  told.stack = reader.stack();
  told.allocated = reader.stack();
  told.freed = reader.stack();
  if (!reader.is_good() || told.kind < PLUMB_DEFECT_INDEX || told.kind > PLUMB_DEFECT_SCOPE) return std::nullopt;
  return told;
}

SeenDefect seen_of(const ToldDefect& told) {
  SeenDefect seen;
  seen.kind = told.kind;
  seen.access = told.access;
  seen.object_kind = told.object_kind;
  seen.address = told.address;
  seen.object_base = told.object_base;
  seen.object_size = told.object_size;
  return seen;
}

/// The sentence for indices and numbers that are wrong by themselves; else nothing.
std::string message_with_numbers(const ToldDefect& told) {
  switch (told.kind) {
    case PLUMB_DEFECT_INDEX:
      return fmt::format("index {} is outside of an array of {} element{}", static_cast<std::int64_t>(told.a), told.b,
                         told.b == 1 ? "" : "s");
    case PLUMB_DEFECT_OVERFLOW:
      return fmt::format("the result of signed arithmetic on {} and {} does not fit", static_cast<std::int64_t>(told.a),
                         static_cast<std::int64_t>(told.b));
    case PLUMB_DEFECT_SHIFT:
      return fmt::format("shift of a value of {} bits by {}", told.b, static_cast<std::int64_t>(told.a));
    case PLUMB_DEFECT_ALIGNMENT:
      return fmt::format("address {:#x} is not a multiple of {}", told.a, told.b);
    default:
      return {};
  }
}

/// After exit() deep down, a pointer that only a register of a caller held is not seen.
bool is_certain(const ToldDefect& told) { return told.kind != PLUMB_DEFECT_LEAK || told.a != 0; }

result::Defect describe(const ToldDefect& told, std::uint32_t pointer_width, Symboliser& symboliser) {
  const bool is_variable = told.object_kind == PLUMB_OBJECT_GLOBAL;
  result::Defect defect =
      describe_seen(seen_of(told), pointer_width, is_variable ? symboliser.variable(told.object_base) : "");
  if (std::string message = message_with_numbers(told); !message.empty()) defect.message = std::move(message);
  defect.stack = symboliser.calls(told.stack);
  if (defect.object) {
    defect.object->allocated = symboliser.calls(told.allocated);
    defect.object->freed = symboliser.calls(told.freed);
  }
  defect.shown_by = "checked build";
  blame_user_code(defect);
  return defect;
}

}  // namespace

std::vector<ToldDefect> parse_report(std::string_view text) {
  std::vector<ToldDefect> all;
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return all;
    if (std::optional<ToldDefect> told = parse_line(text.substr(0, end))) all.push_back(std::move(*told));
    text.remove_prefix(end + 1);
  }
}

Replay CheckedReplayer::run(const Evidence& evidence, const Budget& budget) {
  budget.check();
  Replay replay;
  replay.problem = problem_of(evidence);
  if (!replay.problem.empty()) return replay;
  Builds::Checked& build = builds_.checked(budget);
  const fs::path report = fs::absolute(builds_.directory()) / "checked-report" / "defects";
  fs::create_directories(report.parent_path());
  write_file(report, "");
  const std::array<std::pair<std::string, std::string>, 2> variables = {
      {{kReportVariable, report.string()}, {kMemoryVariable, std::to_string(limits_.memory)}}};
  const NativeRun run = run_natively(build.executable, builds_.native_test(*evidence.test()), limits_,
                                     builds_.directory(), budget, variables);
  replay.take(run.ending, "the checked build");
  const frontend::LoadOptions& options = builds_.options();
  for (const ToldDefect& told : parse_report(read_file(report)))
    if (is_certain(told) && is_checked(kind_of_defect(told.kind), options.checks))
      replay.add(describe(told, options.word_size.value_or(64), build.symboliser));
  fs::remove_all(report.parent_path());
  return replay;
}

}  // namespace plumb::replay
