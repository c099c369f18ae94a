// Starting a child by clone, in the manner of vfork, and exec. The child shares our memory until it executes the
// program, so starting one costs the same however large we have grown, and it reports a failure by plain stores; in
// return it may only make system calls, on data prepared before, with all signals blocked so that no handler of ours
// runs in it.
#include "base/spawn.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "base/sandbox.h"

namespace plumb {

void set_default_signals() noexcept {
  constexpr int kSignals = 64;  // that the kernel knows
  const std::array<std::uint64_t, 4> standard{};
  for (int number = 1; number <= kSignals; ++number)
    syscall(SYS_rt_sigaction, number, &standard, nullptr, kSignals / 8);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool limit_resource(__rlimit_resource resource, std::uint64_t amount) noexcept {
  rlimit current{};
  getrlimit(resource, &current);
  const rlim_t allowed = amount < current.rlim_max ? amount : current.rlim_max;
  const rlimit wanted{allowed, allowed};
  return setrlimit(resource, &wanted) == 0;
}

namespace fs = std::filesystem;

namespace {

constexpr const char* kHint =
    "`plumb doctor` lists the programs that are used, and how to install those that are missing";

/// Everything the child needs, and where it leaves the reason of a failure.
struct Launch {
  const char* program;
  char* const* arguments;
  const char* working_directory;
  std::array<int, 3> streams;
  std::optional<std::uint64_t> memory;
  const Sandbox* sandbox;
  volatile int error = 0;
  const char* volatile failed_step = nullptr;
};

[[noreturn]] void give_up(Launch& launch, const char* step) noexcept {
  launch.error = errno;
  launch.failed_step = step;
  _exit(127);
}

[[noreturn]] void run_child(Launch& launch) noexcept {
  // In its session a confined program would find other groups to join.
  if ((launch.sandbox != nullptr ? setsid() : setpgid(0, 0)) < 0) give_up(launch, "make a process group for");
  for (int i = 0; i < 3; ++i) {
    if (dup2(launch.streams[static_cast<std::size_t>(i)], i) < 0) give_up(launch, "connect to");
  }
  // Descriptors that whoever started us left open are no business of the child; on a kernel without this call they
  // stay.
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (launch.sandbox != nullptr) {
    if (const char* failed = launch.sandbox->enter()) give_up(launch, failed);
  }
  if (*launch.working_directory != '\0' && chdir(launch.working_directory) != 0) {
    give_up(launch, "enter the working directory of");
  }
  if (!limit_resource(RLIMIT_CORE, 0) || (launch.memory && !limit_resource(RLIMIT_AS, *launch.memory)))
    give_up(launch, "limit the resources of");
  set_default_signals();
  execv(launch.program, launch.arguments);
  give_up(launch, "start");
}

void run_launch(void* launch) { run_child(*static_cast<Launch*>(launch)); }

struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;
};

/// A descriptor above the standard ones, which dup2 in the child would otherwise overwrite or leave closed on exec.
FileDescriptor above_standard(FileDescriptor descriptor) {
  if (descriptor.get() > STDERR_FILENO) return descriptor;
  return FileDescriptor(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Pipe make_pipe(const std::string& program) {
  std::array<int, 2> ends{-1, -1};
  const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
  Pipe result{above_standard(FileDescriptor(ends[0])), above_standard(FileDescriptor(ends[1]))};
  if (!made || !result.reading.is_open() || !result.writing.is_open()) {
    throw UserError(fmt::format("cannot connect to '{}': {}", program, std::generic_category().message(errno)));
  }
  return result;
}

FileDescriptor not_blocking(FileDescriptor descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
  return descriptor;
}

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    const fs::path path = fs::absolute(name);
    return is_program(path) ? std::optional(path) : std::nullopt;
  }
  const char* const configured = std::getenv("PATH");
  std::string_view rest = configured != nullptr ? configured : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const std::size_t colon = rest.find(':');
    // An empty entry of PATH is the current directory.
    const fs::path path = fs::absolute(fs::path(rest.substr(0, colon)) / name);
    if (is_program(path)) return path;
    if (colon == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(colon + 1);
  }
}

Spawned spawn(const std::vector<std::string>& arguments, const ProcessLimits& limits,
              const fs::path& working_directory) {
  INVARIANT(!arguments.empty(), "a command should have at least the program's name");
  const std::string& name = arguments.front();
  const std::optional<fs::path> program = find_program(name);
  if (!program) throw UserError(fmt::format("cannot find the program '{}'", name), kHint);

  std::optional<Sandbox> sandbox;
  if (limits.confined_to) sandbox.emplace(*limits.confined_to);
  Pipe input = make_pipe(name);
  Pipe output = make_pipe(name);
  Pipe error = make_pipe(name);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  Launch launch{program->c_str(),
                argv.data(),
                working_directory.c_str(),
                {input.reading.get(), output.writing.get(), error.writing.get()},
                limits.memory,
                sandbox ? &*sandbox : nullptr};
  const pid_t pid = start_child(sandbox ? sandbox->clone_flags() : 0, run_launch, &launch);
  if (pid < 0) {
    launch.error = errno;
    launch.failed_step = "start";
  }
  if (launch.failed_step != nullptr) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    const char* const step = launch.failed_step;
    throw UserError(fmt::format("cannot {} '{}': {}", step, name, std::generic_category().message(launch.error)),
                    kHint);
  }
  return {pid,
          not_blocking(std::move(input.writing)),
          not_blocking(std::move(output.reading)),
          not_blocking(std::move(error.reading)),
          FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
          sandbox ? sandbox->guard(pid) : SignalGuard()};
}

}  // namespace plumb
