#include "cli/lanes.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace plumb::cli {
namespace {

using replay::LaneStep;

constexpr std::size_t kShownSteps = 24;
constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kLeastColumn = 17;
constexpr std::size_t kMostColumn = 40;
constexpr std::size_t kIndent = 4;

std::size_t first_shown(const std::vector<LaneStep>& lanes, bool is_full) {
  return is_full || lanes.size() <= kShownSteps ? 0 : lanes.size() - kShownSteps;
}

/// Cut to a number of characters, not of bytes.
std::string fitted(const std::string& text, std::size_t width) {
  std::size_t characters = 0, end = 0, last = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    if (characters + 1 == width) last = at;
    if (characters++ == width) {
      end = last;
      break;
    }
    end = text.size();
  }
  return end == text.size() || end == 0 ? text.substr(0, end) : text.substr(0, end) + "…";
}

std::size_t characters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Table {
 public:
  Table(const std::vector<LaneStep>& lanes, bool is_full, std::size_t width)
      : lanes_(lanes), first_(first_shown(lanes, is_full)) {
    for (const LaneStep& step : lanes) threads_ = std::max(threads_, step.thread);
    for (const LaneStep& step : lanes)
      if (has_one_file_ && step.location.line != 0) {
        if (file_.empty()) file_ = step.location.file;
        has_one_file_ = step.location.file == file_;
      }
    const std::size_t room = width > kIndent ? width - kIndent : 1;
    std::size_t widest = kLeastColumn;
    for (std::size_t i = first_; i < lanes.size(); ++i) widest = std::max(widest, characters_of(cell(lanes[i])) + 2);
    column_ = std::min({room / threads_, widest, kMostColumn});
    has_columns_ = column_ >= kLeastColumn;
    if (!has_columns_) column_ = room;
  }

  std::string text() const {
    std::string made = "  threads, time goes down:\n";
    if (first_ > 0) made += fmt::format("    … {} step{} before\n", first_, first_ == 1 ? "" : "s");
    if (has_columns_) {
      std::string head;
      for (std::size_t t = 1; t <= threads_; ++t) head += padded(fmt::format("thread {}", t));
      made += line(0, head);
    }
    for (std::size_t i = first_; i < lanes_.size(); ++i) {
      const std::string text = cell(lanes_[i]);
      made += has_columns_ ? line((lanes_[i].thread - 1) * column_, fitted(text, column_ - 1))
                           : line(0, fitted(fmt::format("thread {:>2}  {}", lanes_[i].thread, text), column_));
    }
    return made;
  }

 private:
  /// "12 write n = 1".
  std::string cell(const LaneStep& step) const {
    std::string place;
    if (step.location.line != 0)
      place = has_one_file_ ? fmt::format("{} ", step.location.line)
                            : fmt::format("{}:{} ", std::filesystem::path(step.location.file).filename().string(),
                                          step.location.line);
    std::string text = place + step.what;
    if (!step.variable.empty()) text += " " + step.variable;
    if (!step.value.empty()) text += (step.variable.empty() ? " " : " = ") + step.value;
    return utf8(text);
  }
  std::string padded(const std::string& text) const {
    return text + std::string(column_ > text.size() ? column_ - text.size() : 1, ' ');
  }
  static std::string line(std::size_t before, const std::string& text) {
    std::string made = std::string(kIndent + before, ' ') + text;
    made.resize(made.find_last_not_of(' ') + 1);
    return made + "\n";
  }

  const std::vector<LaneStep>& lanes_;
  std::size_t first_;
  std::size_t threads_ = 1;
  std::string file_;
  bool has_one_file_ = true;
  std::size_t column_ = 0;
  bool has_columns_ = true;
};

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  if (::isatty(1) == 1 && ::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultWidth;
}

std::string lanes_text(const std::vector<LaneStep>& lanes, bool is_full, std::size_t width) {
  return lanes.empty() ? "" : Table(lanes, is_full, width).text();
}

nlohmann::ordered_json lanes_json(const std::vector<LaneStep>& lanes, bool is_full) {
  const std::size_t first = first_shown(lanes, is_full);
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (std::size_t i = first; i < lanes.size(); ++i) {
    const LaneStep& step = lanes[i];
    nlohmann::ordered_json line = {{"thread", step.thread}};
    if (step.location.line != 0) put_place(line, step.location);
    if (!step.function.empty()) line["function"] = utf8(step.function);
    line["what"] = step.what;
    if (!step.variable.empty()) line["variable"] = utf8(step.variable);
    if (!step.value.empty()) line["value"] = utf8(step.value);
    if (step.other != 0) line["other"] = step.other;
    lines.push_back(std::move(line));
  }
  return {{"steps", lanes.size()}, {"left_out", first}, {"lines", std::move(lines)}};
}

}  // namespace plumb::cli
