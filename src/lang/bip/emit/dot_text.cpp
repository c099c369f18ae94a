#include "lang/bip/emit/dot_text.h"

#include <fmt/format.h>

namespace plumb::bip::dot {

namespace {

char printable(char c) { return c >= 0x20 && c < 0x7f ? c : '?'; }

/// The blank at which a line of that width ends best: between statements, then before an operator that joins
/// conditions or begins an action, then anywhere.
std::size_t end_of_line(std::string_view text, std::size_t width) {
  const auto begins = [&](std::size_t at, std::string_view part) { return text.substr(at).starts_with(part); };
  std::size_t best = std::string_view::npos;
  int best_rank = 0;
  for (std::size_t at = text.find(' '); at <= width; at = text.find(' ', at + 1)) {
    const bool is_between = at > 0 && text[at - 1] == ';';
    const bool is_before = begins(at, " && ") || begins(at, " || ") || begins(at, " / ") || begins(at, " [");
    const int rank = is_between ? 3 : is_before ? 2 : 1;
    // A line that is nearly empty is no good break.
    if (rank < best_rank || at < width / 4) continue;
    best = at;
    best_rank = rank;
  }
  return best_rank != 0 ? best : text.find(' ', width);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += printable(c);
    if (c == '&') result += "amp;";
  }
  return result;
}

std::string html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += printable(c);
    }
  }
  return result;
}

std::string lines(std::string_view text, std::size_t width) {
  std::string result;
  const auto add = [&](std::string_view line) {
    result += fmt::format("{}{}<br align=\"left\"/>", result.empty() ? "" : "  ", html(line));
  };
  while (text.size() > width) {
    const std::size_t end = end_of_line(text, width);
    if (end == std::string_view::npos) break;
    add(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) add(text);
  return result;
}

std::string label_of(std::string_view lines) {
  if (lines.empty()) return "\"\"";
  return fmt::format("<<table border=\"0\" cellspacing=\"0\" cellpadding=\"4\"><tr><td>{}</td></tr></table>>", lines);
}

}  // namespace plumb::bip::dot
