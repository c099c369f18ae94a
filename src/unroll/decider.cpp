#include "unroll/decider.h"

#include <numeric>
#include <vector>

#include "base/error.h"

namespace plumb::unroll {

Decider::Reply Decider::ask(const Record& record, const Record::Question& question, const Budget& budget) {
  std::vector<std::size_t> all(question.events.size());
  std::iota(all.begin(), all.end(), 0);
  return ask(record, question, all, budget);
}

Decider::Reply Decider::reply_of(const TermStore& terms, const Record::Question& question, term::Assignment model) {
  Reply reply{solve::Answer::Sat, {}, 0, std::move(model)};
  term::Evaluator evaluator(terms, reply.model);
  for (std::size_t i = 0; i < question.events.size(); ++i) {
    if (!evaluator.is_true(question.conditions[i])) continue;
    reply.event = question.events[i];
    return reply;
  }
  INVARIANT(false, "a model of a question should have one of its events");
}

}  // namespace plumb::unroll
