#include "lang/bip/run/choice_generator.h"

#include "base/error.h"

namespace plumb::bip {

// The state of xorshift must not be zero. The low bit is set in all, so that seeds 2k and 2k + 1 would be one if they
// were not spread first (the finaliser of splitmix64).
ChoiceGenerator::ChoiceGenerator(std::uint64_t seed) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  state_ = (z ^ (z >> 31)) | 1;
}

std::size_t ChoiceGenerator::choose(std::size_t count) {
  INVARIANT(count > 0 && count <= UINT32_MAX, "there should be something to choose");
  if (count == 1) return 0;
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  const std::uint64_t random = (state_ * 0x2545f4914f6cdd1dU) >> 32;
  return static_cast<std::size_t>((random * count) >> 32);
}

}  // namespace plumb::bip
