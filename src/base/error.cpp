#include "base/error.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace plumb {

namespace {

struct Free {
  void operator()(void* p) const noexcept { std::free(p); }
};

/// `binary(mangled+0x12) [0x…]` with the name between the parentheses demangled, or the frame as it is.
std::string readable_frame(std::string_view frame) {
  const std::size_t open = frame.find('(');
  const std::size_t plus = frame.find('+', open == std::string_view::npos ? frame.size() : open);
  if (plus == std::string_view::npos || plus == open + 1) return std::string(frame);
  const std::string mangled(frame.substr(open + 1, plus - open - 1));
  int status = 0;
  const std::unique_ptr<char, Free> name(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status));
  if (status != 0) return std::string(frame);
  return fmt::format("{}{}{}", frame.substr(0, open + 1), name.get(), frame.substr(plus));
}

std::string call_stack() {
  std::array<void*, 64> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  // A return address behind a call that does not return belongs to the next function already.
  for (int i = 0; i < count; ++i)
    frames[static_cast<std::size_t>(i)] = static_cast<char*>(frames[static_cast<std::size_t>(i)]) - 1;
  const std::unique_ptr<char*, Free> symbols(backtrace_symbols(frames.data(), count));
  if (!symbols) return "(no memory for a call stack)\n";
  std::string text;
  // The first frame is this function.
  for (int i = 1; i < count; ++i) text += readable_frame(symbols.get()[i]) + "\n";
  return text;
}

std::string user_error_text(const SourceLocation& location, std::string_view message, std::string_view hint) {
  const std::string place = location.to_string();
  std::string text = place.empty() ? fmt::format("error: {}", message) : fmt::format("{}: error: {}", place, message);
  if (!hint.empty()) text += fmt::format("\n  hint: {}", hint);
  return text;
}

}  // namespace

std::string SourceLocation::to_string() const {
  std::string text = file;
  if (line != 0) {
    text += fmt::format("{}{}", text.empty() ? "line " : ":", line);
    if (column != 0) text += fmt::format(":{}", column);
  }
  return text;
}

UserError::UserError(SourceLocation location, std::string message, std::string hint)
    : location_(std::move(location)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      text_(user_error_text(location_, message_, hint_)) {}

InternalError::InternalError(std::string_view condition, std::string_view sentence, const char* file, int line)
    : text_(fmt::format("{}:{}: {} (violated: {})", file, line, sentence, condition)), stack_(call_stack()) {}

void fail_invariant(std::string_view condition, std::string_view sentence, const char* file, int line) {
  throw InternalError(condition, sentence, file, line);
}

}  // namespace plumb
