#include "base/sandbox.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/subprocess.h"

namespace plumb {
namespace {

namespace fs = std::filesystem;

struct Variant {
  friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

  std::string name;
  SandboxPowers powers;
};

constexpr int kBeforeScopes = SandboxPowers::kScopes - 1;

/// The ways that other machines would do it which this one can do too.
std::vector<Variant> variants() {
  const SandboxPowers& here = sandbox_powers();
  std::vector<Variant> result;
  if (here.has_namespaces) {
    result.push_back({"Complete", here});
    SandboxPowers other = here;
    other.landlock = 0;
    result.push_back({"NamespacesAlone", other});
    other.needs_user = true;
    result.push_back({"UserNamespace", other});
  }
  if (here.landlock != 0) result.push_back({"LandlockAlone", {false, false, here.landlock}});
  if (here.has_guard && here.landlock >= kBeforeScopes)
    result.push_back({"LandlockAndGuard", {false, false, kBeforeScopes, true}});
  if (here.has_guard && here.has_namespaces && here.landlock >= 2) {
    SandboxPowers debian = here;
    debian.landlock = 2;
    result.push_back({"AsOnLinux61", debian});
  }
  return result;
}

struct Job {
  const Sandbox& sandbox;
  const char* directory;
  const char* script;
};

void run_job(void* given) {
  const Job& job = *static_cast<const Job*>(given);
  if (job.sandbox.enter() != nullptr || chdir(job.directory) != 0) _exit(126);
  set_default_signals();
  execl("/bin/sh", "sh", "-c", job.script, nullptr);
  _exit(126);
}

class SandboxTest : public testing::TestWithParam<Variant> {
 protected:
  /// Exit code of a script that runs confined to inside().
  int run(const std::string& script) const {
    const Sandbox sandbox({inside()}, GetParam().powers);
    const std::string path = inside().string();
    const std::string quiet = "exec 2>/dev/null; " + script;
    Job job{sandbox, path.c_str(), quiet.c_str()};
    const pid_t pid = start_child(sandbox.clone_flags(), run_job, &job);
    if (pid < 0) return -1;
    SignalGuard guard = sandbox.guard(pid);
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
      pollfd waiting{guard.descriptor(), POLLIN, 0};
      poll(&waiting, 1, 1);
      guard.answer();
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void SetUp() override {
    fs::create_directories(inside());
    write_file(outside(), "kept");
    chmod(outside().c_str(), 0644);
  }
  fs::path inside() const { return directory_.path() / "inside"; }
  fs::path outside() const { return directory_.path() / "outside"; }

  TemporaryDirectory directory_;
};

TEST_P(SandboxTest, TheDirectoryIsOpenForEverything) {
  EXPECT_EQ(run("echo text >A && mkdir d && mv A d/B && ln d/B C && ln -s C E && mkfifo f && rm -r d && cat C && "
                ": >C && test ! -s E"),
            0);
  EXPECT_TRUE(fs::exists(inside() / "C"));
}

TEST_P(SandboxTest, NothingOutsideIsMadeChangedOrRemoved) {
  const std::string file = outside().string();
  const std::vector<std::string> scripts = {"echo x >" + file,
                                            "echo x >>" + file,
                                            ": >" + file,
                                            "truncate -s 0 " + file,
                                            "rm " + file,
                                            "rm -f " + file,
                                            "mv " + file + " A",
                                            "chmod 0 " + file,
                                            "touch -d 2001-01-01 " + file,
                                            "ln -s x " + file + "2",
                                            "mkdir " + file + "3",
                                            "mkfifo ../f",
                                            "echo x >../y",
                                            "rmdir " + inside().string(),
                                            "mknod ../n p",
                                            "touch -h -d 2001-01-01 " + file,
                                            "cp -f /bin/sh " + file,
                                            "mkdir /plumb-sandbox-test"};
  for (const std::string& script : scripts) EXPECT_NE(run(script), 0) << script;
  EXPECT_EQ(read_file(outside()), "kept");
  struct stat status{};
  ASSERT_EQ(stat(outside().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
  EXPECT_GT(status.st_mtime, 1'500'000'000);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), {}), 2);
}

TEST_P(SandboxTest, ADescriptorOfAFileOutsideThatWasMovedInChangesNothingThere) {
  EXPECT_NE(run("ln " + outside().string() + " A"), 0);
  EXPECT_EQ(run("ln -s " + outside().string() + " A"), 0);
  EXPECT_NE(run("echo x >A"), 0);
  EXPECT_EQ(read_file(outside()), "kept");
}

TEST_P(SandboxTest, FilesOutsideAreReadAndExecuted) {
  EXPECT_EQ(run("test \"$(cat " + outside().string() + ")\" = kept && ls / >A"), 0);
}

TEST_P(SandboxTest, NullAndZeroWorkAsEver) {
  EXPECT_EQ(run("echo x >/dev/null && head -c 4 /dev/zero >A && head -c 4 /dev/urandom >B"), 0);
}

TEST_P(SandboxTest, ProcessesOutsideAreNotSignalled) {
  if (!GetParam().powers.confines_signals()) GTEST_SKIP() << "neither Landlock of Linux 6.12 nor a guard";
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_NE(run(fmt::format("kill -9 {}", child)), 0);
  EXPECT_NE(run(fmt::format("kill -0 {}", getpid())), 0);
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "the process should live";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_P(SandboxTest, ItsOwnProcessesAreSignalled) {
  EXPECT_EQ(run("sleep 100 & kill -9 $! && wait $!; test $? = 137"), 0);
  EXPECT_EQ(run("kill -ABRT $$"), 128 + SIGABRT);
}

TEST_P(SandboxTest, TheNetworkIsAway) {
  if (!GetParam().powers.confines_network()) GTEST_SKIP() << "not without namespaces";
  EXPECT_EQ(run("test \"$(sed 1,2d /proc/net/dev | cut -d: -f1 | tr -d ' ')\" = lo || test ! -e /proc/net/dev"), 0);
}

TEST_P(SandboxTest, PrivilegesOverTheMachineAreGoneForGood) {
  EXPECT_NE(run("mount -t tmpfs none ."), 0);
  EXPECT_NE(run("mount -o remount,rw /"), 0);
  EXPECT_NE(run("hostname plumb-sandbox-test"), 0);
  EXPECT_NE(run("mknod n c 1 5"), 0);
  EXPECT_NE(run("unshare -Ur mount -o remount,rw,bind /"), 0);
}

TEST_P(SandboxTest, ADeviceThatLiesInTheDirectoryIsNoDevice) {
  if (geteuid() != 0 || !GetParam().powers.has_namespaces) GTEST_SKIP() << "needs the superuser and namespaces";
  ASSERT_EQ(mknod((inside() / "zero").c_str(), S_IFCHR | 0600, 0x105), 0);
  EXPECT_NE(run("head -c 1 zero"), 0);
}

INSTANTIATE_TEST_SUITE_P(Sandbox, SandboxTest, testing::ValuesIn(variants()),
                         [](const auto& param) { return param.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SandboxTest);

TEST(Sandbox, ASubprocessIsConfinedToItsDirectories) {
  if (!wants_sandbox(SandboxUse::Auto)) GTEST_SKIP() << "this machine has no sandbox";
  const TemporaryDirectory directory;
  const TemporaryDirectory second;
  const TemporaryDirectory other;
  ProcessLimits limits;
  limits.confined_to = {directory.path(), second.path()};
  const auto run = [&](const fs::path& target) {
    return run_process({"touch", (target / "A").string()}, "", Budget(), limits, directory.path()).code;
  };
  EXPECT_EQ(run(directory.path()), 0);
  EXPECT_EQ(run(second.path()), 0);
  EXPECT_NE(run(other.path()), 0);
}

/// As if the machine had these powers.
class EmulatedPowers {
 public:
  explicit EmulatedPowers(const SandboxPowers& powers) : before_(replace_sandbox_powers(powers)) {}
  ~EmulatedPowers() { replace_sandbox_powers(before_); }
  EmulatedPowers(const EmulatedPowers&) = delete;
  EmulatedPowers& operator=(const EmulatedPowers&) = delete;

 private:
  SandboxPowers before_;
};

void expect_closed_to_each_other() {
  ProcessLimits limits;
  const TemporaryDirectory directory;
  limits.confined_to = {directory.path()};
  Subprocess first({"sh", "-c", "echo $$; read x; echo still"}, limits, directory.path());
  const std::optional<std::string> pid = first.read_line(Budget());
  ASSERT_TRUE(pid);
  EXPECT_NE(run_process({"kill", "-9", *pid}, "", Budget(), limits, directory.path()).code, 0);
  first.write("\n", Budget());
  EXPECT_EQ(first.read_line(Budget()), "still");
}

TEST(Sandbox, TwoSandboxesAreClosedToEachOther) {
  if (!sandbox_powers().confines_signals()) GTEST_SKIP() << "neither Landlock of Linux 6.12 nor a guard";
  expect_closed_to_each_other();
}

TEST(Sandbox, TwoSandboxesAreClosedToEachOtherOnOlderKernels) {
  SandboxPowers powers = sandbox_powers();
  if (!powers.has_guard) GTEST_SKIP() << "no guard";
  powers.landlock = std::min(powers.landlock, kBeforeScopes);
  const EmulatedPowers emulated(powers);
  expect_closed_to_each_other();
}

TEST(Sandbox, ASubprocessOnOlderKernelsEndsAsWithoutASandbox) {
  SandboxPowers powers = sandbox_powers();
  if (!powers.has_guard) GTEST_SKIP() << "no guard";
  powers.landlock = std::min(powers.landlock, kBeforeScopes);
  const EmulatedPowers emulated(powers);
  const TemporaryDirectory directory;
  ProcessLimits confined;
  confined.confined_to = {directory.path()};
  for (const ProcessLimits& limits : {ProcessLimits(), confined}) {
    const auto run = [&](const std::string& script, std::chrono::milliseconds time = std::chrono::seconds(60)) {
      return run_process({"sh", "-c", script}, "", Budget().with_timeout(time), limits, directory.path());
    };
    const ProcessResult signalled = run("kill -SEGV $$");
    EXPECT_EQ(signalled.end, ProcessResult::End::Signalled);
    EXPECT_EQ(signalled.code, SIGSEGV);
    EXPECT_EQ(run("sleep 100 & kill -9 $! && wait $!").code, 137);
    EXPECT_EQ(
        run("rm -f A; setsid sh -c 'echo $$; exec sleep 100' >A & until test -s A; do :; done; kill -9 $(cat A)").code,
        0);
    EXPECT_EQ(run("trap 'exit 5' TERM; kill 0; exit 6").code, 5);
    EXPECT_EQ(run("sleep 100 & wait", std::chrono::milliseconds(50)).end, ProcessResult::End::TimedOut);
  }
}

TEST(Sandbox, WhatAMachineLacksIsSaid) {
  SandboxPowers powers;
  powers.has_namespaces = true;
  powers.landlock = kBeforeScopes;
  EXPECT_FALSE(powers.confines_signals());
  EXPECT_FALSE(powers.is_complete());
  EXPECT_NE(powers.missing().find("signals"), std::string::npos);
  const EmulatedPowers emulated(powers);
  EXPECT_THROW(wants_sandbox(SandboxUse::On), UserError);
  EXPECT_TRUE(wants_sandbox(SandboxUse::Auto));
  powers.has_guard = true;
  EXPECT_TRUE(powers.is_complete());
  EXPECT_EQ(powers.missing(), "");
}

TEST(Sandbox, IsRefusedWhereItMustBeCompleteAndCannotBe) {
  const bool is_complete = sandbox_powers().is_complete();
  EXPECT_EQ(sandbox_powers().missing().empty(), is_complete);
  if (is_complete) {
    EXPECT_TRUE(wants_sandbox(SandboxUse::On));
  } else {
    EXPECT_THROW(wants_sandbox(SandboxUse::On), UserError);
  }
  EXPECT_FALSE(wants_sandbox(SandboxUse::Off));
  EXPECT_THROW(Sandbox({"/does/not/exist"}), UserError);
}

}  // namespace
}  // namespace plumb
