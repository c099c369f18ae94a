#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "base/error.h"

namespace plumb {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& directory) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

/// Runs `action` in a fork that ends by exit(), and gives its exit code.
int exit_code_of_fork(const std::function<void()>& action) {
  const pid_t pid = fork();
  if (pid == 0) {
    action();
    std::exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ReadFile, GivesAllBytes) {
  const TemporaryDirectory directory;
  std::string content;
  for (int i = 0; i < 300000; ++i) content.push_back(static_cast<char>(i * 7));
  std::ofstream(directory.path() / "f", std::ios::binary) << content;
  EXPECT_EQ(read_file(directory.path() / "f"), content);
  std::ofstream(directory.path() / "empty");
  EXPECT_EQ(read_file(directory.path() / "empty"), "");
}

TEST(ReadFile, ReadsFilesWithoutASize) { EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos); }

TEST(ReadFile, ReadsStandardInput) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "in", "from standard input");
  EXPECT_EQ(exit_code_of_fork([&directory] {
              dup2(open((directory.path() / "in").c_str(), O_RDONLY), STDIN_FILENO);
              std::_Exit(read_file("-") == "from standard input" ? 42 : 1);
            }),
            42);
}

TEST(ReadFile, SaysWhyItCannot) {
  const TemporaryDirectory directory;
  EXPECT_NE(message_of([] { read_file("/nowhere/f"); }).find("'/nowhere/f': No such file"), std::string::npos);
  EXPECT_NE(message_of([&] { read_file(directory.path()); }).find("Is a directory"), std::string::npos);
}

TEST(WriteFile, CreatesAndReplacesWithoutStrayFiles) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "f";
  write_file(file, "old");
  EXPECT_EQ(read_file(file), "old");
  write_file(file, "new and longer");
  EXPECT_EQ(read_file(file), "new and longer");
  write_file(file, "");
  EXPECT_EQ(read_file(file), "");
  EXPECT_EQ(names_in(directory.path()), std::set<std::string>{"f"});
}

TEST(WriteFile, FailureLeavesTheOldContentAndNoStrayFiles) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "f";
  write_file(file, "old");
  // A limit on file sizes fails the write in the middle, as a full disk would.
  EXPECT_EQ(exit_code_of_fork([&file] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1 << 20, 1 << 20};
              setrlimit(RLIMIT_FSIZE, &limit);
              const std::string message = message_of([&file] { write_file(file, std::string(8 << 20, 'x')); });
              std::_Exit(message.find("File too large") != std::string::npos ? 42 : 1);
            }),
            42);
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(names_in(directory.path()), std::set<std::string>{"f"});
}

TEST(WriteFile, SaysWhyItCannot) {
  const TemporaryDirectory directory;
  EXPECT_NE(message_of([&] { write_file(directory.path() / "no" / "f", "x"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(message_of([&] { write_file(directory.path(), "x"); }).find("Is a directory"), std::string::npos);
  EXPECT_NE(message_of([] { write_file("", "x"); }).find("No such file"), std::string::npos);
  EXPECT_TRUE(names_in(directory.path()).empty());
}

TEST(WriteFile, KeepsTheModeAndWritesThroughLinks) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "f";
  write_file(file, "#!/bin/sh");
  chmod(file.c_str(), 0751);
  fs::create_symlink("f", directory.path() / "link");
  write_file(directory.path() / "link", "changed");
  EXPECT_EQ(read_file(file), "changed");
  EXPECT_TRUE(fs::is_symlink(directory.path() / "link"));
  EXPECT_EQ(static_cast<unsigned>(fs::status(file).permissions()), 0751U);
}

TEST(WriteFile, WritesIntoAPipeInsteadOfReplacingIt) {
  const TemporaryDirectory directory;
  const fs::path fifo = directory.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(fifo); });
  write_file(fifo, "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST(WriteFile, WorksOnARelativePath) {
  const TemporaryDirectory directory;
  EXPECT_EQ(exit_code_of_fork([&directory] {
              fs::current_path(directory.path());
              write_file("f", "relative");
              std::_Exit(42);
            }),
            42);
  EXPECT_EQ(read_file(directory.path() / "f"), "relative");
}

TEST(TemporaryDirectory, IsPrivateAndGoesWithItsContent) {
  fs::path path;
  {
    const TemporaryDirectory directory;
    const TemporaryDirectory other;
    path = directory.path();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(static_cast<unsigned>(fs::status(path).permissions()), 0700U);
    fs::create_directories(path / "a" / "b");
    write_file(path / "a" / "b" / "c", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryDirectory, GoesWhenTheProcessExits) {
  const TemporaryDirectory outer;
  EXPECT_EQ(exit_code_of_fork([&outer] {
              setenv("TMPDIR", outer.path().c_str(), 1);
              // exit() does not run the destructors of local variables.
              const TemporaryDirectory abandoned;
              write_file(abandoned.path() / "f", "x");
              if (names_in(outer.path()).size() != 1) std::_Exit(1);
              std::exit(42);
            }),
            42);
  EXPECT_TRUE(names_in(outer.path()).empty());
}

TEST(TemporaryDirectory, OfAParentSurvivesTheExitOfAFork) {
  const TemporaryDirectory directory;
  EXPECT_EQ(exit_code_of_fork([] {}), 0);
  EXPECT_TRUE(fs::exists(directory.path()));
}

TEST(TemporaryDirectory, GoesOnRequestFromAnotherThread) {
  const TemporaryDirectory outer;
  EXPECT_EQ(exit_code_of_fork([&outer] {
              setenv("TMPDIR", outer.path().c_str(), 1);
              const TemporaryDirectory first;
              const TemporaryDirectory second;
              write_file(second.path() / "f", "x");
              std::thread(remove_temporary_directories).join();
              std::_Exit(fs::exists(first.path()) || fs::exists(second.path()) ? 1 : 42);
            }),
            42);
}

TEST(TemporaryDirectory, SaysHowToMendAnUnusablePlace) {
  EXPECT_EQ(exit_code_of_fork([] {
              setenv("TMPDIR", "/nowhere", 1);
              const std::string message = message_of([] { const TemporaryDirectory directory; });
              std::_Exit(message.find("TMPDIR") != std::string::npos ? 42 : 1);
            }),
            42);
}

}  // namespace
}  // namespace plumb
