#include "circuit/simulator.h"

#include "base/error.h"

namespace plumb::circuit {

namespace {

constexpr std::uint64_t kAllRuns = ~std::uint64_t{0};

}  // namespace

Simulator::Simulator(const Aig& aig) : aig_(aig) { pick_up_new_nodes(); }

void Simulator::pick_up_new_nodes() {
  const std::size_t known = values_.size();
  if (known == aig_.size()) return;
  values_.resize(aig_.size(), 0);
  const auto latches = aig_.latches();
  // Latches stand in the order of their nodes, so the new ones are the last.
  for (std::size_t i = latches.size(); i-- > 0 && latches[i].node >= known;)
    if (latches[i].init == LatchInit::One) values_[latches[i].node] = kAllRuns;
}

void Simulator::reset(std::span<const std::uint64_t> free_latches) {
  pick_up_new_nodes();
  std::size_t used = 0;
  for (const Latch& latch : aig_.latches()) {
    std::uint64_t word = latch.init == LatchInit::One ? kAllRuns : 0;
    if (latch.init == LatchInit::Free && used < free_latches.size()) word = free_latches[used++];
    values_[latch.node] = word;
  }
}

void Simulator::set_input(std::uint32_t ordinal, std::uint64_t word) {
  INVARIANT(ordinal < aig_.inputs().size(), "an input that is set should exist");
  pick_up_new_nodes();
  values_[aig_.inputs()[ordinal].node] = word;
}

void Simulator::evaluate() {
  pick_up_new_nodes();
  const std::uint32_t size = aig_.size();
  for (std::uint32_t node = 1; node < size; ++node)
    if (aig_.is_and(node)) values_[node] = value(aig_.fanin0(node)) & value(aig_.fanin1(node));
}

void Simulator::step() {
  INVARIANT(values_.size() == aig_.size(), "a step should follow an evaluation of the whole circuit");
  // A next function may be another latch, so all are read before any is written.
  next_values_.clear();
  for (const Latch& latch : aig_.latches()) next_values_.push_back(value(latch.next));
  for (std::size_t i = 0; i < next_values_.size(); ++i) values_[aig_.latches()[i].node] = next_values_[i];
}

}  // namespace plumb::circuit
