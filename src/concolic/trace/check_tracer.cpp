// The seed's deficiency constraints (section 3.4.1): a check is a node of the path whose other way is the violation R,
// to be asked for together with the path S that leads there. Unlike there the run goes on when a check fails, so a
// failed one is a node as well, whose other way is that it holds.
#include "concolic/trace/check_tracer.h"

#include <fmt/core.h>

#include <algorithm>

#include "concolic/trace/object_access.h"
#include "concolic/trace/operator_check.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"
#include "semantics/operators.h"

namespace plumb::concolic {

using program::FaultKind;
using term::Op;
using term::Term;

namespace {

/// A violation so close to what is allowed is asked for first: it does the least harm outside of the checks.
constexpr std::uint64_t kNear = 16;
/// Of a run; the runtime tells of fewer.
constexpr std::size_t kMaxDefects = 256;

bool is_scalar(std::uint32_t width) { return width >= 1 && width <= 64; }

std::uint64_t low_bits(std::uint64_t value, std::uint32_t width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// Needs is_defect().
program::Check check_for(std::uint32_t code) {
  using program::Check;
  switch (code) {
    case PLUMB_DEFECT_INDEX:
    case PLUMB_DEFECT_POINTER:
    case PLUMB_DEFECT_ARRAY:
      return Check::Bounds;
    case PLUMB_DEFECT_FREED:
      return Check::UseAfterFree;
    case PLUMB_DEFECT_RETURNED:
    case PLUMB_DEFECT_SCOPE:
      return Check::UseAfterReturn;
    case PLUMB_DEFECT_DOUBLE_FREE:
    case PLUMB_DEFECT_BAD_FREE:
      return Check::Free;
    case PLUMB_DEFECT_LEAK:
      return Check::Leak;
    case PLUMB_DEFECT_DIVISION:
      return Check::Division;
    case PLUMB_DEFECT_OVERFLOW:
      return Check::Overflow;
    case PLUMB_DEFECT_SHIFT:
      return Check::Shift;
    case PLUMB_DEFECT_ALIGNMENT:
      return Check::Alignment;
    default:
      return Check::Null;
  }
}

bool is_defect(std::uint32_t code) { return code >= PLUMB_DEFECT_INDEX && code <= PLUMB_DEFECT_SCOPE; }

}  // namespace

void CheckTracer::clear() {
  known_.clear();
  last_ = {};
}

std::uint32_t CheckTracer::site(StreamReader& reader) const {
  const std::uint32_t id = reader.word();
  if (id < subject_.sites.size()) return id;
  if (!reader.has_failed()) reader.fail(fmt::format("there is no site {}", id));
  return 0;
}

bool CheckTracer::held(StreamReader& reader) {
  const std::uint32_t word = reader.word();
  if (word > 1) reader.fail("it neither holds nor does not");
  return word == 1;
}

CheckTracer::Range CheckTracer::read_range(StreamReader& reader, const RecordHead& head) const {
  Range range;
  range.site = site(reader);
  range.held = held(reader);
  range.object = reader.word();
  range.value_id = reader.word();
  range.value = reader.value();
  range.base = reader.value();
  range.limit_id = reader.word();
  range.limit = reader.value();
  if (reader.has_failed()) return range;
  const bool is_kind = is_defect(head.code) || (head.code == 0 && range.held);
  if (!is_kind || !is_scalar(head.width) || (range.value_id == 0 && range.limit_id == 0)) {
    reader.fail("a range of no kind or width, or of concrete values alone");
  } else if (range.held != (low_bits(range.value - range.base, head.width) <= low_bits(range.limit, head.width))) {
    reader.fail("the range holds, or does not, against its own values");
  }
  return range;
}

void CheckTracer::check(StreamReader& reader, PathRecorder& path, std::uint32_t site, bool held, Term condition,
                        Term near, PathNode::Checked what) {
  if (is_implied(condition)) {
    if (!held) reader.fail("a check that held before on this path does not");
    return;
  }
  const Term negation = store_.bit_not(condition);
  path.alternative({.kind = held ? Alternative::Kind::Violation : Alternative::Kind::Assumption,
                    .index = what.defect,
                    .condition = held ? negation : condition,
                    .edge = program::kNone,
                    .near = held ? near : Term{}});
  path.node(PathNode::Kind::Check, site, held ? 1 : 0, held ? condition : negation, false, what);
  if (held) known_.insert(condition);
}

void CheckTracer::constrain(PathRecorder& path, const Range& range, Term condition) {
  if (is_implied(condition)) return;
  path.node(PathNode::Kind::Constraint, range.site, range.object, condition);
  known_.insert(condition);
}

Term CheckTracer::near(Term offset, Term limit) {
  const std::uint32_t width = store_.width(offset);
  if (width < 8) return {};
  const Term room = store_.constant(width, kNear);
  const Term behind = store_.sub(store_.sub(offset, limit), store_.constant(width, 1));
  return store_.bit_or(store_.ult(behind, room), store_.ult(store_.add(offset, room), room));
}

void CheckTracer::range(StreamReader& reader, const RecordHead& head, TermTable& terms, PathRecorder& path) {
  const Range range = read_range(reader, head);
  if (reader.has_failed()) return;
  last_ = range;
  const Term value = terms.term_or_value(reader, range.value_id, range.value, head.width);
  const Term limit = terms.term_or_value(reader, range.limit_id, range.limit, head.width);
  if (reader.has_failed()) return;
  const Term offset = range.base == 0 ? value : offset_in_object(store_, value, range.base);
  const bool is_inside = store_.is_constant(limit) && store_.upper_bound(offset) <= low_bits(range.limit, head.width);
  if (is_inside) {
    if (!range.held) reader.fail("a check fails that cannot");
    return;
  }
  const Term condition = store_.ule(offset, limit);
  if (head.code == 0) return constrain(path, range, condition);
  check(reader, path, range.site, range.held, condition, near(offset, limit),
        {.defect = head.code, .object = range.object});
}

void CheckTracer::overflow(StreamReader& reader, const RecordHead& head, TermTable& terms, PathRecorder& path) {
  const std::uint32_t at = site(reader);
  const bool has_held = held(reader);
  const std::uint32_t a_id = reader.word();
  const std::uint64_t a_value = reader.value();
  const std::uint32_t b_id = reader.word();
  const std::uint64_t b_value = reader.value();
  if (reader.has_failed()) return;
  if (!is_scalar(head.width) || (a_id == 0 && b_id == 0)) {
    return reader.fail("an operation of no width, or of concrete values alone");
  }
  const Term a = terms.term_or_value(reader, a_id, a_value, head.width);
  const Term b = terms.term_or_value(reader, b_id, b_value, head.width);
  if (reader.has_failed()) return;
  const Op op = is_expression_operator(head.code) ? static_cast<Op>(head.code) : Op::Constant;
  const semantics::OperatorFaults faults =
      semantics::operator_faults(op, program::kNoSignedWrap, false, platform_, subject_.program.checks);
  const auto* const fault = std::ranges::find(faults, FaultKind::SignedOverflow, &semantics::OperatorFault::kind);
  if (fault == faults.end() || term::arity(op) != 2)
    return reader.fail(fmt::format("operation {} does not overflow", head.code));
  const Term overflows = semantics::condition(store_, *fault, std::array{a, b});
  check(reader, path, at, has_held, store_.bit_not(overflows), {}, {.defect = PLUMB_DEFECT_OVERFLOW, .object = 0});
}

void CheckTracer::defect(StreamReader& reader, const RecordHead& head, Trace& trace) const {
  SeenDefect seen;
  seen.kind = head.code;
  seen.object_kind = head.width;
  seen.site = site(reader);
  seen.access = reader.word();
  seen.hash = reader.word();
  seen.address = reader.value();
  seen.object_base = reader.value();
  seen.object_size = reader.value();
  if (reader.has_failed()) return;
  if (!is_defect(seen.kind) || seen.object_kind > PLUMB_OBJECT_HEAP) return reader.fail("a defect of no kind");
  // The runtime sees to the heap whatever is asked for.
  if (!subject_.program.checks.has(check_for(seen.kind))) return;
  if (trace.defects.size() < kMaxDefects) trace.defects.push_back(seen);
}

std::optional<std::uint64_t> CheckTracer::place_of(std::uint32_t id, std::uint64_t address) const {
  if (id == 0 || last_.value_id != id || last_.value != address) return std::nullopt;
  return (last_.value - last_.base) ^ std::uint64_t{last_.object} << 32;
}

}  // namespace plumb::concolic
