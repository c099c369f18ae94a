#include "base/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace plumb {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& script, const ProcessLimits& limits = {}, const fs::path& directory = {}) {
  return run_process({"sh", "-c", script}, "", Budget().with_timeout(std::chrono::seconds(20)), limits, directory)
      .output;
}

TEST(FindProgram, LooksOnPathAndTakesPathsAsTheyAre) {
  ASSERT_TRUE(find_program("sh").has_value());
  EXPECT_TRUE(find_program("sh")->is_absolute());
  EXPECT_EQ(find_program("/bin/sh"), fs::path("/bin/sh"));
  EXPECT_EQ(find_program("no-such-program-here"), std::nullopt);
  EXPECT_EQ(find_program(""), std::nullopt);
  EXPECT_EQ(find_program("/etc"), std::nullopt);
}

TEST(FindProgram, SkipsWhatCannotBeExecuted) {
  const TemporaryDirectory first;
  const TemporaryDirectory second;
  const std::string before = std::getenv("PATH");
  write_file(first.path() / "tool", "#!/bin/sh\n");
  write_file(second.path() / "tool", "#!/bin/sh\n");
  chmod((second.path() / "tool").c_str(), 0755);
  setenv("PATH", (first.path().string() + ":" + second.path().string()).c_str(), 1);
  const std::optional<fs::path> found = find_program("tool");
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(found, second.path() / "tool");
}

TEST(Spawn, MissingProgramIsAUserErrorThatNamesTheDoctor) {
  try {
    spawn({"no-such-program-here", "-x"}, {}, {});
    FAIL() << "should have thrown";
  } catch (const UserError& error) {
    EXPECT_NE(error.message().find("no-such-program-here"), std::string::npos);
    EXPECT_NE(error.hint().find("plumb doctor"), std::string::npos);
  }
}

TEST(Spawn, AFailedStartIsAUserErrorWithTheReason) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "broken";
  write_file(file,
             "\x7f"
             "ELF but not really");
  chmod(file.c_str(), 0755);
  EXPECT_THROW(spawn({file.string()}, {}, {}), UserError);
  try {
    spawn({"sh"}, {}, "/nowhere");
    FAIL() << "should have thrown";
  } catch (const UserError& error) {
    EXPECT_NE(error.message().find("working directory"), std::string::npos) << error.message();
  }
  // Neither attempt leaves a child behind.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(Spawn, RunsInTheGivenDirectory) {
  const TemporaryDirectory directory;
  EXPECT_EQ(output_of("pwd -P", {}, directory.path()), fs::canonical(directory.path()).string() + "\n");
}

TEST(Spawn, LimitsTheAddressSpaceOfTheChildAlone) {
  EXPECT_EQ(output_of("ulimit -v", {.memory = std::uint64_t{512} << 20}), "524288\n");
  EXPECT_EQ(output_of("ulimit -c"), "0\n");
  EXPECT_NE(output_of("ulimit -v"), "524288\n");
}

TEST(Spawn, TheChildLeadsAGroupAndHasOnlyTheStandardDescriptors) {
  const int inherited = open("/dev/null", O_RDONLY);
  EXPECT_EQ(output_of("test $$ = $(ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat) && echo leader"),
            "leader\n");
  // The fourth is the listing's own.
  EXPECT_EQ(run_process({"ls", "/proc/self/fd"}, "", Budget()).output, "0\n1\n2\n3\n");
  close(inherited);
}

TEST(Spawn, TheChildHasDefaultSignalsWhateverOursAre) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto handler = std::signal(SIGPIPE, SIG_IGN);
  // A signal that the library reserves can be inherited as ignored; only the kernel itself sets that.
  const std::array<std::uint64_t, 4> ignore{1};
  std::array<std::uint64_t, 4> reserved{};
  ASSERT_EQ(syscall(SYS_rt_sigaction, 33, &ignore, &reserved, 8), 0);
  const std::string status = run_process({"cat", "/proc/self/status"}, "", Budget()).output;
  syscall(SYS_rt_sigaction, 33, &reserved, nullptr, 8);
  std::signal(SIGPIPE, handler);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_NE(status.find("SigBlk:\t0000000000000000"), std::string::npos) << status;
  EXPECT_NE(status.find("SigIgn:\t0000000000000000"), std::string::npos) << status;
}

}  // namespace
}  // namespace plumb
