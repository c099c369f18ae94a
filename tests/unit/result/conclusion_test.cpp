#include "result/conclusion.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace plumb::result {
namespace {

std::vector<Conclusion> all() {
  std::vector<Conclusion> list;
  for (int i = 0; i <= static_cast<int>(Conclusion::Violated); ++i) list.push_back(static_cast<Conclusion>(i));
  return list;
}

TEST(Conclusion, EachHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const Conclusion each : all()) words.insert(to_string(each));
  EXPECT_EQ(words.size(), all().size());
  EXPECT_EQ(words.count(""), 0U);
}

TEST(Conclusion, AVerdictKeepsItsWord) {
  for (const Verdict verdict :
       {Verdict::Holds, Verdict::Vacuous, Verdict::HoldsUpTo, Verdict::Unknown, Verdict::Violated})
    EXPECT_EQ(to_string(conclusion_of(verdict)), to_string(verdict));
}

TEST(Conclusion, ExitCodesAreThoseOfTheDocuments) {
  const std::set<std::string_view> found = {"violated", "defect"};
  const std::set<std::string_view> open = {"unknown", "vacuous", "holds up to", "incomplete"};
  for (const Conclusion each : all()) {
    const std::string_view word = to_string(each);
    const int expected = word == "error" ? 2 : found.contains(word) ? 10 : open.contains(word) ? 20 : 0;
    EXPECT_EQ(exit_code(each), expected) << word;
  }
}

TEST(Conclusion, APartThatFailedLeavesTheWholeUnknownAndAViolationIsTheWorst) {
  EXPECT_EQ(worst(std::vector<Conclusion>{}), Conclusion::None);
  EXPECT_EQ(worst(std::vector{Conclusion::Answered, Conclusion::Error}), Conclusion::Unknown);
  EXPECT_EQ(worst(std::vector{Conclusion::Violated, Conclusion::Error, Conclusion::Holds}), Conclusion::Violated);
  EXPECT_EQ(worst(std::vector{Conclusion::NoDefect, Conclusion::Unknown, Conclusion::Defect}), Conclusion::Defect);
  EXPECT_EQ(worst(std::vector{Conclusion::Answered, Conclusion::Holds}), Conclusion::Holds);
}

}  // namespace
}  // namespace plumb::result
