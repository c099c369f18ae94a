#include "result/export/write_export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAside = ".plumb-export-";

[[noreturn]] void refuse(const fs::path& path) {
  throw UserError(SourceLocation{path.string()}, "would be lost: it is no file of an earlier export of this format",
                  "name another place with --out");
}

[[noreturn]] void fail(const fs::path& path, std::string_view what, const std::error_code& error) {
  throw UserError(SourceLocation{path.string()}, fmt::format("{}: {}", what, error.message()),
                  "name another place with --out");
}

/// What an earlier export left in the directory: its files, and what it was writing aside when it was killed.
std::vector<fs::path> earlier_files(const fs::path& directory, const IsOurs& is_ours) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_aside = name.starts_with(kAside) && entry.is_directory();
    if (!is_aside && (entry.is_symlink() || !entry.is_regular_file() || !is_ours(name, read_file(entry.path()))))
      refuse(entry.path());
    files.push_back(entry.path());
  }
  if (error) fail(directory, "cannot read the directory", error);
  return files;
}

/// The directory to write to before its files get their names; gone at the end, whatever happens.
class Aside {
 public:
  explicit Aside(const fs::path& directory) : path_(directory / fmt::format("{}{}", kAside, getpid())) {
    std::error_code error;
    is_new_ = fs::create_directories(directory, error);
    if (!error) fs::remove_all(path_, error);  // of a killed process with our number
    if (!error) fs::create_directory(path_, error);
    if (error) fail(directory, "cannot make the directory", error);
  }
  ~Aside() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (is_new_ && !is_done_) fs::remove(path_.parent_path(), ignored);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  const fs::path& path() const noexcept { return path_; }
  void done() noexcept { is_done_ = true; }

  /// To the disk, all at once: a thousand files one by one take many seconds.
  void sync() const {
    const FileDescriptor directory(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory.is_open() || ::syncfs(directory.get()) != 0)
      fail(path_.parent_path(), "cannot write", {errno, std::generic_category()});
  }

 private:
  fs::path path_;
  bool is_new_ = false;
  bool is_done_ = false;
};

}  // namespace

void write_directory(const fs::path& directory, std::span<const ExportedFile> files, const IsOurs& is_ours) {
  std::error_code error;
  std::vector<fs::path> old;
  if (fs::exists(directory, error)) {
    if (!fs::is_directory(directory, error))
      throw UserError(SourceLocation{directory.string()}, "is a file, and the tests need a directory",
                      "name another place with --out");
    old = earlier_files(directory, is_ours);
  }
  Aside aside(directory);
  for (const ExportedFile& file : files) write_file(aside.path() / file.name, file.content, Sync::No);
  aside.sync();
  for (const fs::path& path : old)
    if (path != aside.path()) fs::remove_all(path, error);
  for (const ExportedFile& file : files) {
    fs::rename(aside.path() / file.name, directory / file.name, error);
    if (error) fail(directory / file.name, "cannot write", error);
  }
  aside.done();
}

void write_single(const fs::path& path, std::string_view content, const IsOurs& is_ours) {
  std::error_code error;
  if (fs::is_directory(path, error))
    throw UserError(SourceLocation{path.string()}, "is a directory, and the tests go to one file",
                    "name a file with --out");
  if (fs::exists(path, error) &&
      (!fs::is_regular_file(path, error) || !is_ours(path.filename().string(), read_file(path))))
    refuse(path);
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) fail(path, "cannot make the directory", error);
  write_file(path, content);
}

}  // namespace plumb::result
