#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "chain/exact/reals.h"

namespace plumb::chain {

/// The distinct weights of a chain while it is built, by bit pattern or fraction, shared by the threads that come upon
/// them. Numbers are given as weights come, so they depend on the threads until sort().
class WeightTable {
 public:
  /// What a thread knows of the table, to ask it rarely.
  class Reader {
   public:
    explicit Reader(WeightTable& table) : table_(table) {}
    std::uint32_t index(Value weight) {
      const auto bits = static_cast<std::uint64_t>(weight.integer);
      Known& known = known_[(bits * 0x9e3779b97f4a7c15) >> 56];
      if (known.bits != bits || known.index == kUnknown) known = {bits, table_.index(weight)};
      return known.index;
    }
    Value value(std::uint32_t index) {
      if (index >= values_.size()) table_.copy(values_);
      return values_[index];
    }

   private:
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
    struct Known {
      std::uint64_t bits = 0;
      std::uint32_t index = kUnknown;
    };
    WeightTable& table_;
    std::array<Known, 256> known_{};
    std::vector<Value> values_;
  };

  explicit WeightTable(Reals reals = Reals(nullptr)) : reals_(reals) {}

  std::uint32_t index(Value weight);
  /// Numbers the weights anew, the least first: result[old number] is the new one. Readers made before are void.
  std::vector<std::uint32_t> sort();
  std::vector<double> values() const;
  std::vector<Fraction> fractions() const;  ///< behind values(); empty if weights are doubles

 private:
  void copy(std::vector<Value>& into) const;

  Reals reals_;
  mutable std::mutex mutex_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> indices_;
  std::vector<Value> values_;
};

}  // namespace plumb::chain
