// What formulas about runs ask of a state: whether a condition of the source holds in it, and where its threads stand.
// A condition is a function of the program that only reads; it is executed on the state like any other code, and what
// it chooses is part of the step that led to the state.

#include "explore/watch.h"

#include <algorithm>
#include <utility>

#include "explore/machine.h"

namespace plumb::explore {

using program::Intrinsic;
using program::Kind;

namespace {

/// Instructions of a condition.
constexpr std::uint64_t kLongestCondition = 100'000;

}  // namespace

bool Machine::is_watched(const Instruction& i) {
  const Watch& watch = *options_.watch;
  const auto sees = [&](std::uint32_t address_operand, std::optional<std::uint64_t> size) {
    const Value address = operand(i, address_operand);
    if (!address.is_number() || !size) return true;
    return watch.sees(address.number, *size);
  };
  const auto size_in = [&](std::uint32_t position) -> std::optional<std::uint64_t> {
    const Value size = operand(i, position);
    return size.is_number() ? std::optional(size.number) : std::nullopt;
  };
  switch (i.kind) {
    case Kind::Store:
      return sees(0, (operand_width(i, 1) + 7) / 8);
    case Kind::CopyMemory:
    case Kind::FillMemory:
      return sees(0, size_in(2));
    case Kind::Intrinsic:
      break;
    default:
      return false;
  }
  switch (i.intrinsic()) {
    case Intrinsic::Fence:
      return watch.places.contains({frame().function, frame().next});
    case Intrinsic::MakeSymbolic:
      return sees(0, size_in(1));
    case Intrinsic::ThreadCreate:
    case Intrinsic::ThreadJoin:
      return true;
    case Intrinsic::VaStart:
    case Intrinsic::Free:
    case Intrinsic::Realloc:
      return watch.is_everything;
    default:
      return false;
  }
}

std::optional<bool> Machine::holds(FunctionId condition) {
  // Nothing of this is the step's: it is done by nobody, and nobody sees it.
  Discipline* const discipline = std::exchange(options_.discipline, nullptr);
  const std::vector<Touch> touches = touches_;
  const StepFault fault_before = fault_;
  const StepEnd end_before = end_;
  const bool was_global = is_global_step_;
  const bool was_first = std::exchange(is_first_, true);
  Thread& reader = threads_.emplace_back();
  current_ = &reader;
  push_frame(reader, condition, true);
  const std::optional<bool> result = run_condition();
  threads_.pop_back();
  current_ = current_thread_ < threads_.size() ? &threads_[current_thread_] : nullptr;
  options_.discipline = discipline;
  touches_ = touches;
  fault_ = fault_before;
  end_ = end_before;
  is_global_step_ = was_global;
  is_first_ = was_first;
  is_cut_ = false;
  return result;
}

std::optional<bool> Machine::run_condition() {
  for (std::uint64_t done = 0; done < kLongestCondition; ++done) {
    const Instruction& i = function().instructions[frame().next];
    switch (i.kind) {
      case Kind::Jump:
      case Kind::Branch:
      case Kind::Switch:
        execute(i);
        break;
      case Kind::Return:
        return is_nonzero(operand(i, 0), operand_width(i, 0));
      default:
        if (execute(i) != Step::Next) return std::nullopt;
        ++frame().next;
    }
  }
  return std::nullopt;
}

bool Machine::stands_at(std::span<const CodePoint> places) {
  for (std::uint32_t t = 0; t < thread_count(); ++t) {
    if (rules_.has_ended(t) || thread(t).frames.empty()) continue;
    const Frame& at = threads_[t].frames.back();
    const auto is_it = [&](CodePoint place) { return place.function == at.function && place.instruction == at.next; };
    if (std::ranges::any_of(places, is_it)) return true;
  }
  return false;
}

}  // namespace plumb::explore
