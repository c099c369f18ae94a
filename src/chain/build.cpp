// Breadth-first exploration. Computing successors and numbering them are two stages of a pipeline: the first is
// arithmetic and is done by other threads, the second waits for memory, so it looks ahead and asks for the cache lines
// of many lookups at once.

#include "chain/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "chain/machine.h"
#include "chain/successor_pipeline.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kBlockStates = 1024;
constexpr std::size_t kSlotAhead = 24;
constexpr std::size_t kStateAhead = 12;

class Build {
 public:
  Build(const Model& model, const Budget& budget, const BuildOptions& options, BuildReport& report)
      : model_(model),
        budget_(budget),
        options_(options),
        report_(report),
        layout_(model.variables),
        successors_(model, layout_) {
    chain_.kind = model.kind;
    chain_.store = StateStore(layout_);
    for (const RewardStructure& structure : model.rewards) chain_.rewards.push_back({structure.name, {}, {}});
  }

  Chain run() {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
      add_initial_states();
      explore();
    } catch (const OutOfBudget&) {
      report_.states = chain_.store.size();
      report_.transitions = chain_.rows.transitions();
      report_.seconds = seconds();
      throw;
    }
    finish();
    report_.seconds = seconds();
    return std::move(chain_);
  }

 private:
  void add_initial_states();
  void add_state(const std::vector<std::uint64_t>& state);
  void explore();
  void number(const SuccessorPipeline::Block& block);
  void add_deadlock(StateId state);
  void finish();
  void add_state_rewards();
  void add_notes();
  /// The places of the commands whose guards hold in a state.
  std::string enabled_commands(StateId state) const;

  const Model& model_;
  const Budget& budget_;
  const BuildOptions& options_;
  BuildReport& report_;
  StateLayout layout_;
  Successors successors_;
  Chain chain_;
  std::vector<StateId> deadlocks_;
  std::vector<StateId> ids_;
  std::vector<Rows::Entry> entries_;
  StateId next_state_ = 0;      ///< whose rows come next
  std::uint64_t overlaps_ = 0;  ///< states of a dtmc in which commands share the probability
  StateId first_overlap_ = 0;
};

void Build::add_state(const std::vector<std::uint64_t>& state) {
  const auto found = chain_.store.find_or_insert(state.data(), layout_.hash(state.data()));
  if (found.is_new) chain_.initial.push_back(found.id);
}

void Build::add_initial_states() {
  std::vector<std::uint64_t> state(layout_.words());
  if (!model_.initial) {
    for (std::size_t i = 0; i < model_.variables.size(); ++i) layout_.set(state.data(), i, model_.variables[i].initial);
    add_state(state);
    return;
  }
  Machine machine(model_.expressions, model_.variables.size());
  const Machine::Handle condition = machine.compile(model_.initial);
  machine.finish();
  Machine::Frame frame = machine.frame();
  for (std::size_t i = 0; i < model_.variables.size(); ++i) frame.slots[i].integer = model_.variables[i].low;
  for (std::uint64_t tried = 0;; ++tried) {
    if (tried % 65536 == 0) budget_.check();
    const bool is_initial = machine.run(condition, frame).integer != 0;
    if (frame.fault != Fault::None) {
      for (std::size_t i = 0; i < model_.variables.size(); ++i) layout_.set(state.data(), i, frame.slots[i].integer);
      throw UserError(fmt::format("the condition between init and endinit has {} in state {}", to_string(frame.fault),
                                  describe_values(model_, layout_, state.data())));
    }
    if (is_initial) {
      for (std::size_t i = 0; i < model_.variables.size(); ++i) layout_.set(state.data(), i, frame.slots[i].integer);
      add_state(state);
    }
    std::size_t digit = 0;
    while (digit < model_.variables.size() && frame.slots[digit].integer == model_.variables[digit].high) {
      frame.slots[digit].integer = model_.variables[digit].low;
      ++digit;
    }
    if (digit == model_.variables.size()) break;
    ++frame.slots[digit].integer;
  }
  if (chain_.initial.empty()) throw UserError("no state satisfies the condition between init and endinit");
}

void Build::explore() {
  unsigned threads = options_.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options_.threads;
  SuccessorPipeline pipeline(successors_, layout_.words(), threads - 1);
  std::uint64_t given_out = 0;
  while (true) {
    while (!pipeline.is_full() && given_out < chain_.store.size()) {
      std::unique_ptr<SuccessorPipeline::Block> block = pipeline.fresh();
      block->count = std::min(kBlockStates, chain_.store.size() - given_out);
      const std::uint64_t* first = chain_.store.state(static_cast<StateId>(given_out));
      block->states.assign(first, first + block->count * layout_.words());
      given_out += block->count;
      pipeline.put(std::move(block));
    }
    if (pipeline.is_empty()) return;
    std::unique_ptr<SuccessorPipeline::Block> block = pipeline.take();
    number(*block);
    if (block->successors.error) std::rethrow_exception(block->successors.error);
    pipeline.recycle(std::move(block));
    budget_.check();
    if (options_.progress) options_.progress(chain_.store.size(), chain_.rows.transitions());
    if (chain_.store.size() > options_.max_states) throw OutOfBudget{Stop::Memory};
  }
}

void Build::number(const SuccessorPipeline::Block& block) {
  const SuccessorBlock& successors = block.successors;
  const std::uint32_t words = layout_.words();
  StateStore& store = chain_.store;
  const std::size_t count = successors.transitions.size();
  ids_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kSlotAhead < count) store.prefetch_slot(successors.transitions[i + kSlotAhead].hash);
    if (i + kStateAhead < count) store.prefetch_state(successors.transitions[i + kStateAhead].hash);
    ids_[i] = store.find_or_insert(&successors.targets[i * words], successors.transitions[i].hash).id;
  }
  if (successors.overlaps > 0 && overlaps_ == 0)
    first_overlap_ = next_state_ + static_cast<StateId>(successors.first_overlap);
  overlaps_ += successors.overlaps;
  const std::size_t structures = chain_.rewards.size();
  std::size_t row = 0;
  std::size_t transition = 0;
  for (const std::uint32_t rows : successors.row_counts) {
    if (rows == 0) add_deadlock(next_state_);
    for (std::uint32_t k = 0; k < rows; ++k, ++row) {
      entries_.clear();
      for (std::uint32_t i = 0; i < successors.rows[row].transitions; ++i, ++transition)
        entries_.push_back({ids_[transition], successors.transitions[transition].weight});
      chain_.rows.add_row(entries_);
      if (options_.keep_actions && chain_.kind == Kind::Mdp) chain_.actions.push_back(successors.rows[row].action);
      for (std::size_t r = 0; r < structures; ++r)
        chain_.rewards[r].rows.push_back(successors.rewards[row * structures + r]);
    }
    if (chain_.kind == Kind::Mdp) chain_.choices.push_back(std::max(rows, 1U));
    ++next_state_;
  }
}

void Build::add_deadlock(StateId state) {
  if (!options_.fix_deadlocks)
    throw UserError(fmt::format("state {} has no way on", describe_values(model_, layout_, chain_.store.state(state))),
                    "without --no-fix-deadlocks it gets a loop");
  deadlocks_.push_back(state);
  entries_.assign(1, {state, 1.0});
  chain_.rows.add_row(entries_);
  if (options_.keep_actions && chain_.kind == Kind::Mdp) chain_.actions.push_back(0);
  for (Chain::Rewards& rewards : chain_.rewards) rewards.rows.push_back(0);
}

void Build::add_state_rewards() {
  Successors::Scratch scratch = successors_.scratch();
  for (std::size_t r = 0; r < chain_.rewards.size(); ++r) {
    if (!successors_.has_state_rewards(r)) continue;
    for (std::uint64_t s = 0; s < chain_.states; ++s)
      chain_.rewards[r].states.push_back(
          successors_.state_reward(chain_.store.state(static_cast<StateId>(s)), r, scratch));
  }
}

void Build::finish() {
  chain_.states = chain_.store.size();
  chain_.store.finish();
  chain_.rows.finish();
  chain_.choices.shrink();
  chain_.deadlocks = StateSet(chain_.states);
  for (const StateId state : deadlocks_) chain_.deadlocks.insert(state);
  add_state_rewards();
  for (Chain::Rewards& rewards : chain_.rewards) {
    if (rewards.rows.is_all_zero()) rewards.rows = {};
    if (rewards.states.is_all_zero()) rewards.states = {};
    rewards.rows.finish();
    rewards.states.finish();
  }
  for (const Label& label : model_.labels)
    chain_.labels.emplace_back(label.name, states_with(chain_, model_, label.condition));
  report_.states = chain_.states;
  report_.transitions = chain_.rows.transitions();
  report_.bytes_states = chain_.store.bytes();
  report_.bytes_transitions = chain_.rows.bytes() + chain_.choices.bytes();
  add_notes();
}

std::string Build::enabled_commands(StateId state) const {
  Machine machine(model_.expressions, model_.variables.size());
  std::vector<std::pair<const Command*, Machine::Handle>> guards;
  for (const Component& component : model_.components)
    for (const Command& command : component.commands) guards.emplace_back(&command, machine.compile(command.guard));
  machine.finish();
  Machine::Frame frame = machine.frame();
  for (std::size_t i = 0; i < model_.variables.size(); ++i) frame.slots[i].integer = chain_.store.value(state, i);
  std::string text;
  for (const auto& [command, guard] : guards)
    if (machine.run(guard, frame).integer != 0) text += (text.empty() ? "" : ", ") + command->location.to_string();
  return text;
}

void Build::add_notes() {
  if (overlaps_ > 0)
    report_.notes.push_back(fmt::format(
        "in {} state{} several commands are enabled and have equal parts of the probability, the first is {} "
        "with the commands at {}",
        overlaps_, overlaps_ == 1 ? "" : "s", describe(chain_, model_, first_overlap_),
        enabled_commands(first_overlap_)));
  if (!deadlocks_.empty())
    report_.notes.push_back(fmt::format("{} state{} without a way on {} given a loop, the first is {}",
                                        deadlocks_.size(), deadlocks_.size() == 1 ? "" : "s",
                                        deadlocks_.size() == 1 ? "was" : "were",
                                        describe(chain_, model_, deadlocks_.front())));
}

/// Calls f(state, value) for every state.
template <typename F>
void evaluate_all(const Chain& chain, const Model& model, Expression e, F&& f) {
  Machine machine(model.expressions, model.variables.size());
  const Machine::Handle code = machine.compile(e);
  machine.finish();
  const std::vector<std::uint32_t> support = model.expressions.support(e);
  Machine::Frame frame = machine.frame();
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const auto state = static_cast<StateId>(s);
    for (const std::uint32_t variable : support) frame.slots[variable].integer = chain.store.value(state, variable);
    const Value value = machine.run(code, frame);
    if (frame.fault != Fault::None)
      throw UserError(fmt::format("an expression of a label or a property has {} in state {}", to_string(frame.fault),
                                  describe(chain, model, state)));
    f(state, value);
  }
}

}  // namespace

Chain build(const Model& model, const Budget& budget, const BuildOptions& options, BuildReport& report) {
  return Build(model, budget, options, report).run();
}

StateSet states_with(const Chain& chain, const Model& model, Expression condition) {
  StateSet result(chain.states);
  evaluate_all(chain, model, condition, [&](StateId state, Value value) {
    if (value.integer != 0) result.insert(state);
  });
  return result;
}

std::vector<double> values_of(const Chain& chain, const Model& model, Expression value) {
  const bool is_double = model.expressions.type(value) == Type::Double;
  std::vector<double> result(chain.states);
  evaluate_all(chain, model, value,
               [&](StateId state, Value v) { result[state] = is_double ? v.real : static_cast<double>(v.integer); });
  return result;
}

std::string describe(const Chain& chain, const Model& model, StateId state) {
  return describe_values(model, chain.store.layout(), chain.store.state(state));
}

}  // namespace plumb::chain
