#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "paths/literal.h"
#include "paths/rules.h"
#include "paths/store.h"
#include "term/range.h"
#include "term/traverse.h"

namespace plumb::paths {

/// The store of intervals: a domain for each term below some properties, narrowed by what is decided, forwards from
/// operands and backwards from results, modulo 2^width as the operators are. A joined value, `ite`, is a variable whose
/// definitions are its branches: the branch that is chosen has its domain, the other one is no part of the path.
///
/// Only what the path needs is propagated: a cell is active if something needs its value, and a branch of a joined
/// value is from when it is chosen on. So a decision costs what changes on its path.
///
/// Changes form a trail with levels. Each knows the operator that it follows from, so a contradiction can be led back
/// to Booleans (Explanation), which are what the search decides. Level 0 holds for good. Not thread-safe.
class Domains {
 public:
  using Mark = std::uint32_t;  ///< a place in the trail
  static constexpr Mark kRoot = ~Mark{0};

  explicit Domains(const TermStore& terms) : terms_(terms) {}

  /// The cell of a term of at most 64 bits; made with all that is below it at level 0, found at any. Throws
  /// OutOfBudget.
  Cell add(Term t, const Budget& budget);
  Cell cell_of(Term t) const { return t.id < cell_of_.size() ? cell_of_[t.id] : kNoCell; }
  std::size_t size() const noexcept { return cells_.size(); }

  // --- Looking at cells ---
  const TermStore& terms() const noexcept { return terms_; }
  Term term(Cell c) const noexcept { return cells_[c].term; }
  term::Op op(Cell c) const noexcept { return cells_[c].op; }
  std::uint32_t width(Cell c) const noexcept { return cells_[c].width; }
  std::span<const Cell> operands(Cell c) const noexcept { return {cells_[c].operand, cells_[c].arity}; }
  const Range& domain(Cell c) const noexcept { return domains_[c]; }
  bool is_active(Cell c) const noexcept { return is_active_[c]; }
  bool is_boolean(Cell c) const noexcept { return cells_[c].width == 1; }
  bool is_known(Cell c) const noexcept { return domains_[c].is_single(); }
  bool is_true(const Literal& a) const { return holds_in(a, domains_[a.cell]); }
  bool is_false(const Literal& a) const { return holds_in(!a, domains_[a.cell]); }
  /// A variable, or a term whose value is none of its operands' cells: of arrays or of wide words.
  bool is_leaf(Cell c) const noexcept { return cells_[c].arity == 0; }
  /// What the operands' domains leave of the cell's values; all values of a leaf.
  Range forward(Cell c) const;
  /// Any values of the operands give one in the domain.
  bool is_justified(Cell c) const;

  // --- Deciding ---
  std::uint32_t level() const noexcept { return static_cast<std::uint32_t>(levels_.size()); }
  void push_level() { levels_.push_back({trail_.size(), activated_.size()}); }
  void backtrack(std::uint32_t level);
  /// From now on the literal is needed. Needs a Boolean that is open.
  void decide(const Literal& a);
  /// All other literals of a nogood hold. So does this one then, in every run: nothing has to be done for it. False:
  /// the domain would be empty.
  bool imply(const Literal& a, std::uint32_t nogood) {
    return narrow(a.cell, values_of(a, width(a.cell)), kImplied, nogood);
  }
  /// The cell's value is needed.
  void activate(Cell c);
  /// The next propagation looks at the cell's operator again: what it saw may have been more than it was told then.
  void look_again(Cell c) { enqueue(c); }
  /// Until nothing changes; false: some domain would be empty.
  bool propagate();
  /// At level 0, where changes hold for good: forgets how they came about.
  void settle();

  // --- The trail ---
  static constexpr Cell kDecided = ~Cell{0};
  static constexpr Cell kImplied = ~Cell{0} - 1;
  struct Change {
    Cell cell = 0;
    Cell cause = 0;          ///< whose operator it follows from; kDecided, kImplied
    std::uint32_t part = 0;  ///< which part of the cause the cell is; of kImplied the nogood
    std::uint32_t level = 0;
    Mark previous = kRoot;  ///< the change of the same cell before
    Range before;
  };
  std::span<const Change> trail() const noexcept { return trail_; }
  /// The last change of a cell; kRoot if it is as at level 0.
  Mark latest(Cell c) const noexcept { return latest_[c]; }
  /// What was decided when the level began.
  std::optional<Literal> decided_at(std::uint32_t level) const;
  /// At level 0.
  const Range& root(Cell c) const noexcept { return roots_[c]; }
  /// After propagate() was false: what could not be, as a change that was not made.
  const Change& conflict() const noexcept { return conflict_; }
  /// Active cells in the order in which they became so.
  std::span<const Cell> activated() const noexcept { return activated_; }

 private:
  struct Data {
    Term term;
    std::uint32_t width = 0;
    Cell operand[3] = {};
    std::uint32_t first_use = 0;  ///< in uses_; 0: none
    term::Op op{};
    std::uint8_t arity = 0;  ///< 0 where operands have no cells
  };
  struct Use {
    Cell user = 0;
    std::uint32_t next = 0;
  };
  struct Level {
    std::size_t trail = 0;
    std::size_t activated = 0;
  };

  void make(Term t);
  /// Of a joined value: each branch has only values with which its side of the condition can be true.
  Range joined_forward(Cell c) const;
  Range branch_values(Cell branch, Cell condition, bool value) const;
  Range restricted(Cell c, Cell comparison, bool value) const;
  void wake(Cell c);
  void enqueue(Cell c);
  void clear_queue();

  /// The operator of a cell, both ways; false if a domain is empty.
  bool revise(Cell c);
  /// The cell, this part of the cause, has values in the range only.
  bool narrow(Cell c, const std::optional<Range>& range, Cell cause, std::uint32_t part);

  const TermStore& terms_;
  std::vector<Cell> cell_of_;  ///< by term
  std::vector<Data> cells_;
  std::vector<Range> domains_;
  std::vector<Range> roots_;
  std::vector<Mark> latest_;
  std::vector<bool> is_active_;
  std::vector<bool> is_queued_;
  std::vector<std::uint8_t> changes_;  ///< in this propagation
  std::uint32_t forward_ = 0;          ///< narrowings by operands, likewise
  std::vector<Use> uses_{{}};
  std::vector<Change> trail_;
  std::vector<Level> levels_;
  std::vector<Cell> activated_;
  std::vector<Cell> queue_;
  std::vector<Cell> changed_;
  Change conflict_;
  term::TermSet seen_;
};

}  // namespace plumb::paths
