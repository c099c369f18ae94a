#include "base/subprocess.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/file.h"

namespace plumb {
namespace {

using namespace std::chrono_literals;
using End = ProcessResult::End;
using Clock = std::chrono::steady_clock;

Budget ample() { return Budget().with_timeout(30s); }

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

pid_t to_pid(const std::string& text) {
  pid_t pid = 0;
  std::from_chars(text.data(), text.data() + text.size(), pid);
  return pid;
}

/// Dead, or a zombie that its new parent has not collected yet.
bool is_gone(pid_t pid) {
  if (pid <= 0) return false;
  try {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/stat");
    return status.find(") Z") != std::string::npos;
  } catch (const UserError&) {
    return true;
  }
}

bool goes_away(pid_t pid) {
  const auto deadline = Clock::now() + 5s;
  while (Clock::now() < deadline) {
    if (is_gone(pid)) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

std::string numbered_lines(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(Subprocess, GivesOutputErrorAndExitCode) {
  const ProcessResult result = run_process(shell("cat; echo problem >&2; exit 7"), "hello\n", ample());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, "hello\n");
  EXPECT_EQ(result.error, "problem\n");
}

TEST(Subprocess, PassesArgumentsUnchanged) {
  EXPECT_EQ(run_process({"printf", "%s|", "a b", "", "$HOME", "'\""}, "", ample()).output, "a b||$HOME|'\"|");
}

TEST(Subprocess, ReportsTheSignalThatEndedTheChild) {
  const ProcessResult result = run_process(shell("kill -SEGV $$"), "", ample());
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST(Subprocess, TenMegabytesGoThroughCatWithoutDeadlock) {
  const std::string text = numbered_lines(10'000'000);
  const ProcessResult result = run_process({"cat"}, text, ample());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_TRUE(result.output == text);
}

TEST(Subprocess, AChildThatPrintsBeforeItReadsDoesNotDeadlock) {
  const std::string text = numbered_lines(5'000'000);
  const ProcessResult result =
      run_process(shell("head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; wc -c"), text, ample());
  EXPECT_EQ(result.output.size(), 5'000'000 + std::to_string(text.size()).size() + 1);
  EXPECT_EQ(result.error.size(), 64U << 10) << "standard error is kept up to 64 KiB";
}

TEST(Subprocess, HoldsADialogueLineByLine) {
  Subprocess cat({"cat"}, {});
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(cat.write("line " + std::to_string(i) + "\n", ample()));
    ASSERT_EQ(cat.read_line(ample()), "line " + std::to_string(i));
  }
  ASSERT_TRUE(cat.write("two\nat once\n\nunfinished", ample()));
  EXPECT_EQ(cat.read_line(ample()), "two");
  EXPECT_EQ(cat.read_line(ample()), "at once");
  EXPECT_EQ(cat.read_line(ample()), "");
  cat.close_input();
  EXPECT_EQ(cat.read_line(ample()), "unfinished");
  EXPECT_EQ(cat.read_line(ample()), std::nullopt);
  EXPECT_FALSE(cat.write("more", ample()));
  const ProcessResult result = cat.finish(ample());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output, "");
}

TEST(Subprocess, FinishGivesWhatWasNotReadAsLines) {
  Subprocess child(shell("echo first; echo second; echo third"), {});
  EXPECT_EQ(child.read_line(ample()), "first");
  EXPECT_EQ(child.finish(ample()).output, "second\nthird\n");
  EXPECT_EQ(child.read_line(ample()), std::nullopt);
  EXPECT_EQ(child.finish(ample()).end, End::Exited);
}

TEST(Subprocess, ReadsManyLinesInLinearTime) {
  const std::string text = numbered_lines(5'000'000);
  Subprocess cat({"cat"}, {});
  ASSERT_TRUE(cat.write(text, ample()));
  cat.close_input();
  std::string again;
  while (const std::optional<std::string> line = cat.read_line(ample())) again += *line + "\n";
  EXPECT_TRUE(again == text);
}

TEST(Subprocess, WritingToAChildThatHasGoneIsNoSignal) {
  ASSERT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_DFL);
  Subprocess child(shell("exec 0<&-; echo closed; sleep 30"), {});
  ASSERT_EQ(child.read_line(ample()), "closed");
  EXPECT_FALSE(child.write(std::string(1 << 20, 'x'), ample()));
  Subprocess ended({"true"}, {});
  EXPECT_FALSE(ended.write(std::string(1 << 20, 'x'), ample()));
  EXPECT_EQ(ended.finish(ample()).code, 0);
}

TEST(Subprocess, AChildThatIgnoresItsInputStillGivesItsAnswer) {
  const ProcessResult result = run_process(shell("exec 0<&-; echo answer"), std::string(1 << 20, 'x'), ample());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.output, "answer\n");
}

TEST(Subprocess, EndsAtTheTimeLimit) {
  const auto start = Clock::now();
  const ProcessResult result = run_process(shell("echo begun; sleep 30"), "", Budget().with_timeout(200ms));
  EXPECT_EQ(result.end, End::TimedOut);
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_GE(Clock::now() - start, 200ms);
  EXPECT_LT(Clock::now() - start, 2s);
}

TEST(Subprocess, TheTimeLimitHoldsWhileWritingReadingAndUnderAFloodOfOutput) {
  const auto start = Clock::now();
  Subprocess deaf({"sleep", "30"}, {});
  EXPECT_FALSE(deaf.write(std::string(1 << 20, 'x'), Budget().with_timeout(100ms)));
  EXPECT_EQ(deaf.finish(ample()).end, End::TimedOut);
  Subprocess mute({"sleep", "30"}, {});
  EXPECT_EQ(mute.read_line(Budget().with_timeout(100ms)), std::nullopt);
  EXPECT_EQ(mute.finish(ample()).end, End::TimedOut);
  EXPECT_EQ(run_process(shell("yes >&2"), "", Budget().with_timeout(100ms)).end, End::TimedOut);
  EXPECT_LT(Clock::now() - start, 3s);
}

TEST(Subprocess, EndsSoonAfterCancellation) {
  const Budget budget;
  Clock::time_point cancelled;
  std::thread canceller([&] {
    std::this_thread::sleep_for(100ms);
    cancelled = Clock::now();
    budget.cancel();
  });
  const ProcessResult result = run_process({"sleep", "30"}, "", budget);
  const auto end = Clock::now();
  canceller.join();
  EXPECT_EQ(result.end, End::Cancelled);
  EXPECT_LT(end - cancelled, 1s);
}

TEST(Subprocess, KillsGrandchildrenOnTimeLimitKillAndDestruction) {
  const std::string script = "sleep 300 & echo $!; wait";
  const ProcessResult timed = run_process(shell(script), "", Budget().with_timeout(300ms));
  EXPECT_EQ(timed.end, End::TimedOut);
  EXPECT_TRUE(goes_away(to_pid(timed.output)));
  pid_t grandchild = 0;
  {
    Subprocess child(shell(script), {});
    grandchild = to_pid(child.read_line(ample()).value_or(""));
    EXPECT_FALSE(is_gone(grandchild));
  }
  EXPECT_TRUE(goes_away(grandchild));
  Subprocess killed(shell(script), {});
  grandchild = to_pid(killed.read_line(ample()).value_or(""));
  killed.kill();
  const ProcessResult result = killed.finish(ample());
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGKILL);
  EXPECT_TRUE(goes_away(grandchild));
}

TEST(Subprocess, AGrandchildThatKeepsThePipesDoesNotDelayTheEnd) {
  const auto start = Clock::now();
  const ProcessResult result = run_process(shell("sleep 300 & echo $!"), "", ample());
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_LT(Clock::now() - start, 2s);
  EXPECT_TRUE(goes_away(to_pid(result.output)));
}

TEST(Subprocess, ADescendantThatLeftTheGroupDoesNotDelayTheEnd) {
  const auto start = Clock::now();
  const ProcessResult result = run_process(shell("setsid sleep 3 & echo begun"), "", ample());
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_LT(Clock::now() - start, 2s);
}

TEST(Subprocess, TheMemoryLimitFailsTheChildAndNotUs) {
  const std::string script = "x=$(head -c 300000000 /dev/zero | tr '\\0' x) && echo survived";
  const ProcessResult limited = run_process(shell(script), "", ample(), {.memory = std::uint64_t{64} << 20});
  EXPECT_FALSE(limited.end == End::Exited && limited.code == 0);
  EXPECT_EQ(limited.output, "");
}

TEST(Subprocess, TheOutputLimitKillsTheChildAndKeepsWhatIsAllowed) {
  const ProcessResult endless = run_process({"yes"}, "", ample(), {.memory = {}, .output = 100'001});
  EXPECT_EQ(endless.end, End::OutputLimit);
  EXPECT_EQ(endless.output.size(), 100'001U);
  const ProcessResult exact =
      run_process({"head", "-c", "1000", "/dev/zero"}, "", ample(), {.memory = {}, .output = 1000});
  EXPECT_EQ(exact.end, End::Exited);
  EXPECT_EQ(exact.output.size(), 1000U);
  const ProcessResult above =
      run_process({"head", "-c", "1001", "/dev/zero"}, "", ample(), {.memory = {}, .output = 1000});
  EXPECT_EQ(above.end, End::OutputLimit);
}

TEST(Subprocess, ALineCutOffByTheOutputLimitIsNotALine) {
  Subprocess child({"head", "-c", "100000", "/dev/zero"}, {.memory = {}, .output = 1000});
  EXPECT_EQ(child.read_line(ample()), std::nullopt);
  EXPECT_EQ(child.finish(ample()).end, End::OutputLimit);
}

TEST(Subprocess, LinesThatWereReadDoNotCountTowardsTheOutputLimit) {
  Subprocess cat({"cat"}, {.memory = {}, .output = 1000});
  const std::string line(600, 'x');
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(cat.write(line + "\n", ample()));
    ASSERT_EQ(cat.read_line(ample()), line);
  }
}

TEST(Subprocess, MissingProgramIsAUserError) {
  EXPECT_THROW(run_process({"no-such-program-here"}, "", ample()), UserError);
  EXPECT_THROW(Subprocess({"/etc/passwd"}, {}), UserError);
}

TEST(Subprocess, ShortCommandsEndWithoutPollingDelay) {
  const auto start = Clock::now();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(run_process({"true"}, "", ample()).code, 0);
  EXPECT_LT(Clock::now() - start, 5s);
}

TEST(Subprocess, ManyThreadsRunTheirOwnChildren) {
  std::vector<std::thread> threads;
  std::vector<int> right(8, 0);
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([t, &right] {
      for (int i = 0; i < 10; ++i) {
        const std::string text = numbered_lines(100'000) + std::to_string(t);
        if (run_process({"cat"}, text, ample()).output == text) ++right[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(8, 10));
}

TEST(Subprocess, KillAllEndsTheChildrenOfAllThreads) {
  Subprocess first({"sleep", "300"}, {});
  Subprocess second({"sleep", "300"}, {});
  std::thread(kill_all_subprocesses).join();
  EXPECT_EQ(first.finish(ample()).end, End::Signalled);
  EXPECT_EQ(second.finish(ample()).end, End::Signalled);
}

TEST(Subprocess, LeavesNoZombies) {
  {
    Subprocess abandoned({"sleep", "300"}, {});
    run_process({"true"}, "", ample());
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace plumb
