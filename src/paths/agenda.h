#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "paths/domains.h"

namespace plumb::paths {

/// The queue Q of the search: cells that the path needs and that may still leave something open, what the program
/// computes last first. Looking at a cell takes it out; going back puts it in again. A cell may be in it that the path
/// does not need any more.
class Agenda {
 public:
  explicit Agenda(const Domains& domains) : domains_(domains) {}

  /// Up to date with what has become active and has changed.
  void update();
  void backtrack();
  /// The next cell that is active; kNoCell if there is none. It stays.
  Cell top();
  /// Nothing is open at the top, on this level and those above.
  void pop();

 private:
  struct Done {
    Cell cell = 0;
    std::uint32_t level = 0;
  };
  void put(Cell c);

  const Domains& domains_;
  std::priority_queue<std::pair<std::uint32_t, Cell>> queue_;  ///< by term
  std::vector<bool> is_in_;
  std::vector<Done> done_;
  std::size_t seen_activated_ = 0;
  std::size_t seen_changes_ = 0;
};

}  // namespace plumb::paths
