// Abstract interpretation with intervals (Cousot and Cousot, "Abstract interpretation: a unified lattice model for
// static analysis of programs by construction or approximation of fixpoints", 1977): each statement gets the ranges
// that the variables have when control comes there. A way out of a statement is taken under its condition and under the
// negation of those before it, so these bound the variables, inputs and terms that they compare before the assignments
// are evaluated. Ranges that keep growing jump to the next constant of the program, then to a power of two; two rounds
// without such jumps win back what they gave away. Where control comes together, ranges that differ in a truth value
// that is still needed stay apart, a few of them: `assume(0 <= n && n < 10)` is a branch, a truth value, and a test of
// it.

#include "system/reduce/narrow.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <vector>

#include "system/encode_liveness.h"
#include "system/reduce/simplify.h"
#include "term/range_evaluation.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::system {

using term::has_range;
using term::Op;
using term::Range;
using term::RangeEvaluation;
using term::Ranges;
using term::Term;
using term::TermStore;
using Label = ControlGraph::Label;

namespace {

/// Statements times variables.
constexpr std::size_t kMaxRanges = 1'000'000;
/// Visits of a statement before ranges jump, and before they become everything.
constexpr std::uint32_t kExactVisits = 4;
constexpr std::uint32_t kMaxVisits = 40;
/// Different ranges that a statement can have.
constexpr std::size_t kMaxCases = 4;
/// Conditions that a statement stores and that make cases.
constexpr std::size_t kMaxTruths = 2;

/// Where ranges that grow stop next: constants of the program and their neighbours, and powers of two.
class Thresholds {
 public:
  explicit Thresholds(ControlGraph& graph) {
    const TermStore& store = graph.store();
    for (std::uint32_t i = 0; i <= 63; ++i)
      add((std::uint64_t{1} << i) - 1, static_cast<std::int64_t>((std::uint64_t{1} << i) - 1));
    for (std::uint32_t i = 0; i <= 62; ++i) signed_.push_back(-(std::int64_t{1} << i));
    term::TermSet seen;
    for (ControlGraph::Statement& statement : graph.statements)
      for_each_term(statement, [&](Term& t) {
        const Term roots[] = {t};
        term::post_order(store, roots, seen, [&](Term s) {
          if (!store.is_constant(s) || store.width(s) > 64) return;
          const Range r = Range::of(store.width(s), store.value(s).to_uint64());
          add(r.low, r.least);
          if (r.low > 0) add(r.low - 1, r.least == Range::all(64).least ? r.least : r.least - 1);
          if (r.high < ~std::uint64_t{0}) add(r.high + 1, r.least == Range::all(64).greatest ? r.least : r.least + 1);
        });
      });
    std::sort(unsigned_.begin(), unsigned_.end());
    std::sort(signed_.begin(), signed_.end());
  }

  Range widened(std::uint32_t width, const Range& before, const Range& now) const {
    const Range all = Range::all(width);
    Range r = now;
    if (now.high > before.high) r.high = std::min(all.high, next(unsigned_, now.high, all.high));
    if (now.low < before.low) r.low = std::max(all.low, previous(unsigned_, now.low, all.low));
    if (now.greatest > before.greatest) r.greatest = std::min(all.greatest, next(signed_, now.greatest, all.greatest));
    if (now.least < before.least) r.least = std::max(all.least, previous(signed_, now.least, all.least));
    return r;
  }

 private:
  void add(std::uint64_t u, std::int64_t s) {
    unsigned_.push_back(u);
    signed_.push_back(s);
  }
  template <typename T>
  static T next(const std::vector<T>& all, T value, T otherwise) {
    const auto found = std::lower_bound(all.begin(), all.end(), value);
    return found == all.end() ? otherwise : *found;
  }
  template <typename T>
  static T previous(const std::vector<T>& all, T value, T otherwise) {
    const auto found = std::upper_bound(all.begin(), all.end(), value);
    return found == all.begin() ? otherwise : *std::prev(found);
  }

  std::vector<std::uint64_t> unsigned_;
  std::vector<std::int64_t> signed_;
};

class Narrowing {
 public:
  Narrowing(ControlGraph& graph, const Budget& budget)
      : graph_(graph),
        budget_(budget),
        thresholds_(graph),
        evaluation_(graph.store(), positions_),
        at_(graph.statements.size()) {
    for (std::size_t v = 0; v < graph.variables.size(); ++v)
      if (has_range(graph.store(), graph.variables[v].term)) positions_[graph.variables[v].term] = v;
  }

  void run() {
    find_order();
    find_ranges();
    for (int round = 0; round < 2; ++round) improve();
    drop_targets();
    apply();
  }

 private:
  const TermStore& store() const { return graph_.store(); }

  void find_order() {
    const ControlFlow flow = control_flow(graph_);
    order_ = flow.order;
    rank_.assign(graph_.statements.size(), 0);
    for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    is_loop_head_ = flow.is_loop_head;
    live_ = live_variables(graph_, flow, Accesses(graph_, budget_), VariableSet(graph_.variables.size()), budget_);
  }

  Ranges at_entry() const {
    Ranges ranges;
    for (const ControlGraph::Variable& variable : graph_.variables) {
      const std::uint32_t width = store().width(variable.term);
      if (!has_range(store(), variable.term)) {
        ranges.emplace_back();
      } else if (variable.init && store().is_constant(variable.init)) {
        ranges.push_back(Range::of(width, store().value(variable.init).to_uint64()));
      } else {
        ranges.push_back(Range::all(width));
      }
    }
    return ranges;
  }

  /// Calls visit(position of the target, label, ranges there) for each way out that may be taken, in each case.
  template <typename Visit>
  void for_each_way(Label label, Visit&& visit) {
    const std::vector<Ranges> cases = at_[label];
    for (const Ranges& ranges : cases) for_each_way(label, ranges, visit);
  }
  template <typename Visit>
  void for_each_way(Label label, const Ranges& ranges, Visit&& visit) {
    const ControlGraph::Statement& statement = graph_.statements[label];
    for (std::size_t i = 0; i < statement.targets.size(); ++i) {
      if (store().is_false(statement.targets[i].condition)) continue;
      if (!take(statement, i, ranges)) continue;
      const Label to = statement.targets[i].label;
      const std::vector<Term> truths = truths_assigned(statement, to);
      if (truths.empty()) visit(i, to, ranges_behind(statement));
      for (std::uint32_t choice = 0; !truths.empty() && choice < 1U << truths.size(); ++choice) {
        take(statement, i, ranges);
        for (std::size_t t = 0; t < truths.size() && evaluation_.is_possible(); ++t)
          evaluation_.assume(truths[t], (choice >> t & 1U) != 0);
        if (evaluation_.is_possible()) visit(i, to, ranges_behind(statement));
      }
      if (store().is_true(statement.targets[i].condition)) break;
    }
  }

  /// Starts an evaluation under the condition of the target; false if it cannot be taken.
  bool take(const ControlGraph::Statement& statement, std::size_t target, const Ranges& ranges) {
    evaluation_.start(ranges);
    for (std::size_t j = 0; j < target && evaluation_.is_possible(); ++j)
      evaluation_.assume(statement.targets[j].condition, false);
    if (evaluation_.is_possible()) evaluation_.assume(statement.targets[target].condition, true);
    return evaluation_.is_possible();
  }

  /// Conditions that are stored for later, of which it is not known here whether they hold.
  std::vector<Term> truths_assigned(const ControlGraph::Statement& statement, Label to) {
    std::vector<Term> truths;
    for (const ControlGraph::Assignment& assignment : statement.assignments) {
      const auto found = positions_.find(assignment.variable);
      if (found == positions_.end() || !live_[to][found->second]) continue;
      Term value = assignment.value;
      if (store().op(value) == Op::Concat && store().width(store().child(value, 1)) == 1 &&
          evaluation_.of(store().child(value, 0)).high == 0)
        value = store().child(value, 1);
      const bool is_new = std::find(truths.begin(), truths.end(), value) == truths.end();
      if (store().width(value) == 1 && !store().is_variable(value) && !evaluation_.of(value).is_single() && is_new)
        truths.push_back(value);
      if (truths.size() == kMaxTruths) break;
    }
    return truths;
  }

  Ranges ranges_behind(const ControlGraph::Statement& statement) {
    Ranges next;
    next.reserve(graph_.variables.size());
    for (const ControlGraph::Variable& variable : graph_.variables)
      next.push_back(has_range(store(), variable.term) ? evaluation_.of(variable.term) : Range{});
    for (const ControlGraph::Assignment& assignment : statement.assignments)
      if (const auto found = positions_.find(assignment.variable); found != positions_.end())
        next[found->second] = evaluation_.of(assignment.value);
    return next;
  }

  void find_ranges() {
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> pending;
    std::vector<bool> is_pending(graph_.statements.size());
    std::vector<std::uint32_t> visits(graph_.statements.size());
    const auto add = [&](Label label) {
      if (is_pending[label]) return;
      is_pending[label] = true;
      pending.push(rank_[label]);
    };
    at_[graph_.entry] = {at_entry()};
    add(graph_.entry);
    while (!pending.empty()) {
      budget_.check();
      const Label label = order_[pending.top()];
      pending.pop();
      is_pending[label] = false;
      for_each_way(label, [&](std::size_t, Label to, Ranges next) {
        if (merge(to, std::move(next), visits)) add(to);
      });
    }
  }

  /// The truth values that are needed at the label differ.
  bool are_apart(Label label, const Ranges& a, const Ranges& b) const {
    const auto is_truth = [](const Range& range) { return range.is_single() && range.low <= 1; };
    for (const auto& [term, v] : positions_)
      if (live_[label][v] && is_truth(a[v]) && is_truth(b[v]) && a[v] != b[v]) return true;
    return false;
  }

  /// The case that ranges belong to; a new one, which is null, if there is none.
  Ranges* case_of(Label label, std::vector<Ranges>& cases, const Ranges& next) const {
    for (Ranges& ranges : cases)
      if (!are_apart(label, ranges, next)) return &ranges;
    return cases.size() < kMaxCases ? nullptr : &cases.back();
  }

  /// Whether the ranges there grew.
  bool merge(Label label, Ranges next, std::vector<std::uint32_t>& visits) {
    Ranges* const known = case_of(label, at_[label], next);
    if (known == nullptr) {
      at_[label].push_back(std::move(next));
      return true;
    }
    bool has_grown = false;
    const bool jumps = is_loop_head_[label] && visits[label] >= kExactVisits;
    for (const auto& [term, v] : positions_) {
      const std::uint32_t width = store().width(term);
      Range& range = (*known)[v];
      Range now = joined(range, next[v]);
      if (now == range) continue;
      if (jumps) now = visits[label] >= kMaxVisits ? Range::all(width) : thresholds_.widened(width, range, now);
      range = now;
      has_grown = true;
    }
    if (has_grown) ++visits[label];
    return has_grown;
  }

  /// One round from what is known: what control comes to comes from there, so it is still true, and tighter.
  void improve() {
    std::vector<std::vector<Ranges>> next(graph_.statements.size());
    next[graph_.entry] = {at_entry()};
    for (const Label label : order_) {
      budget_.check();
      for_each_way(label, [&](std::size_t, Label to, Ranges ranges) {
        if (Ranges* const known = case_of(to, next[to], ranges)) {
          for (const auto& [term, v] : positions_) (*known)[v] = joined((*known)[v], ranges[v]);
        } else {
          next[to].push_back(std::move(ranges));
        }
      });
    }
    at_ = std::move(next);
  }

  void drop_targets() {
    for (const Label label : order_) {
      if (at_[label].empty()) continue;
      std::vector<ControlGraph::Target>& targets = graph_.statements[label].targets;
      std::vector<bool> is_taken(targets.size());
      for_each_way(label, [&](std::size_t i, Label, const Ranges&) { is_taken[i] = true; });
      for (std::size_t i = 0; i + 1 < targets.size(); ++i)
        if (!is_taken[i] && !store().is_true(targets[i].condition)) targets[i].condition = store().boolean(false);
    }
  }

  /// In all cases. Needs one.
  Range at(Label label, std::size_t variable) const {
    Range range = at_[label].front()[variable];
    for (const Ranges& ranges : at_[label]) range = joined(range, ranges[variable]);
    return range;
  }

  /// By variable: what it can be where it is read; nothing if it is not.
  std::vector<std::optional<Range>> ranges_where_read() {
    std::vector<std::optional<Range>> read(graph_.variables.size());
    for (const Label label : order_) {
      if (at_[label].empty()) continue;
      term::TermSet seen;
      for_each_term(graph_.statements[label], [&](Term& t) {
        const Term roots[] = {t};
        term::post_order(store(), roots, seen, [&](Term s) {
          const auto found = positions_.find(s);
          if (found == positions_.end()) return;
          std::optional<Range>& range = read[found->second];
          range = range ? joined(*range, at(label, found->second)) : at(label, found->second);
        });
      });
    }
    return read;
  }

  void apply() {
    TermStore& store = graph_.store();
    std::vector<Term> old;
    for (const ControlGraph::Variable& variable : graph_.variables) old.push_back(variable.term);
    const std::vector<std::optional<Range>> read = ranges_where_read();
    for (std::size_t v = 0; v < read.size(); ++v) {
      if (!read[v] || needed_width(*read[v]) >= store.width(old[v])) continue;
      ControlGraph::Variable& variable = graph_.variables[v];
      variable.term = store.variable(needed_width(*read[v]), store.name(old[v]));
      if (variable.init) variable.init = store.extract(variable.init, store.width(variable.term) - 1, 0);
    }
    term::Substitution substitution(store);
    for (Label label = 0; label < graph_.statements.size(); ++label) {
      for (const auto& [term, v] : positions_) {
        if (!read[v]) continue;
        substitution.add(
            term, extended(graph_.variables[v].term, store.width(term), at_[label].empty() ? *read[v] : at(label, v)));
      }
      ControlGraph::Statement& statement = graph_.statements[label];
      for_each_term(statement, [&](Term& t) { t = substitution.apply(t); });
      for (ControlGraph::Assignment& assignment : statement.assignments)
        if (const auto found = positions_.find(assignment.variable); found != positions_.end()) {
          assignment.variable = graph_.variables[found->second].term;
          assignment.value = store.extract(assignment.value, store.width(assignment.variable) - 1, 0);
        }
    }
  }

  /// What the variable stands for where it has such values. Bits that are not needed there are not read, so that a
  /// register does without them although the variable has more elsewhere in the step.
  Term extended(Term variable, std::uint32_t width, const Range& range) {
    TermStore& store = graph_.store();
    if (range.is_single()) return store.constant(width, range.low);
    const std::uint32_t needed = std::min(needed_width(range), store.width(variable));
    const Term low = store.extract(variable, needed - 1, 0);
    return is_signed(range) ? store.sign_extend(low, width) : store.zero_extend(low, width);
  }

  static bool is_signed(const Range& range) { return signed_width(range) < unsigned_width(range); }
  static std::uint32_t needed_width(const Range& range) { return std::min(signed_width(range), unsigned_width(range)); }
  static std::uint32_t unsigned_width(const Range& range) {
    return std::max(1U, static_cast<std::uint32_t>(std::bit_width(range.high)));
  }
  static std::uint32_t signed_width(const Range& range) {
    const auto bits = [](std::int64_t value) {
      return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(value < 0 ? ~value : value))) + 1;
    };
    return std::max(bits(range.least), bits(range.greatest));
  }

  ControlGraph& graph_;
  const Budget& budget_;
  Thresholds thresholds_;
  RangeEvaluation::Positions positions_;
  RangeEvaluation evaluation_;
  std::vector<std::vector<Ranges>> at_;  ///< by label: the cases; none if control does not come there
  std::vector<VariableSet> live_;        ///< by label
  std::vector<Label> order_;
  std::vector<std::uint32_t> rank_;
  std::vector<bool> is_loop_head_;
};

}  // namespace

void narrow(ControlGraph& graph, const Budget& budget) {
  INVARIANT(graph.wires.empty(), "a graph that is narrowed should have no wires");
  if (graph.statements.size() * graph.variables.size() > kMaxRanges) return;
  Narrowing(graph, budget).run();
}

}  // namespace plumb::system
