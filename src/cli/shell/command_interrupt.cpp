// As in cli/interrupt.cpp the handler writes a byte to a pipe and a thread does the rest; here it can happen any number
// of times. The former handler is back when this object dies.

#include "cli/shell/command_interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "cli/cli.h"

namespace plumb::cli::shell {
namespace {

constexpr char kSignal = 's';
constexpr char kQuit = 'q';
constexpr int kPatience = 3;

int signal_pipe[2] = {-1, -1};

void handle_signal(int) {
  const int saved = errno;
  static_cast<void>(!::write(signal_pipe[1], &kSignal, 1));
  errno = saved;
}

void make_pipe(int (&ends)[2]) {
  if (::pipe2(ends, O_CLOEXEC) != 0) throw UserError(std::string("cannot make a pipe: ") + std::strerror(errno));
}

}  // namespace

CommandInterrupt::CommandInterrupt() {
  make_pipe(signal_pipe);
  make_pipe(prompt_);
  watcher_ = std::thread([this] { watch(); });
  struct sigaction action{};
  action.sa_handler = handle_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &former_);
}

CommandInterrupt::~CommandInterrupt() {
  ::sigaction(SIGINT, &former_, nullptr);
  static_cast<void>(!::write(signal_pipe[1], &kQuit, 1));
  watcher_.join();
  for (int* ends : {signal_pipe, prompt_})
    for (int i = 0; i < 2; ++i) ::close(std::exchange(ends[i], -1));
}

std::shared_ptr<void> CommandInterrupt::guard(const Budget& budget) {
  const std::scoped_lock lock(mutex_);
  current_ = budget;
  presses_ = 0;
  return {this, [](CommandInterrupt* self) {
            const std::scoped_lock inner(self->mutex_);
            self->current_.reset();
          }};
}

void CommandInterrupt::watch() {
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(signal_pipe[0], &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count != 1 || byte == kQuit) return;
    handle();
  }
}

void CommandInterrupt::handle() {
  const std::scoped_lock lock(mutex_);
  if (!current_) {
    static_cast<void>(!::write(prompt_[1], &kSignal, 1));
    return;
  }
  current_->cancel();
  if (++presses_ < kPatience) return;
  kill_all_subprocesses();
  remove_temporary_directories();
  ::_exit(kInterrupted);
}

}  // namespace plumb::cli::shell
