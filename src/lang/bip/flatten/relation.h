#pragma once

#include <map>
#include <string>
#include <vector>

#include "lang/bip/flatten/closure.h"
#include "lang/bip/flatten/context.h"

namespace plumb::bip::flat {

/// Priorities between the ports of an atom or the interactions of a compound: rules are added, then it is closed.
class PriorityRelation {
 public:
  /// `names` of the nodes, for messages.
  PriorityRelation(Context& context, std::vector<std::string> names);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t node) const { return names_[node]; }
  /// `node` gives way to `to` without a rule.
  void add_progress(std::uint32_t node, std::uint32_t to) { progress_[node].set(to); }
  /// `guard` is bound; null for true.
  void add_rule(Bits low, Bits high, ExpressionPtr guard, Place place);

  struct Pair {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    ExpressionPtr condition;
    Place place;
  };
  /// The transitive closure. Cycles with conditions go into Model::priority_cycles, with a warning; others are a
  /// UserError. Throws Unsupported if there are too many pairs.
  std::vector<Pair> close();

 private:
  bool can_hold(const GuardSet& guards);
  bool holds_somewhere(const GuardSet& guards, const std::vector<VariableId>& variables, std::uint64_t states) const;
  ExpressionPtr conjunction(const GuardSet& guards) const;
  std::string text_of(const PriorityClosure::Cycle& cycle) const;

  Context& context_;
  std::vector<std::string> names_;
  std::vector<Bits> progress_;
  std::vector<PriorityRule> rules_;
  std::vector<ExpressionPtr> guards_;
  std::map<GuardSet, bool> known_;  ///< answers of can_hold()
  std::uint64_t evaluations_ = 0;
};

}  // namespace plumb::bip::flat
