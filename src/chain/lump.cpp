#include "chain/lump.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.h"
#include "chain/lump_parts.h"

namespace plumb::chain {
namespace {

/// Makes the chain of blocks from one state of each, and checks the others against it.
class QuotientMaker {
 public:
  QuotientMaker(const Chain& chain, const LumpKeep& keep, const Blocks& blocks, const Budget& budget)
      : chain_(chain), keep_(keep), blocks_(blocks), budget_(budget), sees_inner_(sees_inner_moves(chain, keep)) {}

  Chain make();
  /// Whether every state of a block has its values and its rows.
  bool fits(const Chain& quotient);

 private:
  struct Choice {
    std::vector<std::uint64_t> colour;
    std::vector<std::pair<StateId, double>> sums;
    std::uint64_t row;

    bool operator==(const Choice& other) const { return colour == other.colour && sums == other.sums; }
  };
  /// The different choices of a state.
  void find_choices(StateId s);
  void add_state(StateId s, Chain& into);

  const Chain& chain_;
  const LumpKeep& keep_;
  const Blocks& blocks_;
  const Budget& budget_;
  bool sees_inner_;
  WeightSums<StateId> sums_;
  std::vector<Choice> choices_;
  std::vector<StateId> representatives_;
};

void QuotientMaker::find_choices(StateId s) {
  choices_.clear();
  const std::uint64_t first = chain_.first_row(s);
  for (std::uint64_t row = first; row < first + chain_.row_count(s); ++row) {
    sums_.clear();
    chain_.rows.for_each(row, [&](StateId target, double weight) {
      if (sees_inner_ || blocks_.of_state[target] != blocks_.of_state[s]) sums_.add(blocks_.of_state[target], weight);
    });
    sums_.finish();
    Choice choice{colour_of_row(chain_, keep_, row), sums_.sums(), row};
    if (std::ranges::find(choices_, choice) == choices_.end()) choices_.push_back(std::move(choice));
  }
}

void QuotientMaker::add_state(StateId s, Chain& into) {
  find_choices(s);
  std::vector<Rows::Entry> entries;
  for (const Choice& choice : choices_) {
    entries.clear();
    for (const auto& [block, weight] : choice.sums) entries.push_back({block, weight});
    // What only moves inside of its block stays there for ever.
    if (entries.empty()) entries.push_back({blocks_.of_state[s], 1.0});
    into.rows.add_row(entries);
    for (const std::size_t r : keep_.rewards)
      if (chain_.rewards[r].rows.size() != 0) into.rewards[r].rows.push_back(chain_.rewards[r].rows[choice.row]);
  }
  if (chain_.kind == Kind::Mdp) into.choices.push_back(static_cast<std::uint32_t>(choices_.size()));
  for (const std::size_t r : keep_.rewards)
    if (chain_.rewards[r].states.size() != 0) into.rewards[r].states.push_back(chain_.rewards[r].states[s]);
}

Chain QuotientMaker::make() {
  Chain result;
  result.kind = chain_.kind;
  result.states = blocks_.count;
  result.rewards = std::vector<Chain::Rewards>(chain_.rewards.size());
  for (std::size_t r = 0; r < chain_.rewards.size(); ++r) result.rewards[r].name = chain_.rewards[r].name;
  for (std::uint64_t s = 0; s < chain_.states; ++s) {
    if (blocks_.of_state[s] != representatives_.size()) continue;
    representatives_.push_back(static_cast<StateId>(s));
    add_state(static_cast<StateId>(s), result);
  }
  result.rows.finish();
  result.choices.shrink();
  for (Chain::Rewards& rewards : result.rewards) {
    rewards.states.finish();
    rewards.rows.finish();
  }
  result.deadlocks = StateSet(blocks_.count);
  for (const StateId s : chain_.initial)
    if (std::ranges::find(result.initial, blocks_.of_state[s]) == result.initial.end())
      result.initial.push_back(blocks_.of_state[s]);
  return result;
}

bool QuotientMaker::fits(const Chain& quotient) {
  for (std::uint64_t i = 0; i < chain_.states; ++i) {
    if ((i & 0xfffff) == 0) budget_.check();
    const auto s = static_cast<StateId>(i);
    const StateId block = blocks_.of_state[s];
    if (colour_of_state(chain_, keep_, s) != colour_of_state(chain_, keep_, representatives_[block])) return false;
    find_choices(s);
    const std::uint64_t first = quotient.first_row(block);
    if (choices_.size() != quotient.row_count(block)) return false;
    std::vector<Choice> expected;
    for (std::uint64_t row = first; row < first + quotient.row_count(block); ++row) {
      expected.push_back({colour_of_row(quotient, keep_, row), {}, row});
      quotient.rows.for_each(row, [&](StateId target, double weight) {
        if (sees_inner_ || target != block) expected.back().sums.emplace_back(target, weight);
      });
    }
    if (!std::ranges::is_permutation(choices_, expected)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint64_t> colour_of_state(const Chain& chain, const LumpKeep& keep, StateId s) {
  std::vector<std::uint64_t> colour;
  for (const StateSet* set : keep.sets) colour.push_back(set->contains(s) ? 1 : 0);
  for (const auto* numbers : keep.numbers) colour.push_back(std::bit_cast<std::uint64_t>((*numbers)[s]));
  for (const std::size_t r : keep.rewards) {
    const ValueColumn& values = chain.rewards[r].states;
    colour.push_back(values.size() == 0 ? 0 : std::bit_cast<std::uint64_t>(values[s]));
  }
  return colour;
}

std::vector<std::uint64_t> colour_of_row(const Chain& chain, const LumpKeep& keep, std::uint64_t row) {
  std::vector<std::uint64_t> colour;
  for (const std::size_t r : keep.rewards) {
    const ValueColumn& values = chain.rewards[r].rows;
    colour.push_back(values.size() == 0 ? 0 : std::bit_cast<std::uint64_t>(values[row]));
  }
  return colour;
}

std::optional<Lumped> lump(const Chain& chain, const LumpKeep& keep, std::uint64_t most_blocks, LumpEffort effort,
                           unsigned threads, const Budget& budget) {
  constexpr int kRounds = 100;
  require_rows(chain, "lumping");
  HashedBlocks hashed = blocks_by_hashing(chain, keep, most_blocks, kRounds, threads, budget);
  if (hashed.has_too_many || (!hashed.blocks && effort == LumpEffort::Quick)) return std::nullopt;
  std::optional<Blocks> blocks =
      hashed.blocks ? std::move(hashed.blocks) : blocks_by_splitting(chain, keep, most_blocks, budget);
  if (!blocks) return std::nullopt;
  QuotientMaker maker(chain, keep, *blocks, budget);
  Chain quotient = maker.make();
  INVARIANT(maker.fits(quotient), "states of a block should have the same rows");
  return Lumped{std::move(quotient), std::move(blocks->of_state)};
}

}  // namespace plumb::chain
