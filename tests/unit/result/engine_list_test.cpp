#include "result/engine_list.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plumb::result {
namespace {

using Names = std::vector<std::string>;

struct Engine {
  EngineInfo info;
  int number = 0;
};
const Engine kSearch = {{.name = "search",
                         .can_violate = true,
                         .summary = "looks for it",
                         .by_default = {"search"},
                         .former_name = "paths"},
                        1};
const Engine kTwoWords = {
    {.name = "search split", .can_hold = true, .can_bound = true, .can_violate = true, .summary = "more of it"}, 2};
const Engine kTool = {{.name = "tool",
                       .can_hold = true,
                       .summary = "asks another",
                       .by_default = {"tool pdr", "tool int"},
                       .argument = "PROOF"},
                      3};
const EngineList<Engine> kEngines = {&kSearch, &kTwoWords, &kTool};

std::string error_of(const Names& wanted) {
  try {
    Names notes;
    kEngines.resolve(wanted, notes);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(EngineList, FindsByNameAndByNameWithArgument) {
  EXPECT_EQ(kEngines.find("search").number, 1);
  EXPECT_EQ(kEngines.find("search split").number, 2);
  EXPECT_EQ(kEngines.find("tool pdr").number, 3);
  EXPECT_EQ(kEngines.find("tool pdr -T 20").number, 3);
}

TEST(EngineList, NothingAndAutoAreTheDefaults) {
  Names notes;
  for (const Names& wanted : {Names{}, Names{"auto"}})
    EXPECT_EQ(kEngines.resolve(wanted, notes), (Names{"search", "tool pdr", "tool int"}));
  EXPECT_EQ(notes, Names());
}

TEST(EngineList, KeepsTheOrderThatWasWantedAndUnderstandsAFormerNameWithANote) {
  Names notes;
  EXPECT_EQ(kEngines.resolve({"tool int -T 3", "paths", "search split"}, notes),
            (Names{"tool int -T 3", "search", "search split"}));
  EXPECT_EQ(notes, Names{"the engine 'paths' is called 'search' now"});
}

TEST(EngineList, ANameThatNobodyHasIsAnErrorWithTheNearestOne) {
  EXPECT_EQ(error_of({"search", "serch"}), "error: there is no engine 'serch'\n  hint: did you mean 'search'?");
  EXPECT_EQ(
      error_of({"magic"}),
      "error: there is no engine 'magic'\n  hint: the engines for systems are search, 'search split', 'tool PROOF'");
  EXPECT_NE(error_of({"tool"}).find("did you mean 'tool pdr'?"), std::string::npos) << error_of({"tool"});
  for (const char* const name : {"", "tool ", "search pdr", "search,tool pdr"}) EXPECT_NE(error_of({name}), "") << name;
}

TEST(EngineList, SaysWhatAnEngineIs) {
  EXPECT_EQ(shown_name(kTool.info), "tool PROOF");
  EXPECT_EQ(possible_verdicts(kTwoWords.info), "holds, holds up to, violated");
  EXPECT_EQ(possible_verdicts(kSearch.info), "violated");
  EXPECT_TRUE(is_default(kTool.info));
  EXPECT_FALSE(is_default(kTwoWords.info));
}

}  // namespace
}  // namespace plumb::result
