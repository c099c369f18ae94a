#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <span>
#include <vector>

#include "paths/agenda.h"
#include "paths/conditions.h"
#include "paths/domains.h"
#include "paths/explanation.h"
#include "paths/habits.h"
#include "paths/nogoods.h"
#include "paths/options.h"
#include "paths/orders.h"
#include "paths/path_end.h"
#include "paths/statistics.h"

namespace plumb::paths {

/// Searches for values that make some properties true, backwards from them, as DPVS does: a cell whose domain does not
/// follow from its operands needs a choice below it, of a definition (the condition of a joined value) or of the side
/// of a disjunction, and the choice needs others. It differs from Algorithm 1 in what it knows of a contradiction:
/// which choices it needs, so that it jumps back over the others and never makes these together again (Nogoods). What
/// all paths share is not chosen, a definition that the domains exclude is not tried, and where a domain follows
/// anyway, the path ends although variables are left. Learnt choices stay from question to question.
class Search {
 public:
  Search(TermStore& terms, const Options& options, Statistics& statistics);

  /// Makes what is below the terms known, before they are asked for. Throws OutOfBudget.
  void prepare(std::span<const Term> properties, const Budget& budget);
  /// Is there an assignment that makes all properties true? Throws OutOfBudget.
  Answer solve(std::span<const Term> properties, const Budget& budget);
  /// After Sat; what it does not mention is 0.
  const term::Assignment& model() const noexcept { return model_; }

 private:
  Answer search(std::span<const Term> properties, const Budget& budget);
  void backtrack(std::uint32_t level);
  void settle();
  /// What is contradictory then, if something is.
  std::optional<Contradiction> propagate();
  /// Goes back and knows better; false if the contradiction needs no choice.
  bool learn(Contradiction contradiction);
  /// Decides the next property, or that the last one cannot hold.
  std::optional<Answer> assume(std::span<const Literal> properties);
  /// The next choice; nothing at the end of a path.
  std::optional<Literal> choice();
  std::optional<Literal> choice_from_start();
  std::optional<Literal> choice_from_property();
  /// Starts anew, from the other end, where one has met too many contradictions.
  void change_ends(std::uint32_t assumptions);
  /// A choice that a cell needs whose domain does not follow from its operands.
  std::optional<Literal> choice_below(Cell c);
  Literal definition(Cell join);
  /// Whether what is below the cell is to be propagated again, before it is left to the end of the path.
  bool looks_again(Cell c);
  /// Nothing if the path has no solution; the search goes on then.
  std::optional<Answer> end_path(std::span<const Term> properties, const Budget& budget);

  TermStore& terms_;
  const Options options_;
  Statistics& statistics_;
  Domains domains_;
  Nogoods nogoods_;
  Explanation explanation_;
  Agenda agenda_;
  Conditions conditions_;
  Orders orders_;
  PathEnd end_;
  Habits habits_;
  std::size_t seen_changes_ = 0;
  struct Left {
    Cell cell = 0;
    std::uint32_t level = 0;
  };
  std::vector<Left> left_;                      ///< for the end of the path
  absl::flat_hash_map<Cell, bool> last_value_;  ///< of what was chosen
  std::vector<std::uint32_t> visited_;          ///< by cell, in choice_below()
  std::uint32_t visit_ = 0;
  std::vector<Cell> below_;                                ///< the cells of the last choice_below()
  absl::flat_hash_map<Cell, std::uint64_t> looked_again_;  ///< after so many choices and contradictions
  bool has_looked_ = false;
  bool is_from_start_;
  std::uint64_t patience_ = 0;     ///< contradictions until the other end is tried
  std::uint64_t met_ = 0;          ///< since this one was
  bool is_contradictory_ = false;  ///< for good
  std::vector<Term> last_;         ///< the properties of the last question
  bool is_interrupted_ = false;    ///< it has no answer
  term::Assignment model_;
};

}  // namespace plumb::paths
