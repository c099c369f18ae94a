#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/node_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "explore/blob_store.h"
#include "explore/value.h"
#include "semantics/threads.h"

namespace plumb::explore {

/// A state: control, which is everything but values that are terms, and data, the set of valuations that these have.
/// Equal numbers are equal states.
struct State {
  TreeStore::Id control = 0;
  std::uint32_t data = 0;  ///< 0: everything is a number
  friend bool operator==(const State&, const State&) = default;
};

/// The parts of states, each kept once.
class Store {
 public:
  using Rules = semantics::Threads<std::uint64_t, std::uint8_t>;
  using RulesId = std::uint32_t;

  /// The values that stand in the holes of a control, in order, and what is known of the variables in them: the set of
  /// all lists of values that some assignment gives.
  struct Data {
    std::vector<Term> values;
    std::vector<Term> constraints;
    bool empty() const noexcept { return values.empty() && constraints.empty(); }
    friend bool operator==(const Data&, const Data&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Data& d) {
      return H::combine(std::move(h), d.values, d.constraints);
    }
  };

  Store();

  BlobStore blobs;
  TreeStore trees;

  RulesId intern(const Rules& rules);
  const Rules& rules(RulesId id) const { return rules_[id]; }
  std::uint32_t intern(Data data);
  const Data& data(std::uint32_t id) const { return *data_[id]; }
  std::uint64_t bytes() const noexcept;

 private:
  std::vector<Rules> rules_;
  absl::flat_hash_map<std::vector<std::uint64_t>, RulesId> rules_ids_;
  absl::node_hash_map<Data, std::uint32_t> data_ids_;
  std::vector<const Data*> data_;  ///< in data_ids_, whose entries do not move
  std::uint64_t data_bytes_ = 0;
};

}  // namespace plumb::explore
