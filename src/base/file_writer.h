#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"

namespace plumb {

/// Writes a file piece by piece, aside in the same directory; commit() syncs and renames it, so that `path` has the old
/// or the new content, never a part. Without commit() nothing is left behind. Devices and pipes are written to as they
/// are. Every member throws UserError (disk full, no permission). Not thread-safe.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view text) {
    if (buffer_.size() + text.size() < kEnough)
      buffer_ += text;
    else
      write_through(text);
  }
  void commit(Sync sync = Sync::Yes);

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 20;
  void write_through(std::string_view text);

  struct State;
  std::unique_ptr<State> state_;
  std::string buffer_;
};

}  // namespace plumb
