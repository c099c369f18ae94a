#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/signal_guard.h"
#include "base/subprocess.h"

namespace plumb {

/// Our ends of a child's standard streams, not blocking and closed on exec. Private to subprocess.cpp.
struct Spawned {
  pid_t pid = -1;
  FileDescriptor input;
  FileDescriptor output;
  FileDescriptor error;
  FileDescriptor exit;  ///< readable once the child has ended; absent on kernels without it
  SignalGuard guard;    ///< of a confined child
};

/// In a child before exec: every signal has its default action, and none is blocked. Handlers go away by exec, but what
/// is ignored or blocked would stay so. The library's sigaction refuses the two signals it keeps for itself, which
/// whoever started us may have ignored all the same; this asks the kernel.
void set_default_signals() noexcept;

/// Lowers a limit of the calling process, down from what it may have at most; false if that fails.
bool limit_resource(__rlimit_resource resource, std::uint64_t amount) noexcept;

/// Starts a program as the leader of a new process group (of a new session, too, if it is confined), with default
/// signal handling. Throws UserError if it cannot.
Spawned spawn(const std::vector<std::string>& arguments, const ProcessLimits& limits,
              const std::filesystem::path& working_directory);

}  // namespace plumb
