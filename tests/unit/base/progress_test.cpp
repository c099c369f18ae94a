#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>

namespace plumb {
namespace {

using namespace std::chrono_literals;

/// Standard error as a terminal of a given width, for the life of this object.
class TerminalOnStandardError {
 public:
  explicit TerminalOnStandardError(unsigned short columns) : saved_(dup(STDERR_FILENO)) {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    int slave = -1;
    if (openpty(&master_, &slave, nullptr, nullptr, &size) != 0) return;
    fcntl(master_, F_SETFL, O_NONBLOCK);
    dup2(slave, STDERR_FILENO);
    close(slave);
    setenv("TERM", "xterm", 1);
  }
  ~TerminalOnStandardError() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    close(master_);
  }

  bool works() const { return master_ >= 0; }
  /// What was printed since the last call.
  std::string seen() const {
    std::array<char, 65536> buffer;
    const ssize_t size = read(master_, buffer.data(), buffer.size());
    return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : "";
  }

 private:
  int saved_;
  int master_ = -1;
};

TEST(Progress, ShowsOneLineAfterASecondAndErasesIt) {
  const TerminalOnStandardError terminal(80);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo-terminal here";
  {
    Progress progress("proving", false);
    progress.update("step 1");
    EXPECT_EQ(terminal.seen(), "");
    std::this_thread::sleep_for(1010ms);
    progress.update("step 2\nof\x1b many");
    EXPECT_EQ(terminal.seen(), "\r\x1b[Kproving: step 2 of  many (1 s)");
    progress.update("step 3");
    EXPECT_EQ(terminal.seen(), "") << "at most ten times a second";
    std::this_thread::sleep_for(110ms);
    progress.update("step 4");
    EXPECT_EQ(terminal.seen(), "\r\x1b[Kproving: step 4 (1 s)");
  }
  EXPECT_EQ(terminal.seen(), "\r\x1b[K");
}

TEST(Progress, IsCutToTheTerminalWithoutSplittingCharacters) {
  const TerminalOnStandardError terminal(20);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo-terminal here";
  Progress progress("größer", false);
  std::this_thread::sleep_for(1010ms);
  progress.update("ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ");
  EXPECT_EQ(terminal.seen(), "\r\x1b[Kgrößer: ÄÄÄÄÄÄÄÄÄÄÄ");
}

TEST(Progress, IsSilentWhenQuietAndOnDumbTerminals) {
  const TerminalOnStandardError terminal(80);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo-terminal here";
  {
    Progress quiet("proving", true);
    setenv("TERM", "dumb", 1);
    Progress dumb("proving", false);
    std::this_thread::sleep_for(1010ms);
    quiet.update("step");
    dumb.update("step");
  }
  EXPECT_EQ(terminal.seen(), "");
}

TEST(Progress, IsSilentWhenStandardErrorIsNotATerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("proving", false);
    std::this_thread::sleep_for(1010ms);
    progress.update("step");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace plumb
