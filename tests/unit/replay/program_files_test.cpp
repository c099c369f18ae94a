#include "replay/program_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/sandbox.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;
using Start = ProgramFiles::Start;

constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;

class ProgramFilesTest : public testing::Test {
 protected:
  void begin(Start start) { files_.emplace(start, environment_); }
  std::string path(const std::string& name) const { return (user_.path() / name).string(); }

  /// "EROFS" and the like if it cannot be opened.
  std::string written(const std::string& name, int flags, std::string_view text) {
    const FileDescriptor file(files_->open(name, flags));
    if (!file.is_open()) return ::strerrorname_np(errno);
    EXPECT_EQ(::write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return "";
  }
  std::string content(const std::string& name) {
    const FileDescriptor file(files_->open(name, O_RDONLY));
    if (!file.is_open()) return ::strerrorname_np(errno);
    std::array<char, 100> buffer{};
    const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }

  TemporaryDirectory user_;
  result::Environment environment_;
  std::optional<ProgramFiles> files_;
};

TEST_F(ProgramFilesTest, AtAnEmptyPlaceTheTestsFilesAreThereAndAllElseIsReadOnly) {
  write_file(user_.path() / "kept", "mine");
  environment_.files = {{"given", {'a', 'b'}}};
  begin(Start::Empty);
  EXPECT_EQ(content("given"), "ab");
  EXPECT_EQ(written("given", kAppend, "c"), "");
  EXPECT_EQ(content("given"), "abc");
  EXPECT_EQ(written("new", kWrite, "d"), "");
  EXPECT_EQ(content("new"), "d");
  EXPECT_EQ(content("other"), "ENOENT");
  EXPECT_EQ(content(path("kept")), "mine");
  EXPECT_EQ(written(path("kept"), kWrite, ""), "EROFS");
  EXPECT_EQ(written("../kept", kAppend, ""), "EROFS");
  EXPECT_EQ(written("./new", kAppend, "e"), "");
  EXPECT_EQ(content("no/../new"), "ENOENT");
  EXPECT_EQ(content("./new"), "de");
  for (const char* device : kSandboxDevices)
    EXPECT_TRUE(FileDescriptor(files_->open(device, kAppend)).is_open()) << device;
  EXPECT_EQ(read_file(user_.path() / "kept"), "mine");
}

TEST_F(ProgramFilesTest, HereWhatIsWrittenIsACopyFromThenOn) {
  write_file(user_.path() / "kept", "mine");
  begin(Start::Here);
  EXPECT_EQ(content(path("kept")), "mine");
  EXPECT_EQ(written(path("kept"), kAppend, "+"), "");
  EXPECT_EQ(content(path("kept")), "mine+");
  EXPECT_EQ(content(path("./kept")), "mine+") << "the same file by another name";
  EXPECT_EQ(written(path("kept"), kWrite, "-"), "");
  EXPECT_EQ(content(path("kept")), "-");
  EXPECT_EQ(written(path("new"), kAppend, "n"), "");
  EXPECT_EQ(content(path("new")), "n");
  EXPECT_EQ(read_file(user_.path() / "kept"), "mine");
  EXPECT_FALSE(fs::exists(path("new")));
  begin(Start::Here);
  EXPECT_EQ(content(path("kept")), "mine") << "the next run begins again";
}

TEST_F(ProgramFilesTest, HereWhatCouldNotBeWrittenIsRefusedAsTheSystemDoes) {
  begin(Start::Here);
  EXPECT_EQ(written(path("no/such"), kWrite, ""), "ENOENT");
  EXPECT_EQ(written(user_.path().string(), kWrite, ""), "EISDIR");
  EXPECT_EQ(written("", kWrite, ""), "ENOENT");
  EXPECT_EQ(written("/dev/null", kWrite, "x"), "");
  EXPECT_EQ(content("/dev/null"), "");
}

TEST_F(ProgramFilesTest, HereTheTestsFilesComeBeforeTheUsers) {
  environment_.files = {{"given", {'t'}}};
  begin(Start::Here);
  EXPECT_EQ(content("given"), "t");
  EXPECT_EQ(written("./given", kWrite, "w"), "");
  EXPECT_EQ(content(fs::absolute("given").string()), "w");
  EXPECT_FALSE(fs::exists("given"));
}

}  // namespace
}  // namespace plumb::replay
