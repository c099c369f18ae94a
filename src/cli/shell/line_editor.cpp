// The library's callback interface: the loop over the terminal is ours, so that it can wait for Ctrl-C beside the keys
// and no signal handler has to touch the library's state.

#include "cli/shell/line_editor.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

// The library's headers need <cstdio> before them.
#include <readline/history.h>
#include <readline/readline.h>

namespace plumb::cli::shell {
namespace {

constexpr int kHistoryLines = 2000;

LineEditor::Complete complete_words;
std::optional<std::string> finished_line;
bool has_finished = false;
std::vector<std::string> candidates;

void take_line(char* line) {
  has_finished = true;
  if (line != nullptr) finished_line = line;
  std::free(line);
  rl_callback_handler_remove();
}

/// The library asks with state 0, 1, 2, … and frees what it gets.
char* next_candidate(const char*, int state) {
  const auto i = static_cast<std::size_t>(state);
  return i < candidates.size() ? ::strdup(candidates[i].c_str()) : nullptr;
}

char** attempt(const char* text, int start, int) {
  const Completions completions = complete_words(std::string(rl_line_buffer, static_cast<std::size_t>(start)), text);
  rl_attempted_completion_over = completions.files ? 0 : 1;
  candidates = completions.words;
  return candidates.empty() ? nullptr : rl_completion_matches(text, next_candidate);
}

void drop_line() {
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_replace_line("", 0);
  rl_crlf();
  rl_callback_handler_remove();
  finished_line = "";
  has_finished = true;
}

}  // namespace

LineEditor::LineEditor(std::filesystem::path history, Complete complete, int interrupts)
    : history_(std::move(history)), interrupts_(interrupts) {
  complete_words = std::move(complete);
  rl_readline_name = "plumb";
  rl_catch_signals = 0;
  rl_attempted_completion_function = attempt;
  // Names of variables have brackets, colons and dots, options have dashes and '='.
  rl_completer_word_break_characters = " \t\n;\"'";
  using_history();
  stifle_history(kHistoryLines);
  if (!history_.empty()) ::read_history(history_.c_str());
}

LineEditor::~LineEditor() {
  complete_words = nullptr;
  clear_history();
}

std::optional<std::string> LineEditor::read_line(const std::string& prompt, const Budget& budget) {
  finished_line.reset();
  has_finished = false;
  rl_callback_handler_install(prompt.c_str(), take_line);
  while (!has_finished) {
    pollfd waiting[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupts_, POLLIN, 0}};
    const int ready = ::poll(waiting, 2, -1);
    if (budget.exceeded() == Stop::Cancelled) {
      rl_callback_handler_remove();
      return std::nullopt;
    }
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0) continue;
    if ((waiting[1].revents & POLLIN) != 0) {
      char byte = 0;
      static_cast<void>(!::read(interrupts_, &byte, 1));
      drop_line();
    } else if (waiting[0].revents != 0) {
      rl_callback_read_char();
    }
  }
  if (!finished_line) {
    std::fputc('\n', stdout);
    std::fflush(stdout);
    return std::nullopt;
  }
  const bool is_blank = finished_line->find_first_not_of(" \t") == std::string::npos;
  const HIST_ENTRY* last = history_length > 0 ? history_get(history_base + history_length - 1) : nullptr;
  if (!is_blank && (last == nullptr || *finished_line != last->line)) {
    add_history(finished_line->c_str());
    // After each line, so that nothing is lost however the session ends. A history that cannot be kept is no reason to
    // bother anyone.
    if (!history_.empty() && ::append_history(1, history_.c_str()) != 0) ::write_history(history_.c_str());
  }
  return finished_line;
}

std::filesystem::path history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path directory;
  if (state != nullptr && *state == '/')
    directory = state;
  else if (home != nullptr && *home == '/')
    directory = std::filesystem::path(home) / ".local" / "state";
  else
    return {};
  directory /= "plumb";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  return error ? std::filesystem::path() : directory / "history";
}

}  // namespace plumb::cli::shell
