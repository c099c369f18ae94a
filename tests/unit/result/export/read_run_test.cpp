#include "result/export/read_run.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;

class ReadRunTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) {
    fs::create_directories((run() / name).parent_path());
    write_file(run() / name, content);
  }
  fs::path run() const { return directory_.path() / "run"; }

 private:
  TemporaryDirectory directory_;
};

constexpr const char* kOne = R"({"inputs": [{"name": "x", "bytes": "01"}], "end": "exit", "code": 3})";
constexpr const char* kTwo = R"({"inputs": [{"name": "x", "bytes": "02"}], "end": "error", "code": 1})";

TEST_F(ReadRunTest, FilesHaveTheNumberOfTheirNameAndTheirEnd) {
  write("tests/test-000007.json", kTwo);
  write("tests/test-000002.json", kOne);
  write("result.json", R"({"inputs": ["a.c", "b.c"]})");
  const RunDirectory found = read_run_directory(run());
  ASSERT_EQ(found.tests.size(), 2U);
  EXPECT_EQ(found.tests[0].number, 2U);
  EXPECT_EQ(found.tests[0].code, 3);
  EXPECT_EQ(found.tests[1].number, 7U);
  EXPECT_TRUE(is_error(found.tests[1]));
  EXPECT_EQ(found.program.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_FALSE(found.has_coverage);
}

TEST_F(ReadRunTest, ErrorsThatAreNoTestYetComeLast) {
  write("tests/test-000004.json", kOne);
  write("errors/error-001.json", kOne);
  write("errors/error-002.json", kTwo);
  const RunDirectory found = read_run_directory(run());
  ASSERT_EQ(found.tests.size(), 2U);
  EXPECT_EQ(found.tests[1].number, 5U);
  EXPECT_EQ(found.tests[1].end, "error");
}

TEST_F(ReadRunTest, ADirectoryOfTestsAloneWillDo) {
  write("first.json", kOne);
  write("second.json", kTwo);
  const RunDirectory found = read_run_directory(run());
  ASSERT_EQ(found.tests.size(), 2U);
  EXPECT_EQ(found.tests[0].number, 1U);
  EXPECT_EQ(found.tests[1].number, 2U);
}

TEST_F(ReadRunTest, ACampaignHasItsProgramAndCoverage) {
  fs::create_directories(run());
  {
    CampaignStore store(run(), CampaignStore::Mode::Create);
    store.set_program({.fingerprint = "f",
                       .directory = "/somewhere",
                       .files = {"p.c"},
                       .compiler_flags = {"-DX", "-m32"},
                       .entry = "start",
                       .options = {}});
    StoredTest test;
    test.number = 3;
    test.end = "exit";
    test.edges = {1, 5};
    store.add_test(test);
    store.commit();
  }
  const RunDirectory found = read_run_directory(run());
  ASSERT_EQ(found.tests.size(), 1U);
  EXPECT_EQ(found.tests[0].number, 3U);
  EXPECT_EQ(found.tests[0].edges, (std::vector<std::uint32_t>{1, 5}));
  EXPECT_TRUE(found.has_coverage);
  EXPECT_EQ(found.base, "/somewhere");
  EXPECT_EQ(found.program.entry, "start");
  EXPECT_EQ(found.program.word_size, 32U);
}

TEST_F(ReadRunTest, NothingToReadIsBadInput) {
  EXPECT_THROW(read_run_directory(run()), UserError);
  fs::create_directories(run());
  EXPECT_THROW(read_run_directory(run()), UserError);
  write("result.json", R"({"inputs": ["a.c"]})");
  EXPECT_THROW(read_run_directory(run()), UserError);
}

}  // namespace
}  // namespace plumb::result
