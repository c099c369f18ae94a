#include "concolic/search/cost_model.h"

#include <algorithm>

namespace plumb::concolic {

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

CostModel::CostModel(std::size_t regions, RegionUse use, const CostLimits& limits) : use_(use), limits_(limits) {
  regions_.resize(regions);
  for (Region& region : regions_) region.pause = limits.first_pause;
  Modes modes;
  modes.bytes.assign(regions, use == RegionUse::Off ? 0 : 1);
  modes_ = std::make_shared<const Modes>(std::move(modes));
}

void CostModel::set(std::uint32_t region, bool is_on) {
  Modes modes = *modes_;
  ++modes.epoch;
  modes.bytes[region] = is_on ? 1 : 0;
  modes_ = std::make_shared<const Modes>(std::move(modes));
}

void CostModel::switch_off(std::uint32_t index) {
  if (use_ != RegionUse::Auto || is_frozen_ || modes_->bytes[index] == 0) return;
  Region& region = regions_[index];
  region.due = queries_ + region.pause;
  region.pause *= limits_.pause_factor;
  next_due_ = std::min(next_due_, region.due);
  ++switched_;
  set(index, false);
}

bool CostModel::rule_out(std::uint32_t index) {
  if (index >= regions_.size() || modes_->bytes[index] == 0) return false;
  regions_[index].due = kNever;
  ++switched_;
  set(index, false);
  return true;
}

void CostModel::restore(std::span<const std::uint8_t> modes) {
  if (modes.size() != regions_.size()) return;
  for (std::uint32_t i = 0; i < regions_.size(); ++i)
    if (modes[i] == 0) switch_off(i);
}

void CostModel::retry_due() {
  if (is_frozen_ || queries_ < next_due_) return;
  next_due_ = kNever;
  for (std::uint32_t i = 0; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    if (modes_->bytes[i] != 0) continue;
    if (queries_ < region.due) {
      next_due_ = std::min(next_due_, region.due);
      continue;
    }
    // On probation: the next slow query is enough.
    region.slow = limits_.slow_queries - 1;
    region.in_time = 0;
    set(i, true);
  }
}

void CostModel::instantiated(std::uint32_t index, std::uint64_t visits, std::uint64_t terms) {
  if (visits == 0) return;
  Region& region = regions_[index];
  // Terms that an earlier run made already are not made again: only the largest average tells the size.
  region.terms_per_visit = std::max(region.terms_per_visit, terms / visits);
  if (terms / visits > limits_.max_instance) switch_off(index);
}

void CostModel::asked(std::span<const RegionCount> regions, bool is_slow) {
  ++queries_;
  retry_due();
  if (regions.empty()) return;
  if (is_slow) {
    const auto weight = [&](const RegionCount& c) { return c.visits * regions_[c.region].terms_per_visit; };
    const RegionCount& blamed = *std::max_element(regions.begin(), regions.end(),
                                                  [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
    if (++regions_[blamed.region].slow >= limits_.slow_queries) switch_off(blamed.region);
    return;
  }
  for (const RegionCount& count : regions) {
    Region& region = regions_[count.region];
    if (region.slow == 0 || ++region.in_time < limits_.forgiven_after) continue;
    region.in_time = 0;
    --region.slow;
  }
}

}  // namespace plumb::concolic
