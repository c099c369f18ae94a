#include "cli/shell/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace plumb::cli::shell {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  std::vector<Words> split() {
    while (cursor_ < line_.size()) {
      const char c = line_[cursor_];
      if (c == '#' && !in_word_) break;
      ++cursor_;
      if (is_blank(c)) {
        end_word();
      } else if (c == ';') {
        end_command();
      } else {
        in_word_ = true;
        add(c);
      }
    }
    end_command();
    return std::move(commands_);
  }

 private:
  void add(char c) {
    if (c == '\'' || c == '"') {
      quoted(c);
    } else if (c == '\\' && cursor_ < line_.size()) {
      word_ += line_[cursor_++];
    } else {
      word_ += c;
    }
  }

  void quoted(char quote) {
    const std::size_t start = cursor_;
    while (cursor_ < line_.size() && line_[cursor_] != quote) {
      const bool escapes = quote == '"' && line_[cursor_] == '\\' && cursor_ + 1 < line_.size() &&
                           (line_[cursor_ + 1] == '"' || line_[cursor_ + 1] == '\\');
      if (escapes) ++cursor_;
      word_ += line_[cursor_++];
    }
    if (cursor_ == line_.size()) throw UserError(fmt::format("the quote {} at column {} is not closed", quote, start));
    ++cursor_;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  void end_command() {
    end_word();
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  std::string_view line_;
  std::size_t cursor_ = 0;
  std::string word_;
  bool in_word_ = false;
  Words words_;
  std::vector<Words> commands_;
};

}  // namespace

std::vector<Words> split_commands(std::string_view line) { return Splitter(line).split(); }

}  // namespace plumb::cli::shell
