#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "cli/shell/session.h"

namespace plumb::cli::shell {

/// Runs lines of commands on one session.
class Shell {
 public:
  /// `root` is the parent of each command's budget.
  Shell(std::ostream& out, Settings settings, Budget root)
      : session_(out, std::move(settings)), root_(std::move(root)) {}

  /// Called with the budget of a command before it runs; what it returns is dropped when the command has ended. A
  /// terminal's Ctrl-C is brought to the budget by it.
  using Guard = std::function<std::shared_ptr<void>(const Budget&)>;
  void set_guard(Guard guard) { guard_ = std::move(guard); }

  /// All commands of a line, one after the other, until one throws or leaves. Throws what they throw: UserError for
  /// what the user can put right, OutOfBudget.
  void run_line(std::string_view line);
  /// As run_line(), but a mistake is printed and the session goes on. Only a closed output is thrown.
  void run_line_forgivingly(std::string_view line);
  /// Lines to the end or to the first mistake, which is thrown with the place in `name` at which it happened.
  void run_lines(std::istream& lines, const std::string& name);

  Session& session() noexcept { return session_; }
  const Session& session() const noexcept { return session_; }

 private:
  void run_command(const std::vector<std::string>& words);

  Session session_;
  Budget root_;
  Guard guard_;
};

}  // namespace plumb::cli::shell
