#include "lang/tiny/tiny.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/tiny/syntax/checker.h"
#include "lang/tiny/syntax/parser.h"

namespace plumb::tiny {

namespace {

/// How many mistakes what() lists; all() has them all.
constexpr std::size_t kListed = 20;
constexpr std::uint64_t kGreatestDefaultSize = 65535;

/// A UserError has one message: the first mistake's, with the others below it.
std::string listed(const std::vector<UserError>& mistakes) {
  INVARIANT(!mistakes.empty(), "mistakes should be at least one");
  std::string text = mistakes.front().message();
  if (mistakes.size() == 1) return text;
  if (!mistakes.front().hint().empty()) text += fmt::format("\n  hint: {}", mistakes.front().hint());
  for (std::size_t i = 1; i < std::min(mistakes.size(), kListed); ++i) text += fmt::format("\n{}", mistakes[i].what());
  if (mistakes.size() > kListed) text += fmt::format("\nand {} more mistakes", mistakes.size() - kListed);
  return text;
}

bool is_before(const SourceLocation& a, const SourceLocation& b) {
  return std::pair{a.line, a.column} < std::pair{b.line, b.column};
}

/// The first by place; stable, and mistakes without a place first.
std::vector<UserError> in_order(std::vector<UserError> mistakes) {
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const UserError& a, const UserError& b) { return is_before(a.location(), b.location()); });
  return mistakes;
}

}  // namespace

Mistakes::Mistakes(std::vector<UserError> mistakes) : Mistakes(Ordered{in_order(std::move(mistakes))}) {}

Mistakes::Mistakes(Ordered ordered)
    : UserError(ordered.mistakes.at(0).location(), listed(ordered.mistakes),
                ordered.mistakes.size() == 1 ? ordered.mistakes.front().hint() : std::string()),
      mistakes_(std::move(ordered.mistakes)) {}

std::uint64_t Options::max_array_size() const {
  if (array_size) return *array_size;
  const std::uint32_t bits = std::clamp(is_signed ? int_width - 1 : int_width, 1U, 16U);
  return std::min((std::uint64_t{1} << bits) - 1, kGreatestDefaultSize);
}

std::uint64_t Options::max_stack_size() const { return stack_size.value_or(max_array_size()); }

Program parse(std::string_view text, const std::string& file, std::vector<Warning>& warnings) {
  std::vector<UserError> errors;
  WrittenProgram written = Parser(text, file, errors, warnings).parse();
  if (!errors.empty()) throw Mistakes(std::move(errors));
  Program program = Checker(std::move(written), errors, warnings).check();
  if (!errors.empty()) throw Mistakes(std::move(errors));
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return is_before(a.location, b.location); });
  return program;
}

}  // namespace plumb::tiny
