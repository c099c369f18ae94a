// Which threads a state does not tell apart, and what it does with their numbers (symmetry.h).

#include <algorithm>

#include "explore/machine.h"

namespace plumb::explore {

using program::Intrinsic;
using program::Kind;

namespace {

/// Instructions from the first join on.
constexpr int kMostBetween = 1000;

bool is_join(const Instruction& i) { return i.kind == Kind::Intrinsic && i.intrinsic() == Intrinsic::ThreadJoin; }

}  // namespace

bool Machine::are_alike(std::uint32_t a, std::uint32_t b) {
  const auto is_bare = [&](std::uint32_t t) {
    return !rules_.has_ended(t) && rules_.wait_of(t).kind == Rules::Wait::Kind::Nothing && !rules_.is_atomic(t) &&
           rules_.held_by(t).empty() && holes_of(component_of_thread(t)).empty() &&
           std::ranges::none_of(objects_, [&](const Object& o) { return o.owner == t; });
  };
  return part_of(a) == part_of(b) && is_bare(a) && is_bare(b);
}

bool Machine::is_at_join(std::uint32_t t) {
  if (rules_.has_ended(t)) return false;
  const Frame& at = thread(t).frames.back();
  return is_join(world_.program.functions[at.function].instructions[at.next]);
}

bool Machine::is_as_before(const JoinsAhead& ahead) const {
  return std::ranges::all_of(ahead.read, [&](const auto& read) {
    return read.first < loaded_cells_ && loaded_.elements()[cell_component_[read.first]] == read.second;
  });
}

bool Machine::follows_join(const Instruction& i, JoinsAhead& ahead) {
  switch (i.kind) {
    case Kind::Operator:
    case Kind::CheckIndex:
    case Kind::Jump:
    case Kind::Call:
      return true;
    case Kind::Branch:
    case Kind::Switch:
      return operand(i, 0).is_number();
    case Kind::Load:
    case Kind::Store: {
      const Value address = operand(i, 0);
      if (!address.is_number()) return false;
      const Place place = place_of(address.number);
      if (const std::optional<std::uint32_t> c = cell_of(place)) {
        if (*c >= loaded_cells_) return false;
        ahead.read.emplace_back(*c, loaded_.elements()[cell_component_[*c]]);
      }
      return is_private(place) || (i.kind == Kind::Load && !is_boundary(i));
    }
    case Kind::Return:
      return current_->frames.size() > 1 && !is_boundary(i);
    default:
      return false;
  }
}

Machine::JoinsAhead Machine::joins_ahead() {
  current_thread_ = 0;
  current_ = &thread(0);
  JoinsAhead ahead;
  std::vector<std::uint32_t> joined;
  for (int n = 0; n < kMostBetween; ++n) {
    const Instruction& i = function().instructions[frame().next];
    if (is_join(i)) {
      const Value id = operand(i, 0);
      if (!id.is_number() || operand(i, 1) != number(0)) return ahead;
      joined.push_back(static_cast<std::uint32_t>(id.number - 1));
      give(i, number(0));
      ++frame().next;
    } else if (is_left_out()) {
      pass(i);
    } else if (!follows_join(i, ahead)) {
      ahead.threads = std::move(joined);
      return ahead;
    } else {
      const Step step = execute(i);
      if (step != Step::Next && step != Step::Moved) return ahead;
      if (step == Step::Next) ++frame().next;
    }
  }
  return ahead;
}

}  // namespace plumb::explore
