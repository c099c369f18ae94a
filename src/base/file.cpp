#include "base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/file_writer.h"

namespace plumb {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view action, int error, std::string hint = {}) {
  throw UserError(fmt::format("cannot {} '{}': {}", action, path.string(), std::generic_category().message(error)),
                  std::move(hint));
}

/// What must not outlive the process: temporary directories and files that are being written aside.
class Leftovers {
 public:
  void add(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({path, getpid()});
  }

  void forget(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&path](const Entry& e) { return e.path == path; });
  }

  /// Gives up rather than wait for ever for a lock whose holder was interrupted by the signal that led here.
  void remove_all() {
    const std::unique_lock lock(mutex_, std::chrono::milliseconds(500));
    if (!lock.owns_lock()) return;
    for (const Entry& e : entries_) {
      // A fork has a copy of the list, but not of the files.
      if (e.owner == getpid()) remove_tree(e.path);
    }
    entries_.clear();
  }

  static void remove_tree(const fs::path& path) noexcept {
    // Another thread or a dying child may still add files while we remove, which shows as "directory not empty".
    for (int attempt = 0; attempt < 5; ++attempt) {
      std::error_code error;
      fs::remove_all(path, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

 private:
  struct Entry {
    fs::path path;
    pid_t owner;
  };
  std::timed_mutex mutex_;
  std::vector<Entry> entries_;
};

Leftovers& leftovers() {
  // Never destroyed, since it is used from atexit and from the destructors of other statics.
  static Leftovers* const instance = [] {
    std::atexit(remove_temporary_directories);
    return new Leftovers;
  }();
  return *instance;
}

/// A file that is removed unless it was renamed to its final name.
class AsideFile {
 public:
  explicit AsideFile(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> counter{0};
    do {
      path_ = target.parent_path() / fmt::format(".plumb-{}-{}.tmp", getpid(), counter++);
      file_ = FileDescriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    } while (!file_.is_open() && errno == EEXIST);
    if (!file_.is_open()) fail(target, "write", errno);
    leftovers().add(path_);
  }
  AsideFile(const AsideFile&) = delete;
  AsideFile& operator=(const AsideFile&) = delete;
  ~AsideFile() {
    if (!renamed_) unlink(path_.c_str());
    leftovers().forget(path_);
  }

  int descriptor() const noexcept { return file_.get(); }

  void rename(Sync sync) {
    // Some file systems report a full disk only when the file is synced or closed.
    if (sync == Sync::Yes && fsync(file_.get()) != 0) fail(target_, "write", errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, "write", errno);
    renamed_ = true;
  }

 private:
  fs::path target_;
  fs::path path_;
  FileDescriptor file_;
  bool renamed_ = false;
};

void write_all(int descriptor, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t size = write(descriptor, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail(path, "write", errno);
    content.remove_prefix(static_cast<std::size_t>(size));
  }
}

/// After a rename the directory has to reach the disk too; that it cannot is no reason to fail.
void sync_directory(const fs::path& directory) {
  const FileDescriptor descriptor(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) fsync(descriptor.get());
}

/// The file behind symbolic links, so that a rename replaces the file and not the link.
fs::path resolve(const fs::path& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path) : resolved;
}

}  // namespace

std::string read_file(const fs::path& path) {
  const bool standard_input = path == "-";
  FileDescriptor opened;
  if (!standard_input) opened = FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!standard_input && !opened.is_open()) fail(path, "read", errno);
  const int descriptor = standard_input ? STDIN_FILENO : opened.get();

  std::string content;
  struct stat status{};
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
    content.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail(standard_input ? fs::path("standard input") : path, "read", errno);
    if (size == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

struct FileWriter::State {
  fs::path path;    ///< as given, for messages
  fs::path target;  ///< behind links
  mode_t mode = 0;  ///< of the file that is replaced; 0: there is none
  std::optional<AsideFile> aside;
  FileDescriptor device;

  int descriptor() const noexcept { return aside ? aside->descriptor() : device.get(); }
};

FileWriter::FileWriter(const fs::path& path) : state_(std::make_unique<State>()) {
  if (path.empty()) fail(path, "write", ENOENT);
  state_->path = path;
  struct stat old{};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, "write", EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    // A device or a pipe, such as /dev/null, is written to; to rename over it would replace it for everybody.
    state_->device = FileDescriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!state_->device.is_open()) fail(path, "write", errno);
    return;
  }
  if (exists) state_->mode = old.st_mode & 07777U;
  state_->target = resolve(path);
  state_->aside.emplace(state_->target);
}

FileWriter::~FileWriter() = default;

void FileWriter::write_through(std::string_view text) {
  write_all(state_->descriptor(), buffer_, state_->path);
  buffer_.clear();
  write_all(state_->descriptor(), text, state_->path);
}

void FileWriter::commit(Sync sync) {
  write_through({});
  if (!state_->aside) return;
  if (state_->mode != 0 && fchmod(state_->descriptor(), state_->mode) != 0) fail(state_->path, "write", errno);
  state_->aside->rename(sync);
  if (sync == Sync::Yes) sync_directory(state_->target.parent_path());
}

void write_file(const fs::path& path, std::string_view content, Sync sync) {
  FileWriter writer(path);
  writer.write(content);
  writer.commit(sync);
}

namespace {

fs::path usual_parent() {
  const char* const configured = std::getenv("TMPDIR");
  return configured != nullptr && *configured != '\0' ? configured : "/tmp";
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() : TemporaryDirectory(usual_parent()) {}

TemporaryDirectory::TemporaryDirectory(const fs::path& parent) {
  std::string name = (fs::absolute(parent) / "plumb-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    fail(parent, "make a temporary directory in", errno, "set TMPDIR to a directory that can be written to");
  }
  path_ = name;
  leftovers().add(path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  Leftovers::remove_tree(path_);
  leftovers().forget(path_);
}

void remove_temporary_directories() noexcept {
  try {
    leftovers().remove_all();
  } catch (...) {
    // Out of memory while the process ends anyway: what is left is left.
  }
}

}  // namespace plumb
