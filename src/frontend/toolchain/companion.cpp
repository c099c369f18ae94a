#include "frontend/toolchain/companion.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"

namespace plumb::frontend {

Companion::Companion(const std::vector<std::string>& command) : name_(command[0]) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);  // which we ignore
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&child_, words[0], nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw UserError(fmt::format("cannot start {}: {}", name_, std::strerror(error)),
                    fmt::format("apt-get install {}", name_));
}

Companion::~Companion() {
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

int Companion::wait() {
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0) {
    if (errno != EINTR) throw UserError(fmt::format("lost {}: {}", name_, std::strerror(errno)));
    ::kill(child_, SIGTERM);
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace plumb::frontend
