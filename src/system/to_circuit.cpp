// A system becomes a circuit in three steps: arrays are taken apart (ArrayExpansion), all terms are bit-blasted with
// the bits of states as inputs, and the graph is made anew with latches in the place of those inputs. The last step
// takes over only what is needed. Latches start with constants alone, so a bit whose initial value is computed is
// ite(first, init, latch), with one latch `first` for all; the exception is a bit that starts with a free choice that
// is used nowhere else: there the latch is free.

#include "system/to_circuit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "circuit/bit_blaster.h"
#include "system/array_expansion.h"

namespace plumb::system {

namespace {

using circuit::Aig;
using circuit::kFalse;
using circuit::kTrue;
using circuit::LatchInit;
using circuit::Lit;
using InputKind = SystemCircuit::InputPlace::Kind;

class CircuitBuilder {
 public:
  CircuitBuilder(const System& system, const Budget& budget, const CircuitOptions& options)
      : system_(system),
        budget_(budget),
        options_(options),
        expansion_(system.store(), flat_, options.max_elements, ArrayExpansion::Indices::Any, budget) {}

  SystemCircuit build() {
    blast();
    mark_needed();
    declare();
    connect();
    return std::move(result_);
  }

 private:
  /// A bit of a state or input, as the raw graph has it.
  struct Bit {
    Lit value;
    Lit init;
    Lit next;
    bool is_input = false;
    bool has_init = false;
    bool has_next = false;
    BitPlace place;
    std::string name;
    Lit latch = kFalse;  ///< in the result
  };

  // --- The raw graph ---

  void blast() {
    circuit::BitBlaster blaster(flat_, raw_);
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      add_variable(blaster, system_.states()[i].variable, i, system_.state_name(i), false);
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      add_variable(blaster, system_.inputs()[i], i, system_.input_name(i), true);
    std::size_t first = 0;
    for (const State& state : system_.states()) {
      if (state.init) set_bits(blaster, state.init, first, &Bit::init, &Bit::has_init);
      if (state.next) set_bits(blaster, state.next, first, &Bit::next, &Bit::has_next);
      first += count_bits(first);
    }
    for (const NamedTerm& bad : system_.bads())
      bads_.push_back(blaster.bit(expansion_.expand(bad.term).front(), budget_));
    for (const NamedTerm& constraint : system_.constraints())
      constraints_.push_back(blaster.bit(expansion_.expand(constraint.term).front(), budget_));
  }

  void add_variable(circuit::BitBlaster& blaster, Term variable, std::size_t position, const std::string& name,
                    bool is_input) {
    const auto span = expansion_.declare(variable, name);
    const std::vector<Term> elements(span.begin(), span.end());
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const auto bits = blaster.bits(elements[e], budget_);
      for (std::uint32_t b = 0; b < bits.size(); ++b) {
        Bit bit;
        bit.value = bits[b];
        bit.is_input = is_input;
        bit.place = {position, e, b};
        bit.name = flat_.name(elements[e]);
        if (bits.size() > 1) bit.name += fmt::format("[{}]", b);
        bits_.push_back(std::move(bit));
      }
    }
  }

  /// The number of bits from `first` on that belong to the same state.
  std::size_t count_bits(std::size_t first) const {
    std::size_t end = first;
    while (end < bits_.size() && !bits_[end].is_input && bits_[end].place.position == bits_[first].place.position)
      ++end;
    return end - first;
  }

  void set_bits(circuit::BitBlaster& blaster, Term t, std::size_t first, Lit Bit::* lit, bool Bit::* has) {
    const auto span = expansion_.expand(t);
    const std::vector<Term> elements(span.begin(), span.end());
    std::size_t i = first;
    for (const Term element : elements)
      for (const Lit bit : blaster.bits(element, budget_)) {
        bits_[i].*lit = bit;
        bits_[i].*has = true;
        ++i;
      }
  }

  // --- What is needed of it ---

  void mark_needed() {
    owners_.assign(raw_.size(), kNoOwner);
    for (std::size_t i = 0; i < bits_.size(); ++i) owners_[bits_[i].value.node()] = i;
    needed_.assign(raw_.size(), false);
    uses_.assign(raw_.size(), 0);
    for (const Lit bad : bads_) want(bad);
    for (const Lit constraint : constraints_) want(constraint);
    if (!options_.only_cone)
      for (const Bit& bit : bits_) want(bit.value);
    while (!pending_.empty()) {
      const std::uint32_t node = pending_.back();
      pending_.pop_back();
      if (raw_.is_and(node)) {
        want(raw_.fanin0(node));
        want(raw_.fanin1(node));
      } else if (owners_[node] != kNoOwner) {
        const Bit& bit = bits_[owners_[node]];
        if (bit.has_init) want(bit.init);
        if (bit.has_next) want(bit.next);
      }
    }
  }

  void want(Lit lit) {
    ++uses_[lit.node()];
    if (needed_[lit.node()]) return;
    needed_[lit.node()] = true;
    pending_.push_back(lit.node());
  }

  // --- The result ---

  /// The bit that chooses the initial value of this one and does nothing else, or null.
  Bit* private_choice(const Bit& bit) {
    if (!bit.has_init || owners_[bit.init.node()] == kNoOwner || bit.init.complemented()) return nullptr;
    Bit& chosen = bits_[owners_[bit.init.node()]];
    const bool is_free = !chosen.is_input && !chosen.has_init && !chosen.has_next;
    return is_free && uses_[bit.init.node()] == 1 ? &chosen : nullptr;
  }

  void declare() {
    literals_.assign(raw_.size(), std::nullopt);
    literals_[0] = kFalse;
    for (Bit& bit : bits_) {
      if (!needed_[bit.value.node()] || bit.is_input || (!bit.has_init && !bit.has_next)) continue;
      Bit* choice = private_choice(bit);
      add_latch(bit, choice);
      if (choice != nullptr) literals_[choice->value.node()] = kFalse;  // nothing asks for it but this latch
    }
    // Choices that became initial values are known by now, so the others are inputs.
    for (const Bit& bit : bits_)
      if (needed_[bit.value.node()] && !literals_[bit.value.node()] && !is_latch(bit))
        literals_[bit.value.node()] =
            add_input(bit.is_input ? InputKind::Input : InputKind::State, bit.place, bit.name);
    // In this order an initial value refers to states that are known.
    for (const Bit& bit : bits_) {
      if (!needed_[bit.value.node()] || !is_latch(bit)) continue;
      const std::uint32_t ordinal = result_.aig.ordinal(bit.latch.node());
      const bool is_computed = bit.has_init && bit.init.node() != 0 && !result_.latches[ordinal].choice;
      literals_[bit.value.node()] = is_computed ? result_.aig.ite(first(), translate(bit.init), bit.latch) : bit.latch;
    }
  }

  static bool is_latch(const Bit& bit) { return bit.latch != kFalse; }

  void add_latch(Bit& bit, const Bit* choice) {
    LatchInit init = LatchInit::Free;
    if (bit.has_init && choice == nullptr) init = bit.init == kTrue ? LatchInit::One : LatchInit::Zero;
    bit.latch = result_.aig.add_latch(init, bit.name);
    SystemCircuit::LatchPlace place{bit.place, {}};
    if (!bit.has_init) place.choice = bit.place;
    if (choice != nullptr) place.choice = choice->place;
    result_.latches.push_back(place);
  }

  Lit add_input(InputKind kind, const BitPlace& place, const std::string& name) {
    result_.inputs.push_back({kind, place});
    return result_.aig.add_input(name);
  }

  /// The latch that is true in the first step alone.
  Lit first() {
    if (first_ == kFalse) {
      first_ = result_.aig.add_latch(LatchInit::One, "first");
      result_.latches.emplace_back();
    }
    return first_;
  }

  Lit translate(Lit root) {
    stack_.assign(1, root.node());
    while (!stack_.empty()) {
      const std::uint32_t node = stack_.back();
      if (literals_[node]) {
        stack_.pop_back();
        continue;
      }
      INVARIANT(raw_.is_and(node), "a leaf of the circuit should be known before its users");
      const Lit a = raw_.fanin0(node);
      const Lit b = raw_.fanin1(node);
      if (!literals_[a.node()]) stack_.push_back(a.node());
      if (!literals_[b.node()]) stack_.push_back(b.node());
      if (stack_.back() != node) continue;
      stack_.pop_back();
      literals_[node] =
          result_.aig.and_(*literals_[a.node()] ^ a.complemented(), *literals_[b.node()] ^ b.complemented());
    }
    return *literals_[root.node()] ^ root.complemented();
  }

  void connect() {
    for (const Bit& bit : bits_) {
      if (!is_latch(bit)) continue;
      const Lit next = bit.has_next ? translate(bit.next) : add_input(InputKind::NextState, bit.place, bit.name + "'");
      result_.aig.set_next(bit.latch, next);
    }
    for (std::size_t i = 0; i < bads_.size(); ++i) result_.aig.add_bad(translate(bads_[i]), system_.bads()[i].name);
    for (std::size_t i = 0; i < constraints_.size(); ++i)
      result_.aig.add_constraint(translate(constraints_[i]), system_.constraints()[i].name);
  }

  static constexpr std::size_t kNoOwner = ~std::size_t{0};

  const System& system_;
  const Budget& budget_;
  const CircuitOptions& options_;
  TermStore flat_;
  ArrayExpansion expansion_;
  Aig raw_;
  std::vector<Bit> bits_;  ///< of states, then of inputs
  std::vector<Lit> bads_;
  std::vector<Lit> constraints_;
  std::vector<std::size_t> owners_;  ///< by raw node: the bit whose value it is
  std::vector<bool> needed_;         ///< by raw node
  std::vector<std::uint32_t> uses_;  ///< by raw node: from needed ones
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::optional<Lit>> literals_;  ///< by raw node: of the result
  Lit first_ = kFalse;
  SystemCircuit result_;
};

}  // namespace

SystemCircuit to_circuit(const System& system, const Budget& budget, const CircuitOptions& options) {
  return CircuitBuilder(system, budget, options).build();
}

}  // namespace plumb::system
