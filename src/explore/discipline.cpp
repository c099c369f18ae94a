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
  if (access.is_write) {
    cell.is_written_by_many = cell.is_written_by_many || (cell.writer != kNobody && cell.writer != access.thread);
    cell.writer = access.thread;
  }
  std::erase_if(cell.mutexes, [&](std::uint64_t m) { return std::ranges::find(access.held, m) == access.held.end(); });
}

bool Discipline::hides(const Access& access) const {
  bool is_hidden = true;
  for_each_cell(access, [&](std::uint64_t c) {
    if (!is_hidden) return;
    if (const auto writer = contended_.find(c); writer != contended_.end()) {
      is_hidden = !access.is_write && writer->second == access.thread;
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
    if (const auto writer = contended_.find(c); writer != contended_.end()) {
      if (access.is_write && writer->second != kNobody && writer->second != access.thread) broken_.push_back(c);
      return;
    }
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
  for (const std::uint64_t c : broken_) {
    const auto cell = cells_.find(c);
    const bool has_one_writer = cell != cells_.end() && !cell->second.is_written_by_many;
    contended_[c] = has_one_writer ? cell->second.writer : kNobody;
    if (cell != cells_.end()) cells_.erase(cell);
  }
  broken_.clear();
}

}  // namespace plumb::explore
