// Linear temporal logic over random chains against other algorithms. For a dtmc: Courcoubetis and Yannakakis, "The
// complexity of probabilistic verification" (Journal of the ACM 42, 1995), section 3.1: temporal operators are taken
// out one by one, innermost first, by splitting each state into one where the operator's formula holds and one where it
// does not. For an mdp and formulas about what happens for ever: all end components, by going through all sets of
// states.

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "unit/lang/prism/random_models.h"

namespace plumb::prism {
namespace {

using chain::Kind;
using Method = chain::AnalysisOptions::Method;

/// A chain with few ways on and two states that are never left, so that there are several ends that it can come to.
RandomModel sparse(Kind kind, std::uint32_t states, std::uint32_t seed) {
  RandomModel model(kind, states, seed);
  std::mt19937 random(seed);
  chain::Chain& chain = model.chain;
  chain.rows = {};
  chain.choices = {};
  chain.rewards.clear();
  for (std::uint32_t s = 0; s < states; ++s) {
    const bool is_end = s + 2 >= states;
    const auto choices = static_cast<std::uint32_t>(kind == Kind::Mdp && !is_end ? 1 + random() % 3 : 1);
    for (std::uint32_t c = 0; c < choices; ++c) {
      const double part = static_cast<double>(1 + random() % 3) / 4;
      const auto target = [&] { return is_end ? s : static_cast<chain::StateId>(random() % states); };
      std::vector<chain::Rows::Entry> row{{target(), part}, {target(), 1 - part}};
      chain.rows.add_row(row);
    }
    if (kind == Kind::Mdp) chain.choices.push_back(choices);
  }
  chain.rows.finish();
  return model;
}

/// A random formula, as text and as a list of nodes whose operands come before them.
struct LtlFormula {
  struct Node {
    char sign;  // a, b, c, !, &, |, X, U, F, G
    std::size_t left;
    std::size_t right;
  };
  std::vector<Node> nodes;
  std::string text;
};

class LtlGenerator {
 public:
  explicit LtlGenerator(std::uint32_t seed) : random_(seed) {}

  LtlFormula formula(int depth) {
    result_ = {};
    result_.text = add(depth);
    return result_;
  }

 private:
  std::string add(int depth) {
    static constexpr std::array<char, 7> kSigns{'!', '&', '|', 'X', 'U', 'F', 'G'};
    if (depth == 0 || random_() % 8 == 0) {
      const auto label = static_cast<char>('a' + random_() % 3);
      result_.nodes.push_back({label, 0, 0});
      return std::string("\"") + label + "\"";
    }
    const char sign = kSigns[random_() % kSigns.size()];
    const std::string left = add(depth - 1);
    const std::size_t first = result_.nodes.size() - 1;
    if (sign == '&' || sign == '|' || sign == 'U') {
      const std::string right = add(depth - 1);
      result_.nodes.push_back({sign, first, result_.nodes.size() - 1});
      return "(" + left + " " + sign + " " + right + ")";
    }
    result_.nodes.push_back({sign, first, first});
    return "(" + std::string(1, sign) + " " + left + ")";
  }

  std::mt19937 random_;
  LtlFormula result_;
};

using Matrix = std::vector<std::vector<double>>;

/// Probabilities of a U b by elimination of what is neither certain nor impossible.
std::vector<double> until_values(const Matrix& p, const std::vector<bool>& a, const std::vector<bool>& b) {
  const std::size_t n = p.size();
  std::vector<bool> can = b;  // reaches b through a
  for (std::size_t round = 0; round < n; ++round)
    for (std::size_t s = 0; s < n; ++s)
      for (std::size_t t = 0; t < n; ++t)
        if (a[s] && p[s][t] > 0 && can[t]) can[s] = true;
  Matrix m(n, std::vector<double>(n + 1));
  for (std::size_t s = 0; s < n; ++s) {
    m[s][s] = 1;
    if (b[s]) m[s][n] = 1;
    if (b[s] || !can[s]) continue;
    for (std::size_t t = 0; t < n; ++t) m[s][t] -= p[s][t];
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t s = k; s < n; ++s)
      if (std::abs(m[s][k]) > std::abs(m[pivot][k])) pivot = s;
    std::swap(m[k], m[pivot]);
    for (std::size_t s = 0; s < n; ++s) {
      if (s == k || m[s][k] == 0) continue;
      const double factor = m[s][k] / m[k][k];
      for (std::size_t t = k; t <= n; ++t) m[s][t] -= factor * m[k][t];
    }
  }
  std::vector<double> result(n);
  for (std::size_t s = 0; s < n; ++s) result[s] = m[s][n] / m[s][s];
  return result;
}

/// A dtmc whose states are being split, with the truth of subformulas in each.
class Splitting {
 public:
  explicit Splitting(const RandomModel& model) {
    const auto n = static_cast<std::size_t>(model.chain.states);
    p_.assign(n, std::vector<double>(n));
    for (chain::StateId s = 0; s < n; ++s)
      model.chain.rows.for_each(s, [&](chain::StateId t, double weight) { p_[s][t] += weight; });
    start_.assign(n, 0);
    start_[0] = 1;
    for (const chain::StateSet& label : model.labels) {
      labels_.emplace_back(n);
      for (chain::StateId s = 0; s < n; ++s) labels_.back()[s] = label.contains(s);
    }
  }

  double probability(const LtlFormula& formula) {
    for (const LtlFormula::Node& node : formula.nodes) add(node);
    double result = 0;
    for (std::size_t s = 0; s < p_.size(); ++s)
      if (truth_.back()[s]) result += start_[s];
    return result;
  }

 private:
  void add(const LtlFormula::Node& node) {
    const std::size_t n = p_.size();
    if (node.sign >= 'a' && node.sign <= 'c')
      return truth_.push_back(labels_[static_cast<std::size_t>(node.sign - 'a')]);
    const std::vector<bool>& left = truth_[node.left];
    const std::vector<bool>& right = truth_[node.right];
    std::vector<bool> value(n);
    if (node.sign == '!' || node.sign == '&' || node.sign == '|') {
      for (std::size_t s = 0; s < n; ++s)
        value[s] = node.sign == '!' ? !left[s] : node.sign == '&' ? left[s] && right[s] : left[s] || right[s];
      return truth_.push_back(value);
    }
    if (node.sign == 'X') return split_next(left);
    if (node.sign == 'U') return split_until(left, right, false);
    std::vector<bool> target = left;
    if (node.sign == 'G') target.flip();
    split_until(std::vector<bool>(n, true), target, node.sign == 'G');
  }

  void split_next(const std::vector<bool>& target) {
    std::vector<double> q(p_.size());
    for (std::size_t s = 0; s < p_.size(); ++s)
      for (std::size_t t = 0; t < p_.size(); ++t)
        if (target[t]) q[s] += p_[s][t];
    split(q, false, [target](std::size_t, bool is_yes, std::size_t t, bool) { return target[t] == is_yes; });
  }

  void split_until(const std::vector<bool>& a, const std::vector<bool>& b, bool negated) {
    // While a holds and b does not yet, the formula is what it is in the next state.
    split(until_values(p_, a, b), negated, [a, b](std::size_t s, bool is_yes, std::size_t, bool next_is_yes) {
      return !a[s] || b[s] || is_yes == next_is_yes;
    });
  }

  /// `q` by state: the probability that the formula holds there. `goes` tells whether a state where it has one value
  /// may be followed by a state where it has another.
  template <typename Goes>
  void split(std::vector<double> q, bool negated, Goes goes) {
    for (double& x : q) x = x < 1e-12 ? 0 : x > 1 - 1e-12 ? 1 : x;
    struct Copy {
      std::size_t original;
      bool is_yes;
    };
    std::vector<Copy> copies;
    for (std::size_t s = 0; s < p_.size(); ++s) {
      if (q[s] > 0) copies.push_back({s, true});
      if (q[s] < 1) copies.push_back({s, false});
    }
    const auto share = [&](const Copy& copy) { return copy.is_yes ? q[copy.original] : 1 - q[copy.original]; };
    Matrix p(copies.size(), std::vector<double>(copies.size()));
    std::vector<double> start(copies.size());
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const Copy& from = copies[i];
      start[i] = start_[from.original] * share(from);
      double total = 0;
      for (std::size_t j = 0; j < copies.size(); ++j) {
        const Copy& to = copies[j];
        if (goes(from.original, from.is_yes, to.original, to.is_yes))
          p[i][j] = p_[from.original][to.original] * share(to);
        total += p[i][j];
      }
      for (double& x : p[i]) x /= total;
    }
    for (std::vector<std::vector<bool>>* sets : {&truth_, &labels_})
      for (std::vector<bool>& set : *sets) {
        std::vector<bool> moved;
        for (const Copy& copy : copies) moved.push_back(set[copy.original]);
        set = moved;
      }
    truth_.emplace_back();
    for (const Copy& copy : copies) truth_.back().push_back(copy.is_yes != negated);
    p_ = std::move(p);
    start_ = std::move(start);
  }

  Matrix p_;
  std::vector<double> start_;
  std::vector<std::vector<bool>> labels_;
  std::vector<std::vector<bool>> truth_;
};

TEST(RandomLtl, OfADtmcAgreesWithSplittingItsStates) {
  std::size_t between = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    const RandomModel model = sparse(Kind::Dtmc, 3 + seed % 4, 5000 + seed);
    const LtlFormula formula = LtlGenerator(seed).formula(2 + static_cast<int>(seed % 3));
    if (formula.text.find_first_of("XUFG") == std::string::npos) continue;
    const double expected = Splitting(model).probability(formula);
    const chain::Bounded found = model.number("P=? [ " + formula.text + " ]", with_method(Method::Automatic, 1e-9));
    ASSERT_NEAR(found.value, expected, 1e-8) << seed << " " << formula.text;
    between += expected > 0.01 && expected < 0.99 ? 1 : 0;
  }
  EXPECT_GT(between, 100U) << "not only trivial ones";
}

/// A combination of "for ever again" and "from some point on", as text and as what a set of states, all of them visited
/// for ever, makes of it.
struct Tail {
  std::string text;
  std::function<bool(std::uint32_t)> holds;
};

Tail random_tail(const RandomModel& model, std::mt19937& random, int depth) {
  if (depth == 0) {
    const auto label = static_cast<std::size_t>(random() % 3);
    std::uint32_t states = 0;
    model.labels[label].for_each([&](chain::StateId s) { states |= 1U << s; });
    const std::string name = std::string("\"") + static_cast<char>('a' + label) + "\"";
    if (random() % 2 == 0) return {"(G F " + name + ")", [=](std::uint32_t set) { return (set & states) != 0; }};
    return {"(F G " + name + ")", [=](std::uint32_t set) { return (set & ~states) == 0; }};
  }
  const Tail a = random_tail(model, random, depth - 1);
  const Tail b = random_tail(model, random, depth - 1);
  if (random() % 2 == 0)
    return {"(" + a.text + " & " + b.text + ")", [=](std::uint32_t set) { return a.holds(set) && b.holds(set); }};
  return {"(" + a.text + " | " + b.text + ")", [=](std::uint32_t set) { return a.holds(set) || b.holds(set); }};
}

/// Whether the choices that stay in the set connect all of it, each with each.
bool is_end_component(const chain::Chain& chain, std::uint32_t set) {
  std::vector<std::uint32_t> next(chain.states);
  for (chain::StateId s = 0; s < chain.states; ++s) {
    if ((set >> s & 1) == 0) continue;
    const std::uint64_t first = chain.first_row(s);
    for (std::uint64_t row = first; row < first + chain.row_count(s); ++row) {
      std::uint32_t targets = 0;
      chain.rows.for_each(row, [&](chain::StateId t, double) { targets |= 1U << t; });
      if ((targets & ~set) == 0) next[s] |= targets;
    }
    if (next[s] == 0) return false;
  }
  for (chain::StateId s = 0; s < chain.states; ++s) {
    if ((set >> s & 1) == 0) continue;
    std::uint32_t reached = next[s];
    for (std::uint64_t round = 0; round < chain.states; ++round)
      for (chain::StateId t = 0; t < chain.states; ++t)
        if ((reached >> t & 1) != 0) reached |= next[t];
    if (reached != set) return false;
  }
  return true;
}

TEST(RandomLtl, OfAnMdpAgreesWithAllItsEndComponents) {
  std::size_t between = 0;
  for (std::uint32_t seed = 0; seed < 800; ++seed) {
    const RandomModel model = sparse(Kind::Mdp, 4 + seed % 4, 6000 + seed);
    std::mt19937 random(seed);
    const Tail tail = random_tail(model, random, 1 + static_cast<int>(seed % 2));
    const auto best = [&](bool wanted) {
      chain::StateSet target(model.chain.states);
      for (std::uint32_t set = 1; set < (1U << model.chain.states); ++set)
        if (is_end_component(model.chain, set) && tail.holds(set) == wanted)
          for (chain::StateId s = 0; s < model.chain.states; ++s)
            if ((set >> s & 1) != 0) target.insert(s);
      chain::AnalysisOptions exact;
      exact.method = Method::Exact;
      exact.threads = 1;
      return chain::until(model.chain, chain::StateSet(model.chain.states, true), target, chain::Direction::Max, exact,
                          Budget())
          .value(0);
    };
    const chain::CheckOptions narrow = with_method(Method::Automatic, 1e-9);
    const double greatest = best(true);
    ASSERT_NEAR(model.number("Pmax=? [ " + tail.text + " ]", narrow).value, greatest, 1e-8) << seed << tail.text;
    ASSERT_NEAR(model.number("Pmin=? [ " + tail.text + " ]", narrow).value, 1 - best(false), 1e-8) << seed << tail.text;
    between += greatest > 0.01 && greatest < 0.99 ? 1 : 0;
  }
  EXPECT_GT(between, 40U) << "not only trivial ones";
}

}  // namespace
}  // namespace plumb::prism
