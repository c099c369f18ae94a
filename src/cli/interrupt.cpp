// A signal handler may do next to nothing, so it writes one byte to a pipe, and a thread that waits at the pipe's other
// end does the rest. Signals are not blocked instead, because child processes would inherit that.
#include "cli/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"

namespace plumb::cli {
namespace {

constexpr char kSignal = 's';
constexpr char kQuit = 'q';
constexpr int kWindUpMilliseconds = 700;

int pipe_ends[2] = {-1, -1};
std::atomic<bool> signalled{false};

void handle_signal(int) {
  const int saved = errno;
  signalled.store(true, std::memory_order_relaxed);
  static_cast<void>(!::write(pipe_ends[1], &kSignal, 1));
  errno = saved;
}

/// The next byte of the pipe; 0 if none comes in time. A negative time waits for ever.
char wait_for_byte(int milliseconds) {
  pollfd waiting{pipe_ends[0], POLLIN, 0};
  int ready = 0;
  do ready = ::poll(&waiting, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  char byte = 0;
  if (ready <= 0 || ::read(pipe_ends[0], &byte, 1) != 1) return 0;
  return byte;
}

}  // namespace

InterruptHandler::InterruptHandler(Budget budget) : budget_(std::move(budget)) {
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw UserError(std::string("cannot make a pipe: ") + std::strerror(errno));
  watcher_ = std::thread([this] { watch(); });
  struct sigaction action{};
  action.sa_handler = handle_signal;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

InterruptHandler::~InterruptHandler() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  static_cast<void>(!::write(pipe_ends[1], &kQuit, 1));
  watcher_.join();
  for (int& end : pipe_ends) ::close(std::exchange(end, -1));
}

bool InterruptHandler::interrupted() noexcept { return signalled.load(std::memory_order_relaxed); }

void InterruptHandler::watch() const {
  if (wait_for_byte(-1) != kSignal) return;
  budget_.cancel();
  if (wait_for_byte(kWindUpMilliseconds) == kQuit) return;
  remove_temporary_directories();
  ::_exit(kInterrupted);
}

}  // namespace plumb::cli
