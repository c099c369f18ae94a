#include "paths/path_decider.h"

#include <algorithm>

#include "base/error.h"
#include "paths/dpvs.h"
#include "paths/dsa.h"
#include "paths/native_store.h"

namespace plumb::paths {

using unroll::Record;

PathDecider::PathDecider(unroll::World& world, const Options& options, Statistics& statistics)
    : world_(world), options_(options), statistics_(statistics), search_(world.terms, options, statistics) {}

unroll::Decider::Reply PathDecider::ask(const Record& record, const Record::Question& question,
                                        std::span<const std::size_t> asked, const Budget& budget) {
  try {
    prepare(record, question, asked, budget);
  } catch (const OutOfBudget& stopped) {
    return {Answer::Unknown, std::string(to_string(stopped.stop))};
  }
  for (const std::size_t i : asked) {
    if (refuted_.contains(question.conditions[i])) continue;
    Reply reply = ask_for(record, question, i, budget);
    if (reply.answer != Answer::Unsat) return reply;
    refuted_.insert(question.conditions[i]);
  }
  return {Answer::Unsat};
}

void PathDecider::prepare(const Record& record, const Record::Question& question, std::span<const std::size_t> asked,
                          const Budget& budget) {
  if (asked.empty() || options_.as_printed) return;
  std::vector<Term> properties;
  for (std::size_t e = 0; e < question.events[asked.back()]; ++e)
    if (record.events()[e].kind == Record::Kind::Excluded)
      properties.push_back(world_.terms.bit_not(record.events()[e].when));
  for (const std::size_t i : asked)
    if (!refuted_.contains(question.conditions[i])) properties.push_back(record.events()[question.events[i]].when);
  search_.prepare(properties, budget);
}

unroll::Decider::Reply PathDecider::ask_for(const Record& record, const Record::Question& question, std::size_t asked,
                                            const Budget& budget) {
  std::vector<Term> property;
  for (std::size_t e = 0; e < question.events[asked]; ++e) {
    const Record::Event& event = record.events()[e];
    if (event.kind == Record::Kind::Excluded) property.push_back(world_.terms.bit_not(event.when));
  }
  property.push_back(record.events()[question.events[asked]].when);
  ++statistics_.questions;
  try {
    for (;;) {
      term::Assignment model;
      const Answer answer = search(property, budget, model);
      if (answer == Answer::Unknown) return {answer, "the search did not come to an end"};
      if (answer == Answer::Unsat) return {answer};
      if (!exclude(record, question, asked, model, property)) return reply_of(world_.terms, question, std::move(model));
    }
  } catch (const OutOfBudget& stopped) {
    return {Answer::Unknown, std::string(to_string(stopped.stop))};
  }
}

bool PathDecider::exclude(const Record& record, const Record::Question& question, std::size_t asked,
                          const term::Assignment& model, std::vector<Term>& property) {
  term::Evaluator evaluator(world_.terms, model);
  if (evaluator.is_true(question.conditions[asked])) return false;
  for (std::size_t e = 0; e < question.events[asked]; ++e) {
    const Record::Event& event = record.events()[e];
    const bool ends_runs = event.kind < Record::Kind::Leak && !std::ranges::binary_search(question.events, e);
    if (!ends_runs || !evaluator.is_true(event.when)) continue;
    property.push_back(world_.terms.bit_not(event.when));
    return true;
  }
  INVARIANT(false, "a model of an event that does not happen should come to the end of the run before");
}

Answer PathDecider::search(std::span<const Term> property, const Budget& budget, term::Assignment& model) {
  if (options_.as_printed) return search_as_printed(*options_.as_printed, property, budget, model);
  const Answer answer = search_.solve(property, budget);
  if (answer == Answer::Sat) model = search_.model();
  return answer;
}

Answer PathDecider::search_as_printed(QueueOrder order, std::span<const Term> property, const Budget& budget,
                                      term::Assignment& model) {
  const Graph graph = graph_of(world_.terms, property, {}, budget);
  NativeStore store(world_.terms, {.one_shot = false, .memory_limited = false, .seed = options_.seed});
  const Answer answer = Dpvs(graph, store, order).run(budget);
  if (answer == Answer::Sat) model = store.model();
  return answer;
}

unroll::DeciderMaker decider(const Options& options, Statistics& statistics) {
  return [options, &statistics](unroll::World& world, const Budget& /*budget*/) {
    return std::make_unique<PathDecider>(world, options, statistics);
  };
}

}  // namespace plumb::paths
