#include "result/export/ktest.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plumb::result {
namespace {

using Objects = std::vector<std::pair<std::string, std::string>>;
using namespace std::string_literals;

StoredTest stored() {
  StoredTest test;
  test.number = 1;
  return test;
}

std::vector<std::string> names(const KTest& test) {
  std::vector<std::string> result;
  for (const auto& [name, bytes] : test.objects) result.push_back(name);
  return result;
}

TEST(KTest, BytesAreThoseOfTheFormat) {
  EXPECT_EQ(to_bytes({{"sign.c"}, {{"a", "\1\0\0\0"s}}}),
            "KTEST\0\0\0\3\0\0\0\1\0\0\0\6sign.c\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1a\0\0\0\4\1\0\0\0"s);
}

TEST(KTest, WhatKleesReaderFailsOnIsNeverWritten) {
  EXPECT_THROW(to_bytes({{""}, {}}), InternalError);
  EXPECT_THROW(to_bytes({{"a"}, {{"", "x"}}}), InternalError);
  EXPECT_THROW(to_bytes({{"a"}, {{"x", ""}}}), InternalError);
}

TEST(KTest, InputsAreObjectsInTheirOrder) {
  StoredTest test = stored();
  test.test.inputs = {{"b", {2}}, {"", {3}}, {"empty", {}}, {"b", {4}}};
  Losses losses;
  const KTest made = to_ktest(test, {{"dir/prog.c"}, {}, "main", 64}, losses);
  EXPECT_EQ(made.arguments, std::vector<std::string>{"prog.c"});
  EXPECT_EQ(made.objects, (Objects{{"b", "\2"}, {"unnamed", "\3"}, {"b", "\4"}}));
  EXPECT_TRUE(losses.sentences().empty());
}

TEST(KTest, AnEnvironmentComesFirstInTheOrderOfKleesRuntime) {
  StoredTest test = stored();
  test.test.inputs = {{"x", {9}}};
  test.test.environment.arguments = {"-n", ""};
  test.test.environment.standard_input = {'h', 'i'};
  test.test.environment.files = {{"A", {1, 2}}, {"B", {3, 4}}};
  Losses losses;
  const KTest made = to_ktest(test, {}, losses);
  EXPECT_EQ(made.arguments, (std::vector<std::string>{"program", "-sym-arg", "2", "-sym-arg", "0", "-sym-files", "2",
                                                      "2", "-sym-stdin", "2"}));
  EXPECT_EQ(names(made), (std::vector<std::string>{"arg00", "arg01", "A_data", "A_data_stat", "B_data", "B_data_stat",
                                                   "stdin", "stdin_stat", "model_version", "x"}));
  EXPECT_EQ(made.objects[0].second, "-n\0"s);
  EXPECT_EQ(made.objects[1].second, "\0"s);
  EXPECT_EQ(made.objects[3].second.size(), 144U);
  EXPECT_EQ(made.objects[8].second, "\1\0\0\0"s);
  EXPECT_TRUE(losses.sentences().empty());
}

TEST(KTest, WhatKleeCannotSayIsALossThatIsNamed) {
  StoredTest test = stored();
  test.test.environment.standard_input.emplace();
  test.test.environment.files = {{"A", {1}}, {"B", {}}, {"other", {7}}};
  test.test.environment.variables = {{"LANG", "C"}};
  test.test.environment.failing_calls = {3};
  Losses losses;
  const KTest made = to_ktest(test, {}, losses);
  EXPECT_EQ(losses.sentences().size(), 5U);
  EXPECT_EQ(names(made), (std::vector<std::string>{"A_data", "A_data_stat", "B_data", "B_data_stat", "model_version"}));
  EXPECT_EQ(made.objects[2].second, "\0"s);  // filled up to the size of A
}

TEST(KTest, TheListingKnowsItsOwnFilesAlone) {
  const std::vector<StoredTest> tests = {stored()};
  const Export made = to_ktest(tests, {});
  ASSERT_EQ(made.files.size(), 2U);
  const std::string& listing = made.files[1].content;
  EXPECT_TRUE(lists(listing, "test000001.ktest", made.files[0].content));
  EXPECT_FALSE(lists(listing, "test000001.ktest", made.files[0].content + "x"));
  EXPECT_FALSE(lists(listing, "test000002.ktest", made.files[0].content));
  EXPECT_FALSE(lists("", "test000001.ktest", made.files[0].content));
}

}  // namespace
}  // namespace plumb::result
