// PRISM's explicit files number states in the order of their variables' values. States of a chain are numbered as they
// were found, so every file goes through the states by rank (StateOrder) and writes ranks for numbers; nothing but the
// order is kept in memory. What single transitions of a dtmc or ctmc earn is not in the chain, which has it summed up
// by state: it is computed once more by the successor function.
#include "cli/prob/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file_writer.h"
#include "chain/successors.h"
#include "cli/prob/file_names.h"
#include "cli/prob/state_order.h"

namespace plumb::cli::prob {
namespace {

using chain::Chain;
using chain::Kind;
using chain::StateId;

/// Lines of a file; asks the budget now and then.
class Lines {
 public:
  Lines(const std::string& file, const Budget& budget) : writer_(file), budget_(budget) {}

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    buffer_.clear();
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    writer_.write({buffer_.data(), buffer_.size()});
    constexpr std::uint64_t kSome = 1 << 12;
    if (++lines_ % kSome == 0) budget_.check();
  }
  void commit() { writer_.commit(); }

 private:
  FileWriter writer_;
  const Budget& budget_;
  fmt::memory_buffer buffer_;
  std::uint64_t lines_ = 0;
};

/// "(0,true,3)".
void put_values(std::string& text, const chain::Model& model, const Chain& chain, StateId state) {
  text = "(";
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    const std::int64_t value = chain.store.value(state, v);
    if (v > 0) text += ',';
    if (model.variables[v].type == chain::Type::Bool)
      text += value != 0 ? "true" : "false";
    else
      text += fmt::format_int(value).c_str();
  }
  text += ')';
}

class Exporter {
 public:
  Exporter(const chain::Model& model, const Chain& chain, const Budget& budget)
      : model_(model), chain_(chain), budget_(budget), order_(chain) {}

  void write(const std::string& kind, const std::string& file, std::size_t rewards) const {
    Lines lines(file, budget_);
    if (kind == "tra") write_transitions(lines);
    if (kind == "sta") write_states(lines);
    if (kind == "lab") write_labels(lines);
    if (kind == "srew") write_state_rewards(lines, rewards);
    if (kind == "trew") write_transition_rewards(lines, rewards);
    lines.commit();
  }

 private:
  struct Entry {
    std::uint32_t rank;
    double weight;
  };

  void write_transitions(Lines& lines) const;
  void write_states(Lines& lines) const;
  void write_labels(Lines& lines) const;
  void write_reward_head(Lines& lines, std::size_t rewards, const char* what) const;
  void write_state_rewards(Lines& lines, std::size_t rewards) const;
  void write_transition_rewards(Lines& lines, std::size_t rewards) const;
  void row(std::uint64_t number, std::vector<Entry>& entries) const;
  template <typename F>
  void for_each_choice_reward(std::size_t rewards, F&& f) const;
  template <typename F>
  void for_each_transition_reward(std::size_t rewards, F&& f) const;

  const chain::Model& model_;
  const Chain& chain_;
  const Budget& budget_;
  StateOrder order_;
};

/// The transitions of a row, by rank of the target.
void Exporter::row(std::uint64_t number, std::vector<Entry>& entries) const {
  entries.clear();
  chain_.rows.for_each(number,
                       [&](StateId target, double weight) { entries.push_back({order_.rank(target), weight}); });
  std::ranges::sort(entries, {}, &Entry::rank);
}

void Exporter::write_transitions(Lines& lines) const {
  std::vector<Entry> entries;
  if (chain_.kind != Kind::Mdp) {
    lines.add("{} {}\n", chain_.states, chain_.rows.transitions());
    for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
      row(order_.state(rank), entries);
      for (const Entry& entry : entries) lines.add("{} {} {}\n", rank, entry.rank, entry.weight);
    }
    return;
  }
  lines.add("{} {} {}\n", chain_.states, chain_.rows.size(), chain_.rows.transitions());
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    const StateId state = order_.state(rank);
    for (std::uint32_t choice = 0; choice < chain_.row_count(state); ++choice) {
      const std::uint64_t number = chain_.first_row(state) + choice;
      const std::string& action = model_.actions[chain_.actions.size() == 0 ? 0 : chain_.actions[number]];
      row(number, entries);
      for (const Entry& entry : entries)
        lines.add("{} {} {} {}{}{}\n", rank, choice, entry.rank, entry.weight, action.empty() ? "" : " ", action);
    }
  }
}

void Exporter::write_states(Lines& lines) const {
  std::string names;
  for (const chain::Variable& variable : model_.variables)
    names += fmt::format("{}{}", names.empty() ? "" : ",", variable.name);
  lines.add("({})\n", names);
  std::string values;
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    put_values(values, model_, chain_, order_.state(rank));
    lines.add("{}:{}\n", rank, values);
  }
}

void Exporter::write_labels(Lines& lines) const {
  chain::StateSet initial(chain_.states);
  for (const StateId state : chain_.initial) initial.insert(state);
  std::vector<const chain::StateSet*> sets{&initial, &chain_.deadlocks};
  std::string head = "0=\"init\" 1=\"deadlock\"";
  for (const auto& [name, states] : chain_.labels) {
    head += fmt::format(" {}=\"{}\"", sets.size(), name);
    sets.push_back(&states);
  }
  lines.add("{}\n", head);
  std::string numbers;
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    numbers.clear();
    for (std::size_t i = 0; i < sets.size(); ++i)
      if (sets[i]->contains(order_.state(rank))) numbers += fmt::format(" {}", i);
    if (!numbers.empty()) lines.add("{}:{}\n", rank, numbers);
  }
}

void Exporter::write_reward_head(Lines& lines, std::size_t rewards, const char* what) const {
  const std::string& name = chain_.rewards[rewards].name;
  lines.add("# Reward structure{}\n# {} rewards\n", name.empty() ? "" : fmt::format(" \"{}\"", name), what);
}

void Exporter::write_state_rewards(Lines& lines, std::size_t rewards) const {
  const chain::ValueColumn& values = chain_.rewards[rewards].states;
  std::uint64_t count = 0;
  for (std::uint64_t s = 0; s < values.size(); ++s) count += values[s] != 0 ? 1 : 0;
  write_reward_head(lines, rewards, "State");
  lines.add("{} {}\n", chain_.states, count);
  for (std::uint64_t rank = 0; count > 0 && rank < order_.size(); ++rank)
    if (const double value = values[order_.state(rank)]; value != 0) lines.add("{} {}\n", rank, value);
}

/// Of an mdp: every transition of a choice earns what the choice does.
template <typename F>
void Exporter::for_each_choice_reward(std::size_t rewards, F&& f) const {
  const chain::ValueColumn& values = chain_.rewards[rewards].rows;
  if (values.size() == 0) return;
  std::vector<Entry> entries;
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    const StateId state = order_.state(rank);
    for (std::uint32_t choice = 0; choice < chain_.row_count(state); ++choice) {
      const std::uint64_t number = chain_.first_row(state) + choice;
      if (values[number] == 0) continue;
      row(number, entries);
      for (const Entry& entry : entries) f(rank, choice, entry.rank, values[number]);
    }
  }
}

/// The ways on from a state with what they earn, one for each target.
class TransitionRewards {
 public:
  struct Earned {
    std::uint32_t rank;
    double weight;
    double reward;  ///< times weight
  };

  TransitionRewards(const chain::Model& model, const Chain& chain, const StateOrder& order, std::size_t rewards)
      : chain_(chain),
        order_(order),
        successors_(model, chain.store.layout(), true),
        scratch_(successors_.scratch(weights_)) {
    const std::vector<std::size_t>& structures = successors_.action_structures();
    place_ = static_cast<std::size_t>(std::ranges::find(structures, rewards) - structures.begin());
  }

  /// By rank of the target.
  const std::vector<Earned>& of(StateId state) {
    block_.clear();
    successors_.expand(chain_.store.state(state), *scratch_, block_);
    all_.clear();
    std::size_t first = 0;
    for (std::size_t r = 0; r < block_.rows.size(); ++r) add_row(r, first);
    std::ranges::sort(all_, {}, &Earned::rank);
    sums_.clear();
    for (const Earned& each : all_) {
      if (sums_.empty() || sums_.back().rank != each.rank) sums_.push_back({each.rank, 0, 0});
      sums_.back().weight += each.weight;
      sums_.back().reward += each.reward;
    }
    return sums_;
  }

 private:
  /// A command's transitions, from `first` on, which is moved behind them.
  void add_row(std::size_t row, std::size_t& first) {
    const std::size_t last = first + block_.rows[row].transitions;
    double total = 0;
    for (std::size_t i = first; i < last; ++i) total += weight_of(i);
    // A row of a ctmc has what it earns per unit of time.
    const double earned =
        successors_.reals().as_double(block_.rewards[row * successors_.action_structures().size() + place_]);
    const double reward = chain_.kind == Kind::Ctmc ? earned / total : earned;
    for (; first < last; ++first) {
      const double weight = weight_of(first);
      const std::uint64_t* target = &block_.targets[first * chain_.store.layout().words()];
      all_.push_back({order_.rank_of(target), weight, reward * weight});
    }
  }

  double weight_of(std::size_t transition) const {
    return successors_.reals().as_double(scratch_->weights.value(block_.weights[transition]));
  }

  const Chain& chain_;
  const StateOrder& order_;
  chain::Successors successors_;
  chain::WeightTable weights_{successors_.reals()};
  std::unique_ptr<chain::Successors::Scratch> scratch_;
  chain::SuccessorBlock block_;
  std::size_t place_ = 0;
  std::vector<Earned> all_;
  std::vector<Earned> sums_;
};

/// Of a dtmc or ctmc: what the commands earn that lead from one state to another, by their parts in the way there.
template <typename F>
void Exporter::for_each_transition_reward(std::size_t rewards, F&& f) const {
  if (chain_.rewards[rewards].rows.size() == 0) return;
  TransitionRewards transitions(model_, chain_, order_, rewards);
  for (std::uint64_t rank = 0; rank < order_.size(); ++rank) {
    if (chain_.deadlocks.contains(order_.state(rank))) continue;
    for (const TransitionRewards::Earned& earned : transitions.of(order_.state(rank)))
      if (earned.reward != 0) f(rank, earned.rank, earned.reward / earned.weight);
  }
}

void Exporter::write_transition_rewards(Lines& lines, std::size_t rewards) const {
  write_reward_head(lines, rewards, "Transition");
  std::uint64_t count = 0;
  if (chain_.kind == Kind::Mdp) {
    for_each_choice_reward(rewards, [&](auto&&...) { ++count; });
    lines.add("{} {} {}\n", chain_.states, chain_.rows.size(), count);
    for_each_choice_reward(rewards, [&](std::uint64_t from, std::uint32_t choice, std::uint32_t to, double reward) {
      lines.add("{} {} {} {}\n", from, choice, to, reward);
    });
  } else {
    for_each_transition_reward(rewards, [&](auto&&...) { ++count; });
    lines.add("{} {}\n", chain_.states, count);
    for_each_transition_reward(rewards, [&](std::uint64_t from, std::uint32_t to, double reward) {
      lines.add("{} {} {}\n", from, to, reward);
    });
  }
}

/// "a.srew" and 2 give "a2.srew", as PRISM has it.
std::string numbered(const std::string& file, std::size_t number) {
  const std::filesystem::path path(file);
  return (path.parent_path() / fmt::format("{}{}{}", path.stem().string(), number, path.extension().string())).string();
}

/// The action of a choice, with the choice's number where the name alone would not tell.
std::string choice_text(const chain::Model& model, const Chain& chain, StateId state, std::uint32_t choice) {
  const auto action_of = [&](std::uint32_t c) -> const std::string& {
    return model.actions[chain.actions[chain.first_row(state) + c]];
  };
  std::uint32_t same = 0;
  for (std::uint32_t c = 0; c < chain.row_count(state); ++c) same += action_of(c) == action_of(choice) ? 1 : 0;
  return same == 1 && !action_of(choice).empty() ? action_of(choice) : fmt::format("{}[{}]", action_of(choice), choice);
}

}  // namespace

std::vector<result::WrittenFile> export_chain(const Options& options, const chain::Model& model, const Chain& chain,
                                              const Budget& budget) {
  const Exporter exporter(model, chain, budget);
  std::vector<result::WrittenFile> written;
  for (const auto& [kind, file] : export_files(options)) {
    const bool is_rewards = kind == "srew" || kind == "trew";
    const std::size_t count = is_rewards ? chain.rewards.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string path = count > 1 ? numbered(file, i + 1) : file;
      exporter.write(kind, path, i);
      written.emplace_back(count > 1 ? fmt::format("{}{}", kind, i + 1) : kind, path);
    }
  }
  return written;
}

void write_strategy(const Options& options, const ExperimentReport& report, Reply& answer, const chain::Model& model,
                    const Chain& chain, const Budget& budget) {
  const std::vector<std::uint32_t> strategy = std::move(answer.result->strategy);
  answer.result->strategy.clear();
  if (strategy.empty()) {
    answer.result->notes.emplace_back("there is no strategy that depends on the state alone to write");
    return;
  }
  std::string path = options.strategy;
  if (report.questions.size() > 1) path = with_name(path, file_name(report, answer.question));
  std::string values;
  for (const std::string& name : report.varied)
    values += fmt::format("{}{}={}", values.empty() ? "" : ",", name, report.combinations[answer.combination].at(name));
  if (!values.empty()) path = with_name(path, values);
  const StateOrder order(chain);
  Lines lines(path, budget);
  for (std::uint64_t rank = 0; rank < order.size(); ++rank) {
    const StateId state = order.state(rank);
    put_values(values, model, chain, state);
    lines.add("{}={}\n", values, choice_text(model, chain, state, strategy[state]));
  }
  lines.commit();
  answer.files.emplace_back("strategy", path);
}

}  // namespace plumb::cli::prob
