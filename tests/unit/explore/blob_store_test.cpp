#include "explore/blob_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace plumb::explore {
namespace {

TEST(BlobStore, KeepsEachStringOnce) {
  BlobStore store;
  std::mt19937 random(1);
  std::map<std::vector<std::uint8_t>, BlobStore::Id> known;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::uint8_t> bytes(random() % 200);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() % 2);
    if (random() % 500 == 0) bytes.resize(100'000, 7);
    const BlobStore::Id id = store.intern(bytes);
    EXPECT_EQ(known.emplace(bytes, id).first->second, id);
  }
  EXPECT_EQ(store.count(), known.size());
  for (const auto& [bytes, id] : known) EXPECT_TRUE(std::ranges::equal(store[id], bytes));
}

TEST(TreeStore, GivesBackWhatItWasGivenAndTheSameNumberForTheSameList) {
  TreeStore store;
  std::mt19937 random(2);
  std::map<std::vector<std::uint32_t>, TreeStore::Id> known;
  TreeStore::Tree before;
  for (int i = 0; i < 20'000; ++i) {
    TreeStore::Tree tree;
    // Mostly a small change of the one before, as states are.
    std::vector<std::uint32_t> list(before.elements().begin(), before.elements().end());
    if (list.empty() || random() % 8 == 0) list.assign(3 + random() % 30, 0);
    list[random() % list.size()] = static_cast<std::uint32_t>(random() % 3);
    tree.size = static_cast<std::uint32_t>(list.size());
    tree.nodes = list;
    const TreeStore::Id id = store.intern(tree, before);
    const auto [place, is_new] = known.emplace(list, id);
    EXPECT_EQ(place->second, id);
    store.expand(id, before);
    EXPECT_TRUE(std::ranges::equal(before.elements(), list));
  }
  std::map<TreeStore::Id, std::size_t> sizes;
  for (const auto& [list, id] : known) {
    const auto [place, is_new] = sizes.emplace(id, list.size());
    EXPECT_TRUE(is_new) << "two lists have the number " << id;
  }
}

}  // namespace
}  // namespace plumb::explore
