#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb::bip {

/// Which choice is made where a guide makes none: xorshift64*, seeded; the same here and in emitted programs.
class ChoiceGenerator {
 public:
  explicit ChoiceGenerator(std::uint64_t seed);
  /// An index below `count`, each as likely as the others. Where there is no choice (count 1) nothing is drawn.
  std::size_t choose(std::size_t count);

 private:
  std::uint64_t state_;
};

}  // namespace plumb::bip
