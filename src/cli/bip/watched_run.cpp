#include "cli/bip/watched_run.h"

#include <algorithm>
#include <functional>

namespace plumb::cli {

WatchedRun::WatchedRun(const bip::Model& model, const std::vector<bip::Property>& properties,
                       const bip::EmulationOptions& options)
    : properties_(properties), emulation_(model, options), is_violated_(properties.size(), false) {
  for (const bip::Property& property : properties) monitors_.emplace_back(model, property);
}

std::vector<std::size_t> WatchedRun::look() {
  std::vector<std::size_t> found;
  if (!run().is_stable()) return found;
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    if (!monitors_[i].is_violated(run()) || is_violated_[i]) continue;
    is_violated_[i] = true;
    found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> WatchedRun::look_at_deadlock() {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    if (properties_[i].kind != bip::Property::Kind::Response || is_violated_[i]) continue;
    // The premise held already, or it holds here: either way its time is over behind this many repetitions.
    for (std::uint64_t age = 0; age <= properties_[i].within && !is_violated_[i]; ++age)
      is_violated_[i] = monitors_[i].is_violated(run());
    if (is_violated_[i]) found.push_back(i);
  }
  return found;
}

bool WatchedRun::is_all_violated() const { return std::ranges::all_of(is_violated_, std::identity{}); }

bool WatchedRun::is_any_violated() const { return std::ranges::any_of(is_violated_, std::identity{}); }

}  // namespace plumb::cli
