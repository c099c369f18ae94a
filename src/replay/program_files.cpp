#include "replay/program_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/sandbox.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

bool is_written(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

bool is_device(const fs::path& file) { return std::ranges::find(kSandboxDevices, file) != kSandboxDevices.end(); }

/// Of ours, for the program that the user runs.
bool is_stream(std::string_view path) { return path == "/dev/tty" || path == "/dev/stdout" || path == "/dev/stderr"; }

/// Why the user could not write the file; 0 if they could.
int refusal(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return EISDIR;
    return ::access(file.c_str(), W_OK) == 0 ? 0 : errno;
  }
  if (errno != ENOENT) return errno;
  return ::access(file.parent_path().c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

int failed(int error) {
  errno = error;
  return -1;
}

}  // namespace

ProgramFiles::ProgramFiles(Start start, const result::Environment& environment)
    : start_(start), environment_(environment) {}

void ProgramFiles::make() {
  scratch_.emplace();
  for (const result::Environment::File& file : environment_.files) {
    const fs::path copy = scratch_->path() / file.name;
    write_file(copy, {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    if (start_ == Start::Here) copies_[fs::weakly_canonical(file.name)] = copy;
  }
  directory_ = FileDescriptor(::open(scratch_->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

int ProgramFiles::open(const std::string& path, int flags) {
  if (!scratch_) make();
  std::error_code error;
  const fs::path file = fs::weakly_canonical(start_ == Start::Empty ? scratch_->path() / path : fs::path(path), error);
  if (error) return failed(error.value());
  return start_ == Start::Empty ? open_in_scratch(path, file, flags) : open_here(path, file, flags);
}

int ProgramFiles::open_in_scratch(const std::string& path, const fs::path& file, int flags) {
  const fs::path inside = file.lexically_relative(fs::canonical(scratch_->path()));
  const bool is_inside = !inside.empty() && *inside.begin() != "..";
  if (!is_inside && !is_device(file) && is_written(flags)) return failed(EROFS);
  // A pipe or a terminal would wait for somebody.
  return ::openat(directory_.get(), path.c_str(), flags | O_NONBLOCK | O_NOCTTY, 0666);
}

int ProgramFiles::open_here(const std::string& path, const fs::path& file, int flags) {
  if (path.empty()) return failed(ENOENT);
  if (is_device(file) || is_stream(path)) return ::open(path.c_str(), flags, 0666);
  const auto known = copies_.find(file);
  if (known != copies_.end()) return ::open(known->second.c_str(), flags, 0666);
  if (!is_written(flags)) return ::open(path.c_str(), flags, 0666);
  if (const int reason = refusal(file); reason != 0) return failed(reason);
  return ::open(copy_of(file, (flags & O_TRUNC) != 0).c_str(), flags, 0666);
}

const fs::path& ProgramFiles::copy_of(const fs::path& file, bool is_emptied) {
  const fs::path copy = scratch_->path() / ("copy-" + std::to_string(copies_.size()));
  std::error_code error;
  if (!is_emptied && fs::is_regular_file(file, error)) fs::copy_file(file, copy);
  return copies_[file] = copy;
}

}  // namespace plumb::replay
