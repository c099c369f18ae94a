#include "lang/bip/encode/selection.h"

#include <gtest/gtest.h>

#include "models.h"

namespace plumb::bip {
namespace {

TEST(SelectOne, FollowsTheFormulaOfTheListingOnAllValues) {
  for (std::size_t count = 1; count <= 6; ++count)
    for (std::uint64_t mask = 0; mask < (std::uint64_t{1} << count); ++mask)
      for (std::uint64_t number = 0; number < 8; ++number) {
        TermStore store;
        std::vector<Term> possible;
        for (std::size_t j = 0; j < count; ++j) possible.push_back(store.boolean((mask >> j & 1) != 0));
        const std::vector<Term> selected = select_one(store, possible, store.constant(3, number));
        const bool is_hit = number < count && (mask >> number & 1) != 0;
        std::size_t taken = 0;
        for (std::size_t j = 0; j < count; ++j) {
          const bool is_last = mask >> (j + 1) == 0;
          const bool expected = (mask >> j & 1) != 0 && (number == j || (!is_hit && is_last));
          EXPECT_EQ(store.is_true(selected[j]), expected);
          taken += store.is_true(selected[j]) ? 1 : 0;
        }
        EXPECT_EQ(taken, mask == 0 ? 0U : 1U);
      }
}

/// By name, those that are fired if all are possible and these are asked for.
std::vector<std::string> together(const Model& model, const std::vector<std::string>& asked) {
  TermStore store;
  std::vector<InteractionId> ids;
  std::vector<Term> possible;
  std::vector<Term> wishes;
  for (InteractionId id = 0; id < model.interactions.size(); ++id) {
    ids.push_back(id);
    possible.push_back(store.boolean(true));
    wishes.push_back(store.boolean(std::ranges::find(asked, model.interactions[id].name) != asked.end()));
  }
  const std::vector<Term> selected = select_together(store, model, ids, possible, wishes);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < ids.size(); ++k)
    if (store.is_true(selected[k])) names.push_back(model.interactions[k].name);
  return names;
}

TEST(SelectTogether, InteractionsOfOneComponentExcludeEachOther) {
  const Model model = models::read(models::kRings);
  using Names = std::vector<std::string>;
  EXPECT_EQ(together(model, {"gx:x.go", "gy:y.go"}), (Names{"gx:x.go", "gy:y.go"}));
  EXPECT_EQ(together(model, {"gx:x.go", "m:x.meet,y.meet"}), (Names{"gx:x.go"}));
}

TEST(SelectTogether, WhatAnInteractionGivesWayToMustNotChangeBesideIt) {
  const Model model = models::read(models::kRings);
  using Names = std::vector<std::string>;
  // gz gives way to m, which x and y take part in; mz does not.
  EXPECT_EQ(together(model, {"gx:x.go", "gz:z.go"}), (Names{"gx:x.go"}));
  EXPECT_EQ(together(model, {"gz:z.go", "m:x.meet,y.meet"}).size(), 1U);
  EXPECT_EQ(together(model, {"gx:x.go", "gy:y.go", "mz:z.meet"}).size(), 3U);
}

TEST(SelectTogether, WhatAConditionLooksAtMustNotChangeBesideIt) {
  const Model model = models::read(models::kPriorities);
  using Names = std::vector<std::string>;
  // ga gives way to ca while c has something.
  EXPECT_EQ(together(model, {"ga:a.get", "pc:c.put"}), (Names{"ga:a.get"}));
  EXPECT_EQ(together(model, {"ca:a.clear", "pc:c.put"}), (Names{"ca:a.clear", "pc:c.put"}));
}

TEST(SelectTogether, NothingIsFiredThatIsNotPossible) {
  const Model model = models::read(models::kRings);
  TermStore store;
  const std::vector<InteractionId> ids = {0, 1};
  const std::vector<Term> possible = {store.boolean(false), store.boolean(true)};
  const std::vector<Term> asked = {store.boolean(true), store.boolean(true)};
  const std::vector<Term> selected = select_together(store, model, ids, possible, asked);
  EXPECT_TRUE(store.is_false(selected[0]));
  EXPECT_TRUE(store.is_true(selected[1]));
}

}  // namespace
}  // namespace plumb::bip
