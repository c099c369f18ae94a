#include "semantics/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace plumb::semantics {

using program::Function;
using program::Instruction;
using program::Kind;
using program::Program;
using program::Value;
using program::ValueId;
using program::ValueKind;

namespace {

/// By rising name.
constexpr std::array<std::string_view, 16> kOutput = {
    "fflush", "fprintf", "fputc", "fputs",    "fwprintf", "fwrite",  "perror",   "printf",
    "putc",   "putchar", "puts",  "putwchar", "vfprintf", "vprintf", "vwprintf", "wprintf"};

std::span<const ValueId> arguments_of(const Function& caller, const Instruction& call) {
  return caller.operands_of(call).subspan(call.kind == Kind::CallIndirect ? 1 : 0);
}

/// The text that ends in a zero byte there, in a constant of the program.
std::optional<std::string_view> constant_text(const Program& program, const Function& caller, ValueId argument) {
  const Value& value = caller.values[argument];
  if (value.kind != ValueKind::GlobalAddress || value.offset < 0) return std::nullopt;
  const program::GlobalObject& global = program.globals[value.index];
  if (!global.is_constant || !global.relocations.empty()) return std::nullopt;
  const auto first = static_cast<std::size_t>(value.offset);
  const auto end =
      std::ranges::find(global.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(first, global.bytes.size())),
                        global.bytes.end(), std::uint8_t{0});
  if (end == global.bytes.end()) return std::nullopt;
  const auto length = static_cast<std::size_t>(end - global.bytes.begin()) - first;
  return std::string_view(reinterpret_cast<const char*>(global.bytes.data()) + first, length);
}

/// No conversion takes a pointer that it follows.
bool converts_numbers_only(std::string_view format) {
  constexpr std::string_view kBetween = "0123456789#+- .*hlLjztq'";
  for (std::size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 1)) {
    at = format.find_first_not_of(kBetween, at + 1);
    if (at == std::string_view::npos || std::string_view("snSmC").find(format[at]) != std::string_view::npos)
      return false;
  }
  return true;
}

}  // namespace

CallFit call_fit(const Function& caller, const Instruction& call, const Function& callee) {
  const std::span<const ValueId> arguments = arguments_of(caller, call);
  for (std::size_t i = 0; i < std::min(arguments.size(), callee.parameters.size()); ++i)
    if (caller.values[arguments[i]].width != callee.values[callee.parameters[i]].width) return CallFit::Wrong;
  if (call.result_count != 0) {
    if (call.result_count != callee.result_widths.size()) return CallFit::Wrong;
    for (std::uint32_t i = 0; i < call.result_count; ++i)
      if (caller.values[call.first_result + i].width != callee.result_widths[i]) return CallFit::Wrong;
  }
  return arguments.size() < callee.parameters.size() ? CallFit::Missing : CallFit::Exact;
}

bool is_output(const Function& function) {
  if (function.has_body() && !function.is_model) return false;
  return function.is_inert || std::ranges::binary_search(kOutput, function.name);
}

bool reads_memory(const Program& program, const Function& caller, const Instruction& call) {
  if (call.kind != Kind::Call) return true;
  const std::string_view name = program.functions[call.parameter].name;
  const std::span<const ValueId> arguments = arguments_of(caller, call);
  const auto is_text = [&](std::size_t i) {
    return arguments.size() > i && constant_text(program, caller, arguments[i]).has_value();
  };
  if (name == "putchar" || name == "putwchar") return false;
  if (name == "puts" || name == "perror") return !is_text(0);
  // A stream that is no stream is not looked for: it is an object of the library's own.
  if (name == "fputc" || name == "putc" || name == "fflush") return false;
  if (name == "fputs") return !is_text(0);
  if (name != "printf" && name != "fprintf") return true;
  const std::size_t format = name == "printf" ? 0 : 1;
  const auto text = arguments.size() > format ? constant_text(program, caller, arguments[format]) : std::nullopt;
  return !text || !converts_numbers_only(*text);
}

std::string missing_body_text(const Function& function) {
  return fmt::format("function '{}' has no body: its result is arbitrary, and it writes nothing", function.name);
}

}  // namespace plumb::semantics
