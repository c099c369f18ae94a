#include <gtest/gtest.h>

#include <array>
#include <random>

#include "term/evaluator.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kIndexWidth = 2;
constexpr std::uint32_t kWidth = 2;

/// Random array terms with, for a number of assignments, the arrays that they should be.
class ArrayTerms {
 public:
  explicit ArrayTerms(std::uint64_t seed) : random_(seed), assignments_(32) {
    for (int i = 0; i < 3; ++i) add_bits(store_.variable(kWidth, "x"));
    for (std::uint64_t v = 0; v < 4; ++v) bits_.push_back({store_.constant(kWidth, v), values(BitVector(kWidth, v))});
    for (int i = 0; i < 2; ++i) add_array(store_.variable(Sort{kWidth, kIndexWidth}, "a"));
    for (int i = 0; i < 2; ++i) {
      conditions_.push_back({store_.variable(1, "p"), {}});
      for (Assignment& a : assignments_) {
        conditions_.back().values.emplace_back(1, random_() & 1U);
        a.emplace(conditions_.back().term, conditions_.back().values.back());
      }
    }
  }

  void step() {
    const auto& a = pick(arrays_);
    const auto& b = pick(arrays_);
    const auto& i = pick(bits_);
    const auto& x = pick(bits_);
    const auto& p = pick(conditions_);
    switch (random_() % 6) {
      case 0:
      case 1:
        arrays_.push_back(map(
            store_.store(a.term, i.term, x.term),
            [&](std::size_t k) {
              ArrayValue result = a.values[k];
              result.elements.insert_or_assign(i.values[k], x.values[k]);
              return result;
            },
            a.values));
        break;
      case 2:
        arrays_.push_back(map(
            store_.ite(p.term, a.term, b.term),
            [&](std::size_t k) { return p.values[k].is_one() ? a.values[k] : b.values[k]; }, a.values));
        break;
      case 3:
        arrays_.push_back(map(
            store_.constant_array(kIndexWidth, x.term),
            [&](std::size_t k) { return ArrayValue{kIndexWidth, x.values[k], {}}; }, a.values));
        break;
      case 4:
        bits_.push_back(
            map(store_.select(a.term, i.term), [&](std::size_t k) { return a.values[k].at(i.values[k]); }, x.values));
        break;
      default: {
        bits_.push_back(
            map(store_.add(i.term, x.term), [&](std::size_t k) { return i.values[k] + x.values[k]; }, x.values));
        conditions_.push_back(map(
            store_.eq(a.term, b.term), [&](std::size_t k) { return BitVector(1, a.values[k] == b.values[k] ? 1 : 0); },
            p.values));
      }
    }
  }

  bool all_right() {
    for (std::size_t k = 0; k < assignments_.size(); ++k) {
      Evaluator evaluator(store_, assignments_[k]);
      for (const auto& a : arrays_)
        if (!(std::get<ArrayValue>(evaluator.value(a.term)) == a.values[k])) return false;
      for (const auto* group : {&bits_, &conditions_})
        for (const auto& x : *group)
          if (evaluator.bits(x.term) != x.values[k]) return false;
    }
    return true;
  }

 private:
  template <typename T>
  struct Entry {
    Term term;
    std::vector<T> values;  ///< by assignment
  };

  template <typename T>
  Entry<T> pick(const std::vector<Entry<T>>& entries) {
    return entries[random_() % entries.size()];
  }
  template <typename T, typename F>
  Entry<T> map(Term t, F&& value, const std::vector<T>&) {
    Entry<T> result{t, {}};
    for (std::size_t k = 0; k < assignments_.size(); ++k) result.values.push_back(value(k));
    return result;
  }
  std::vector<BitVector> values(const BitVector& v) const { return std::vector<BitVector>(assignments_.size(), v); }
  void add_bits(Term variable) {
    bits_.push_back({variable, {}});
    for (Assignment& a : assignments_) {
      bits_.back().values.emplace_back(kWidth, random_());
      a.emplace(variable, bits_.back().values.back());
    }
  }
  void add_array(Term variable) {
    arrays_.push_back({variable, {}});
    for (Assignment& a : assignments_) {
      ArrayValue v{kIndexWidth, BitVector(kWidth, random_()), {}};
      for (std::uint64_t i = 0; i < random_() % 5; ++i)
        v.elements.insert_or_assign(BitVector(kIndexWidth, random_()), BitVector(kWidth, random_()));
      arrays_.back().values.push_back(v);
      a.emplace(variable, v);
    }
  }

  TermStore store_;
  std::mt19937_64 random_;
  std::vector<Assignment> assignments_;
  std::vector<Entry<ArrayValue>> arrays_;
  std::vector<Entry<BitVector>> bits_;
  std::vector<Entry<BitVector>> conditions_;
};

TEST(RewriteArray, PreservesFunctionOnRandomTerms) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ArrayTerms terms(seed);
    for (int i = 0; i < 120; ++i) terms.step();
    ASSERT_TRUE(terms.all_right()) << "seed " << seed;
  }
}

TEST(RewriteArray, AReadSkipsWritesAtOtherConstants) {
  TermStore s;
  const Term a = s.variable(Sort{8, 32}, "a");
  Term t = a;
  std::array<Term, 16> x{};
  for (std::uint64_t i = 0; i < 16; ++i) t = s.store(t, s.constant(32, i), x[i] = s.variable(8, "x"));
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(s.select(t, s.constant(32, i)), x[i]);
  EXPECT_EQ(s.select(t, s.constant(32, 16)), s.select(a, s.constant(32, 16)));
  const Term unknown = s.variable(32, "i");
  EXPECT_EQ(s.child(s.select(t, unknown), 0), t);
}

TEST(RewriteArray, AReadSkipsWritesAtOtherOffsetsOfItsBase) {
  TermStore s;
  const Term a = s.variable(Sort{8, 32}, "a");
  const Term base = s.add(s.variable(32, "base"), s.variable(32, "i"));
  const auto at = [&](std::uint64_t offset) { return s.add(base, s.constant(32, offset)); };
  Term t = a;
  std::array<Term, 4> x{};
  for (std::uint64_t i = 0; i < 4; ++i) t = s.store(t, at(i), x[i] = s.variable(8, "x"));
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(s.select(t, at(i)), x[i]);
  EXPECT_EQ(s.select(t, at(4)), s.select(a, at(4)));
  EXPECT_EQ(s.select(t, s.sub(base, s.one(32))), s.select(a, s.sub(base, s.one(32))));
}

TEST(RewriteArray, WritesThatChangeNothingVanish) {
  TermStore s;
  const Term a = s.variable(Sort{8, 4}, "a");
  const Term i = s.variable(4, "i");
  const Term x = s.variable(8, "x");
  const Term y = s.variable(8, "y");
  EXPECT_EQ(s.store(a, i, s.select(a, i)), a);
  EXPECT_EQ(s.store(s.store(a, i, y), i, x), s.store(a, i, x));
  const Term zeros = s.constant_array(4, s.zero(8));
  EXPECT_EQ(s.store(zeros, i, s.zero(8)), zeros);
  EXPECT_EQ(s.select(zeros, i), s.zero(8));
  EXPECT_TRUE(s.is_true(s.eq(s.store(a, i, x), s.store(a, i, x))));
}

}  // namespace
}  // namespace plumb::term
