#include "cli/prob/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <new>

#include "base/file.h"
#include "chain/slice.h"
#include "cli/live_progress.h"
#include "cli/prob/export.h"
#include "cli/prob/files.h"
#include "cli/prob/fingerprint.h"
#include "cli/prob/number_text.h"
#include "lang/prism/ast.h"
#include "lang/prism/prism.h"

namespace plumb::cli::prob {
namespace {

constexpr std::uint64_t kMostCombinations = 1'000'000;

/// What could not be done: by an error of the input, or for want of time or memory.
struct Failure {
  std::string text;
  std::optional<UserError> error;
  bool is_cancelled = false;
};

/// Runs `work`; if that fails, the reason.
std::optional<Failure> attempt(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const UserError& error) {
    const std::string place = error.location().to_string();
    const std::string hint = error.hint().empty() ? "" : fmt::format(" ({})", error.hint());
    return Failure{fmt::format("{}{}{}{}", place, place.empty() ? "" : ": ", error.message(), hint), error};
  } catch (const OutOfBudget& end) {
    return Failure{std::string(to_string(end.stop)), std::nullopt, end.stop == Stop::Cancelled};
  } catch (const std::bad_alloc&) {
    return Failure{std::string(to_string(Stop::Memory)), std::nullopt};
  }
}

class Experiment {
 public:
  Experiment(const Options& options, const Context& context)
      : options_(options), context_(context), progress_("prob " + options.model, context.common.quiet) {}

  ExperimentReport run() {
    read();
    group();
    for (const Group& each : groups_) parts_left_ += parts(each.size());
    for (const Group& each : groups_) run_group(each);
    throw_if_all_failed();
    return std::move(report_);
  }

 private:
  /// Combinations with the same chain.
  using Group = std::vector<std::size_t>;
  /// A combination, ready to be built and checked.
  struct Prepared {
    prism::Instance instance;
    std::vector<std::string> left_out;
  };

  void read();
  Prepared prepare(const Constants& constants) const;
  void choose();
  void group();
  void add_notes(const std::vector<std::string>& notes);
  void set_questions(const std::vector<chain::Property>& properties);
  void run_group(const Group& group);
  std::optional<chain::Chain> build(const Prepared& prepared, const Budget& budget, BuiltChain& built);
  void check_combination(std::size_t combination, const Prepared& prepared, const chain::Chain& chain,
                         const Budget& budget, std::size_t& left);
  void check_question(std::size_t combination, std::size_t question, const Prepared& prepared,
                      const chain::Chain& chain, const Budget& part);
  /// Time that others left over goes to questions that ran out of theirs, as long as it is more than they had.
  void ask_again(const chain::Chain& chain, const Budget& budget);
  void fail(const std::vector<std::size_t>& combinations, const Failure& failure, std::optional<std::size_t> chain);
  void throw_if_all_failed() const;

  Reply& answer(std::size_t combination, std::size_t question) {
    return report_.answers[combination * report_.questions.size() + question];
  }
  /// Parts of the time for combinations; without questions, building is one.
  std::size_t parts(std::size_t combinations) const {
    return combinations * std::max<std::size_t>(1, report_.questions.size());
  }
  /// A part of the time that is left.
  static Budget share(const Budget& budget, std::size_t part, std::size_t of) {
    const auto left = budget.time_left();
    if (!left || part >= of) return budget;
    return budget.with_timeout(*left * (static_cast<double>(part) / static_cast<double>(of)));
  }
  void set_status(const std::string& status) {
    progress_.set_status(report_.is_experiment()
                             ? fmt::format("{} ({} of {} done)", status, done_, report_.combinations.size())
                             : status);
  }

  const Options& options_;
  const Context& context_;
  LiveProgress progress_;
  std::shared_ptr<const prism::Source> model_;
  std::vector<std::shared_ptr<const prism::Source>> sources_;
  std::optional<std::vector<bool>> wanted_;  ///< by property over all sources; nothing: all
  std::vector<Group> groups_;
  std::vector<std::pair<std::size_t, Failure>> unprepared_;  ///< combinations that are wrong from the start
  ExperimentReport report_;
  /// A question that ran out of its part of the time.
  struct Late {
    std::size_t combination;
    std::size_t question;
    std::chrono::duration<double> had;
  };
  std::vector<Late> late_;  ///< of the group that is run
  std::size_t parts_left_ = 0;
  std::size_t done_ = 0;
};

void Experiment::read() {
  set_status("reading");
  report_.inputs = {options_.model};
  model_ = prism::parse_model(read_file(options_.model), options_.model);
  if (!options_.properties_file.empty()) {
    report_.inputs.push_back(options_.properties_file);
    sources_.push_back(prism::parse_properties(read_file(options_.properties_file), options_.properties_file));
  }
  for (const std::string& text : options_.properties) sources_.push_back(prism::parse_properties(text, "--prop"));
  choose();
  const std::vector<prism::GivenConstant> constants = prism::parse_constants(options_.constants);
  double count = 1;
  for (const prism::GivenConstant& constant : constants) {
    report_.names.push_back(constant.name);
    if (constant.values.size() > 1) report_.varied.push_back(constant.name);
    count *= static_cast<double>(constant.values.size());
  }
  if (count > static_cast<double>(kMostCombinations))
    throw UserError(fmt::format("--const: there are {:.0f} combinations of constants, which is too many", count));
  check_plots(options_, report_.varied);
  report_.combinations = prism::combinations(constants);
  report_.chain_of.resize(report_.combinations.size());
}

void Experiment::choose() {
  if (options_.chosen.empty()) return;
  std::vector<const prism::PropertyNode*> properties;
  for (const auto& source : sources_)
    for (const prism::PropertyNode& property : source->properties) properties.push_back(&property);
  wanted_.emplace(properties.size());
  for (const std::string& wanted : options_.chosen) {
    const auto named =
        std::ranges::find(properties, wanted, [](const prism::PropertyNode* property) { return property->name; });
    auto position = static_cast<std::size_t>(named - properties.begin());
    if (named == properties.end()) {
      const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), position);
      if (error != std::errc{} || end != wanted.data() + wanted.size()) position = properties.size();
    }
    if (position >= properties.size()) {
      std::vector<std::string> names;
      for (const prism::PropertyNode* property : properties)
        names.push_back(property->name.empty() ? property->text : property->name);
      throw UserError(fmt::format("there is no property '{}'", wanted),
                      names.empty() ? "there is none at all" : fmt::format("there are: {}", fmt::join(names, ", ")));
    }
    (*wanted_)[position] = true;
  }
}

Experiment::Prepared Experiment::prepare(const Constants& constants) const {
  std::vector<const prism::Source*> sources;
  for (const auto& source : sources_) sources.push_back(source.get());
  const bool is_exact = options_.check.analysis.method == chain::AnalysisOptions::Method::Exact;
  Prepared prepared{prism::instantiate(*model_, sources, constants, wanted_ ? &*wanted_ : nullptr,
                                       is_exact ? prism::Arithmetic::Exact : prism::Arithmetic::Doubles),
                    {}};
  if (!options_.strategy.empty() && prepared.instance.model.kind != chain::Kind::Mdp)
    throw UserError(fmt::format("--strategy: a {} has no choices", to_string(prepared.instance.model.kind)));
  const bool wants_whole = options_.keep_modules || !options_.exports.empty() || !options_.strategy.empty();
  if (!wants_whole && !prepared.instance.properties.empty())
    prepared.left_out = chain::drop_unseen(prepared.instance.model, prepared.instance.properties);
  return prepared;
}

void Experiment::set_questions(const std::vector<chain::Property>& properties) {
  for (const chain::Property& property : properties)
    report_.questions.push_back({property.name, property.text, property.location});
  for (std::size_t c = 0; c < report_.combinations.size(); ++c)
    for (std::size_t q = 0; q < properties.size(); ++q) {
      Reply empty;
      empty.question = q;
      empty.combination = c;
      empty.failure = "not asked";
      report_.answers.push_back(std::move(empty));
    }
}

/// On constants that are not as written; of those with a range the table tells.
void Experiment::add_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    const auto is_about = [&](const std::string& name) { return note.starts_with(fmt::format("constant {} ", name)); };
    if (std::ranges::none_of(report_.varied, is_about) && std::ranges::find(report_.notes, note) == report_.notes.end())
      report_.notes.push_back(note);
  }
}

void Experiment::group() {
  std::map<Fingerprint, std::size_t> group_of;
  bool has_questions = false;
  for (std::size_t c = 0; c < report_.combinations.size(); ++c) {
    set_status("preparing");
    const std::optional<Failure> failure = attempt([&] {
      context_.budget.check();
      const Prepared prepared = prepare(report_.combinations[c]);
      if (!has_questions) set_questions(prepared.instance.properties);
      has_questions = true;
      add_notes(prepared.instance.notes);
      const Fingerprint key = fingerprint(prepared.instance.model);
      const auto [place, is_new] = group_of.try_emplace(key, groups_.size());
      if (is_new) groups_.emplace_back();
      groups_[place->second].push_back(c);
    });
    if (failure) unprepared_.emplace_back(c, *failure);
  }
  if (!has_questions && !unprepared_.empty()) {
    if (const std::optional<UserError>& error = unprepared_.front().second.error) throw UserError(*error);
    context_.budget.check();
  }
  if (report_.questions.empty() && !sources_.empty()) report_.notes.emplace_back("there is no property to check");
  for (const auto& [combination, failure] : unprepared_) fail({combination}, failure, std::nullopt);
  if (!options_.exports.empty() && groups_.size() > 1)
    throw UserError(fmt::format("--export writes one chain, and the constants make {}", groups_.size()),
                    "give one value to each constant that the model uses");
}

void Experiment::fail(const std::vector<std::size_t>& combinations, const Failure& failure,
                      std::optional<std::size_t> chain) {
  for (const std::size_t combination : combinations)
    for (std::size_t q = 0; q < report_.questions.size(); ++q) {
      Reply& failed = answer(combination, q);
      failed.failure = failure.text;
      failed.error = failure.error;
      failed.chain = chain;
    }
}

std::optional<chain::Chain> Experiment::build(const Prepared& prepared, const Budget& budget, BuiltChain& built) {
  chain::BuildOptions wanted;
  wanted.threads = options_.threads;
  wanted.fix_deadlocks = !options_.no_fix_deadlocks;
  wanted.max_states = options_.max_states;
  const bool wants_rows = !options_.strategy.empty() || !options_.exports.empty();
  wanted.keep_actions = wants_rows;
  wanted.keep_rows = wants_rows ? chain::KeepRows::Always : options_.keep_rows;
  wanted.progress = [&](std::uint64_t states, std::uint64_t transitions) {
    set_status(fmt::format("building: {} states, {} transitions", grouped(states), grouped(transitions)));
  };
  set_status("building");
  std::optional<chain::Chain> chain;
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Failure> failure =
      attempt([&] { chain = chain::build(prepared.instance.model, budget, wanted, built.report); });
  if (!failure) return chain;
  built.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  built.failure = built.report.states >= options_.max_states ? "--max-states" : failure->text;
  if (failure->error) throw UserError(*failure->error);
  return std::nullopt;
}

void Experiment::check_combination(std::size_t combination, const Prepared& prepared, const chain::Chain& chain,
                                   const Budget& budget, std::size_t& left) {
  for (std::size_t q = 0; q < report_.questions.size(); ++q)
    check_question(combination, q, prepared, chain, share(budget, 1, left--));
}

void Experiment::check_question(std::size_t combination, std::size_t question, const Prepared& prepared,
                                const chain::Chain& chain, const Budget& part) {
  chain::CheckOptions wanted = options_.check;
  wanted.analysis.threads = options_.threads;
  wanted.analysis.want_strategy = !options_.strategy.empty();
  set_status(report_.questions[question].title());
  Reply& asked = answer(combination, question);
  asked.chain = report_.chains.size() - 1;
  const auto had = part.time_left();
  const std::optional<Failure> failure = attempt([&] {
    part.check();
    asked.result = chain::check(prepared.instance.model, chain, prepared.instance.properties[question], part, wanted);
    if (!options_.strategy.empty()) write_strategy(options_, report_, asked, prepared.instance.model, chain, part);
  });
  if (!failure) return;
  asked.result.reset();
  asked.failure = failure->text;
  asked.error = failure->error;
  if (had && part.exceeded() == Stop::Time) late_.push_back({combination, question, *had});
}

void Experiment::ask_again(const chain::Chain& chain, const Budget& budget) {
  constexpr double kWorthwhile = 1.25;  // times what it had
  for (std::vector<Late> late = std::exchange(late_, {}); !late.empty(); late = std::exchange(late_, {})) {
    std::ranges::stable_sort(late, {}, &Late::had);
    bool has_asked = false;
    const auto ask = [&](const Late& each, const Budget& part) {
      if (*part.time_left() <= kWorthwhile * each.had) return;  // of nothing nothing is left
      check_question(each.combination, each.question, prepare(report_.combinations[each.combination]), chain, part);
      has_asked = true;
    };
    for (std::size_t i = 0; i < late.size(); ++i) ask(late[i], share(budget, 1, late.size() - i));
    if (has_asked) continue;
    // Too little for all of them may be enough for one.
    ask(late.front(), budget);
    if (has_asked) late_.insert(late_.end(), late.begin() + 1, late.end());
  }
}

void Experiment::run_group(const Group& group) {
  std::size_t left = parts(group.size());
  const Budget budget = share(context_.budget, left, parts_left_);
  parts_left_ -= left;
  const std::size_t position = report_.chains.size();
  const std::optional<Failure> failure = attempt([&] {
    const Prepared first = prepare(report_.combinations[group.front()]);
    BuiltChain& built = report_.chains.emplace_back();
    built.kind = to_string(first.instance.model.kind);
    built.constants = report_.combinations[group.front()];
    built.left_out = first.left_out;
    for (const std::size_t combination : group) report_.chain_of[combination] = position;
    const std::optional<chain::Chain> chain = build(first, budget, built);
    if (!chain) {
      const std::string at =
          fmt::format("{}: building stopped at {}", built.failure, counted(built.report.states, "state"));
      return fail(group, {at, std::nullopt}, position);
    }
    if (!options_.exports.empty()) {
      set_status("writing the chain");
      report_.files = export_chain(options_, first.instance.model, *chain, context_.budget);
    }
    for (const std::size_t combination : group) {
      if (combination == group.front())
        check_combination(combination, first, *chain, budget, left);
      else
        check_combination(combination, prepare(report_.combinations[combination]), *chain, budget, left);
      ++done_;
    }
    ask_again(*chain, budget);
  });
  late_.clear();
  if (!failure) return;
  const bool was_built = report_.chains.size() > position;
  if (was_built && report_.chains[position].failure.empty()) report_.chains[position].failure = failure->text;
  fail(group, *failure, was_built ? std::optional(position) : std::nullopt);
  // Without a property nothing else would tell.
  if (report_.questions.empty() && failure->error) throw UserError(*failure->error);
}

void Experiment::throw_if_all_failed() const {
  if (report_.answers.empty()) return;
  for (const Reply& each : report_.answers)
    if (!each.error) return;
  throw UserError(*report_.answers.front().error);
}

}  // namespace

ExperimentReport run_experiment(const Options& options, const Context& context) {
  return Experiment(options, context).run();
}

}  // namespace plumb::cli::prob
