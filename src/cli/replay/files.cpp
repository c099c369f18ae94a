#include "cli/replay/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSources = "sources";

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && ::access(directory.c_str(), W_OK | X_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error)
    throw UserError(SourceLocation{directory.string()},
                    fmt::format("reports cannot be written here: {}", error.message()),
                    "choose another place with --out DIR, or write none with --no-files");
}

bool is_ours(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error) || fs::is_empty(directory, error)) return true;
  if (!fs::is_regular_file(directory / "index.html", error)) return false;
  return read_file(directory / "index.html").find(result::kPageMark) != std::string::npos;
}

/// A directory beside the one that it becomes; removed if it does not.
class DirectoryAside {
 public:
  explicit DirectoryAside(const fs::path& target)
      : target_(target), path_(target.parent_path() / fmt::format(".{}-{}", target.filename().string(), ::getpid())) {
    remove(path_);
    make_directory(path_);
  }
  ~DirectoryAside() { remove(path_); }
  DirectoryAside(const DirectoryAside&) = delete;
  DirectoryAside& operator=(const DirectoryAside&) = delete;

  const fs::path& path() const { return path_; }

  void put_in_place() {
    const fs::path old = path_.string() + "-old";
    std::error_code error;
    remove(old);
    if (fs::exists(target_, error)) fs::rename(target_, old, error);
    if (!error) fs::rename(path_, target_, error);
    if (error) throw UserError(SourceLocation{target_.string()}, fmt::format("cannot be written: {}", error.message()));
    remove(old);
  }

 private:
  static void remove(const fs::path& path) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  fs::path target_;
  fs::path path_;
};

/// A name that ends in a slash has no last part.
fs::path without_slash(const fs::path& path) {
  const fs::path absolute = fs::absolute(path).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

}  // namespace

void check_writable(const ReplayFiles& files) {
  if (!files.lcov.empty()) make_directory(fs::absolute(files.lcov).parent_path());
  if (files.html.empty()) return;
  make_directory(without_slash(files.html).parent_path());
  if (!is_ours(files.html))
    throw UserError(SourceLocation{files.html.string()}, "this directory holds files of something else",
                    "name a directory that does not exist yet");
}

void write_files(const ReplayFiles& files, const ReplayOutcome& outcome, const result::LlvmCov& tool,
                 const Budget& budget) {
  if (!files.lcov.empty()) write_file(files.lcov, tool.lcov(budget));
  if (files.html.empty()) return;
  DirectoryAside aside(without_slash(files.html));
  fs::create_directories(aside.path() / kSources);
  tool.write_pages(aside.path() / kSources, budget);
  write_file(aside.path() / "index.html", to_html(page_of(outcome, std::string(kSources))));
  aside.put_in_place();
}

}  // namespace plumb::cli
