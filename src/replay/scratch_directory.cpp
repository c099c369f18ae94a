// Emptying a directory that a hostile program filled. A tree can be deeper than paths may be long and than descriptors
// may be open, so it is made flat first: what lies in a subdirectory is removed, or, if it is a directory itself, moved
// up beside it. Two descriptors are open at any time, and every step removes an entry or a level.
#include "replay/scratch_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"

namespace plumb::replay {

namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Names of (some) entries, none if there are none. Each batch starts at the beginning again, since entries go away
/// meanwhile.
std::vector<std::string> some_entries(int directory) {
  std::vector<std::string> names;
  alignas(dirent64) std::array<char, 32768> buffer;
  if (lseek(directory, 0, SEEK_SET) != 0) return names;
  for (;;) {
    const long size = syscall(SYS_getdents64, directory, buffer.data(), buffer.size());
    if (size <= 0) return names;
    for (long at = 0; at < size;) {
      const char* const entry = buffer.data() + at;
      unsigned short length = 0;
      std::memcpy(&length, entry + offsetof(dirent64, d_reclen), sizeof length);
      const std::string_view name = entry + offsetof(dirent64, d_name);
      if (name != "." && name != "..") names.emplace_back(name);
      at += length;
    }
    if (!names.empty()) return names;
  }
}

/// True if the entry is gone, false if it is a directory that is not empty or cannot be removed.
bool remove_entry(int directory, const std::string& name) {
  if (unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) return true;
  return unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0;
}

/// Files that are made and removed thousands of times a second are far cheaper in memory than on a disk. The user's
/// TMPDIR comes first, and a small shared memory (as containers have) would be full too soon.
std::unique_ptr<TemporaryDirectory> make_parent() {
  constexpr const char* kMemory = "/dev/shm";
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 30;
  struct statfs system{};
  const bool is_roomy =
      statfs(kMemory, &system) == 0 && system.f_type == TMPFS_MAGIC &&
      static_cast<std::uint64_t>(system.f_bavail) * static_cast<std::uint64_t>(system.f_bsize) >= kRoom;
  if (std::getenv("TMPDIR") != nullptr || !is_roomy || access(kMemory, W_OK) != 0)
    return std::make_unique<TemporaryDirectory>();
  return std::make_unique<TemporaryDirectory>(kMemory);
}

FileDescriptor open_for_removal(int directory, const std::string& name) {
  // Of a link this would change what it points to, but a link has been removed before.
  fchmodat(directory, name.c_str(), 0700, 0);
  return FileDescriptor(openat(directory, name.c_str(), kOpenDirectory));
}

/// Under a name that is free, which is added to `moved`. The program may have taken some of ours, but not without end.
bool move_up(int from, const std::string& name, int root, std::uint64_t& number, std::vector<std::string>& moved) {
  constexpr int kAttempts = 1000;
  fchmodat(from, name.c_str(), 0700, 0);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string target = fmt::format(".plumb-moved-{}", number++);
    if (renameat2(from, name.c_str(), root, target.c_str(), RENAME_NOREPLACE) == 0) {
      moved.push_back(std::move(target));
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

/// Removes the files of a subdirectory, moves its directories up to `root` and removes it.
bool flatten(int root, const std::string& name, std::uint64_t& number, std::vector<std::string>& moved) {
  const FileDescriptor subdirectory = open_for_removal(root, name);
  if (!subdirectory.is_open()) return false;
  for (;;) {
    const std::vector<std::string> entries = some_entries(subdirectory.get());
    if (entries.empty()) break;
    for (const std::string& entry : entries) {
      if (!remove_entry(subdirectory.get(), entry) && !move_up(subdirectory.get(), entry, root, number, moved))
        return false;
    }
  }
  return remove_entry(root, name);
}

}  // namespace

ScratchDirectory::ScratchDirectory() { make(); }

void ScratchDirectory::make() {
  directory_.close();
  parent_ = make_parent();
  path_ = parent_->path() / "run";
  if (mkdir(path_.c_str(), 0700) == 0) directory_ = FileDescriptor(open(path_.c_str(), kOpenDirectory));
  if (!directory_.is_open()) {
    throw UserError(fmt::format("cannot make the directory '{}' for the program under test: {}", path_.string(),
                                std::generic_category().message(errno)));
  }
}

bool ScratchDirectory::is_intact() const {
  struct stat status{};
  if (fstat(directory_.get(), &status) != 0 || status.st_nlink == 0) return false;
  return (status.st_mode & 07777U) == 0700 || fchmod(directory_.get(), 0700) == 0;
}

bool ScratchDirectory::remove_content() {
  std::uint64_t number = 0;
  for (;;) {
    // To list a directory that was large once is slow even when it is empty again: what is moved up is not looked for.
    std::vector<std::string> pending = some_entries(directory_.get());
    if (pending.empty()) return true;
    while (!pending.empty()) {
      const std::string entry = std::move(pending.back());
      pending.pop_back();
      if (!remove_entry(directory_.get(), entry) && !flatten(directory_.get(), entry, number, pending)) return false;
    }
  }
}

bool ScratchDirectory::reset() {
  if (is_intact() && remove_content()) return true;
  make();
  return false;
}

}  // namespace plumb::replay
