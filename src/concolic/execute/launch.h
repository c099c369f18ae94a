#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

#include "base/file_descriptor.h"
#include "base/sandbox.h"
#include "base/signal_guard.h"

namespace plumb::concolic {

/// Our ends of the protocol's descriptors: sockets, so that writing to a process that has gone raises no signal.
struct Launched {
  pid_t pid = -1;
  FileDescriptor commands;
  FileDescriptor answers;
  SignalGuard guard;
};

/// Starts an instrumented program as its fork server, in a sandbox that its working directory is the open part of.
/// Throws UserError if it cannot. Private to fork_server.cpp.
Launched launch_target(const std::filesystem::path& executable, int segment,
                       const std::filesystem::path& working_directory, std::uint64_t max_file_size, SandboxUse use);

}  // namespace plumb::concolic
