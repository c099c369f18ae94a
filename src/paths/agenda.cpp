#include "paths/agenda.h"

#include <algorithm>

namespace plumb::paths {

void Agenda::put(Cell c) {
  if (is_in_[c]) return;
  is_in_[c] = true;
  queue_.emplace(domains_.term(c).id, c);
}

void Agenda::update() {
  is_in_.resize(domains_.size(), false);
  for (; seen_activated_ < domains_.activated().size(); ++seen_activated_) put(domains_.activated()[seen_activated_]);
  for (; seen_changes_ < domains_.trail().size(); ++seen_changes_) put(domains_.trail()[seen_changes_].cell);
}

void Agenda::backtrack() {
  seen_activated_ = std::min(seen_activated_, domains_.activated().size());
  seen_changes_ = std::min(seen_changes_, domains_.trail().size());
  for (; !done_.empty() && done_.back().level > domains_.level(); done_.pop_back()) put(done_.back().cell);
}

Cell Agenda::top() {
  while (!queue_.empty()) {
    const Cell c = queue_.top().second;
    if (domains_.is_active(c)) return c;
    queue_.pop();
    is_in_[c] = false;
  }
  return kNoCell;
}

void Agenda::pop() {
  const Cell c = queue_.top().second;
  queue_.pop();
  is_in_[c] = false;
  done_.push_back({c, domains_.level()});
}

}  // namespace plumb::paths
