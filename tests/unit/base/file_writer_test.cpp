#include "base/file_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "base/error.h"
#include "base/file.h"

namespace plumb {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(const fs::path& directory) {
  return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
}

TEST(FileWriter, PiecesOfEverySizeArriveInOrder) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "f";
  std::string expected;
  FileWriter writer(file);
  for (std::size_t size = 0; size < 3'000'000; size = size * 3 + 1) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    writer.write(piece);
    expected += piece;
  }
  writer.commit();
  EXPECT_EQ(read_file(file), expected);
}

TEST(FileWriter, TheOldContentStaysUntilCommit) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "f";
  write_file(file, "old");
  {
    FileWriter writer(file);
    for (int i = 0; i < 100'000; ++i) writer.write("a line that is written many times\n");
    EXPECT_EQ(read_file(file), "old");
  }
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(entries(directory.path()), 1);
}

TEST(FileWriter, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  FileWriter writer("/dev/full");
  writer.write("x");
  EXPECT_THROW(writer.commit(), UserError);
}

}  // namespace
}  // namespace plumb
