// As base/spawn.cpp: clone and exec, where the child only makes system calls on data prepared before. What differs is
// what the program under test must find: a session of its own, the protocol's three descriptors and no others, no
// randomised addresses (runs with the same inputs are the same), and that it dies with us.
#include "concolic/execute/launch.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/spawn.h"
#include "replay/run_directory.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {

namespace {

/// Ours are moved to here and above, so that none is in the way of another when the child puts them in place.
constexpr int kAboveProtocol = PLUMB_STATUS_DESCRIPTOR + 1;

struct Plan {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* working_directory;
  int null;
  int segment;
  int commands;
  int answers;
  std::uint64_t max_file_size;
  pid_t parent;
  const Sandbox* sandbox;
  volatile int error = 0;
  const char* volatile failed_step = nullptr;
};

[[noreturn]] void give_up(Plan& plan, const char* step) noexcept {
  plan.error = errno;
  plan.failed_step = step;
  _exit(127);
}

void connect(Plan& plan) noexcept {
  for (const auto& [from, to] :
       {std::array{plan.null, STDIN_FILENO}, std::array{plan.null, STDOUT_FILENO}, std::array{plan.null, STDERR_FILENO},
        std::array{plan.segment, PLUMB_SHARED_DESCRIPTOR}, std::array{plan.commands, PLUMB_COMMAND_DESCRIPTOR},
        std::array{plan.answers, PLUMB_STATUS_DESCRIPTOR}}) {
    if (dup2(from, to) < 0) give_up(plan, "connect to");
  }
  close_range(STDERR_FILENO + 1, PLUMB_SHARED_DESCRIPTOR - 1, CLOSE_RANGE_CLOEXEC);
  close_range(kAboveProtocol, ~0U, CLOSE_RANGE_CLOEXEC);
}

[[noreturn]] void run_child(Plan& plan) noexcept {
  if (setsid() < 0) give_up(plan, "make a session for");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  connect(plan);
  if (plan.sandbox != nullptr) {
    if (const char* failed = plan.sandbox->enter()) give_up(plan, failed);
  }
  if (chdir(plan.working_directory) != 0) give_up(plan, "enter the working directory of");
  limit_resource(RLIMIT_CORE, 0);
  limit_resource(RLIMIT_FSIZE, plan.max_file_size);
  umask(022);
  personality(ADDR_NO_RANDOMIZE);
  set_default_signals();
  execve(plan.program, plan.arguments, plan.environment);
  give_up(plan, "start");
}

void run_plan(void* plan) { run_child(*static_cast<Plan*>(plan)); }

[[noreturn]] void fail(const std::string& program, const char* step, int error) {
  throw UserError(fmt::format("cannot {} '{}': {}", step, program, std::generic_category().message(error)));
}

FileDescriptor above_protocol(int descriptor, const std::string& program) {
  FileDescriptor moved(fcntl(descriptor, F_DUPFD_CLOEXEC, kAboveProtocol));
  if (!moved.is_open()) fail(program, "connect to", errno);
  return moved;
}

struct Sockets {
  FileDescriptor ours;
  FileDescriptor theirs;
};

Sockets make_sockets(const std::string& program) {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(program, "connect to", errno);
  const FileDescriptor theirs(ends[1]);
  return {FileDescriptor(ends[0]), above_protocol(ends[1], program)};
}

}  // namespace

Launched launch_target(const std::filesystem::path& executable, int segment,
                       const std::filesystem::path& working_directory, std::uint64_t max_file_size, SandboxUse use) {
  // The program starts in another directory.
  std::string program = std::filesystem::absolute(executable).string();
  std::optional<Sandbox> sandbox;
  if (wants_sandbox(use)) sandbox.emplace(std::vector{working_directory});
  const FileDescriptor null_device(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null_device.is_open()) fail("/dev/null", "open", errno);
  const FileDescriptor null = above_protocol(null_device.get(), program);
  const FileDescriptor shared = above_protocol(segment, program);
  Sockets commands = make_sockets(program);
  Sockets answers = make_sockets(program);
  std::array<char*, 2> arguments{program.data(), nullptr};
  std::vector<std::string> variables = replay::fixed_environment();
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  Plan plan{.program = program.c_str(),
            .arguments = arguments.data(),
            .environment = environment.data(),
            .working_directory = working_directory.c_str(),
            .null = null.get(),
            .segment = shared.get(),
            .commands = commands.theirs.get(),
            .answers = answers.theirs.get(),
            .max_file_size = max_file_size,
            .parent = getpid(),
            .sandbox = sandbox ? &*sandbox : nullptr};
  const pid_t pid = start_child(sandbox ? sandbox->clone_flags() : 0, run_plan, &plan);
  if (pid < 0) {
    plan.error = errno;
    plan.failed_step = "start";
  }
  if (plan.failed_step != nullptr) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    const char* const step = plan.failed_step;
    fail(program, step, plan.error);
  }
  return {pid, std::move(commands.ours), std::move(answers.ours), sandbox ? sandbox->guard(pid) : SignalGuard()};
}

}  // namespace plumb::concolic
