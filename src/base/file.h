#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace plumb {

/// The whole file ("-" is standard input). Throws UserError with the system's reason: missing, a directory, no
/// permission.
std::string read_file(const std::filesystem::path& path);

/// Writes aside in the same directory, syncs and renames, so that `path` has the old or the new content, never a part.
/// Throws UserError (disk full, no permission) and leaves nothing behind. Sync::No saves milliseconds where the content
/// can be had again: then it holds as long as the system does not go down.
enum class Sync { Yes, No };
void write_file(const std::filesystem::path& path, std::string_view content, Sync sync = Sync::Yes);

/// A fresh private directory under $TMPDIR, removed with its content by the destructor, and also when the process
/// ends by exit() or by a signal that remove_temporary_directories() was installed for.
class TemporaryDirectory {
 public:
  /// In TMPDIR, or in /tmp.
  TemporaryDirectory();
  explicit TemporaryDirectory(const std::filesystem::path& parent);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Removes every TemporaryDirectory that is still alive. For the end of main's signal handling.
void remove_temporary_directories() noexcept;

}  // namespace plumb
