#pragma once

#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/file_descriptor.h"

namespace plumb::replay {

/// The directory that runs take place in. A program may leave any number of files in it, at any depth and with any
/// permissions, or remove the directory itself. Not thread-safe.
class ScratchDirectory {
 public:
  /// Throws UserError if it cannot be made.
  ScratchDirectory();

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Makes it empty again; where nothing was left this costs three system calls. False: it is not the same directory
  /// any more (it was removed, or could not be emptied), so that processes that are in it have to move to path().
  bool reset();

 private:
  void make();
  bool is_intact() const;
  /// Needs an open directory. False if something cannot be removed.
  bool remove_content();

  std::unique_ptr<TemporaryDirectory> parent_;
  std::filesystem::path path_;
  FileDescriptor directory_;
};

}  // namespace plumb::replay
