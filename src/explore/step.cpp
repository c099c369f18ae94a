// A step of a thread: the next thing that others can see, then all that they cannot see, up to the next that they can
// (tau-reduction, Havel, "Generic Platform for Explicit-Symbolic Verification", 2014, Algorithm 1). What others can see
// is what touches memory that they may have pointers to, and what the rules of threads decide. An instruction that
// would end the run begins a step of its own, as another thread may be first. The paper's check for visited states
// inside a step is a cut at loops here: a step that has chosen or taken long ends at the next loop, and the search
// knows the state.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "explore/machine.h"
#include "semantics/calls.h"
#include "semantics/output.h"
#include "semantics/visible.h"

namespace plumb::explore {

using program::Kind;
using program::ValueKind;
using semantics::Effect;

namespace {

/// Instructions after which a step ends at the next loop.
constexpr std::uint64_t kLongStep = 4096;
/// Open calls of a thread.
constexpr std::size_t kMaxDepth = 4096;

}  // namespace

StepEnd Machine::step(std::uint32_t t) {
  touches_.clear();
  schedule_.clear();
  started_.clear();
  is_global_step_ = false;
  if (is_condition_waiter(t)) {
    // Nobody woke it: it wakes up all the same.
    rules_.wake_unasked(t);
    is_rules_changed_ = true;
    schedule_.push_back({t, 0});
    return StepEnd::Stands;
  }
  StepEnd end = run(t, false);
  // New threads come to where others can see them. They may make threads themselves.
  for (std::size_t i = 0; end == StepEnd::Stands && i < started_.size(); ++i) end = run(started_[i], true);
  return end;
}

bool Machine::has_rest(std::uint32_t t) {
  if (!may_step(t) || is_condition_waiter(t)) return false;
  current_thread_ = t;
  current_ = &thread(t);
  return !is_boundary(function().instructions[frame().next]);
}

StepEnd Machine::settle_start() { return finish_step(0); }

StepEnd Machine::finish_step(std::uint32_t t) {
  touches_.clear();
  schedule_.clear();
  started_.clear();
  is_global_step_ = false;
  StepEnd end = run(t, true);
  for (std::size_t i = 0; end == StepEnd::Stands && i < started_.size(); ++i) end = run(started_[i], true);
  return end;
}

StepEnd Machine::run(std::uint32_t t, bool is_first_done) {
  current_thread_ = t;
  current_ = &thread(t);
  current_->is_changed = true;
  if (rules_.wait_of(t).kind != Rules::Wait::Kind::Nothing) {
    rules_.resumed(t);
    is_rules_changed_ = true;
  }
  schedule_.push_back({t, 0});
  is_first_ = !is_first_done;
  since_boundary_ = 0;
  const std::size_t choices_before = choices_.taken();
  for (;;) {
    const Instruction& i = function().instructions[frame().next];
    // What a thread does alone, or in a section that it stands in, is done: others may go on behind it.
    const bool is_unseen_of_others = is_alone() || rules_.is_atomic(t);
    const bool is_seen = is_boundary(i);
    if (is_seen && !is_first_) return StepEnd::Stands;
    if (is_cut_ && (since_boundary_ > kLongStep || choices_.taken() > choices_before)) {
      is_cut_ = false;
      // It may never come to where it can be seen, so nobody should wait for that.
      if (schedule_.back().operations == 0) schedule_.pop_back();
      return StepEnd::Stands;
    }
    is_cut_ = false;
    ++instructions_;
    if (is_left_out()) {
      pass(i);
      continue;
    }
    ++since_boundary_;
    if (listener.places != nullptr && (*listener.places)[frame().function][frame().next]) listener.on_place(here());
    const InstructionId at = frame().next;
    const std::size_t depth = current_->frames.size();
    const bool is_visible =
        semantics::is_visible(function(), i,
                              i.kind == Kind::Return && world_.code.of(frame().function).has_variables_in_memory) &&
        !frame().is_in_output;
    switch (execute(i)) {
      case Step::Next:
        INVARIANT(current_->frames.size() == depth && frame().next == at,
                  "an instruction should be followed by the next");
        if (is_visible) count_visible(std::exchange(woken_, result::kNobody));
        ++frame().next;
        break;
      case Step::Moved:
        if (is_visible) count_visible();
        if (rules_.has_ended(t)) return StepEnd::Stands;
        break;
      case Step::Waits:
        count_visible();
        return StepEnd::Stands;
      case Step::Blocked:
        // What was done before it in this step stands; but a section that cannot go on was never begun.
        return since_boundary_ > 1 && !rules_.is_atomic(t) ? StepEnd::Stands : StepEnd::Blocked;
      case Step::Over:
        count_visible();
        return end_;
      case Step::Before:
        return StepEnd::Stands;
    }
    if (is_seen || is_unseen_of_others) is_first_ = false;
  }
}

bool Machine::is_alone_for_good() const {
  if (!is_alone()) return false;
  for (std::uint32_t t = 0; t < rules_.count(); ++t)
    if (t != current_thread_ && !rules_.was_joined(t)) return false;
  return true;
}

void Machine::count_visible(std::uint32_t woken) {
  if (schedule_.back().thread != current_thread_) schedule_.push_back({current_thread_, 0});
  ++schedule_.back().operations;
  if (woken == result::kNobody) return;
  schedule_.back().woken = woken;
  schedule_.push_back({current_thread_, 0});
}

Machine::Step Machine::over(StepEnd end) {
  if (!is_first_ && !is_alone()) return Step::Before;
  is_global_step_ = true;
  end_ = end;
  return Step::Over;
}

Machine::Step Machine::fail(FaultKind kind) {
  fault_ = {kind, here()};
  return over(StepEnd::Faulty);
}

Machine::Step Machine::lose(std::string what) {
  const Step step = over(StepEnd::Lost);
  if (step == Step::Over) note_gap(result::GapKind::Unsupported, std::move(what));
  return step;
}

void Machine::note_gap(result::GapKind kind, std::string what) {
  if (!listener.on_gap) return;
  result::Gap gap{.kind = kind, .text = std::move(what)};
  gap.function = function().name;
  for (auto f = current_->frames.rbegin(); f != current_->frames.rend(); ++f) {
    const program::Function& at = world_.program.functions[f->function];
    const program::Location location = at.instructions[f->next].location;
    if (at.is_model || !location.is_known()) continue;
    gap.place = world_.program.describe(location);
    gap.function = at.name;
    break;
  }
  listener.on_gap(gap);
}

void Machine::assume(const std::string& text) {
  if (listener.on_assumption) listener.on_assumption(text);
}

void Machine::pass(const Instruction& i) {
  if (i.kind == Kind::Branch) return pass_branch(i);
  if (decide_left_out_) {
    INVARIANT(execute(i) == Step::Next, "what is left out should be followed by the next instruction");
    if (semantics::is_visible(function(), i, false) && !frame().is_in_output) count_visible();
  } else if (i.result_count > 0) {
    // Not what an iteration before has left there.
    give(i, value_of(terms_, terms_.zero(width_of(i.first_result))));
  }
  ++frame().next;
}

void Machine::pass_branch(const Instruction& i) {
  const program::BlockId meeting = options_.slice->meeting(here());
  const auto way = [&](const Instruction& last) -> std::uint32_t {
    if (last.kind == Kind::Jump || !decide_left_out_) return 0;
    const Value condition = operand(last, 0);
    const bool holds = condition.is_number() ? condition.number != 0 : decide_left_out_(condition.term);
    return holds ? 0 : 1;
  };
  const Instruction* last = &i;
  for (;;) {
    const program::Edge& edge = function().edges_of(*last)[way(*last)];
    take_edge(edge);
    if (edge.target == meeting) return;
    const std::span<const Instruction> all = function().instructions_of(edge.target);
    for (const Instruction& next : all.first(all.size() - 1)) pass(next);
    last = &all.back();
  }
}

bool Machine::is_boundary(const Instruction& i) {
  if (is_left_out()) return false;
  if (rules_.is_atomic(current_thread_)) return false;
  if (!options_.looks_at_memory && frame().is_in_output) return false;
  if (options_.watch != nullptr && is_watched(i)) return true;
  if (is_alone()) return false;
  switch (i.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return options_.reduction == Reduction::None || is_shared_access(i);
    case Kind::Return:
      return ends_shared_objects();
    case Kind::CallIndirect: {
      const Value address = operand(i, 0);
      const std::optional<FunctionId> f = address.is_number() ? world_.function_at(address.number) : std::nullopt;
      return !f || !world_.program.functions[*f].has_body();
    }
    case Kind::Intrinsic:
      break;
    default:
      return false;
  }
  using program::Intrinsic;
  switch (i.intrinsic()) {
    case Intrinsic::Nondet:
    case Intrinsic::Assume:
    case Intrinsic::Check:
    case Intrinsic::AssertFail:
    case Intrinsic::Error:
    case Intrinsic::Abort:
    case Intrinsic::Exit:
    case Intrinsic::QuickExit:
    case Intrinsic::AtExit:
    case Intrinsic::Malloc:
    case Intrinsic::Calloc:
    case Intrinsic::AlignedAlloc:
    case Intrinsic::StackSave:
    case Intrinsic::EnterScope:
    case Intrinsic::UnsetValue:
    case Intrinsic::UnsetMemory:  // nothing but what created the object knows it
    case Intrinsic::SetJump:
    case Intrinsic::LongJump:
    case Intrinsic::ThreadSelf:
    case Intrinsic::ThreadExit:
    case Intrinsic::ThreadYield:
    case Intrinsic::ThreadWait:
    case Intrinsic::ThreadTimedWait:
    case Intrinsic::AtomicEnd:
    case Intrinsic::Fence:
    case Intrinsic::HostWrite:
    case Intrinsic::HostOpen:
    case Intrinsic::HostClose:
    case Intrinsic::HostSeek:
    case Intrinsic::HostClock:
    case Intrinsic::HostAny:
    case Intrinsic::HostGap:
      return false;
    case Intrinsic::StackRestore:
      return ends_shared_objects();
    case Intrinsic::MutexUnlock: {
      // Whoever waits for the mutex can wait no shorter, so it may be given back at once; unless somebody asks.
      if (options_.discipline == nullptr || world_.may_try_lock) return true;
      const Value mutex = operand(i, 0);
      return !mutex.is_number() || rules_.owner(mutex.number) != current_thread_;
    }
    case Intrinsic::MakeSymbolic:
    case Intrinsic::VaStart:
    case Intrinsic::LeaveScope:
    case Intrinsic::Free:
    case Intrinsic::Realloc:
      return options_.reduction == Reduction::None || is_shared_access(i);
    default:
      return true;
  }
}

bool Machine::is_shared_access(const Instruction& i) {
  const std::uint32_t addresses = i.kind == Kind::CopyMemory ? 2 : 1;
  for (std::uint32_t a = 0; a < addresses; ++a) {
    const Value address = operand(i, a);
    if (!address.is_number()) return true;
    const Place place = place_of(address.number);
    const bool is_common = (place.kind == Place::Kind::Global && world_.globals()[place.index].is_written) ||
                           (place.kind == Place::Kind::Object && !is_private(place));
    if (!is_common) continue;
    const bool is_plain = i.kind == Kind::Load || i.kind == Kind::Store;
    if (!is_plain || options_.discipline == nullptr) return true;
    const std::uint32_t width = i.kind == Kind::Load ? width_of(i.first_result) : operand_width(i, 1);
    if (!options_.discipline->hides(access_of(address.number, (width + 7) / 8, i.kind == Kind::Store))) return true;
  }
  return false;
}

Discipline::Access Machine::access_of(std::uint64_t address, std::uint64_t size, bool is_write) {
  held_ = rules_.held_by(current_thread_);
  return {address, size, current_thread_, is_write, held_};
}

bool Machine::ends_shared_objects() {
  const auto depth = static_cast<std::uint32_t>(current_->frames.size());
  return std::ranges::any_of(objects_, [&](const Object& o) {
    return o.owner == current_thread_ && o.depth == depth && o.is_shared && o.info.kind == ObjectKind::Stack &&
           o.info.life == Life::Live;
  });
}

Machine::Step Machine::execute(const Instruction& i) {
  switch (i.kind) {
    case Kind::Operator:
      return run_operator(i);
    case Kind::Float:
      return run_float(i);
    case Kind::Load:
    case Kind::Store:
      return run_access(i);
    case Kind::Allocate:
      return allocate_on_stack(i);
    case Kind::CopyMemory:
      return copy_memory(i);
    case Kind::FillMemory:
      return fill_memory(i);
    case Kind::CheckIndex:
      return check_index(i);
    case Kind::Call:
    case Kind::CallIndirect:
      return call(i);
    case Kind::Intrinsic: {
      arguments_.clear();
      for (std::uint32_t a = 0; a < i.operand_count; ++a) arguments_.push_back(operand(i, a));
      const std::vector<Value> arguments = arguments_;
      return run_intrinsic(i, i.intrinsic(), arguments);
    }
    case Kind::Jump:
      take_edge(function().edges_of(i)[0]);
      return Step::Moved;
    case Kind::Branch:
      return branch(i);
    case Kind::Switch:
      return switch_on(i);
    case Kind::Return:
      return return_from(i);
    case Kind::Halt:
      return halt(i);
  }
  INVARIANT(false, "an instruction should have a kind");
}

void Machine::take_edge(const program::Edge& edge) {
  const program::Function& f = function();
  const program::Block& block = f.blocks[edge.target];
  const std::span<const ValueId> from = f.arguments_of(edge);
  edge_values_.clear();
  for (const ValueId v : from) edge_values_.push_back(value(v));
  Frame& now = frame();
  for (std::size_t a = 0; a < edge_values_.size(); ++a)
    current_->slots[now.base + block.arguments[a]] = edge_values_[a];
  now.next = block.first_instruction;
  const Code::Function& code = world_.code.of(now.function);
  is_cut_ = code.is_loop_header[edge.target] || (merges_ && code.is_meeting[edge.target]);
}

bool Machine::is_nonzero(const Value& value, std::uint32_t width) {
  if (value.is_number()) return value.number != 0;
  return decide(terms_.distinct(value.term, terms_.zero(width)));
}

Machine::Step Machine::branch(const Instruction& i) {
  const bool holds = is_nonzero(operand(i, 0), 1);
  take_edge(function().edges_of(i)[holds ? 0 : 1]);
  return Step::Moved;
}

Machine::Step Machine::switch_on(const Instruction& i) {
  const Value chosen = operand(i, 0);
  const std::uint32_t width = operand_width(i, 0);
  std::uint32_t edge = 0;
  for (std::uint32_t c = 1; c < i.operand_count && edge == 0; ++c) {
    const Value label = operand(i, c);
    if (chosen.is_number() && label.is_number()) {
      if (chosen.number == label.number) edge = c;
    } else if (decide(terms_.eq(term_of(terms_, chosen, width), term_of(terms_, label, width)))) {
      edge = c;
    }
  }
  take_edge(function().edges_of(i)[edge]);
  return Step::Moved;
}

Machine::Step Machine::halt(const Instruction& i) {
  switch (i.halt_reason()) {
    case program::HaltReason::Unreachable:
      return fail(FaultKind::Unreachable);
    case program::HaltReason::Trap:
      return fail(FaultKind::Trap);
    case program::HaltReason::Unsupported:
      break;
  }
  return lose(world_.program.message_of(i));
}

Machine::Step Machine::call(const Instruction& i) {
  FunctionId callee = i.parameter;
  const std::uint32_t first = i.kind == Kind::CallIndirect ? 1 : 0;
  if (first == 1) {
    const std::optional<FunctionId> found = function_of(operand(i, 0));
    if (!found) return fail(FaultKind::InvalidCall);
    callee = *found;
  }
  std::vector<Value> arguments;
  for (std::uint32_t a = first; a < i.operand_count; ++a) arguments.push_back(operand(i, a));
  const program::Function& target = world_.program.functions[callee];
  const bool is_skipped = semantics::is_output(target) &&
                          !(options_.looks_at_memory && semantics::reads_memory(world_.program, function(), i));
  if (!target.has_body()) return call_undefined(i, target, arguments);
  if (is_skipped && !semantics::is_result_used(function(), i)) return call_undefined(i, target, arguments);
  if (is_skipped && give_output(i)) return Step::Next;
  switch (semantics::call_fit(function(), i, target)) {
    case semantics::CallFit::Exact:
      break;
    case semantics::CallFit::Missing:
      note_gap(result::GapKind::Mismatch,
               fmt::format("'{}' is called with fewer arguments than it has parameters", target.name));
      break;
    case semantics::CallFit::Wrong:
      return fail(FaultKind::InvalidCall);
  }
  return enter(callee, arguments);
}

std::optional<FunctionId> Machine::function_of(const Value& address) {
  if (address.is_number()) return world_.function_at(address.number);
  const Value simpler = {0, without_choices(address.term)};
  if (terms_.is_constant(simpler.term)) return world_.function_at(terms_.value(simpler.term).to_uint64());
  for (FunctionId f = 0; f < world_.program.functions.size(); ++f)
    if (decide(terms_.eq(simpler.term, constant(world_.address_of_function(f))))) return f;
  return std::nullopt;
}

void Machine::push_frame(Thread& to, FunctionId f, bool is_root) {
  Frame made;
  made.function = f;
  made.is_root = is_root;
  made.is_in_output = semantics::is_output(world_.program.functions[f]) ||
                      (!is_root && !to.frames.empty() && to.frames.back().is_in_output);
  made.base =
      to.frames.empty() ? 0 : to.frames.back().base + world_.program.functions[to.frames.back().function].values.size();
  to.slots.resize(made.base + world_.program.functions[f].values.size());
  to.frames.push_back(std::move(made));
}

Machine::Step Machine::enter(FunctionId callee, std::span<const Value> arguments) {
  const program::Function& target = world_.program.functions[callee];
  if (current_->frames.size() >= kMaxDepth) return lose(fmt::format("more than {} open calls", kMaxDepth));
  std::uint64_t variadic = 0;
  if (target.is_variadic) {
    std::uint64_t size = 0;
    std::vector<std::uint32_t> widths;
    const Instruction& i = function().instructions[frame().next];
    const std::uint32_t first = i.kind == Kind::CallIndirect ? 1 : 0;
    for (std::uint32_t a = first; a < i.operand_count; ++a) widths.push_back(operand_width(i, a));
    for (std::size_t a = target.parameters.size(); a < arguments.size(); ++a)
      program::next_variadic(size, widths[a], world_.pointer_bytes());
    Content content = Content::zeroed(size);
    std::uint64_t end = 0;
    for (std::size_t a = target.parameters.size(); a < arguments.size(); ++a) {
      const auto slot = program::next_variadic(end, widths[a], world_.pointer_bytes());
      const std::uint32_t whole = (widths[a] + 7) / 8 * 8;
      const Value stored =
          arguments[a].is_number() ? arguments[a] : value_of(terms_, terms_.zero_extend(arguments[a].term, whole));
      content.store(terms_, slot.offset, stored, whole);
    }
    const std::optional<std::uint32_t> object = add_object(ObjectKind::Stack, size, 16, std::move(content));
    if (!object) return lose("an object that finds no room in the address space");
    objects_[*object].depth = static_cast<std::uint32_t>(current_->frames.size()) + 1;
    variadic = objects_[*object].info.base;
  }
  push_frame(*current_, callee, false);
  Frame& entered = frame();
  entered.variadic = variadic;
  for (std::size_t p = 0; p < target.parameters.size(); ++p) {
    const ValueId parameter = target.parameters[p];
    current_->slots[entered.base + parameter] =
        p < arguments.size() ? arguments[p]
                             : fresh(target.values[parameter].width, target.value_names[parameter], false);
  }
  return Step::Moved;
}

bool Machine::give_output(const Instruction& i) {
  std::vector<Term> arguments;
  for (std::uint32_t a = 0; a < i.operand_count; ++a) arguments.push_back(operand_term(i, a));
  std::vector<Term> streams;
  for (const program::GlobalId g : semantics::standard_streams(world_.program))
    streams.push_back(constant(world_.globals()[g].info.base));
  const std::optional<Term> result =
      semantics::output_result(terms_, world_.program, function(), i, arguments, streams);
  if (!result) return false;
  assume(semantics::kOutputSucceeds);
  give(i, value_of(terms_, *result));
  return true;
}

Machine::Step Machine::call_undefined(const Instruction& i, const program::Function& callee,
                                      std::span<const Value> arguments) {
  if (!callee.has_body())
    if (const auto intrinsic = program::intrinsic_of(callee.name)) return run_intrinsic(i, *intrinsic, arguments);
  for (std::uint32_t r = 0; r < i.result_count; ++r)
    // The interpreter asks for what has no body, and executes models of output.
    give(i, fresh(width_of(i.first_result + r), callee.name, !callee.has_body()), r);
  if (!semantics::is_output(callee))
    note_gap(result::GapKind::MissingBody, semantics::missing_body_text(callee));
  else if (options_.looks_at_memory && semantics::reads_memory(world_.program, function(), i))
    note_gap(result::GapKind::Skipped, fmt::format("what '{}' reads", callee.name));
  return Step::Next;
}

Machine::Step Machine::return_from(const Instruction& i) {
  const bool is_last = current_->frames.size() == 1;
  if (is_last && current_thread_ == 0) return end_program();
  std::vector<Value> results;
  for (std::uint32_t r = 0; r < i.operand_count; ++r) results.push_back(operand(i, r));
  if (is_last) return end_thread(results.empty() ? Value{} : results[0]);
  const bool is_root = frame().is_root;
  const auto depth = static_cast<std::uint32_t>(current_->frames.size());
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const Object& object = objects_[o];
    if (object.owner == current_thread_ && object.depth == depth && object.info.kind == ObjectKind::Stack &&
        object.info.life != Life::Returned)
      kill_object(o, Life::Returned);
  }
  current_->slots.resize(frame().base);
  current_->frames.pop_back();
  if (is_root) return Step::Moved;
  const Instruction& made = function().instructions[frame().next];
  for (std::uint32_t r = 0; r < made.result_count; ++r) give(made, results[r], r);
  ++frame().next;
  return Step::Moved;
}

Machine::Step Machine::end_thread(Value result) {
  publish(result);
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const Object& object = objects_[o];
    const bool is_its_own = object.info.kind == ObjectKind::Stack || object.info.global != kNone;
    if (object.owner == current_thread_ && is_its_own && object.info.life != Life::Returned)
      kill_object(o, Life::Returned);
  }
  current_->frames.clear();
  current_->slots.clear();
  current_->result = result;
  rules_.end(current_thread_, 0);
  --alive_;
  is_rules_changed_ = true;
  is_global_step_ = true;
  return Step::Moved;
}

Machine::Step Machine::end_program() {
  const Step step = over(StepEnd::Finished);
  if (step == Step::Over && listener.looks_for_leaks) find_leaks();
  return step;
}

std::string Machine::describe_waiting() {
  std::string text;
  for (std::uint32_t t = 0; t < rules_.count(); ++t) {
    if (rules_.has_ended(t)) continue;
    const Frame& at = thread(t).frames.back();
    const program::Function& f = world_.program.functions[at.function];
    text += fmt::format("{}thread {} waits in {}", text.empty() ? "" : ", ", t + 1, f.name);
  }
  return text;
}

}  // namespace plumb::explore
