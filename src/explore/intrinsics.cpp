#include "semantics/intrinsics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "explore/machine.h"
#include "semantics/ends.h"
#include "semantics/gaps.h"
#include "semantics/output.h"
#include "term/traverse.h"

namespace plumb::explore {

using program::AccessKind;
using program::Intrinsic;
using semantics::Effect;
using semantics::ThreadError;

namespace {

/// Of one object that becomes an input.
constexpr std::uint64_t kMaxSymbolic = 1U << 12;

}  // namespace

Value Machine::fresh(std::uint32_t width, std::string_view name, bool is_input) {
  return {0, choices_.fresh(width, name, is_input)};
}

Machine::Step Machine::nondet(const Instruction& i) {
  if (i.result_count == 0) return Step::Next;
  const std::uint32_t width = width_of(i.first_result);
  give(i, fresh(width, semantics::input_name(world_.program.message_of(i), width), true));
  return Step::Next;
}

Machine::Step Machine::run_intrinsic(const Instruction& i, Intrinsic what, std::span<const Value> arguments) {
  const semantics::IntrinsicRule& rule = semantics::rule_of(what);
  const auto width = [&](std::uint32_t position) {
    return operand_width(i, i.kind == program::Kind::CallIndirect ? position + 1 : position);
  };
  switch (what) {
    case Intrinsic::ThreadCreate:
    case Intrinsic::ThreadJoin:
    case Intrinsic::ThreadExit:
    case Intrinsic::ThreadSelf:
    case Intrinsic::ThreadYield:
    case Intrinsic::ThreadWait:
    case Intrinsic::ThreadTimedWait:
    case Intrinsic::MutexKind:
    case Intrinsic::CondTimedWait:
    case Intrinsic::MutexLock:
    case Intrinsic::MutexTryLock:
    case Intrinsic::MutexUnlock:
    case Intrinsic::CondWait:
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
    case Intrinsic::AtomicBegin:
    case Intrinsic::AtomicEnd:
      return run_threads(i, what, arguments);
    default:
      break;
  }
  switch (rule.effect) {
    case Effect::Input:
      return nondet(i);
    case Effect::InputBytes:
      return make_symbolic(arguments);
    case Effect::Assume:
      return is_nonzero(arguments[0], width(0)) ? Step::Next : over(StepEnd::Excluded);
    case Effect::Require:
      return is_nonzero(arguments[0], width(0)) ? Step::Next : fail(fault_of_check(world_.program, i));
    case Effect::Fault:
      return fail(*rule.fault);
    case Effect::Exit:
      return leave_by_exit();
    case Effect::Quit:
      return over(StepEnd::Finished);
    case Effect::Allocate:
    case Effect::Reallocate:
    case Effect::Free:
      return run_heap(i, what, arguments);
    case Effect::StackSave:
    case Effect::StackRestore:
    case Effect::EnterScope:
    case Effect::LeaveScope:
    case Effect::VaStart:
      return run_stack(i, what, arguments);
    case Effect::UnsetValue:
      give(i, fresh(width_of(i.first_result), world_.program.message_of(i), false));
      return Step::Next;
    case Effect::UnsetMemory: {
      const auto id = static_cast<program::InstructionId>(&i - function().instructions.data());
      if (semantics::is_new_at(function(), id) || !arguments[0].is_number()) return Step::Next;
      const std::optional<std::uint32_t> object = object_at(arguments[0].number);
      if (object && objects_[*object].info.kind == ObjectKind::Stack)
        writable({Place::Kind::Object, *object, 0, {}}) = Content::unwritten(objects_[*object].info.size);
      return Step::Next;
    }
    case Effect::Nothing:
      if (what == Intrinsic::AtExit && !semantics::is_followed_at_end(world_.program, function(), i)) break;
      if (i.result_count > 0) give(i, number(0));
      return Step::Next;
    case Effect::Anything: {
      if (rule.use) {
        const Value count = rule.use->count ? arguments[*rule.use->count] : number(1);
        const std::optional<std::uint64_t> size = known(count, world_.pointer_width());
        if (!size) return lose(fmt::format("'{}' of a size that is not known", program::name(what)));
        if (*size > 0) {
          const Value address = arguments[rule.use->address];
          std::optional<Place> place = resolve(address);
          if (!place) return lose("a pointer that could lead to too many objects");
          if (const Step step = check_access(*place, address, *size, rule.use->kind); step != Step::Next) return step;
        }
      }
      if (i.result_count == 0) return Step::Next;
      if (what == Intrinsic::HostWrite && arguments[0].is_number() &&
          (arguments[0].number == 1 || arguments[0].number == 2)) {
        assume(semantics::kOutputSucceeds);
        give(i, arguments[2]);
        return Step::Next;
      }
      give(i, fresh(width_of(i.first_result), program::name(what), false));
      return Step::Next;
    }
    case Effect::Outside:
      note_gap(result::GapKind::Pinned, semantics::outside_text(world_.program, function(), i));
      return Step::Next;
    default:
      break;
  }
  return lose(fmt::format("'{}'", program::name(what)));
}

Machine::Step Machine::leave_by_exit() {
  // Destructors are the frames below main.
  std::size_t kept = 0;
  if (current_thread_ != 0) {
    if (!world_.at_end.empty()) return lose("exit() in another thread than the first, and what is called at the end");
    return end_program();
  }
  const auto open = std::ranges::find_if(current_->frames.rbegin(), current_->frames.rend(), &Frame::is_root);
  if (open != current_->frames.rend() && std::ranges::find(world_.at_end, open->function) != world_.at_end.end())
    return lose("exit() in what is called at the end");
  while (kept < current_->frames.size() && current_->frames[kept].is_root &&
         current_->frames[kept].function != world_.program.entry)
    ++kept;
  if (kept == 0) return end_program();
  current_->frames.resize(kept);
  current_->slots.resize(current_->frames.back().base +
                         world_.program.functions[current_->frames.back().function].values.size());
  return Step::Moved;
}

Machine::Step Machine::make_symbolic(std::span<const Value> arguments) {
  const std::optional<std::uint64_t> size = known(arguments[1], world_.pointer_width());
  if (!size) return lose("an input of a size that is not known");
  if (*size == 0) return Step::Next;
  if (*size > kMaxSymbolic) return lose(fmt::format("an input of {} bytes", *size));
  std::string name = semantics::kUnnamedBytes;
  if (arguments.size() > 2 && arguments[2] != number(0)) {
    const std::optional<std::string> text = text_at(arguments[2]);
    if (!text) return lose("an input whose name is not known");
    name = *text;
  }
  std::optional<Place> place = resolve(arguments[0]);
  if (!place) return lose("a pointer that could lead to too many objects");
  if (const Step step = check_access(*place, arguments[0], *size, AccessKind::Write); step != Step::Next) return step;
  const auto width = static_cast<std::uint32_t>(*size * 8);
  touch(*place, *size, true);
  write(*place, fresh(width, name, true), width);
  return Step::Next;
}

Machine::Step Machine::run_heap(const Instruction& i, Intrinsic what, std::span<const Value> arguments) {
  const std::uint32_t width = world_.pointer_width();
  if (what == Intrinsic::Free) return free_object(arguments[0]);
  std::vector<Term> list;
  for (const Value& argument : arguments) list.push_back(term_of(terms_, argument, width));
  if (what == Intrinsic::Realloc) {
    const auto request = semantics::realloc_request(terms_, list[0], list[1]);
    const bool has_old = decide(request.has_old);
    const bool is_made = decide(request.is_made);
    const std::optional<std::uint64_t> size = known(arguments[1], width);
    if (!size || *size > kMaxObjectSize) return lose("an object of a size that is not known");
    std::optional<Place> old;
    if (has_old) {
      old = resolve(arguments[0]);
      if (!old) return lose("a pointer that could lead to too many objects");
      if (const Step step = check_free(*old, arguments[0]); step != Step::Next) return step;
    }
    const Content before = old ? content_of(*old) : Content{};
    const std::uint64_t base = old ? info_of(*old)->base : 0;
    if (old) {
      touch(*old, info_of(*old)->size, true);
      kill_object(old->index, Life::Freed);
    }
    if (!is_made) {
      give(i, number(0));
      return Step::Next;
    }
    Content content = Content::unwritten(*size);
    content.copy(terms_, 0, before, 0, std::min(*size, before.size()));
    const bool was_shared = base != 0 && objects_[*object_at(base)].is_shared;
    const std::optional<std::uint32_t> object =
        add_object(ObjectKind::Heap, *size, semantics::kHeapAlignment, std::move(content));
    if (!object) return lose("an object that finds no room in the address space");
    assume("allocation never fails");
    if (was_shared) {
      objects_[*object].is_shared = false;
      publish_object(*object);
    }
    give(i, number(objects_[*object].info.base));
    return Step::Next;
  }
  std::optional<std::uint32_t> alignment = semantics::kHeapAlignment;
  if (what == Intrinsic::AlignedAlloc) {
    const std::optional<std::uint64_t> asked = known(arguments[0], width);
    if (!asked) return lose("an alignment that is not known");
    alignment = semantics::heap_alignment(*asked);
  }
  const auto request = semantics::heap_request(terms_, what, std::span<const Term>(list));
  if (!alignment || decide(request.is_refused)) {
    give(i, number(0));
    return Step::Next;
  }
  const std::optional<std::uint64_t> size = known(value_of(terms_, request.size), width);
  if (!size || *size > kMaxObjectSize) return lose("an object of a size that is not known");
  const std::optional<std::uint32_t> object = add_object(
      ObjectKind::Heap, *size, *alignment, request.is_zeroed ? Content::zeroed(*size) : Content::unwritten(*size));
  if (!object) return lose("an object that finds no room in the address space");
  assume("allocation never fails");
  give(i, number(objects_[*object].info.base));
  return Step::Next;
}

Machine::Step Machine::check_free(const Place& place, const Value& address) {
  const semantics::ObjectInfo* info = info_of(place);
  const std::uint64_t at = info == nullptr ? address.number : info->base + place.offset;
  if (place.symbolic && info != nullptr) {
    if (!decide(terms_.eq(place.symbolic, constant(0)))) return fail(FaultKind::InvalidFree);
    if (const auto fault = semantics::free_fault(info, info->base, world_.pointer_width())) return fail(fault->kind);
    return Step::Next;
  }
  if (const auto fault = semantics::free_fault(info, at, world_.pointer_width())) return fail(fault->kind);
  return Step::Next;
}

Machine::Step Machine::free_object(const Value& address) {
  if (!is_nonzero(address, world_.pointer_width())) return Step::Next;
  std::optional<Place> place = resolve(address);
  if (!place) return lose("a pointer that could lead to too many objects");
  if (const Step step = check_free(*place, address); step != Step::Next) return step;
  touch(*place, info_of(*place)->size, true);
  kill_object(place->index, Life::Freed);
  return Step::Next;
}

Machine::Step Machine::run_stack(const Instruction& i, Intrinsic what, std::span<const Value> arguments) {
  const auto depth = static_cast<std::uint32_t>(current_->frames.size());
  const auto is_of_call = [&](const Object& object) {
    return object.owner == current_thread_ && object.depth == depth && object.info.kind == ObjectKind::Stack;
  };
  switch (what) {
    case Intrinsic::StackSave: {
      // The token is the number of objects that there are: programs only hand it back.
      give(i, number(static_cast<std::uint64_t>(std::ranges::count_if(
                  objects_, [&](const Object& o) { return is_of_call(o) && o.info.life != Life::Returned; }))));
      return Step::Next;
    }
    case Intrinsic::StackRestore: {
      if (!arguments[0].is_number()) return lose("a stack that is restored to a place that is not known");
      std::uint64_t kept = arguments[0].number;
      for (std::uint32_t o = 0; o < objects_.size(); ++o) {
        if (!is_of_call(objects_[o]) || objects_[o].info.life == Life::Returned) continue;
        if (kept > 0) {
          --kept;
        } else {
          kill_object(o, Life::Returned);
        }
      }
      return Step::Next;
    }
    case Intrinsic::EnterScope:
    case Intrinsic::LeaveScope: {
      if (const auto lost = semantics::lost_scope(world_.program, i)) {
        if (options_.looks_at_memory) note_gap(result::GapKind::Skipped, *lost);
        return Step::Next;
      }
      const std::optional<std::uint32_t> object =
          arguments[0].is_number() ? object_at(arguments[0].number) : std::nullopt;
      if (!object) return lose("the scope of an object that is not known");
      if (what == Intrinsic::LeaveScope) {
        kill_object(*object, Life::OutOfScope);
        return Step::Next;
      }
      objects_[*object].info.life = Life::Live;
      is_shape_changed_ = true;
      writable({Place::Kind::Object, *object, 0, {}}) = Content::unwritten(objects_[*object].info.size);
      return Step::Next;
    }
    default:
      break;
  }
  if (frame().variadic == 0) return lose("va_start in a function without variable arguments");
  if (world_.platform.variadic_list.empty()) return lose("va_start on this machine");
  const std::uint32_t width = world_.pointer_width();
  std::optional<Place> list = resolve(arguments[0]);
  if (!list || list->symbolic) return lose("va_start of a list that is not known");
  if (const Step step = check_access(*list, arguments[0], world_.platform.variadic_list_size, AccessKind::Write);
      step != Step::Next)
    return step;
  for (const program::VariadicWord& word : world_.platform.variadic_list) {
    Place at = *list;
    at.offset += word.offset;
    write(at, number(word.is_area ? frame().variadic : word.value), width);
  }
  return Step::Next;
}

Machine::Step Machine::finish(const Instruction& i, Rules::Outcome outcome) {
  is_rules_changed_ = true;
  if (!outcome) {
    if (rules_.wait_of(current_thread_).kind == Rules::Wait::Kind::Condition) return Step::Waits;
    rules_.resumed(current_thread_);
    return Step::Blocked;
  }
  if (i.result_count > 0) give(i, number(static_cast<std::uint64_t>(*outcome)));
  return Step::Next;
}

Machine::Step Machine::create_thread(const Instruction& i, std::span<const Value> arguments) {
  const std::optional<FunctionId> start = function_of(arguments[2]);
  if (!start) return fail(FaultKind::InvalidCall);
  const program::Function& function = world_.program.functions[*start];
  if (!function.has_body())
    return lose(fmt::format("a thread that runs '{}', which has no body and no model", function.name));
  if (function.parameters.size() > 1) return fail(FaultKind::InvalidCall);
  if (threads_.size() >= options_.max_threads || !world_.plan.has_room(thread_count()))
    return lose(fmt::format("more than {} threads", threads_.size()));
  std::optional<Place> to = resolve(arguments[0]);
  if (!to) return lose("a pointer that could lead to too many objects");
  if (const Step step = check_access(*to, arguments[0], world_.pointer_bytes(), AccessKind::Write); step != Step::Next)
    return step;
  publish(arguments[3]);
  const auto made = static_cast<std::uint32_t>(rules_.create());
  is_rules_changed_ = true;
  is_global_step_ = true;
  ++alive_;
  touch(*to, world_.pointer_bytes(), true);
  write(*to, number(made + 1), world_.pointer_width());
  threads_.emplace_back();
  current_ = &threads_[current_thread_];
  Thread& created = threads_.back();
  created.is_loaded = created.is_changed = true;
  make_thread_locals(made);
  push_frame(threads_[made], *start, true);
  if (!function.parameters.empty()) threads_[made].slots[function.parameters[0]] = arguments[3];
  started_.push_back(made);
  if (i.result_count > 0) give(i, number(0));
  return Step::Next;
}

Machine::Step Machine::run_threads(const Instruction& i, Intrinsic what, std::span<const Value> arguments) {
  // Mutexes and conditions are known by their addresses.
  std::array<std::uint64_t, 2> addresses{};
  const bool is_wait = what == Intrinsic::CondWait || what == Intrinsic::CondTimedWait;
  const bool has_addresses = what >= Intrinsic::MutexLock && what <= Intrinsic::CondBroadcast;
  if (has_addresses) {
    for (std::size_t a = 0; a < std::min<std::size_t>(2, arguments.size()); ++a) {
      const std::optional<std::uint64_t> address = known(arguments[a], world_.pointer_width());
      if (!address) return lose("a mutex or condition that is not known");
      addresses[a] = *address;
    }
    if (const auto& use = semantics::rule_of(what).use) {
      Place place = place_of(addresses[0]);
      if (const Step step = check_access(place, number(addresses[0]), 1, use->kind); step != Step::Next) return step;
    }
    for (std::size_t a = 0; a < (is_wait ? 2 : 1); ++a) touches_.push_back({addresses[a], 0, true, true, here()});
  }
  const std::uint32_t self = current_thread_;
  switch (what) {
    case Intrinsic::ThreadCreate:
      return create_thread(i, arguments);
    case Intrinsic::ThreadJoin: {
      const std::optional<std::uint64_t> id = known(arguments[0], world_.pointer_width());
      if (!id) return lose("a thread that is not known");
      is_global_step_ = true;
      const Rules::Outcome outcome = rules_.join(self, *id - 1);
      if (outcome == ThreadError::None && arguments[1] != number(0)) {
        std::optional<Place> to = resolve(arguments[1]);
        if (!to) return lose("a pointer that could lead to too many objects");
        if (const Step step = check_access(*to, arguments[1], world_.pointer_bytes(), AccessKind::Write);
            step != Step::Next)
          return step;
        touch(*to, world_.pointer_bytes(), true);
        write(*to, thread(static_cast<std::uint32_t>(*id - 1)).result, world_.pointer_width());
      }
      return finish(i, outcome);
    }
    case Intrinsic::ThreadExit:
      return end_thread(arguments[0]);
    case Intrinsic::ThreadSelf:
      if (options_.symmetry != nullptr) options_.symmetry->turn_off();
      give(i, number(self + 1));
      return Step::Next;
    case Intrinsic::MutexLock:
      return finish(i, rules_.lock(self, addresses[0]));
    case Intrinsic::MutexTryLock:
      return finish(i, rules_.try_lock(self, addresses[0]));
    case Intrinsic::MutexUnlock:
      return finish(i, rules_.unlock(self, addresses[0]));
    case Intrinsic::MutexKind:
      rules_.set_kind(addresses[0], static_cast<semantics::MutexKind>(addresses[1]));
      return finish(i, ThreadError::None);
    case Intrinsic::CondWait:
    case Intrinsic::CondTimedWait:
      return finish(i, rules_.wait(self, addresses[0], addresses[1], what == Intrinsic::CondTimedWait));
    case Intrinsic::ThreadWait:
      // A section that cannot be made was not begun.
      return rules_.is_atomic(self) ? Step::Blocked : finish(i, ThreadError::None);
    case Intrinsic::ThreadTimedWait:
      // That its time is over can be at any time; that it is not is a step that is made later.
      give(i, number(1));
      return Step::Next;
    case Intrinsic::CondSignal: {
      // Which one wakes up is open.
      const std::vector<std::size_t> waiting = rules_.waiting(addresses[0]);
      if (!waiting.empty()) {
        const std::size_t woken = waiting[choices_.choose(static_cast<std::uint32_t>(waiting.size()))];
        rules_.wake(woken);
        woken_ = static_cast<std::uint32_t>(woken);
      }
      return finish(i, ThreadError::None);
    }
    case Intrinsic::CondBroadcast:
      rules_.broadcast(addresses[0]);
      return finish(i, ThreadError::None);
    case Intrinsic::AtomicBegin:
      rules_.begin_atomic(self);
      return finish(i, ThreadError::None);
    case Intrinsic::AtomicEnd:
      rules_.end_atomic(self);
      return finish(i, ThreadError::None);
    default:
      return finish(i, ThreadError::None);  // a yield
  }
}

void Machine::find_leaks() {
  std::vector<bool> is_reached(objects_.size(), false);
  std::vector<std::uint32_t> pending;
  const auto reach = [&](std::uint64_t address) {
    const std::optional<std::uint32_t> object = object_at(address);
    if (!object || is_reached[*object]) return;
    const semantics::ObjectInfo& info = objects_[*object].info;
    if (info.life != Life::Live || address - info.base > info.size) return;
    is_reached[*object] = true;
    pending.push_back(*object);
  };
  term::TermSet seen;
  const auto visit = [&](const Value& word) {
    if (word.is_number()) return reach(word.number);
    const Term root = word.term;
    term::post_order(terms_, std::span(&root, 1), seen, [&](Term t) {
      if (terms_.is_constant(t) && terms_.width(t) <= 64) reach(terms_.value(t).to_uint64());
    });
  };
  const auto scan = [&](const Place& place) { content_of(place).for_each_word(terms_, world_.pointer_bytes(), visit); };
  for (std::uint32_t g = 0; g < world_.globals().size(); ++g)
    if (!world_.globals()[g].info.is_constant) scan({Place::Kind::Global, g, 0, {}});
  for (std::uint32_t o = 0; o < objects_.size(); ++o)
    if (objects_[o].info.kind != ObjectKind::Heap) reach(objects_[o].info.base);
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    for (const Frame& at : thread(t).frames) {
      if (t == 0 && threads_[0].frames.size() == 1) break;  // main has returned
      for (const ValueId v : world_.code.live_before(at.function, at.next)) visit(threads_[t].slots[at.base + v]);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t object = pending.back();
    pending.pop_back();
    scan({Place::Kind::Object, object, 0, {}});
  }
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const Object& object = objects_[o];
    if (object.info.kind == ObjectKind::Heap && object.info.life == Life::Live && !is_reached[o])
      listener.on_leak(object.info.allocated);
  }
}

}  // namespace plumb::explore
