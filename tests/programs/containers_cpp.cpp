// purpose: containers and algorithms of the C++ library that are templates
// flags: -std=c++17 -fno-exceptions -fno-rtti
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

struct Item {
  int key;
  std::unique_ptr<int> payload;
};

int main() {
  std::vector<int> numbers;
  for (int i = 0; i < 50; ++i) numbers.push_back(i * 37 % 23);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::printf("%zu %d\n", numbers.size(), std::accumulate(numbers.begin(), numbers.end(), 0));
  std::vector<Item> items;
  for (int i = 0; i < 5; ++i) items.push_back({i * 3 % 5, std::make_unique<int>(i)});
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key > b.key; });
  for (const Item& item : items) std::printf("%d:%d ", item.key, *item.payload);
  std::array<std::pair<int, char>, 3> pairs{{{3, 'c'}, {1, 'a'}, {2, 'b'}}};
  std::sort(pairs.begin(), pairs.end());
  for (auto [n, c] : pairs) std::printf("%d%c ", n, c);
  std::shared_ptr<int> shared = std::make_shared<int>(5), other = shared;
  std::printf("%ld %d\n", shared.use_count(), std::binary_search(numbers.begin(), numbers.end(), 7));
  return numbers[3] + *other;
}
