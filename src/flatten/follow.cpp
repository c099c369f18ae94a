#include "flatten/follow.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <deque>
#include <map>

#include "system/graph_run.h"
#include "system/simulator.h"
#include "term/evaluator.h"
#include "term/traverse.h"

namespace plumb::flatten {

using term::Value;

namespace {

/// By input of the graph: its values in the order in which a run of the system reads them. A step reads each at most
/// once, so the order of the steps is all that there is to know.
std::vector<std::deque<Value>> values_read(const system::Encoding& encoding, const system::Trace& trace) {
  const system::System& system = encoding.system;
  std::vector<std::deque<Value>> read(encoding.choices.size());
  system::Simulator simulator(system);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    simulator.play(trace, k);
    term::Assignment now;
    for (const system::State& state : system.states()) now[state.variable] = simulator.value(state.variable);
    for (const Term input : system.inputs()) now[input] = simulator.value(input);
    term::Evaluator evaluator(system.store(), now);
    for (std::size_t i = 0; i < encoding.choices.size(); ++i) {
      const system::Encoding::Choice& choice = encoding.choices[i];
      if (choice.input && evaluator.is_true(choice.executed)) read[i].push_back(now.at(system.inputs()[*choice.input]));
    }
  }
  return read;
}

/// By variable of the graph, as the run starts. A register may have the lowest bits of its variable alone: the others
/// are zero then.
std::vector<std::optional<Value>> initial_values(const Flattened& program, const system::Encoding& encoding,
                                                 const system::Trace& trace) {
  std::vector<std::optional<Value>> initial(program.graph.variables.size());
  for (std::size_t v = 0; v < initial.size(); ++v) {
    const std::optional<std::size_t> held = encoding.registers[v];
    if (!held || *held >= trace.initial.size() || !trace.initial[*held]) continue;
    initial[v] = trace.initial[*held];
    const term::Sort sort = program.graph.store().sort(program.graph.variables[v].term);
    if (BitVector* bits = std::get_if<BitVector>(&*initial[v]); bits != nullptr && bits->width() < sort.width)
      *bits = bits->zero_extend(sort.width);
  }
  return initial;
}

std::vector<std::uint8_t> bytes_of(const BitVector& value) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t at = 0; at < value.width(); at += 8)
    bytes.push_back(static_cast<std::uint8_t>(value.extract(std::min(at + 7, value.width() - 1), at).to_uint64()));
  return bytes;
}

/// What objects hold that the program does not set, read off a run of the graph statement by statement. Only what the
/// counterexample depends on is said.
class Creations {
 public:
  Creations(const Flattened& program, const system::Encoding& encoding) : program_(program), encoding_(encoding) {
    if (program.creations.empty()) return;
    for (std::size_t v = 0; v < program.graph.variables.size(); ++v) variables_[program.graph.variables[v].term] = v;
    for (std::size_t i = 0; i < encoding.choices.size(); ++i)
      if (encoding.choices[i].input) is_used_[program.graph.inputs[i]] = true;
  }

  /// Before the statement that the run is at.
  void begin(const system::GraphRun& run) {
    values_.clear();
    const auto here = program_.creations.find(run.at());
    now_ = here == program_.creations.end() || run.has_ended() ? nullptr : &here->second;
    if (now_ == nullptr) return;
    leaves_now_ = &leaves(here->first);
    for (const Term leaf : *leaves_now_)
      if (const auto variable = variables_.find(leaf); variable != variables_.end())
        values_[leaf] = run.value(variable->second);
  }

  /// After it, with the inputs that it read.
  void end(const term::Assignment& read, std::vector<result::UnsetBytes>& unset) {
    if (now_ == nullptr) return;
    for (const auto& [input, value] : read) values_[input] = value;
    const term::TermStore& store = program_.graph.store();
    for (const Term leaf : *leaves_now_) values_.try_emplace(leaf, term::zero_value(store.sort(leaf)));
    term::Evaluator evaluator(store, values_);
    for (const Flattened::Creation& creation : *now_) {
      if (!evaluator.is_true(creation.happens)) continue;
      const std::uint32_t before = count_[creation.site]++;
      for (const Flattened::Creation::Bytes& each : creation.unset)
        if (is_used(each.value))
          unset.push_back({creation.site, before, each.offset, bytes_of(evaluator.bits(each.value))});
    }
  }

 private:
  const std::vector<Term>& leaves(system::ControlGraph::Label label) {
    const auto [found, is_new] = leaves_.try_emplace(label);
    if (!is_new) return found->second;
    std::vector<Term> roots;
    for (const Flattened::Creation& creation : program_.creations.at(label)) {
      roots.push_back(creation.happens);
      for (const Flattened::Creation::Bytes& each : creation.unset) roots.push_back(each.value);
    }
    found->second = term::support(program_.graph.store(), roots, seen_);
    return found->second;
  }

  /// The system has an input or a register of it, so the counterexample may depend on it.
  bool is_used(Term value) {
    const auto [found, is_new] = is_used_.try_emplace(value, false);
    if (!is_new) return found->second;
    const std::vector<Term> roots{value};
    bool used = false;
    for (const Term leaf : term::support(program_.graph.store(), roots, seen_)) {
      const auto variable = variables_.find(leaf);
      const auto input = is_used_.find(leaf);
      used = used || (variable != variables_.end() ? encoding_.registers[variable->second].has_value()
                                                   : input != is_used_.end() && input->second);
    }
    return is_used_[value] = used;
  }

  const Flattened& program_;
  const system::Encoding& encoding_;
  absl::flat_hash_map<Term, std::size_t> variables_;
  absl::flat_hash_map<Term, bool> is_used_;
  std::map<system::ControlGraph::Label, std::vector<Term>> leaves_;
  const std::vector<Term>* leaves_now_ = nullptr;
  term::TermSet seen_;
  absl::flat_hash_map<std::string, std::uint32_t> count_;
  const std::vector<Flattened::Creation>* now_ = nullptr;
  term::Assignment values_;
};

result::TestInput test_input(const Flattened::Input& input, const BitVector& value) {
  return {input.name, bytes_of(value)};
}

}  // namespace

std::optional<result::TestCase> follow(const Flattened& program, const system::Encoding& encoding,
                                       const system::Trace& trace, std::size_t property, const Budget& budget) {
  std::vector<std::deque<Value>> values = values_read(encoding, trace);
  result::TestCase test;
  term::Assignment read;  // in the statement that is executed
  const auto next = [&](std::size_t input) {
    Value value = term::zero_value(program.graph.store().sort(program.graph.inputs[input]));
    if (!values[input].empty()) {
      value = std::move(values[input].front());
      values[input].pop_front();
    }
    read[program.graph.inputs[input]] = value;
    if (program.inputs[input].is_asked)
      test.inputs.push_back(test_input(program.inputs[input], std::get<BitVector>(value)));
    return value;
  };
  system::GraphRun run(program.graph, next, initial_values(program, encoding, trace));
  Creations creations(program, encoding);
  for (;;) {
    budget.check();
    creations.begin(run);
    if (!run.step()) return std::nullopt;
    creations.end(read, test.unset);
    read.clear();
    if (std::ranges::find(run.failed(), property) != run.failed().end()) return test;
  }
}

}  // namespace plumb::flatten
