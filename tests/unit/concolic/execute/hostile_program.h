#pragma once

#include <filesystem>

namespace plumb::concolic {

/// What the program does, by its first input.
enum class Deed : int {
  Exit,            ///< with code 3
  Crash,           ///< writes to address 0
  Loop,            ///< without end
  LeaveProcesses,  ///< forks without end; each child moves to a session of its own; their ids are in the coverage
  CloseAll,        ///< descriptors
  WriteMuch,       ///< 10 GB into one file
  Scribble,        ///< over all of the shared memory
  OverflowStack,
  AllocateMuch,  ///< until there is no more; exits with code 9 then
  KillServer,
  StopServer,
  RemoveDirectory,  ///< that it runs in
  LeaveFiles,       ///< 200, directories deeper than a path can be long, and one that cannot be read
  LookAround,       ///< exits with code 0 if the directory is empty and can be written to
  FailAssumption,
  FailAssertion,  ///< at site 1
  Terminate,      ///< by a signal of its own, SIGTERM
  ReadForever,    ///< inputs
  EchoLarge,      ///< reads an input of 3,000,000 bytes; exits with the last one as code
  Cover,          ///< edges 1 and 3; exits with the modes of regions 0 and 1 as bits
  ForgeAnswers,   ///< writes to the descriptors of the fork server
  Escape,     ///< makes a file beside the directory, changes the permissions of its parent, and signals whoever started
              ///< the server; exits with what succeeded as bits
  SignalOwn,  ///< a child in a session of its own, the group and itself; exits with code 0 if all is as it should be
  Abort,
};

/// Compiles it, with the runtime, into the directory.
std::filesystem::path build_hostile_program(const std::filesystem::path& directory);

}  // namespace plumb::concolic
