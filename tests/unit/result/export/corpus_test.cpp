#include "result/export/corpus.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

StoredTest stored(std::vector<TestInput> inputs, Environment environment = {}) {
  StoredTest test;
  test.test = {std::move(inputs), std::move(environment)};
  return test;
}

std::string only_content(StoredTest test) {
  const std::vector<StoredTest> tests = {std::move(test)};
  const Export made = to_corpus(tests);
  return made.files.size() == 1 ? made.files.front().content : "not one file";
}

TEST(Corpus, InputsOfTheProgramAreJoined) {
  EXPECT_EQ(only_content(stored({{"a", {'x', 0}}, {"b", {'y'}}})), std::string("x\0y", 3));
}

TEST(Corpus, StandardInputComesBeforeFilesAndFilesBeforeInputs) {
  Environment environment;
  environment.files = {{"A", {'f'}}, {"B", {'g'}}};
  EXPECT_EQ(only_content(stored({{"a", {'x'}}}, environment)), "f");
  environment.standard_input = {'s'};
  EXPECT_EQ(only_content(stored({{"a", {'x'}}}, environment)), "s");
}

TEST(Corpus, TheSameBytesAreOneFileOfTheSameNameAlways) {
  const std::vector<StoredTest> tests = {stored({{"a", {1}}}), stored({{"a", {2}}}), stored({{"b", {1}}})};
  const std::vector<StoredTest> other = {stored({{"c", {1}}})};
  const Export made = to_corpus(tests);
  ASSERT_EQ(made.files.size(), 2U);
  const ExportedFile same = to_corpus(other).files.front();
  EXPECT_NE(std::find(made.files.begin(), made.files.end(), same), made.files.end());
  EXPECT_EQ(same.name, corpus_file_name(same.content));
}

TEST(Corpus, WhatBelongsToATestBesidesItsBytesIsNamed) {
  Environment environment;
  environment.standard_input = {'s'};
  std::vector<StoredTest> tests = {stored({}, environment)};
  EXPECT_TRUE(to_corpus(tests).losses.empty());
  tests.front().test.environment.arguments = {"-v"};
  EXPECT_EQ(to_corpus(tests).losses.size(), 1U);
}

}  // namespace
}  // namespace plumb::result
