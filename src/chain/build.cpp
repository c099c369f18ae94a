// Breadth-first exploration. The successors of a block of states are computed and looked up by any thread; what is not
// found is numbered by one thread, block after block, so the numbers do not depend on the threads; then any thread puts
// the rows in order. Lookups wait for memory, so they ask for the cache lines of many at once.

#include "chain/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "chain/exact/fraction_table.h"
#include "chain/machine.h"
#include "chain/row_pipeline.h"

namespace plumb::chain {
namespace {

constexpr std::uint64_t kBlockStates = 256;
constexpr std::size_t kAhead = 24;
/// Of the memory limit: rows are not kept if they would need more.
constexpr double kMostForRows = 0.75;

class Build {
 public:
  Build(const Model& model, const Budget& budget, const BuildOptions& options, BuildReport& report)
      : model_(model),
        budget_(budget),
        options_(options),
        report_(report),
        layout_(model.variables),
        source_(std::make_shared<RowSource>(model, layout_)),
        threads_(parallel::thread_count(options.threads)),
        keeps_rows_(options.keep_rows != KeepRows::Never) {
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
      finish();
    } catch (const OutOfBudget&) {
      report_.states = chain_.store.size();
      report_.transitions = chain_.rows.transitions();
      report_.seconds = seconds();
      throw;
    }
    report_.seconds = seconds();
    return std::move(chain_);
  }

 private:
  void add_initial_states();
  void add_state(const std::vector<std::uint64_t>& state);
  void explore();
  /// Gives numbers to the targets that have none.
  void number(RowDraft& draft, RowPipeline& pipeline);
  void append(const RowDraft& draft);
  void add_deadlock(StateId state);
  void finish();
  void push_back(Value value, ValueColumn& column) const;
  void add_state_rewards();
  void add_notes();
  /// The places of the commands whose guards hold in a state.
  std::string enabled_commands(StateId state) const;

  const Model& model_;
  const Budget& budget_;
  const BuildOptions& options_;
  BuildReport& report_;
  StateLayout layout_;
  std::shared_ptr<RowSource> source_;
  unsigned threads_;
  bool keeps_rows_;
  Chain chain_;
  std::vector<StateId> deadlocks_;
  std::uint64_t overlaps_ = 0;  ///< states of a dtmc in which commands share the probability
  StateId first_overlap_ = 0;
};

void Build::add_state(const std::vector<std::uint64_t>& state) {
  if (chain_.store.wants_to_grow(1)) chain_.store.grow(1);
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
      throw UserError(model_.initial_location,
                      fmt::format("the condition between init and endinit has {} in state {}", to_string(frame.fault),
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
  if (chain_.initial.empty())
    throw UserError(model_.initial_location, "no state satisfies the condition between init and endinit");
}

void Build::explore() {
  RowPipeline pipeline(*source_, chain_.store, threads_);
  std::uint64_t given_out = 0;
  while (true) {
    while (!pipeline.is_full() && given_out < chain_.store.size()) {
      const std::uint64_t in_chunk = StateStore::kChunk - given_out % StateStore::kChunk;
      const std::uint64_t count = std::min({kBlockStates, chain_.store.size() - given_out, in_chunk});
      pipeline.put(static_cast<StateId>(given_out), static_cast<std::uint32_t>(count));
      given_out += count;
    }
    if (RowDraft* draft = pipeline.next_expanded()) {
      number(*draft, pipeline);
      if (draft->successors.error) std::rethrow_exception(draft->successors.error);
      pipeline.set_numbered();
    }
    // Finished blocks are taken as they come, and waited for where nothing new can be given out before.
    while (RowDraft* draft = pipeline.next_finished(pipeline.is_full() || given_out == chain_.store.size())) {
      append(*draft);
      pipeline.drop();
    }
    if (pipeline.is_empty() && given_out == chain_.store.size()) return;
    budget_.check();
    if (options_.progress) options_.progress(chain_.store.size(), chain_.rows.transitions());
    if (chain_.store.size() > options_.max_states) throw OutOfBudget{Stop::Memory};
  }
}

void Build::number(RowDraft& draft, RowPipeline& pipeline) {
  StateStore& store = chain_.store;
  const std::uint32_t words = layout_.words();
  const std::size_t count = draft.missing.size();
  if (store.wants_to_grow(count)) pipeline.grow(store, count);
  const auto target = [&](std::size_t i) { return &draft.successors.targets[std::size_t{draft.missing[i]} * words]; };
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) store.prefetch_slot(layout_.hash(target(i + kAhead)));
    draft.ids[draft.missing[i]] = store.find_or_insert(target(i), layout_.hash(target(i))).id;
  }
}

void Build::append(const RowDraft& draft) {
  if (keeps_rows_)
    chain_.rows.append(draft.counts.span(), draft.targets.span(), draft.weights.span());
  else
    chain_.rows.append_lengths(draft.counts.span());
  if (chain_.kind == Kind::Mdp) {
    chain_.choices.append(draft.row_counts.span());
    if (options_.keep_actions) chain_.actions.append(draft.actions.span());
  }
  const std::vector<std::size_t>& structures = source_->successors.action_structures();
  for (std::size_t r = 0; r < structures.size(); ++r)
    for (std::size_t row = 0; row < draft.counts.size(); ++row)
      push_back(draft.rewards[row * structures.size() + r], chain_.rewards[structures[r]].rows);
  if (draft.successors.overlaps > 0 && overlaps_ == 0)
    first_overlap_ = draft.first + static_cast<StateId>(draft.successors.first_overlap);
  overlaps_ += draft.successors.overlaps;
  for (const StateId state : draft.deadlocks) add_deadlock(state);
  if (!keeps_rows_ || options_.keep_rows != KeepRows::Automatic || !budget_.memory_limit()) return;
  if (resident_memory() < static_cast<std::uint64_t>(kMostForRows * static_cast<double>(*budget_.memory_limit())))
    return;
  keeps_rows_ = false;
  report_.notes.push_back("the transitions do not fit the memory: they are computed again whenever they are needed");
}

void Build::add_deadlock(StateId state) {
  if (!options_.fix_deadlocks)
    throw UserError(fmt::format("state {} has no way on", describe_values(model_, layout_, chain_.store.state(state))),
                    "without --no-fix-deadlocks it gets a loop");
  deadlocks_.push_back(state);
}

void Build::push_back(Value value, ValueColumn& column) const {
  const FractionTable* fractions = source_->successors.reals().fractions();
  if (fractions)
    column.push_back((*fractions)[value]);
  else
    column.push_back(value.real);
}

void Build::add_state_rewards() {
  const Successors& successors = source_->successors;
  const std::unique_ptr<Successors::Scratch> scratch = successors.scratch(source_->weights);
  for (std::size_t r = 0; r < chain_.rewards.size(); ++r) {
    if (!successors.has_state_rewards(r)) continue;
    for (std::uint64_t s = 0; s < chain_.states; ++s) {
      if (s % 4096 == 0) budget_.check();
      push_back(successors.state_reward(chain_.store.state(static_cast<StateId>(s)), r, *scratch),
                chain_.rewards[r].states);
    }
  }
}

void Build::finish() {
  chain_.states = chain_.store.size();
  if (keeps_rows_) chain_.store.drop_table();
  const std::vector<std::uint32_t> renamed = source_->weights.sort();
  chain_.rows.set_weights(source_->weights.values(), source_->weights.fractions(), renamed);
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
    chain_.labels.emplace_back(label.name, states_with(chain_, model_, label.condition, budget_));
  if (!keeps_rows_) chain_.source = source_;
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

/// The value of one expression in many states: most of them agree with one before on the variables that count, so
/// values are kept by those, where there is room.
class Evaluator {
 public:
  Evaluator(const Chain& chain, const Model& model, Expression e, const Budget& budget)
      : chain_(chain), model_(model), budget_(budget), machine_(model.expressions, model.variables.size()) {
    code_ = machine_.compile(e);
    machine_.finish();
    frame_ = machine_.frame();
    support_ = model.expressions.support(e);
    masks_.resize(chain.store.layout().words());
    for (const std::uint32_t variable : support_) {
      const StateLayout::Field& field = chain.store.layout().fields()[variable];
      masks_[field.word] |= field.mask << field.shift;
    }
    keys_.resize(kPlaces * masks_.size());
    is_known_.resize(kPlaces);
    values_.resize(kPlaces);
  }

  Value operator()(StateId state) {
    if (state % 4096 == 0) budget_.check();
    const std::uint64_t* packed = chain_.store.state(state);
    const std::size_t words = masks_.size();
    std::uint64_t hash = 0;
    for (std::size_t w = 0; w < words; ++w) hash = (hash ^ (packed[w] & masks_[w])) * 0x9e3779b97f4a7c15;
    const std::size_t at = hash >> (64 - kPlaceBits);
    bool is_same = is_known_[at];
    for (std::size_t w = 0; w < words; ++w) is_same &= keys_[at * words + w] == (packed[w] & masks_[w]);
    if (is_same) return values_[at];
    values_[at] = compute(state);
    is_known_[at] = 1;
    for (std::size_t w = 0; w < words; ++w) keys_[at * words + w] = packed[w] & masks_[w];
    return values_[at];
  }

 private:
  static constexpr std::size_t kPlaceBits = 12;
  static constexpr std::size_t kPlaces = std::size_t{1} << kPlaceBits;

  Value compute(StateId state) {
    for (const std::uint32_t variable : support_) frame_.slots[variable].integer = chain_.store.value(state, variable);
    const Value value = machine_.run(code_, frame_);
    if (frame_.fault != Fault::None)
      throw UserError(fmt::format("an expression of a label or a property has {} in state {}", to_string(frame_.fault),
                                  describe(chain_, model_, state)));
    return value;
  }

  const Chain& chain_;
  const Model& model_;
  const Budget& budget_;
  Machine machine_;
  Machine::Handle code_ = 0;
  Machine::Frame frame_;
  std::vector<std::uint32_t> support_;
  std::vector<std::uint64_t> masks_;  ///< by word of a state
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint8_t> is_known_;
  std::vector<Value> values_;
};

}  // namespace

Chain build(const Model& model, const Budget& budget, const BuildOptions& options, BuildReport& report) {
  return Build(model, budget, options, report).run();
}

StateSet states_with(const Chain& chain, const Model& model, Expression condition, const Budget& budget) {
  StateSet result(chain.states);
  Evaluator evaluate(chain, model, condition, budget);
  for (std::uint64_t s = 0; s < chain.states; ++s)
    if (evaluate(static_cast<StateId>(s)).integer != 0) result.insert(static_cast<StateId>(s));
  return result;
}

std::vector<double> values_of(const Chain& chain, const Model& model, Expression value, const Budget& budget) {
  const bool is_double = model.expressions.type(value) == Type::Double;
  std::vector<double> result(chain.states);
  Evaluator evaluate(chain, model, value, budget);
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const Value v = evaluate(static_cast<StateId>(s));
    result[s] = is_double ? v.real : static_cast<double>(v.integer);
  }
  return result;
}

std::vector<Fraction> fractions_of(const Chain& chain, const Model& model, Expression value, const Budget& budget) {
  const bool is_double = model.expressions.type(value) == Type::Double;
  const FractionTable& fractions = *model.expressions.fractions();
  std::vector<Fraction> result(chain.states);
  Evaluator evaluate(chain, model, value, budget);
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const Value v = evaluate(static_cast<StateId>(s));
    result[s] = is_double ? fractions[v] : Fraction::of_integer(v.integer);
  }
  return result;
}

std::string describe(const Chain& chain, const Model& model, StateId state) {
  return describe_values(model, chain.store.layout(), chain.store.state(state));
}

}  // namespace plumb::chain
