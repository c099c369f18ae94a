#include "concolic/trace/term_table.h"

#include <fmt/core.h>

#include <array>
#include <string>

#include "base/error.h"
#include "concolic/trace/object_access.h"
#include "concolic/trace/operator_check.h"
#include "runtime/concolic/protocol.h"
#include "semantics/float_terms.h"

namespace plumb::concolic {

using program::FloatOp;
using semantics::ByteOrder;
using semantics::TermBytes;
using term::Op;
using term::Term;

namespace {

bool is_scalar(std::uint32_t width) { return width >= 1 && width <= 64; }
bool is_bytes(std::uint32_t width) { return is_scalar(width) && width % 8 == 0; }

/// No runtime is told to send larger ones; a choice between more places than that is out of reach anyway.
constexpr std::uint64_t kMaxObject = std::uint64_t{1} << 16;

}  // namespace

TermTable::TermTable(const Subject& subject, term::TermStore& store)
    : subject_(subject),
      store_(store),
      memory_{.order = subject.program.layout.is_big_endian ? ByteOrder::Big : ByteOrder::Little,
              .max_choices = kMaxObject},
      terms_(1) {}

Term TermTable::term(StreamReader& reader, std::uint32_t id, std::uint32_t width) {
  if (reader.has_failed()) return {};
  if (id == 0 || id >= terms_.size() || !terms_[id]) {
    reader.fail(fmt::format("there is no expression {}", id));
    return {};
  }
  const Term t = terms_[id];
  if (width != 0 && store_.width(t) != width) {
    reader.fail(fmt::format("expression {} has {} bits where {} are due", id, store_.width(t), width));
    return {};
  }
  return t;
}

Term TermTable::term_or_value(StreamReader& reader, std::uint32_t id, std::uint64_t value, std::uint32_t width) {
  return id == 0 ? store_.constant(width, value) : term(reader, id, width);
}

void TermTable::constant(StreamReader& reader, const RecordHead& head) {
  const std::uint64_t value = reader.value();
  if (!is_scalar(head.width)) return reader.fail(fmt::format("a constant of {} bits", head.width));
  add(store_.constant(head.width, value));
}

void TermTable::operation(StreamReader& reader, const RecordHead& head) {
  const std::uint32_t parameter = reader.word();
  std::array<std::uint32_t, 3> ids{};
  for (std::uint32_t& id : ids) id = reader.word();
  if (!is_expression_operator(head.code)) return reader.fail(fmt::format("there is no operator {}", head.code));
  const auto op = static_cast<Op>(head.code);
  std::array<Term, 3> operands{};
  std::array<std::uint32_t, 3> widths{};
  const unsigned arity = term::arity(op);
  for (unsigned i = 0; i < arity; ++i) {
    operands[i] = term(reader, ids[i], 0);
    if (reader.has_failed()) return;
    widths[i] = store_.width(operands[i]);
  }
  if (!fits(op, std::span(widths).first(arity), head.width, parameter)) {
    return reader.fail(fmt::format("the operands of '{}' do not fit it", term::name(op)));
  }
  add(store_.make(op, std::span(operands).first(arity), head.width, parameter));
}

void TermTable::float_operation(StreamReader& reader, const RecordHead& head) {
  const std::uint32_t first = reader.word();
  const std::uint32_t second = reader.word();
  const auto op = static_cast<FloatOp>(head.code);
  const bool converts = op == FloatOp::Convert;
  const std::array operands = {term(reader, first, converts ? 0 : head.width),
                               term(reader, second, converts ? 0 : head.width)};
  if (reader.has_failed()) return;
  const std::uint32_t width = converts ? head.width : 1;
  if (head.code >= program::kFloatOpCount || !semantics::is_float_term(op, store_.width(operands[0]), width))
    return reader.fail("it is no comparison of floating point numbers and makes none wider");
  add(*semantics::float_result(store_, op, std::span(operands).first(program::arity(op)), width));
}

const std::vector<Term>& TermTable::variables(std::uint32_t index, std::uint32_t size, std::uint32_t element,
                                              const std::string& name) {
  std::vector<Term>& result = variables_[{index, size, element}];
  if (!result.empty()) return result;
  const std::uint32_t count = size / element;
  result.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string text = count == 1 ? fmt::format("{}.{}", name, index) : fmt::format("{}.{}[{}]", name, index, i);
    result.push_back(store_.variable(8 * element, std::move(text)));
  }
  return result;
}

void TermTable::input(StreamReader& reader, Trace& trace) {
  const std::uint32_t index = reader.word();
  const std::uint32_t size = reader.word();
  const std::uint32_t element = reader.word();
  const std::uint32_t name_size = reader.word();
  reader.bytes(name_size, bytes_);
  std::string name(bytes_.begin(), bytes_.end());
  reader.bytes(size, bytes_);
  if (reader.has_failed()) return;
  const bool is_element = element == 1 || element == 2 || element == 4 || element == 8;
  if (index != trace.inputs.size() || !is_element || size == 0 || size % element != 0) {
    return reader.fail("it is no next input, or not one of whole elements");
  }
  trace.variables.push_back(variables(index, size, element, name));
  trace.inputs.push_back({std::move(name), bytes_});
  for (const Term variable : trace.variables.back()) add(variable);
}

const TermBytes* TermTable::known_object(StreamReader& reader, program::GlobalId global) {
  if (const auto it = known_.find(global); it != known_.end()) return &it->second;
  const std::vector<program::GlobalObject>& globals = subject_.program.globals;
  // A pointer in it would be an address that only the target knows.
  if (global >= globals.size() || !globals[global].is_constant || globals[global].is_external ||
      !globals[global].relocations.empty()) {
    reader.fail(fmt::format("global {} is no constant that is known", global));
    return nullptr;
  }
  const program::GlobalObject& object = globals[global];
  return &known_.emplace(global, TermBytes(object.bytes, object.size, memory_)).first->second;
}

TermBytes TermTable::object(StreamReader& reader, std::uint64_t& address) {
  reader.object(record_);
  address = record_.address;
  if (reader.has_failed()) return {};
  if (record_.known) {
    const TermBytes* const known = known_object(reader, *record_.known);
    return known != nullptr ? *known : TermBytes();
  }
  TermBytes result(record_.bytes, record_.size, memory_);
  for (const ObjectRun& run : record_.runs) {
    if (run.total == 0) {
      for (std::uint32_t i = 0; i < run.length; ++i) {
        const Term byte = term(reader, run.id + i, 8);
        if (reader.has_failed()) return {};
        result.store(store_, std::uint64_t{run.offset} + i, byte);
      }
      continue;
    }
    Term piece = term(reader, run.id, 8 * run.total);
    if (reader.has_failed()) return {};
    const std::uint32_t lowest = memory_.order == ByteOrder::Little ? run.first : run.total - run.first - run.length;
    if (run.length != run.total) piece = store_.extract(piece, 8 * (lowest + run.length) - 1, 8 * lowest);
    result.store(store_, run.offset, piece);
  }
  return result;
}

TermTable::Access TermTable::access(StreamReader& reader, Term address_term, std::uint64_t address,
                                    std::uint32_t size) {
  Access result;
  std::uint64_t base = 0;
  result.object = object(reader, base);
  if (reader.has_failed()) return {};
  const std::uint64_t object_size = result.object.size();
  if (object_size > kMaxObject || size > object_size || address < base || address - base > object_size - size) {
    reader.fail("the address does not lie in its object, or that is too large");
    return {};
  }
  const std::uint32_t width = store_.width(address_term);
  result.offset = offset_in_object(store_, address_term, base);
  const std::uint64_t last = object_size - size;
  const bool is_inside = store_.upper_bound(result.offset) <= last;
  result.bounds.condition = is_inside ? store_.boolean(true) : store_.ule(result.offset, store_.constant(width, last));
  result.bounds.object = base;
  if (!may_be(store_, result.offset, address - base)) {
    reader.fail("the address is not what its expression can be");
    return {};
  }
  return result;
}

TermTable::Bounds TermTable::read(StreamReader& reader, const RecordHead& head) {
  const std::uint32_t id = reader.word();
  const std::uint64_t address = reader.value();
  if (!is_bytes(head.width)) reader.fail(fmt::format("a read of {} bits", head.width));
  const Term address_term = term(reader, id, subject_.program.layout.pointer_width);
  if (reader.has_failed()) return {};
  const Access place = access(reader, address_term, address, head.width / 8);
  if (reader.has_failed()) return {};
  add(place.object.load(store_, place.offset, head.width / 8));
  return place.bounds;
}

TermTable::Bounds TermTable::write(StreamReader& reader, const RecordHead& head) {
  const std::uint32_t id = reader.word();
  const std::uint64_t address = reader.value();
  const std::uint32_t value_id = reader.word();
  const std::uint64_t value = reader.value();
  if (!is_bytes(head.width)) reader.fail(fmt::format("a write of {} bits", head.width));
  const Term address_term = term(reader, id, subject_.program.layout.pointer_width);
  if (reader.has_failed()) return {};
  const Term value_term = term_or_value(reader, value_id, value, head.width);
  Access place = access(reader, address_term, address, head.width / 8);
  if (!reader.has_failed() && record_.known) reader.fail("a write to a constant");
  if (reader.has_failed()) return {};
  place.object.store(store_, place.offset, value_term, store_.boolean(true));
  for (std::uint64_t i = 0; i < place.object.size(); ++i) add(place.object.load(store_, i, 1));
  return place.bounds;
}

}  // namespace plumb::concolic
