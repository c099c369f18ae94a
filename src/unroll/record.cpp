#include "unroll/record.h"

#include <algorithm>
#include <map>

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

namespace {

std::vector<std::uint8_t> bytes_of(const BitVector& value) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < (value.width() + 7) / 8; ++i)
    bytes.push_back(static_cast<std::uint8_t>(value.words()[i / 8] >> (i % 8 * 8)));
  return bytes;
}

/// What the model has of a variable that begins at this offset of its object.
void add_unset(const term::Assignment& model, Term variable, result::UnsetBytes made,
               std::vector<result::UnsetBytes>& unset) {
  const auto known = model.find(variable);
  if (known == model.end()) return;
  if (const auto* bits = std::get_if<BitVector>(&known->second)) {
    made.bytes = bytes_of(*bits);
    unset.push_back(std::move(made));
    return;
  }
  for (const auto& [index, value] : std::get<term::ArrayValue>(known->second).elements) {
    result::UnsetBytes element = made;
    element.offset += index.to_uint64() * (value.width() / 8);
    element.bytes = bytes_of(value);
    unset.push_back(std::move(element));
  }
}

}  // namespace

result::Schedule Record::schedule(term::Evaluator& evaluator, std::size_t event) const {
  using Kind = Operation::Kind;
  result::Schedule schedule;
  std::map<std::size_t, std::uint32_t> number_of{{0, 0}};  // in the order of their creation
  std::uint64_t before_section = 0;
  bool is_step_over = true;
  for (const Operation& operation : operations_) {
    if (operation.position > event) break;
    if (!evaluator.is_true(operation.when)) continue;
    if (operation.kind == Kind::Create) {
      number_of.emplace(operation.thread, static_cast<std::uint32_t>(number_of.size()));
      continue;
    }
    const std::uint32_t thread = number_of.at(operation.thread);
    if (is_step_over || schedule.back().thread != thread) schedule.push_back({thread, 0});
    is_step_over = operation.kind == Kind::Wait;
    std::uint64_t& made = schedule.back().operations;
    if (operation.kind == Kind::Begin) before_section = made;
    if (operation.kind == Kind::Retract) made = before_section;
    if (operation.kind != Kind::Start && operation.kind != Kind::Retract) ++made;
    is_step_over = is_step_over || (operation.kind == Kind::Retract && made == 0);
    if (operation.kind == Kind::Retract && made == 0) schedule.pop_back();
  }
  return number_of.size() > 1 ? schedule : result::Schedule{};
}

result::TestCase Record::test_case(const term::Assignment& model, std::size_t event,
                                   const semantics::UnwrittenBytes& unwritten) const {
  result::TestCase test;
  term::Evaluator evaluator(terms_, model);
  for (const Input& input : inputs_) {
    if (input.position > event) break;
    if (!evaluator.is_true(input.when)) continue;
    test.inputs.push_back({input.name, bytes_of(evaluator.bits(input.value))});
  }
  test.schedule = schedule(evaluator, event);
  std::map<std::string, std::uint32_t> created;
  for (const Creation& creation : creations_) {
    if (creation.position > event) break;
    if (!evaluator.is_true(creation.when)) continue;
    const std::uint32_t before = created[creation.site]++;
    if (creation.value) {
      add_unset(model, creation.value, {creation.site, before, 0, {}}, test.unset);
      continue;
    }
    for (const auto& [offset, variable] : unwritten.of(creation.object))
      add_unset(model, variable, {creation.site, before, offset, {}}, test.unset);
  }
  return test;
}

}  // namespace plumb::unroll
