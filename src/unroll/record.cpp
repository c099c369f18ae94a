#include "unroll/record.h"

#include <algorithm>

namespace plumb::unroll {

void Record::add(Kind kind, Term when, std::size_t index) {
  if (terms_.is_false(when)) return;
  events_.push_back({kind, when, index});
  if (kind < Kind::Leak) going_on_ = terms_.bit_and(going_on_, terms_.bit_not(when));
}

void Record::add_gap(Kind kind, Term when, const result::Gap& gap) {
  const auto known = std::ranges::find(gaps_, gap);
  const auto index = static_cast<std::size_t>(known - gaps_.begin());
  if (known == gaps_.end()) gaps_.push_back(gap);
  add(kind, when, index);
}

void Record::add_input(Term when, std::string name, Term value) {
  inputs_.push_back({events_.size(), when, std::move(name), value});
}

result::TestCase Record::test_case(const term::Assignment& model, std::size_t event) const {
  result::TestCase test;
  term::Evaluator evaluator(terms_, model);
  for (const Input& input : inputs_) {
    if (input.position > event) break;
    if (!evaluator.is_true(input.when)) continue;
    const BitVector value = evaluator.bits(input.value);
    result::TestInput made{input.name, {}};
    for (std::uint32_t i = 0; i < (value.width() + 7) / 8; ++i)
      made.bytes.push_back(static_cast<std::uint8_t>(value.words()[i / 8] >> (i % 8 * 8)));
    test.inputs.push_back(std::move(made));
  }
  return test;
}

}  // namespace plumb::unroll
