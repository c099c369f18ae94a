#include "cli/replay/debugger.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "replay/run_directory.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;

/// As a shell takes it for one word.
void put_word(std::string& script, std::string_view text) {
  script += " '";
  for (const char c : text) {
    if (c == '\'') script += "'\\'";
    script += c;
  }
  script += "'";
}

/// A script that gives the program its variables and its standard input. gdb starts it in place of the program, and
/// expects that the next thing it executes is the program.
void write_starter(const fs::path& file, const replay::RunDirectory& run) {
  std::string script = "#!/bin/sh\numask 022\nunset LINES COLUMNS\n";
  for (const std::string& variable : run.variables()) {
    script += "export";
    put_word(script, variable);
    script += "\n";
  }
  script += "exec \"$@\" <";
  put_word(script, run.standard_input().string());
  script += "\n";
  write_file(file, script);
  fs::permissions(file, fs::perms::owner_all);
}

/// Ctrl-C is the debugger's while this lives.
class IgnoredInterrupts {
 public:
  IgnoredInterrupts() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &before_);
  }
  ~IgnoredInterrupts() { ::sigaction(SIGINT, &before_, nullptr); }
  IgnoredInterrupts(const IgnoredInterrupts&) = delete;
  IgnoredInterrupts& operator=(const IgnoredInterrupts&) = delete;

 private:
  struct sigaction before_{};
};

int run_on_terminal(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const IgnoredInterrupts ignored;
  posix_spawnattr_t attributes;
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &interrupts);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, words[0], nullptr, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) throw UserError(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw UserError(fmt::format("lost {}: {}", command[0], std::strerror(errno)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int debug_test(const fs::path& executable, const result::TestCase& test, const fs::path& directory) {
  if (!find_program("gdb")) throw UserError("gdb, the debugger, is not installed", "apt-get install gdb");
  const replay::RunDirectory made(directory, test);
  const fs::path starter = directory / "start";
  write_starter(starter, made);
  std::vector<std::string> command = {"gdb", "-q"};
  for (const std::string& order :
       {fmt::format("cd {}", made.scratch().string()), fmt::format("set exec-wrapper {}", starter.string()),
        std::string("set confirm off"), std::string("unset environment"), std::string("set confirm on"),
        std::string("echo The command `run' runs the test.\\n")})
    command.insert(command.end(), {"-ex", order});
  command.insert(command.end(), {"--args", executable.string()});
  command.insert(command.end(), test.environment.arguments.begin(), test.environment.arguments.end());
  return run_on_terminal(command);
}

}  // namespace plumb::cli
