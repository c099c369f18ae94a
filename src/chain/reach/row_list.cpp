#include "chain/reach/row_list.h"

namespace plumb::chain {

void RowList::load(const Chain& chain, std::span<const StateId> states) {
  places_.resize(states.size());
  begins_.clear();
  const auto fill = [&](auto rows_of, auto counts) {
    std::uint64_t row = 0;
    std::uint64_t transition = 0;
    StateId next = ~StateId{0};
    for (std::size_t i = 0; i < states.size(); ++i) {
      const StateId s = states[i];
      if (s != next) {
        row = chain.first_row(s);
        transition = chain.rows.begin(row);
      }
      next = s + 1;
      const std::uint32_t count = rows_of(s);
      places_[i] = {row, count, static_cast<std::uint32_t>(begins_.size())};
      begins_.push_back(transition);
      for (std::uint32_t r = 0; r < count; ++r) {
        transition += counts[row++];
        begins_.push_back(transition);
      }
    }
  };
  chain.rows.offsets().counts().visit([&](auto counts) {
    if (chain.choices.size() == 0)
      fill([](StateId) { return std::uint32_t{1}; }, counts);
    else
      chain.choices.counts().visit(
          [&](auto choices) { fill([&](StateId s) { return static_cast<std::uint32_t>(choices[s]); }, counts); });
  });
}

}  // namespace plumb::chain
