#include "explore/discipline.h"

#include <algorithm>

namespace plumb::explore {

template <typename Visit>
void Discipline::for_each_cell(const Access& access, Visit&& visit) {
  if (access.size == 0) return;
  for (std::uint64_t c = access.address / kCellBytes; c <= (access.address + access.size - 1) / kCellBytes; ++c)
    visit(c);
}

void Discipline::widen(Cell& cell, const Access& access) {
  cell.is_of_many = cell.is_of_many || cell.thread != access.thread;
  cell.is_written = cell.is_written || access.is_write;
  std::erase_if(cell.mutexes, [&](std::uint64_t m) { return std::ranges::find(access.held, m) == access.held.end(); });
}

bool Discipline::hides(const Access& access) const {
  bool is_hidden = true;
  for_each_cell(access, [&](std::uint64_t c) {
    if (!is_hidden) return;
    if (contended_.contains(c)) {
      is_hidden = false;
      return;
    }
    const auto known = cells_.find(c);
    if (known == cells_.end()) return;
    Cell widened = known->second;
    widen(widened, access);
    is_hidden = widened.is_kept_apart();
  });
  return is_hidden;
}

void Discipline::add(const Access& access) {
  for_each_cell(access, [&](std::uint64_t c) {
    if (contended_.contains(c)) return;
    const auto [known, is_new] = cells_.try_emplace(c);
    Cell& cell = known->second;
    if (is_new) {
      cell.thread = access.thread;
      cell.mutexes.assign(access.held.begin(), access.held.end());
    }
    const bool was_kept_apart = cell.is_kept_apart();
    widen(cell, access);
    if (was_kept_apart && !cell.is_kept_apart()) broken_.push_back(c);
  });
}

void Discipline::mend() {
  contended_.insert(broken_.begin(), broken_.end());
  for (const std::uint64_t c : broken_) cells_.erase(c);
  broken_.clear();
}

}  // namespace plumb::explore
