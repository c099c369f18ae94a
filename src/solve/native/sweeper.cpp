#include "solve/native/sweeper.h"

#include <array>

namespace plumb::solve {

using circuit::Lit;

namespace {

constexpr int kRandomWords = 16;

}  // namespace

Sweeper::Sweeper(circuit::Aig& aig, int max_conflicts, const Budget& budget)
    : aig_(aig), max_conflicts_(max_conflicts), budget_(budget), sat_(SolverOptions{}), cnf_(aig, sat_) {}

std::uint64_t Sweeper::random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_;
}

void Sweeper::add_patterns(bool from_model) {
  for (std::size_t i = 0; i < cone_.size(); ++i) {
    const std::uint32_t node = cone_[i];
    if (node == 0) {
      words_[i] = 0;
    } else if (!aig_.is_and(node)) {
      words_[i] = random();
      if (from_model) {
        const int variable = cnf_.variable(node);
        const bool value = variable != 0 && sat_.value(variable);
        // The model in pattern 0; in the others each input differs with a probability of one in eight.
        words_[i] = (value ? ~std::uint64_t{0} : 0) ^ (words_[i] & random() & random() & ~std::uint64_t{1});
      }
    } else {
      const auto value = [&](Lit lit) {
        return words_[place_[lit.node()]] ^ (lit.complemented() ? ~std::uint64_t{0} : 0);
      };
      words_[i] = value(aig_.fanin0(node)) & value(aig_.fanin1(node));
    }
  }
  const bool is_first = phases_.empty();
  if (is_first) phases_.resize(cone_.size());
  for (std::size_t i = 0; i < cone_.size(); ++i) {
    if (is_first) phases_[i] = (words_[i] & 1) != 0;
    hashes_[i] = (hashes_[i] ^ (phases_[i] ? ~words_[i] : words_[i])) * 0x9fb21c651e98df25;
    hashes_[i] ^= hashes_[i] >> 32;
  }
}

void Sweeper::group(std::size_t processed) {
  classes_.clear();
  for (std::uint32_t i = 0; i < processed; ++i) classes_.try_emplace(hashes_[i], i);
}

bool Sweeper::prove_equal(Lit a, Lit b) {
  const int x = cnf_.equivalent(a, Budget());
  const int y = cnf_.equivalent(b, Budget());
  for (const auto& assumptions : {std::array{x, -y}, std::array{-x, y}}) {
    const Answer answer = sat_.solve(assumptions, budget_, max_conflicts_);
    if (answer == Answer::Sat) add_patterns(true);
    if (answer != Answer::Unsat) return false;
  }
  for (const auto& clause : {std::array{-x, y}, std::array{x, -y}}) sat_.add_clause(clause);
  return true;
}

std::vector<Lit> Sweeper::sweep(std::span<const Lit> roots) {
  cone_ = aig_.cone(roots);
  if (cone_.empty() || cone_[0] != 0) cone_.insert(cone_.begin(), 0);
  place_.resize(aig_.size());
  for (std::uint32_t i = 0; i < cone_.size(); ++i) place_[cone_[i]] = i;
  words_.resize(cone_.size());
  hashes_.resize(cone_.size());
  map_.resize(cone_.size());
  for (int i = 0; i < kRandomWords; ++i) add_patterns(false);

  for (std::uint32_t i = 0; i < cone_.size(); ++i) {
    const std::uint32_t node = cone_[i];
    map_[i] = aig_.is_and(node) ? aig_.and_(rebuilt(aig_.fanin0(node)), rebuilt(aig_.fanin1(node))) : Lit::of(node);
    // Each counterexample takes the node out of the class it was compared with, so this ends.
    while (!budget_.exceeded()) {
      const auto [it, is_first] = classes_.try_emplace(hashes_[i], i);
      if (is_first || it->second == i) break;
      const Lit candidate = map_[it->second] ^ (phases_[it->second] != phases_[i]);
      if (candidate == map_[i]) break;
      const std::uint64_t before = hashes_[i];
      if (prove_equal(map_[i], candidate)) {
        map_[i] = candidate;
        ++merged_;
        break;
      }
      if (hashes_[i] == before) break;  // undecided
      group(i);
    }
  }
  std::vector<Lit> result;
  for (const Lit root : roots) result.push_back(rebuilt(root));
  return result;
}

}  // namespace plumb::solve
