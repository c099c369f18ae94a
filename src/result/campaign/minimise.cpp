// Fewest tests that keep the coverage: minimum set cover. A row is an edge, as the set of the tests that cover it; a
// cover has a test of each row. Reductions that keep a smallest cover do most of the work: a row with one test decides
// it, a row that contains another goes, a test whose rows another has too goes. What is left falls into parts that
// share no test; each is solved by branching on its shortest row, with the number of rows that share no test as the
// lower bound and the greedy cover as the first upper one. Work is counted in words of bit sets, so that the result
// does not depend on the machine's speed.
#include "result/campaign/minimise.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"

namespace plumb::result {

namespace {

constexpr std::uint64_t kMaxWork = 100'000'000;

/// A set of tests or of rows.
class Bits {
 public:
  explicit Bits(std::size_t size) : words_((size + 63) / 64) {}

  bool has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  bool is_subset_of(const Bits& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    return true;
  }
  bool meets(const Bits& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  void join(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void subtract(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  template <typename Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
  }
  std::size_t words() const { return words_.size(); }
  friend auto operator<=>(const Bits&, const Bits&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

using Rows = std::vector<Bits>;
using Cover = std::vector<std::size_t>;

class CoverSearch {
 public:
  explicit CoverSearch(std::size_t tests) : tests_(tests) {}

  /// A cover of the rows; smallest if is_minimal().
  Cover solve(Rows rows) {
    Cover cover;
    reduce(rows, cover);
    for (Rows& part : parts_of(rows)) {
      const Cover best = branch_and_bound(part);
      cover.insert(cover.end(), best.begin(), best.end());
    }
    std::sort(cover.begin(), cover.end());
    return cover;
  }

  bool is_minimal() const { return work_ < kMaxWork; }

 private:
  bool has_work_left(std::size_t words) { return (work_ += words) < kMaxWork; }

  void take(Rows& rows, Cover& cover, std::size_t test) {
    cover.push_back(test);
    std::erase_if(rows, [&](const Bits& row) { return row.has(test); });
  }

  /// Rows with one test decide it.
  bool take_essential(Rows& rows, Cover& cover) {
    const auto essential = std::find_if(rows.begin(), rows.end(), [](const Bits& row) { return row.count() == 1; });
    if (essential == rows.end()) return false;
    std::size_t test = 0;
    essential->each([&](std::size_t i) { test = i; });
    take(rows, cover, test);
    return true;
  }

  bool drop_dominated_rows(Rows& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const Bits& a, const Bits& b) { return a.count() < b.count(); });
    Rows kept;
    for (const Bits& row : rows) {
      const bool is_dominated = std::ranges::any_of(
          kept, [&](const Bits& smaller) { return has_work_left(row.words()) && smaller.is_subset_of(row); });
      if (!is_dominated) kept.push_back(row);
    }
    const bool has_changed = kept.size() != rows.size();
    rows = std::move(kept);
    return has_changed;
  }

  bool drop_dominated_tests(Rows& rows) {
    std::vector<Bits> of_test(tests_, Bits(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].each([&](std::size_t test) { of_test[test].add(i); });
    Bits dropped(tests_);
    bool has_changed = false;
    for (std::size_t a = 0; a < tests_; ++a) {
      std::size_t first_row = rows.size();
      of_test[a].each([&](std::size_t row) { first_row = std::min(first_row, row); });
      if (first_row == rows.size()) continue;
      bool is_dominated = false;
      // Whoever has all rows of `a` is in its first one. Of two equal ones the later goes.
      rows[first_row].each([&](std::size_t b) {
        if (is_dominated || b == a || dropped.has(b) || !has_work_left(of_test[a].words())) return;
        is_dominated = of_test[a].is_subset_of(of_test[b]) && (b < a || !of_test[b].is_subset_of(of_test[a]));
      });
      if (!is_dominated) continue;
      dropped.add(a);
      has_changed = true;
    }
    for (Bits& row : rows) row.subtract(dropped);
    return has_changed;
  }

  void reduce(Rows& rows, Cover& cover) {
    bool has_changed = true;
    while (has_changed && !rows.empty() && is_minimal()) {
      has_changed = false;
      while (take_essential(rows, cover)) has_changed = true;
      has_changed |= drop_dominated_rows(rows);
      has_changed |= drop_dominated_tests(rows);
    }
  }

  std::vector<Rows> parts_of(const Rows& rows) const {
    std::vector<std::pair<Bits, Rows>> parts;
    for (const Bits& row : rows) {
      std::pair<Bits, Rows> joined{row, {row}};
      std::erase_if(parts, [&](std::pair<Bits, Rows>& part) {
        if (!part.first.meets(joined.first)) return false;
        joined.first.join(part.first);
        joined.second.insert(joined.second.end(), part.second.begin(), part.second.end());
        return true;
      });
      parts.push_back(std::move(joined));
    }
    std::vector<Rows> result;
    for (auto& [tests, of_part] : parts) result.push_back(std::move(of_part));
    return result;
  }

  Cover greedy(Rows rows) const {
    Cover cover;
    while (!rows.empty()) {
      std::vector<std::size_t> gains(tests_);
      for (const Bits& row : rows) row.each([&](std::size_t test) { ++gains[test]; });
      const std::size_t best = static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin());
      cover.push_back(best);
      std::erase_if(rows, [&](const Bits& row) { return row.has(best); });
    }
    return cover;
  }

  /// Rows that share no test: each needs one of its own.
  std::size_t lower_bound(const Rows& rows) {
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t i = 0; i < rows.size(); ++i) order.emplace_back(rows[i].count(), i);
    std::sort(order.begin(), order.end());
    Bits used(tests_);
    std::size_t bound = 0;
    for (const auto& [count, i] : order) {
      has_work_left(used.words());
      if (rows[i].meets(used)) continue;
      used.join(rows[i]);
      ++bound;
    }
    return bound;
  }

  Cover branch_and_bound(const Rows& rows) {
    best_ = greedy(rows);
    Cover chosen;
    branch(rows, chosen);
    return best_;
  }

  void branch(Rows rows, Cover& chosen) {
    const std::size_t before = chosen.size();
    while (take_essential(rows, chosen)) has_work_left(rows.size());
    if (rows.empty()) {
      if (chosen.size() < best_.size()) best_ = chosen;
    } else if (is_minimal() && chosen.size() + lower_bound(rows) < best_.size()) {
      const auto shortest =
          std::ranges::min_element(rows, {}, [](const Bits& row) { return row.count(); }) - rows.begin();
      std::vector<std::size_t> tests;
      rows[static_cast<std::size_t>(shortest)].each([&](std::size_t test) { tests.push_back(test); });
      for (const std::size_t test : tests) {
        Rows rest = rows;
        has_work_left(rows.size() * Bits(tests_).words());
        take(rest, chosen, test);
        branch(std::move(rest), chosen);
        chosen.pop_back();
        // All covers with this test were looked at.
        for (Bits& row : rows) row.remove(test);
        if (std::ranges::any_of(rows, [](const Bits& row) { return row.count() == 0; })) break;
      }
    }
    chosen.resize(before);
  }

  std::size_t tests_;
  std::uint64_t work_ = 0;
  Cover best_;
};

}  // namespace

MinimisedSuite minimise(std::span<const std::vector<std::uint32_t>> edges, const std::vector<bool>& is_kept) {
  INVARIANT(edges.size() == is_kept.size(), "each test should be known as kept or not");
  std::map<std::uint32_t, Bits> row_of;
  for (std::size_t test = 0; test < edges.size(); ++test)
    for (const std::uint32_t edge : edges[test]) row_of.try_emplace(edge, edges.size()).first->second.add(test);
  MinimisedSuite suite;
  for (std::size_t test = 0; test < edges.size(); ++test) {
    if (!is_kept[test]) continue;
    suite.kept.push_back(test);
    for (const std::uint32_t edge : edges[test]) row_of.erase(edge);
  }
  Rows rows;
  for (auto& [edge, row] : row_of) rows.push_back(std::move(row));
  // Most edges are covered by the same tests as another one.
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  CoverSearch search(edges.size());
  const Cover cover = search.solve(std::move(rows));
  suite.kept.insert(suite.kept.end(), cover.begin(), cover.end());
  std::sort(suite.kept.begin(), suite.kept.end());
  suite.is_minimal = search.is_minimal();
  return suite;
}

MinimisedSuite minimise(std::span<const StoredTest> tests) {
  std::vector<std::vector<std::uint32_t>> edges;
  std::vector<bool> is_kept;
  for (const StoredTest& test : tests) {
    edges.push_back(test.edges);
    is_kept.push_back(is_error(test));
  }
  return minimise(edges, is_kept);
}

}  // namespace plumb::result
