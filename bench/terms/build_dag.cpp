// Builds a DAG of a million different terms over a few variables and holds the store to its bars: a second, and 48
// bytes a term. Operands are drawn from all terms made so far, so that rules are tried in vain and next to nothing
// simplifies away: this is the cost of making terms, not that of the rules that apply.

#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

#include "term/term_store.h"

namespace plumb::term {
namespace {

constexpr std::uint32_t kTerms = 1'000'000;
constexpr std::uint32_t kWidth = 32;
constexpr unsigned kVariables = 8;
constexpr double kMaxSeconds = 1;
constexpr double kMaxBytes = 48;

/// Sums, choices, exclusive ors and comparisons, a quarter each. Gives the number of terms asked for.
std::uint32_t build_dag(TermStore& s) {
  std::mt19937_64 random(1);
  std::vector<Term> words;
  for (unsigned i = 0; i < kVariables; ++i) words.push_back(s.variable(kWidth, "x"));
  const auto word = [&] { return words[random() % words.size()]; };
  std::vector<Term> conditions = {s.ult(words[0], words[1])};
  std::uint32_t asked = 0;
  for (; s.size() <= kTerms; ++asked) {
    const Term a = word();
    const Term b = word();
    switch (random() % 4) {
      case 0:
        conditions.push_back(asked % 2 == 0 ? s.ult(a, b) : s.eq(a, b));
        break;
      case 1:
        words.push_back(s.ite(conditions[random() % conditions.size()], a, b));
        break;
      case 2:
        words.push_back(s.bit_xor(a, b));
        break;
      default:
        words.push_back(s.add(a, b));
        break;
    }
  }
  return asked;
}

int run() {
  // Processor time: what else the machine does is not the store's cost.
  const std::clock_t start = std::clock();
  TermStore store;
  const std::uint32_t asked = build_dag(store);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double bytes = static_cast<double>(store.memory()) / store.size();
  std::printf("terms           %u (of %u asked for)\nseconds         %.3f\nbytes a term    %.1f\n", store.size(), asked,
              seconds, bytes);
  const bool passes = seconds <= kMaxSeconds && bytes <= kMaxBytes;
  if (!passes) std::printf("too slow or too large: the bars are %.0f s and %.0f bytes\n", kMaxSeconds, kMaxBytes);
  return passes ? 0 : 1;
}

}  // namespace
}  // namespace plumb::term

int main() { return plumb::term::run(); }
