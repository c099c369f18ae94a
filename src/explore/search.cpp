#include "explore/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "explore/evidence.h"
#include "program/analysis/decisions.h"
#include "term/substitution.h"

namespace plumb::explore {

using program::GoalKind;

namespace {

/// States with the same control whose valuations a new one is compared with.
constexpr std::size_t kMaxCompared = 32;
/// Steps between looks at the budget.
constexpr std::uint64_t kCheckInterval = 64;
/// And between signs of life.
constexpr std::chrono::milliseconds kProgressInterval{200};
/// States are merged if one in so many has several next ones.
constexpr std::uint64_t kBranchingPart = 20;
/// For so many times as long as they were not, and at least so long.
constexpr std::uint64_t kLongerMerged = 2;
constexpr std::uint64_t kLeastMerged = 50000;
/// What a question costs.
constexpr std::uint64_t kStepsPerQuery = 100;

/// What is lost at the end of the program depends on how far each thread has come.
bool hides_accesses(const Options& options, std::span<const Goal> goals) {
  return options.reduction == Reduction::Dpor &&
         std::ranges::none_of(goals, [](const Goal& goal) { return goal.kind == GoalKind::Leak; });
}

/// Nor is a race that no assertion depends on left out.
bool leaves_out(const Options& options, std::span<const Goal> goals, const Slice& slice) {
  return hides_accesses(options, goals) && slice.has_any() &&
         std::ranges::none_of(goals, [](const Goal& goal) { return goal.kind == GoalKind::DataRace; });
}

Machine::Options machine_options(const Options& options, std::span<const Goal> goals, Discipline& discipline,
                                 Dominance& dominance, const Slice& slice, Symmetry& symmetry) {
  return {.reduction = options.reduction,
          .looks_at_memory = std::ranges::any_of(goals, program::is_about_memory),
          .has_spurious_wakeups = options.has_spurious_wakeups,
          .discipline = hides_accesses(options, goals) ? &discipline : nullptr,
          .dominance = dominance.is_on() ? &dominance : nullptr,
          .slice = leaves_out(options, goals, slice) ? &slice : nullptr,
          .symmetry = options.reduction == Reduction::Dpor ? &symmetry : nullptr};
}

}  // namespace

StateGraph::Added StateGraph::add(const State& state, Id parent, const Step& step) {
  const std::uint64_t hash = mixed((std::uint64_t{state.control} << 32 | state.data) + 0x9e3779b97f4a7c15);
  const Id known = index_.find(hash, [&](Id id) { return nodes_[id].state == state; });
  if (known != HashIndex::kMissing) return {known, false};
  const auto next_script = static_cast<std::uint32_t>(scripts_.size());
  const auto [script, is_new] = script_ids_.try_emplace({step.script, step.merged}, next_script);
  if (is_new) scripts_.emplace_back(step.script, step.merged);
  const auto id = static_cast<Id>(nodes_.size());
  nodes_.push_back({state, parent, step.thread | (step.is_rest ? kIsRest : 0) | script->second << kThreadBits});
  index_.add(hash, id);
  return {id, true};
}

Search::Search(const Program& program, std::span<const Goal> goals, const Options& options, const Budget& budget,
               const std::function<void(std::size_t goal, const GoalResult& answer)>& on_answer)
    : goals_(goals),
      options_(options),
      budget_(budget),
      on_answer_(on_answer),
      world_(program),
      choices_(terms_, options.seed, budget),
      dominance_(program, options.reduction == Reduction::Dpor ? goals : std::span<const Goal>()),
      slice_(program, world_.platform),
      machine_(world_, store_, choices_, machine_options(options, goals, discipline_, dominance_, slice_, symmetry_)),
      subsumption_(terms_, options.algorithm, options.seed, budget),
      payload_(program, goals),
      is_decided_(goals.size(), false),
      is_open_(goals.size(), true),
      open_(goals.size()) {
  outcome_.answers.resize(goals.size());
  looks_for_races_ = std::ranges::any_of(goals, [](const Goal& goal) { return goal.kind == GoalKind::DataRace; });
  const program::CallGraph calls(program);
  const program::Decisions decisions(program, calls);
  for (const program::Function& f : program.functions) places_.emplace_back(f.instructions.size(), false);
  for (std::size_t g = 0; g < goals.size(); ++g) {
    goals_at_[{goals[g].at.function, goals[g].at.instruction}].push_back(g);
    for (const CodePoint place : decisions.of(goals[g])) {
      decided_at_[{place.function, place.instruction}].push_back(g);
      places_[place.function][place.instruction] = true;
    }
  }
  machine_.listener.places = &places_;
  machine_.listener.on_place = [this](CodePoint at) {
    for (const std::size_t g : decided_at_[{at.function, at.instruction}]) is_decided_[g] = true;
    places_[at.function][at.instruction] = false;
  };
  machine_.listener.on_gap = [this](const result::Gap& gap) { result::add_gaps(gaps_, std::array{gap}); };
  machine_.listener.on_assumption = [this](const std::string& text) { assumptions_.insert(text); };
  machine_.listener.on_leak = [this](CodePoint at) { leaks_.push_back(at); };
  machine_.listener.looks_for_leaks =
      std::ranges::any_of(goals, [](const Goal& goal) { return goal.kind == GoalKind::Leak; });
}

Outcome Search::run() {
  std::string reason;
  try {
    explore_all();
    while (is_misguided() && has_open()) {
      begin_again();
      explore_all();
    }
    if (options_.max_states && graph_.size() >= *options_.max_states && !frontier_.empty())
      reason = fmt::format("{} states were looked at, and there are more", graph_.size());
  } catch (const OutOfBudget& stopped) {
    reason = fmt::format("{} after {} states", to_string(stopped.stop), graph_.size());
  } catch (const std::bad_alloc&) {
    reason = fmt::format("{} after {} states", to_string(Stop::Memory), graph_.size());
  }
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (!is_open_[g]) continue;
    GoalResult& answer = outcome_.answers[g];
    answer.gaps = gaps_;
    if (reason.empty() && answer.reason.empty()) {
      answer.verdict = is_decided_[g] ? Verdict::Holds : Verdict::Vacuous;
    } else if (answer.reason.empty()) {
      answer.reason = reason;
    }
    if (on_answer_ && answer.verdict != Verdict::Unknown) on_answer_(g, answer);
  }
  outcome_.assumptions.assign(assumptions_.begin(), assumptions_.end());
  count();
  return std::move(outcome_);
}

void Search::show_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_) return;
  next_progress_ = now + kProgressInterval;
  count();
  options_.on_progress(outcome_.statistics);
}

void Search::count() {
  Statistics& s = outcome_.statistics;
  s.states = graph_.size();
  s.frontier = frontier_.size();
  s.bytes = graph_.bytes() + store_.bytes();
  s.queries = choices_.queries() + subsumption_.queries();
  s.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Search::begin_again() {
  discipline_.mend();
  dominance_.mend();
  symmetry_.mend();
  graph_ = StateGraph();
  fronts_.clear();
  is_covered_.clear();
  branchings_ = 0;
  begins_again_ = false;
  data_of_.clear();
  frontier_.clear();
  depths_.clear();
}

void Search::explore_all() {
  std::optional<Choices::Script> script = Choices::Script{};
  while (script && has_open()) {
    choices_.begin({}, *script);
    machine_.start();
    leaks_.clear();
    const StepEnd end = machine_.settle_start();
    if (is_misguided()) return;
    const StateGraph::Step step{0, choices_.script()};
    script = choices_.next();
    if (end == StepEnd::Faulty) violated(machine_.fault().kind, machine_.fault().at, std::nullopt, step);
    for (const CodePoint leak : leaks_) violated(FaultKind::Leak, leak, std::nullopt, step);
    if (end == StepEnd::Stands || end == StepEnd::Blocked) reach(machine_.save(), std::nullopt, step);
  }
  while (!frontier_.empty() && has_open() && !is_misguided()) {
    if (options_.max_states && graph_.size() >= *options_.max_states) return;
    look_otherwise();
    if (begins_again_) return;
    Id next = 0;
    if (options_.order == Order::Breadth) {
      next = frontier_.front();
      frontier_.pop_front();
    } else {
      next = frontier_.back();
      frontier_.pop_back();
    }
    if (!dominance_.is_on() || !is_covered_[next]) expand(next);
    if (options_.on_progress) show_progress();
  }
}

void Search::reach(const State& state, std::optional<Id> parent, const StateGraph::Step& step) {
  const bool was_known_met = std::exchange(met_.known, true);
  if (state.data != 0 && options_.algorithm != Algorithm::Execution) {
    std::vector<std::uint32_t>& known = data_of_[state.control];
    const std::size_t first = known.size() > kMaxCompared ? known.size() - kMaxCompared : 0;
    for (std::size_t i = known.size(); i-- > first;)
      if (known[i] == state.data || subsumption_.is_subset(store_.data(state.data), store_.data(known[i]))) return;
    known.push_back(state.data);
  }
  if (dominance_.is_on()) {
    data_.clear();
    const State rest = machine_.save_without(dominance_, data_);
    const auto next = static_cast<Id>(graph_.size());
    if (!fronts_.add(rest, data_, next, [this](Id smaller) { is_covered_[smaller] = true; })) return;
    is_covered_.push_back(false);
  }
  const StateGraph::Added added = graph_.add(state, parent.value_or(0), step);
  if (!added.is_new) return;
  met_ = {.known = was_known_met, .fresh = true};
  const std::uint32_t depth = parent ? depths_[*parent] + 1 : 0;
  depths_.push_back(depth);
  outcome_.statistics.depth = std::max<std::uint64_t>(outcome_.statistics.depth, depth);
  frontier_.push_back(added.id);
}

StepEnd Search::make(const StateGraph::Step& step) {
  return step.is_rest ? machine_.finish_step(step.thread) : machine_.step(step.thread);
}

Search::Ways Search::take(Id id, std::uint32_t thread, bool is_rest) {
  Ways ways;
  ways.thread = thread;
  const State state = graph_.state(id);
  std::vector<WayOut> several;
  std::optional<Choices::Script> script = Choices::Script{};
  while (script && has_open()) {
    choices_.begin(store_.data(state.data).constraints, *script);
    machine_.load(state);
    leaks_.clear();
    if (++outcome_.statistics.steps % kCheckInterval == 0) budget_.check();
    const StepEnd end = make({.thread = thread, .is_rest = is_rest});
    if (is_misguided()) return ways;
    const StateGraph::Step step{.thread = thread, .script = choices_.script(), .is_rest = is_rest};
    script = choices_.next();
    if (end == StepEnd::Blocked) {
      met_.known = true;
      // Where inputs decide whether it blocks, those for which it does are a state of their own.
      if (!choices_.has_learnt()) continue;
      machine_.load(state);
      const State split = machine_.save();
      if (!(split == state)) reach(split, id, step);
      continue;
    }
    ways.can_go = true;
    if (looks_for_races_ && !machine_.touches().empty())
      ways.ways.push_back({step.script,
                           {machine_.touches().begin(), machine_.touches().end()},
                           choices_.constraints(),
                           choices_.inputs(),
                           choices_.has_learnt()});
    if (end == StepEnd::Faulty) violated(machine_.fault().kind, machine_.fault().at, id, step);
    for (const CodePoint leak : leaks_) violated(FaultKind::Leak, leak, id, step);
    if (end != StepEnd::Stands) continue;
    const bool is_only_one = !script && step.script.empty();
    branchings_ += is_only_one ? 0 : 1;
    if (look_ != Look::Merged || is_only_one)
      reach(machine_.save(), id, step);
    else
      several.push_back({step.script, machine_.take_out(payload_), choices_.constraints()});
  }
  if (!several.empty()) reach_merged(id, thread, is_rest, std::move(several));
  return ways;
}

void Search::reach_merged(Id id, std::uint32_t thread, bool is_rest, std::vector<WayOut> ways) {
  const State state = graph_.state(id);
  const std::vector<Term>& known = store_.data(state.data).constraints;
  const auto listener = std::exchange(machine_.listener, {});
  while (!ways.empty() && has_open()) {
    const auto others =
        std::stable_partition(ways.begin(), ways.end(), [&](const WayOut& w) { return w.meets(ways[0]); });
    const std::vector<WayOut> group(ways.begin(), others);
    ways.erase(ways.begin(), others);
    StateGraph::Step step{.thread = thread, .script = group.back().script, .is_rest = is_rest};
    for (std::size_t w = 0; w + 1 < group.size(); ++w) step.merged.push_back(group[w].script);
    choices_.begin(known, step.script);
    machine_.load(state);
    make(step);
    if (group.size() > 1) merge(machine_, choices_, payload_, group, known.size());
    reach(machine_.save(), id, step);
  }
  machine_.listener = listener;
}

std::uint64_t Search::effort() const {
  return outcome_.statistics.steps + kStepsPerQuery * (choices_.queries() + subsumption_.queries());
}

void Search::look_otherwise() {
  if (options_.reduction != Reduction::Dpor || frontier_.empty()) return;
  if (look_ == Look::Apart && effort() >= options_.merges_after && branchings_ * kBranchingPart > graph_.size()) {
    look_ = Look::Merged;
    merged_until_ = effort() + kLongerMerged * std::max(effort(), kLeastMerged);
  } else if (look_ == Look::Merged && effort() > merged_until_) {
    look_ = Look::ApartForGood;
  } else {
    return;
  }
  machine_.merge(look_ == Look::Merged);
  begins_again_ = true;
}

void Search::expand(Id id) {
  machine_.load(graph_.state(id));
  std::vector<std::uint32_t> able;
  std::vector<std::uint32_t> waiting;
  const std::uint32_t count = machine_.thread_count();
  bool have_all_ended = true;
  bool can_go = false;
  for (std::uint32_t t = 0; t < count; ++t) {
    have_all_ended = have_all_ended && machine_.has_ended(t);
    if (machine_.may_step(t)) able.push_back(t);
    const bool is_timed = machine_.is_timed_waiter(t);
    if (is_timed || (options_.has_spurious_wakeups && machine_.is_condition_waiter(t))) waiting.push_back(t);
    can_go = can_go || is_timed;
  }
  if (have_all_ended) return;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dropped;
  if (options_.reduction == Reduction::Dpor && count > 2) {
    look_at_joins(id);
    if (is_misguided()) return;
    drop_alike(able, dropped);
    if (is_misguided()) return;
  }
  if (!able.empty())
    std::ranges::rotate(able, able.begin() + static_cast<std::ptrdiff_t>(options_.first_thread % able.size()));
  const std::uint32_t last = graph_.step(id).thread;
  if (options_.reduction == Reduction::Dpor && able.size() + waiting.size() > 1 && machine_.has_rest(last)) {
    // Others can go before or after it. But if it leads back, it may never end.
    met_ = {};
    take(id, last, true);
    if ((met_.fresh && !met_.known) || !has_open() || is_misguided()) return;
  }
  std::vector<Ways> all;
  for (const std::uint32_t t : able) {
    Ways ways = take(id, t);
    can_go = can_go || ways.can_go;
    if (!ways.ways.empty()) all.push_back(std::move(ways));
    if (!has_open() || is_misguided()) return;
  }
  for (std::size_t w = 0; looks_for_races_ && w < all.size(); ++w)
    for (const auto& [first, second] : dropped)
      if (all[w].thread == first) all.push_back({second, all[w].can_go, all[w].ways});
  if (all.size() > 1) find_races(id, all);
  if (!can_go) {
    for (std::size_t g = 0; g < goals_.size(); ++g)
      if (goals_[g].kind == GoalKind::Deadlock && is_open_[g]) close(g, id, nullptr);
  }
  for (const std::uint32_t t : waiting) take(id, t);
}

void Search::look_at_joins(Id id) {
  for (std::uint32_t t = 1; t < machine_.thread_count(); ++t)
    if (machine_.is_at_join(t)) symmetry_.turn_off();
  if (!machine_.is_at_join(0)) return;
  const auto [known, is_new] = joins_.try_emplace(machine_.part_of(0));
  if (is_new || !machine_.is_as_before(known->second)) {
    const State state = graph_.state(id);
    choices_.begin(store_.data(state.data).constraints, {});
    known->second = machine_.joins_ahead();
    machine_.load(state);
  }
  const auto& threads = known->second.threads;
  const auto may_join = [&](std::uint32_t t) {
    return t != 0 && t < machine_.thread_count() && !machine_.was_joined(t);
  };
  if (!threads || !std::ranges::all_of(*threads, may_join)) return symmetry_.turn_off();
  const auto is_joined = [&](std::uint32_t t) {
    return machine_.was_joined(t) || std::ranges::find(*threads, t) != threads->end();
  };
  for (std::uint32_t a = 1; a < machine_.thread_count(); ++a)
    for (std::uint32_t b = a + 1; b < machine_.thread_count(); ++b)
      if (is_joined(a) != is_joined(b)) symmetry_.told_apart(a, b);
}

void Search::drop_alike(std::vector<std::uint32_t>& able,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& dropped) {
  for (std::size_t b = able.size(); b-- > 1;) {
    const auto a = std::ranges::find_if(able.begin(), able.begin() + static_cast<std::ptrdiff_t>(b), [&](auto t) {
      return t != 0 && able[b] != 0 && symmetry_.may_change(t, able[b]) && machine_.are_alike(t, able[b]);
    });
    if (a == able.begin() + static_cast<std::ptrdiff_t>(b)) continue;
    symmetry_.changed(*a, able[b]);
    dropped.emplace_back(*a, able[b]);
    able.erase(able.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

std::optional<Meeting> Search::meeting(const Way& a, const Touch& first, const Way& b, const Touch& second) {
  if (first.size == 0 || second.size == 0) return std::nullopt;
  if ((first.is_atomic && second.is_atomic) || !(first.is_write || second.is_write)) return std::nullopt;
  if (first.address >= second.address + second.size || second.address >= first.address + first.size)
    return std::nullopt;
  Meeting met;
  if (!a.has_learnt && !b.has_learnt && !first.symbolic && !second.symbolic) return met;
  // What the second thread asks for in its step are other inputs than those of the first one, under the same names.
  term::Substitution own(terms_);
  for (const Choices::Input& input : b.inputs)
    own.add(input.value, terms_.variable(terms_.width(input.value), input.name));
  for (const Term constraint : b.constraints) met.also.push_back(own.apply(constraint));
  const std::uint32_t width = world_.pointer_width();
  const Term at = first.symbolic ? first.symbolic : terms_.constant(width, first.address);
  const Term other = second.symbolic ? own.apply(second.symbolic) : terms_.constant(width, second.address);
  const std::uint64_t size = first.symbolic ? first.width : first.size;
  const std::uint64_t other_size = second.symbolic ? second.width : second.size;
  met.also.push_back(terms_.bit_or(terms_.ult(terms_.sub(at, other), terms_.constant(width, other_size)),
                                   terms_.ult(terms_.sub(other, at), terms_.constant(width, size))));
  std::vector<Term> all = a.constraints;
  all.insert(all.end(), met.also.begin(), met.also.end());
  if (!choices_.are_possible(std::move(all))) return std::nullopt;
  return met;
}

void Search::find_races(Id id, const std::vector<Ways>& all) {
  const auto goal = std::ranges::find(goals_, GoalKind::DataRace, &Goal::kind);
  if (goal == goals_.end()) return;
  const auto g = static_cast<std::size_t>(goal - goals_.begin());
  const auto compare = [&](const Ways& one, const Way& a, const Ways& other, const Way& b) {
    for (const Touch& first : a.touches) {
      for (const Touch& second : b.touches) {
        if (!is_open_[g]) return;
        std::optional<Meeting> met = meeting(a, first, b, second);
        if (!met) continue;
        met->thread = other.thread;
        met->operations = second.operation;
        const StateGraph::Step step{one.thread, a.script};
        close(g, id, &step, &*met);
      }
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      for (const Way& a : all[i].ways)
        for (const Way& b : all[j].ways) compare(all[i], a, all[j], b);
}

void Search::violated(FaultKind kind, CodePoint at, std::optional<Id> id, const StateGraph::Step& step) {
  const auto here = goals_at_.find({at.function, at.instruction});
  if (here == goals_at_.end()) return;
  for (const std::size_t g : here->second)
    if (is_open_[g] && program::may_violate(goals_[g], kind)) close(g, id, &step);
}

void Search::close(std::size_t goal, std::optional<Id> id, const StateGraph::Step* step, const Meeting* race) {
  std::vector<StateGraph::Step> steps;
  if (step != nullptr) steps.push_back(*step);
  while (id) {
    steps.push_back(graph_.step(*id));
    id = depths_[*id] == 0 ? std::nullopt : std::optional(graph_.parent(*id));
  }
  std::ranges::reverse(steps);
  const auto listener = std::exchange(machine_.listener, {});
  std::optional<result::TestCase> run =
      run_of(machine_, choices_, store_, payload_, steps, race, budget_, options_.seed);
  machine_.listener = listener;
  dominance_.turn_off();  // other goals may be violated only behind what the larger data do wrong
  GoalResult& answer = outcome_.answers[goal];
  if (!run) {
    answer.reason = "the inputs of a run that violates it were not found";
    return;
  }
  answer.verdict = Verdict::Violated;
  answer.test = std::move(run);
  is_open_[goal] = false;
  --open_;
  if (on_answer_) on_answer_(goal, answer);
}

}  // namespace plumb::explore
