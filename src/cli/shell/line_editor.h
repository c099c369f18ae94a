#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"

namespace plumb::cli::shell {

/// What may stand at the cursor: whole words that begin with what is there, or the names of files.
struct Completions {
  std::vector<std::string> words;
  bool files = false;
};

/// Lines from a terminal, with GNU readline: editing, completion, and a history that is kept in a file. One at a time,
/// as the library has but one state.
class LineEditor {
 public:
  /// `complete` gets the line up to the word at the cursor, and that word.
  using Complete = std::function<Completions(const std::string& before, const std::string& word)>;
  /// `interrupts` becomes readable when the line that is typed is to be dropped.
  LineEditor(std::filesystem::path history, Complete complete, int interrupts);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// A line without its end; an empty one if Ctrl-C dropped it. Nothing at the end of the input and when the budget is
  /// cancelled.
  std::optional<std::string> read_line(const std::string& prompt, const Budget& budget);

 private:
  std::filesystem::path history_;
  int interrupts_;
};

/// $XDG_STATE_HOME/plumb/history, or that under ~/.local/state; empty if there is no home.
std::filesystem::path history_file();

}  // namespace plumb::cli::shell
