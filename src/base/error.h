#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

/// A place in a user's file; line and column count from 1, 0 means "not known".
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// `file:line:column`, without the parts that are not known.
  std::string to_string() const;
};

/// Bad input or bad usage: what is wrong, where, and what to do about it. Ends in exit code 2.
class UserError : public std::exception {
 public:
  UserError(SourceLocation location, std::string message, std::string hint = {});
  explicit UserError(std::string message, std::string hint = {})
      : UserError(SourceLocation{}, std::move(message), std::move(hint)) {}

  const SourceLocation& location() const noexcept { return location_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  /// `place: error: message`, then the hint on a line of its own.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  SourceLocation location_;
  std::string message_;
  std::string hint_;
  std::string text_;
};

/// Input that is valid but uses a construct that the chosen engine does not have; the message names it.
class Unsupported : public UserError {
 public:
  using UserError::UserError;
};

/// A failed internal check: a bug of ours, never a verdict. Ends in exit code 1 with a bug report.
class InternalError : public std::exception {
 public:
  InternalError(std::string_view condition, std::string_view sentence, const char* file, int line);

  const char* what() const noexcept override { return text_.c_str(); }
  /// The call stack at the point of failure, one frame a line.
  const std::string& stack() const noexcept { return stack_; }

 private:
  std::string text_;
  std::string stack_;
};

[[noreturn]] void fail_invariant(std::string_view condition, std::string_view sentence, const char* file, int line);

}  // namespace plumb

/// Checked in every build. The sentence says what should hold: INVARIANT(w > 0, "a width should be positive").
#define INVARIANT(condition, sentence)                                   \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::plumb::fail_invariant(#condition, sentence, __FILE__, __LINE__); \
  } while (false)

/// As INVARIANT, but only in debug and sanitizer builds: for checks whose cost a profile shows.
#ifdef NDEBUG
#define DCHECK(condition, sentence) \
  do {                              \
  } while (false)
#else
#define DCHECK(condition, sentence) INVARIANT(condition, sentence)
#endif
