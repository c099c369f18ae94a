#include "prove/signal_relations.h"

#include <absl/container/flat_hash_map.h>

#include <random>

#include "circuit/simulator.h"

namespace plumb::prove {
namespace {

using circuit::Lit;

constexpr unsigned kSteps = 128;
/// Each relation is a candidate of its own in every query that comes of it.
constexpr std::size_t kMaxRelations = 10000;

/// What a signal was in all steps of all runs, as a hash; runs that have broken a constraint count as zero. Complements
/// are hashed beside, so that a signal finds those that are its opposite.
struct History {
  std::uint64_t plain = 0;
  std::uint64_t complement = 0;

  void add(std::uint64_t value, std::uint64_t alive) {
    plain = mix(plain, value & alive);
    complement = mix(complement, ~value & alive);
  }
  static std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    return hash ^ (hash >> 29);
  }
};

/// By node.
std::vector<History> histories(const circuit::Aig& circuit, unsigned from) {
  std::mt19937_64 random(1);
  circuit::Simulator simulator(circuit);
  std::vector<std::uint64_t> free_latches(circuit.latches().size());
  for (std::uint64_t& word : free_latches) word = random();
  simulator.reset(free_latches);
  std::vector<History> result(circuit.size());
  std::uint64_t alive = ~std::uint64_t{0};
  for (unsigned step = 0; step < kSteps; ++step) {
    for (std::uint32_t i = 0; i < circuit.inputs().size(); ++i) simulator.set_input(i, random());
    simulator.evaluate();
    for (const circuit::NamedLit& constraint : circuit.constraints()) alive &= simulator.value(constraint.lit);
    if (step >= from)
      for (std::uint32_t node = 0; node < circuit.size(); ++node)
        result[node].add(simulator.value(Lit::of(node)), alive);
    simulator.step();
  }
  return result;
}

}  // namespace

circuit::Aig signal_relations(const circuit::Aig& circuit, unsigned from) {
  circuit::Aig relations;
  std::vector<Lit> latches;
  for (std::size_t i = 0; i < circuit.latches().size(); ++i) latches.push_back(relations.add_input());
  const std::vector<History> all = histories(circuit, from);
  std::vector<Lit> copies(circuit.size(), circuit::kFalse);
  std::vector<bool> has_copy(circuit.size(), false);
  absl::flat_hash_map<std::uint64_t, Lit> first;
  for (std::uint32_t node = 0; node < circuit.size() && relations.outputs().size() < kMaxRelations; ++node) {
    if (circuit.is_input(node)) continue;
    if (circuit.is_latch(node)) copies[node] = latches[circuit.ordinal(node)];
    if (circuit.is_and(node)) {
      const Lit a = circuit.fanin0(node);
      const Lit b = circuit.fanin1(node);
      if (!has_copy[a.node()] || !has_copy[b.node()]) continue;
      copies[node] = relations.and_(copies[a.node()] ^ a.complemented(), copies[b.node()] ^ b.complemented());
    }
    has_copy[node] = true;
    const auto [found, is_new] = first.emplace(all[node].plain, copies[node]);
    if (is_new)
      first.emplace(all[node].complement, ~copies[node]);
    else if (found->second != copies[node])
      relations.add_output(~relations.xor_(copies[node], found->second));
  }
  return relations;
}

}  // namespace plumb::prove
