#include "chain/state_set.h"

namespace plumb::chain {

StateSet& StateSet::operator&=(const StateSet& other) noexcept {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

StateSet& StateSet::operator|=(const StateSet& other) noexcept {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

StateSet StateSet::complement() const {
  StateSet result = *this;
  for (std::uint64_t& word : result.words_) word = ~word;
  result.trim();
  return result;
}

}  // namespace plumb::chain
