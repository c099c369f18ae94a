#include "result/export/zip.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

constexpr std::time_t kTime = 1'700'000'001;  // 2023-11-14 22:13:21 UTC

/// What Python's reader says of the archive: names, sizes, modes and dates, after it has checked all sums.
std::string read_by_python(const std::string& archive) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "a.zip", archive);
  const ProcessResult read =
      run_process({"python3", "-c",
                   "import sys, zipfile\n"
                   "with zipfile.ZipFile(sys.argv[1]) as z:\n"
                   "    assert z.testzip() is None\n"
                   "    for i in z.infolist():\n"
                   "        print(i.filename, i.file_size, oct(i.external_attr >> 16), i.date_time, "
                   "z.read(i).hex()[:16])\n"
                   "    print(z.comment.decode())\n",
                   (directory.path() / "a.zip").string()},
                  "", Budget{});
  return read.output + read.error;
}

TEST(Crc32, GivesTheCheckValueOfItsPolynomial) { EXPECT_EQ(crc32("123456789"), 0xcbf43926U); }

TEST(Zip, PythonReadsWhatWasWritten) {
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
  const std::vector<ExportedFile> files = {{"metadata.xml", "<a/>"}, {"empty", ""}, {"b\xc3\xa4r", all_bytes}};
  EXPECT_EQ(read_by_python(zip_archive(files, kTime, "by us")),
            "metadata.xml 4 0o100644 (2023, 11, 14, 22, 13, 20) 3c612f3e\n"
            "empty 0 0o100644 (2023, 11, 14, 22, 13, 20) \n"
            "b\xc3\xa4r 256 0o100644 (2023, 11, 14, 22, 13, 20) 0001020304050607\n"
            "by us\n");
}

TEST(Zip, AnArchiveWithoutFilesIsReadable) { EXPECT_EQ(read_by_python(zip_archive({}, kTime, "")), "\n"); }

TEST(Zip, TimesBeforeItsFirstYearAreThatYear) {
  const std::vector<ExportedFile> files = {{"a", "b"}};
  EXPECT_NE(read_by_python(zip_archive(files, 0, "")).find("(1980, 1, 1, 0, 0, 0)"), std::string::npos);
}

TEST(Zip, FindsTheCommentAgain) {
  const std::vector<ExportedFile> files = {{"a", "b"}};
  EXPECT_EQ(zip_comment(zip_archive(files, kTime, "by us")), "by us");
  EXPECT_EQ(zip_comment(zip_archive(files, kTime, "")), "");
  EXPECT_EQ(zip_comment("no archive"), "");
  EXPECT_EQ(zip_comment("PK\5\6"), "");
}

TEST(Zip, MoreFilesThanThePlainFormatHasAreRefused) {
  const std::vector<ExportedFile> files(70'000, ExportedFile{"a", ""});
  EXPECT_THROW(zip_archive(files, kTime, ""), UserError);
}

}  // namespace
}  // namespace plumb::result
