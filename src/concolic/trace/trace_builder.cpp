// The engine's half of concolic execution (LLSPLAT, Algorithm 3): what there is done inside the running program,
// keeping a symbolic store and a list of nodes, is done here afterwards, from the records that the run has left.
#include "concolic/trace/trace_builder.h"

#include <fmt/core.h>

#include <utility>

#include "concolic/trace/check_tracer.h"
#include "concolic/trace/path_recorder.h"
#include "concolic/trace/region_tracer.h"
#include "concolic/trace/stream_reader.h"
#include "concolic/trace/term_table.h"
#include "runtime/concolic/protocol.h"
#include "semantics/operators.h"
#include "term/evaluator.h"

namespace plumb::concolic {

using instrument::Site;
using instrument::SiteKind;

using program::kNone;
using term::Term;

namespace {

/// Bits of an input's element as an integer.
std::uint64_t load_little_endian(const std::uint8_t* from, std::uint32_t size) {
  std::uint64_t value = 0;
  for (std::uint32_t i = size; i-- > 0;) value = value << 8 | from[i];
  return value;
}

void store_little_endian(std::uint8_t* to, std::uint32_t size, std::uint64_t value) {
  for (std::uint32_t i = 0; i < size; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::size_t first_false(const Trace& trace, term::Evaluator& evaluator) {
  std::size_t i = 0;
  while (i < trace.nodes.size() && evaluator.is_true(trace.nodes[i].condition)) ++i;
  return i;
}

std::uint32_t folded(std::uint64_t value) { return static_cast<std::uint32_t>(value ^ value >> 32); }

/// Pins for these reasons name a site as their subject.
bool is_at_site(std::uint32_t reason) {
  return reason != PLUMB_PIN_CALL && reason != PLUMB_PIN_MEMORY && reason != PLUMB_PIN_FULL;
}

}  // namespace

term::Assignment assignment_of(const term::TermStore& store, const Trace& trace) {
  term::Assignment result;
  for (std::size_t i = 0; i < trace.variables.size(); ++i) {
    std::size_t at = 0;
    for (const Term variable : trace.variables[i]) {
      const std::uint32_t size = store.width(variable) / 8;
      result[variable] = BitVector(store.width(variable), load_little_endian(trace.inputs[i].bytes.data() + at, size));
      at += size;
    }
  }
  return result;
}

struct TraceBuilder::State {
  State(const Subject& s, term::TermStore& t)
      : subject(s), store(t), terms(s, t), regions(s, t), checks(s, t), evaluator(t, assignment) {}

  const Subject& subject;
  term::TermStore& store;
  TermTable terms;
  RegionTracer regions;
  CheckTracer checks;
  // Kept, because a new evaluator costs as much as the store is large.
  term::Assignment assignment;
  term::Evaluator evaluator;

  /// A site of the stream, which must be of this kind; 0, where it is not known, may stand for any.
  const Site* site(StreamReader& reader, std::uint32_t id, SiteKind kind) const;
  void record(StreamReader& reader, const RecordHead& head, Trace& trace, PathRecorder& path,
              std::span<const std::uint8_t> covered);
  void branch(StreamReader& reader, PathRecorder& path);
  void switch_over(StreamReader& reader, PathRecorder& path);
  void call_target(StreamReader& reader, PathRecorder& path);
  void assume(StreamReader& reader, PathRecorder& path);
  void check(StreamReader& reader, PathRecorder& path);
  void divisor(StreamReader& reader, const Trace& trace, PathRecorder& path);
  void pin(StreamReader& reader, const RecordHead& head, Trace& trace, PathRecorder& path);
  void bounds(StreamReader& reader, PathRecorder& path, const TermTable::Bounds& found) {
    // Runs that are in different objects are different paths, as a check before has said where there is one.
    if (!reader.has_failed() && !checks.is_implied(found.condition))
      path.node(PathNode::Kind::Constraint, 0, folded(found.object), found.condition);
  }
};

const Site* TraceBuilder::State::site(StreamReader& reader, std::uint32_t id, SiteKind kind) const {
  if (reader.has_failed()) return nullptr;
  if (id < subject.sites.size() && (id == 0 || subject.sites[id].kind == kind)) return &subject.sites[id];
  reader.fail(fmt::format("site {} is not what the record is of", id));
  return nullptr;
}

void TraceBuilder::State::branch(StreamReader& reader, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const std::uint32_t edge = reader.word();
  const Term condition = terms.term(reader, reader.word(), 1);
  const Site* const at = site(reader, id, SiteKind::Branch);
  if (at == nullptr) return;
  if (edge > 1) return reader.fail(fmt::format("a branch has no edge {}", edge));
  const Term negation = store.bit_not(condition);
  const EdgeId other = id == 0 || at->first_edge == kNone ? kNone : at->first_edge + (1 - edge);
  path.alternative(Alternative::Kind::Edge, 1 - edge, edge == 0 ? negation : condition, other);
  path.node(PathNode::Kind::Branch, id, edge, edge == 0 ? condition : negation);
}

void TraceBuilder::State::switch_over(StreamReader& reader, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const std::uint32_t edge = reader.word();
  const Term value = terms.term(reader, reader.word(), 0);
  const Site* const at = site(reader, id, SiteKind::Switch);
  if (at == nullptr) return;
  if (edge > at->cases.size() || store.width(value) != at->width) {
    return reader.fail("the switch has no such edge, or another width");
  }
  std::vector<Term> conditions(1);
  std::vector<Term> others;
  for (const std::uint64_t number : at->cases) {
    conditions.push_back(store.eq(value, store.constant(at->width, number)));
    others.push_back(store.bit_not(conditions.back()));
  }
  conditions[0] = store.all_of(others);
  for (std::uint32_t i = 0; i < conditions.size(); ++i) {
    const EdgeId covers = at->first_edge == kNone ? kNone : at->first_edge + i;
    if (i != edge) path.alternative(Alternative::Kind::Edge, i, conditions[i], covers);
  }
  path.node(PathNode::Kind::Branch, id, edge, conditions[edge]);
}

void TraceBuilder::State::call_target(StreamReader& reader, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const std::uint32_t width = subject.program.layout.pointer_width;
  const Term pointer = terms.term(reader, reader.word(), width);
  const std::uint64_t target = reader.value();
  if (site(reader, id, SiteKind::CallTarget) == nullptr) return;
  const Term condition = store.eq(pointer, store.constant(width, target));
  path.alternative(Alternative::Kind::Target, 0, store.bit_not(condition));
  path.node(PathNode::Kind::CallTarget, id, static_cast<std::uint32_t>(target), condition);
}

void TraceBuilder::State::assume(StreamReader& reader, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const bool held = reader.word() != 0;
  const Term condition = terms.term(reader, reader.word(), 1);
  if (site(reader, id, SiteKind::Assume) == nullptr) return;
  if (!held) path.alternative(Alternative::Kind::Assumption, 0, condition);
  path.node(PathNode::Kind::Assume, id, held ? 1 : 0, held ? condition : store.bit_not(condition));
}

void TraceBuilder::State::check(StreamReader& reader, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const bool held = reader.word() != 0;
  const Term condition = terms.term(reader, reader.word(), 1);
  if (site(reader, id, SiteKind::Check) == nullptr) return;
  const Term negation = store.bit_not(condition);
  path.alternative(held ? Alternative::Kind::Violation : Alternative::Kind::Assumption, 0, held ? negation : condition);
  path.node(PathNode::Kind::Check, id, held ? 1 : 0, held ? condition : negation);
}

void TraceBuilder::State::divisor(StreamReader& reader, const Trace& trace, PathRecorder& path) {
  const std::uint32_t id = reader.word();
  const Term value = terms.term(reader, reader.word(), 0);
  if (site(reader, id, SiteKind::Division) == nullptr) return;
  if (reader.has_failed()) return;
  const semantics::OperatorFault by_zero = *semantics::operator_faults(term::Op::Udiv, 0, false, {}, {}).begin();
  const Term is_zero = semantics::condition(store, by_zero, std::array{value, value});  // whatever the dividend
  const Term is_other = store.bit_not(is_zero);
  // An error that follows is that of this division, or of the next one at the same place by a zero that is concrete.
  bool was_zero = reader.is_followed_by(PLUMB_ERROR | PLUMB_ERROR_DIVISION << 8, id);
  if (was_zero) {
    const term::Assignment inputs = assignment_of(store, trace);
    was_zero = term::Evaluator(store, inputs).is_true(is_zero);
  }
  path.alternative(was_zero ? Alternative::Kind::Assumption : Alternative::Kind::Violation, 0,
                   was_zero ? is_other : is_zero);
  path.node(PathNode::Kind::Division, id, was_zero ? 0 : 1, was_zero ? is_zero : is_other);
}

void TraceBuilder::State::pin(StreamReader& reader, const RecordHead& head, Trace& trace, PathRecorder& path) {
  const std::uint32_t about = reader.word();
  const std::uint32_t id = reader.word();
  const std::uint64_t value = reader.value();
  const Term expression = terms.term(reader, id, head.width);
  if (reader.has_failed()) return;
  ++trace.lost[{head.code, about}];
  const Term condition = store.eq(expression, store.constant(store.width(expression), value));
  // Runs that are pinned to different values are different paths.
  const std::optional<std::uint64_t> place =
      head.code == PLUMB_PIN_ADDRESS ? checks.place_of(id, value) : std::optional<std::uint64_t>();
  path.node(PathNode::Kind::Constraint, is_at_site(head.code) ? about : 0, folded(place.value_or(value)), condition);
}

void TraceBuilder::State::record(StreamReader& reader, const RecordHead& head, Trace& trace, PathRecorder& path,
                                 std::span<const std::uint8_t> covered) {
  switch (head.kind) {
    case PLUMB_CONSTANT:
      return terms.constant(reader, head);
    case PLUMB_OPERATOR:
      return terms.operation(reader, head);
    case PLUMB_FLOAT:
      return terms.float_operation(reader, head);
    case PLUMB_INPUT:
      return terms.input(reader, trace);
    case PLUMB_READ:
      return bounds(reader, path, terms.read(reader, head));
    case PLUMB_WRITE:
      return bounds(reader, path, terms.write(reader, head));
    case PLUMB_BRANCH:
      return branch(reader, path);
    case PLUMB_SWITCH:
      return switch_over(reader, path);
    case PLUMB_CALL_TARGET:
      return call_target(reader, path);
    case PLUMB_ASSUME:
      return assume(reader, path);
    case PLUMB_CHECK:
      return check(reader, path);
    case PLUMB_DIVISOR:
      return divisor(reader, trace, path);
    case PLUMB_RANGE:
      return checks.range(reader, head, terms, path);
    case PLUMB_OVERFLOW:
      return checks.overflow(reader, head, terms, path);
    case PLUMB_DEFECT:
      return checks.defect(reader, head, trace);
    case PLUMB_PIN:
      return pin(reader, head, trace, path);
    case PLUMB_LOST:
      ++trace.lost[{head.code, reader.word()}];
      return;
    case PLUMB_REGION_ENTER:
      ++trace.region_visits;
      return regions.enter(reader, terms);
    case PLUMB_REGION_EXIT:
      return regions.exit(reader, terms, path, covered);
    case PLUMB_CUT:
      trace.is_cut = true;
      return;
    default:
      return reader.skip(head);
  }
}

TraceBuilder::TraceBuilder(const Subject& subject, term::TermStore& store)
    : state_(std::make_unique<State>(subject, store)) {}
TraceBuilder::~TraceBuilder() = default;

Trace TraceBuilder::build(std::span<const std::uint32_t> stream, std::span<const std::uint8_t> covered) {
  State& state = *state_;
  state.terms.clear();
  state.regions.clear();
  state.checks.clear();
  Trace trace;
  StreamReader reader(state.subject, stream);
  PathRecorder path(state.store, reader, trace);
  while (const std::optional<RecordHead> head = reader.next()) {
    // A region runs without instrumentation: only its end or that of the run can be next, and why the run ends.
    const bool is_end = head->kind == PLUMB_ERROR || head->kind == PLUMB_END || head->kind == PLUMB_REGION_EXIT ||
                        head->kind == PLUMB_DEFECT;
    if (state.regions.is_inside() ? !is_end : head->kind == PLUMB_REGION_EXIT) {
      reader.fail("it is inside a region that was not left, or leaves one that was not entered");
      break;
    }
    state.record(reader, *head, trace, path, covered);
  }
  if (state.regions.is_inside() && !reader.has_failed()) state.regions.abandon(trace, path, covered);
  trace.is_complete = !reader.has_failed();
  trace.problem = reader.problem();
  return trace;
}

std::vector<result::TestInput> TraceBuilder::inputs_of(const term::TermStore& store, const Trace& parent,
                                                       const term::Assignment& model) {
  std::vector<result::TestInput> result = parent.inputs;
  for (std::size_t i = 0; i < parent.variables.size(); ++i) {
    std::uint8_t* to = result[i].bytes.data();
    for (const Term variable : parent.variables[i]) {
      const std::uint32_t size = store.width(variable) / 8;
      if (const auto it = model.find(variable); it != model.end())
        store_little_endian(to, size, std::get<BitVector>(it->second).to_uint64());
      to += size;
    }
  }
  return result;
}

std::size_t TraceBuilder::first_false_node(const term::TermStore& store, const Trace& trace) {
  const term::Assignment assignment = assignment_of(store, trace);
  term::Evaluator evaluator(store, assignment);
  return first_false(trace, evaluator);
}

std::size_t TraceBuilder::first_false_node(const Trace& trace) {
  state_->assignment = assignment_of(state_->store, trace);
  state_->evaluator.clear();
  return first_false(trace, state_->evaluator);
}

const std::vector<TraceBuilder::RegionCost>& TraceBuilder::region_costs() const noexcept {
  return state_->regions.costs();
}

}  // namespace plumb::concolic
