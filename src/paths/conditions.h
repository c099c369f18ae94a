#pragma once

#include <span>
#include <vector>

#include "paths/domains.h"

namespace plumb::paths {

/// The conditional nodes of a property's slice in the order of the program, for choices from the precondition on
/// (CPBPV, section 2.3): what decides between joined values, needed or not.
class Conditions {
 public:
  explicit Conditions(const Domains& domains) : domains_(domains) {}

  /// Those below the properties.
  void start(std::span<const Term> properties);
  /// The first one that is open; kNoCell if none is.
  Cell next();
  /// Back to a level of the domains.
  void backtrack();

 private:
  const Domains& domains_;
  std::vector<Cell> all_;
  std::vector<std::size_t> closed_;  ///< by level: so many are known there
  term::TermSet seen_;
};

}  // namespace plumb::paths
