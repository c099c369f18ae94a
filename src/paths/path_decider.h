#pragma once

#include <absl/container/flat_hash_set.h>

#include "paths/paths.h"
#include "paths/search.h"
#include "unroll/decider.h"

namespace plumb::paths {

/// Asks for one event after the other. That assumptions hold is the precondition. What else ends a run before the event
/// is not part of its property: where a model comes to something of the kind, that is excluded, and the search goes on.
class PathDecider : public unroll::Decider {
 public:
  PathDecider(unroll::World& world, const Options& options, Statistics& statistics);

  bool is_possible(Term condition) override { return !world_.terms.is_false(condition); }
  using Decider::ask;
  Reply ask(const unroll::Record& record, const unroll::Record::Question& question, std::span<const std::size_t> asked,
            const Budget& budget) override;
  std::uint64_t count() const override { return statistics_.questions; }

 private:
  /// Makes all that is asked known to the search at once, so that one question can go on where the last one was.
  void prepare(const unroll::Record& record, const unroll::Record::Question& question,
               std::span<const std::size_t> asked, const Budget& budget);
  /// Of one event, as a position in the question.
  Reply ask_for(const unroll::Record& record, const unroll::Record::Question& question, std::size_t asked,
                const Budget& budget);
  /// Adds what the model should not have come to before the event; false if it has come to nothing of the kind.
  bool exclude(const unroll::Record& record, const unroll::Record::Question& question, std::size_t asked,
               const term::Assignment& model, std::vector<Term>& property);
  Answer search(std::span<const Term> property, const Budget& budget, term::Assignment& model);
  Answer search_as_printed(QueueOrder order, std::span<const Term> property, const Budget& budget,
                           term::Assignment& model);

  unroll::World& world_;
  const Options options_;
  Statistics& statistics_;
  Search search_;
  absl::flat_hash_set<Term> refuted_;  ///< conditions of events that cannot happen, at whatever bound
};

}  // namespace plumb::paths
