#include "result/export/write_export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "base/error.h"
#include "base/file.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;

bool by_name(std::string_view name, std::string_view) { return name.starts_with("ours"); }

std::set<std::string> names(const fs::path& directory) {
  std::set<std::string> result;
  for (const auto& entry : fs::directory_iterator(directory)) result.insert(entry.path().filename().string());
  return result;
}

TEST(WriteExport, ADirectoryHoldsExactlyTheLastExport) {
  const TemporaryDirectory temporary;
  const fs::path out = temporary.path() / "deep" / "out";
  const std::vector<ExportedFile> first = {{"ours-1", "a"}, {"ours-2", "b"}};
  const std::vector<ExportedFile> second = {{"ours-2", "c"}, {"ours-3", "d"}};
  write_directory(out, first, by_name);
  write_directory(out, second, by_name);
  EXPECT_EQ(names(out), (std::set<std::string>{"ours-2", "ours-3"}));
  EXPECT_EQ(read_file(out / "ours-2"), "c");
}

TEST(WriteExport, ForeignFilesAreRefusedAndNothingIsChanged) {
  const TemporaryDirectory temporary;
  write_file(temporary.path() / "ours-1", "old");
  write_file(temporary.path() / "mine.txt", "precious");
  const std::vector<ExportedFile> files = {{"ours-1", "new"}};
  EXPECT_THROW(write_directory(temporary.path(), files, by_name), UserError);
  EXPECT_EQ(names(temporary.path()), (std::set<std::string>{"ours-1", "mine.txt"}));
  EXPECT_EQ(read_file(temporary.path() / "ours-1"), "old");
}

TEST(WriteExport, DirectoriesAndLinksAreForeignWhateverTheirName) {
  const TemporaryDirectory temporary;
  const std::vector<ExportedFile> files = {{"ours-1", "new"}};
  fs::create_directory(temporary.path() / "ours-9");
  EXPECT_THROW(write_directory(temporary.path(), files, by_name), UserError);
  fs::remove(temporary.path() / "ours-9");
  fs::create_symlink("/dev/null", temporary.path() / "ours-8");
  EXPECT_THROW(write_directory(temporary.path(), files, by_name), UserError);
}

TEST(WriteExport, WhatAKilledExportLeftIsCleared) {
  const TemporaryDirectory temporary;
  for (const int process : {1, getpid()}) {
    const fs::path aside = temporary.path() / (".plumb-export-" + std::to_string(process));
    fs::create_directory(aside);
    write_file(aside / "ours-1", "half");
  }
  const std::vector<ExportedFile> files = {{"ours-1", "new"}};
  write_directory(temporary.path(), files, by_name);
  EXPECT_EQ(names(temporary.path()), std::set<std::string>{"ours-1"});
}

TEST(WriteExport, AFileThatCannotBeWrittenLeavesNothingNew) {
  const TemporaryDirectory temporary;
  const std::vector<ExportedFile> files = {{"ours-1", "new"}, {std::string(300, 'x'), "name too long"}};
  EXPECT_THROW(write_directory(temporary.path() / "out", files, by_name), UserError);
  EXPECT_FALSE(fs::exists(temporary.path() / "out"));
}

TEST(WriteExport, ASingleFileReplacesOnlyItsOwn) {
  const TemporaryDirectory temporary;
  write_single(temporary.path() / "a" / "ours.c", "1", by_name);
  write_single(temporary.path() / "a" / "ours.c", "2", by_name);
  EXPECT_EQ(read_file(temporary.path() / "a" / "ours.c"), "2");
  write_file(temporary.path() / "mine.c", "precious");
  EXPECT_THROW(write_single(temporary.path() / "mine.c", "3", by_name), UserError);
  EXPECT_THROW(write_single(temporary.path(), "3", by_name), UserError);
  EXPECT_EQ(read_file(temporary.path() / "mine.c"), "precious");
}

}  // namespace
}  // namespace plumb::result
