#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "result/test_case.h"

namespace plumb::replay {

/// The files that a program in the interpreter sees. Nothing of the user's is touched: what the program writes goes to
/// a scratch directory, made when it is first needed, since most runs open no file, and removed at the end.
class ProgramFiles {
 public:
  enum class Start : std::uint8_t {
    /// As native replays: in a directory with the files of a test alone; all else but kSandboxDevices can be read and
    /// not be written.
    Empty,
    /// Where the user is. A file that is opened for writing, and one that the test brings, is a copy from then on.
    Here,
  };
  /// `environment` must outlive it.
  ProgramFiles(Start start, const result::Environment& environment);
  ProgramFiles(const ProgramFiles&) = delete;
  ProgramFiles& operator=(const ProgramFiles&) = delete;

  /// As open(2): a descriptor of ours, or -1 and errno.
  int open(const std::string& path, int flags);

 private:
  void make();
  /// `file`: the path without links and dots.
  int open_in_scratch(const std::string& path, const std::filesystem::path& file, int flags);
  int open_here(const std::string& path, const std::filesystem::path& file, int flags);
  const std::filesystem::path& copy_of(const std::filesystem::path& file, bool is_emptied);

  Start start_;
  const result::Environment& environment_;
  std::optional<TemporaryDirectory> scratch_;
  FileDescriptor directory_;
  std::map<std::filesystem::path, std::filesystem::path> copies_;  ///< by the file that the program means
};

}  // namespace plumb::replay
