#include "explore/merge.h"

namespace plumb::explore {

std::vector<Term> merge(Machine& machine, Choices& choices, const Payload& payload, std::span<const WayOut> ways,
                        std::size_t known) {
  TermStore& terms = choices.terms();
  // The same ones each time: they are renamed when the state is saved.
  const std::vector<Term> selectors = choices.selectors(ways.size() - 1);
  const WayOut& last = ways.back();
  std::vector<Value> values;
  for (std::size_t p = 0; p < last.parts.payload.size(); ++p) {
    const auto& [value, width] = last.parts.payload[p];
    Term merged = term_of(terms, value, width);
    for (std::size_t w = selectors.size(); w-- > 0;)
      merged = terms.ite(selectors[w], term_of(terms, ways[w].parts.payload[p].first, width), merged);
    values.push_back(value_of(terms, merged));
  }
  machine.put_in(payload, values);
  const auto own = [&](const WayOut& way) { return terms.all_of(std::span(way.constraints).subspan(known)); };
  Term learnt = own(last);
  for (std::size_t w = selectors.size(); w-- > 0;) learnt = terms.ite(selectors[w], own(ways[w]), learnt);
  std::vector<Term> all(last.constraints.begin(), last.constraints.begin() + static_cast<std::ptrdiff_t>(known));
  if (!terms.is_true(learnt)) all.push_back(learnt);
  choices.know(std::move(all));
  return selectors;
}

}  // namespace plumb::explore
