#include "circuit/abc_driver_model.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace plumb::circuit {
namespace {

constexpr std::string_view kStarted = "S";
constexpr std::string_view kViolated = "V";
// Interpolation in ABC aborts on a circuit without inputs.
constexpr std::string_view kIdle = "X";
/// Nodes between two looks at the budget.
constexpr std::uint32_t kCheckInterval = 1U << 14;

/// The number behind the first letter of a name, if that is all there is.
std::optional<std::uint32_t> ordinal_of(std::string_view name, char letter, std::size_t count) {
  if (name.size() < 2 || name.front() != letter) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), value);
  if (error != std::errc() || end != name.data() + name.size() || value >= count) return std::nullopt;
  return value;
}

}  // namespace

AbcModel::AbcModel(const Aig& circuit, std::size_t bad, const Budget& budget) : inputs_(circuit.inputs().size()) {
  INVARIANT(bad < circuit.bads().size(), "the property should be one of the circuit");
  declare(circuit, budget);
  connect(circuit, bad);
}

void AbcModel::declare(const Aig& circuit, const Budget& budget) {
  literals_.assign(circuit.size(), kFalse);
  for (std::size_t i = 0; i < circuit.inputs().size(); ++i)
    literals_[circuit.inputs()[i].node] = aig_.add_input(fmt::format("I{}", i));
  for (std::size_t i = 0; i < circuit.latches().size(); ++i) {
    inits_.push_back(circuit.latches()[i].init);
    latches_.push_back(aig_.add_latch(LatchInit::Zero, fmt::format("L{}", i)));
    if (inits_.back() == LatchInit::Free && started_ == kFalse) {
      started_ = aig_.add_latch(LatchInit::Zero, std::string(kStarted));
      aig_.set_next(started_, kTrue);
    }
  }
  for (std::size_t i = 0; i < latches_.size(); ++i) {
    Lit value = latches_[i] ^ (inits_[i] == LatchInit::One);
    if (inits_[i] == LatchInit::Free) value = aig_.ite(started_, value, aig_.add_input(fmt::format("F{}", i)));
    literals_[circuit.latches()[i].node] = value;
  }
  for (std::uint32_t node = 1; node < circuit.size(); ++node) {
    if (node % kCheckInterval == 0) budget.check();
    if (circuit.is_and(node)) literals_[node] = aig_.and_(literal(circuit.fanin0(node)), literal(circuit.fanin1(node)));
  }
}

void AbcModel::connect(const Aig& circuit, std::size_t bad) {
  if (aig_.inputs().empty()) aig_.add_input(std::string(kIdle));
  for (std::size_t i = 0; i < latches_.size(); ++i)
    aig_.set_next(latches_[i], literal(circuit.latches()[i].next) ^ (inits_[i] == LatchInit::One));
  Lit output = literal(circuit.bads()[bad].lit);
  if (!circuit.constraints().empty()) {
    const Lit violated = aig_.add_latch(LatchInit::Zero, std::string(kViolated));
    Lit kept = ~violated;
    for (const NamedLit& constraint : circuit.constraints()) kept = aig_.and_(kept, literal(constraint.lit));
    aig_.set_next(violated, ~kept);
    output = aig_.and_(output, kept);
  }
  aig_.add_output(output, "bad");
}

std::optional<AbcModel::Meaning> AbcModel::latch_meaning(std::string_view name) const {
  if (name == kStarted) return Meaning{std::nullopt, true};
  if (name == kViolated) return Meaning{std::nullopt, false};
  const auto ordinal = ordinal_of(name, 'L', latches_.size());
  if (!ordinal) return std::nullopt;
  return Meaning{ordinal, inits_[*ordinal] == LatchInit::One};
}

void AbcModel::choose(AbcCounterexample& run, std::string_view name, std::size_t step, bool value) const {
  extend(run, step + 1);
  if (const auto input = ordinal_of(name, 'I', inputs_)) run.inputs[step][*input] = value;
  if (const auto latch = ordinal_of(name, 'F', latches_.size()); latch && step == 0) run.latches[*latch] = value;
}

void AbcModel::extend(AbcCounterexample& run, std::size_t steps) const {
  run.latches.resize(latches_.size());
  if (run.inputs.size() < steps) run.inputs.resize(steps, std::vector<bool>(inputs_));
}

}  // namespace plumb::circuit
