#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lang/tiny/tiny.h"

namespace plumb::tiny {

/// What parse() and check_sizes() say of a program, a line a mistake: "2:5: message | hint". "accepted" if nothing.
inline std::string mistakes_of(const std::string& text, const Options& options = {}) {
  std::string lines;
  try {
    std::vector<Warning> warnings;
    check_sizes(parse(text, "f.tiny", warnings), options);
  } catch (const Mistakes& mistakes) {
    for (const UserError& mistake : mistakes.all())
      lines += fmt::format("{}:{}: {}{}{}\n", mistake.location().line, mistake.location().column, mistake.message(),
                           mistake.hint().empty() ? "" : " | ", mistake.hint());
  }
  return lines.empty() ? "accepted" : lines;
}

/// The warnings of a program that is accepted, a line each: "2:5: message".
inline std::string warnings_of(const std::string& text) {
  std::vector<Warning> warnings;
  parse(text, "f.tiny", warnings);
  std::string lines;
  for (const Warning& warning : warnings)
    lines += fmt::format("{}:{}: {}\n", warning.location.line, warning.location.column, warning.message);
  return lines;
}

inline Program parsed(const std::string& text) {
  std::vector<Warning> warnings;
  return parse(text, "f.tiny", warnings);
}

}  // namespace plumb::tiny
