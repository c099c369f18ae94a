#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "explore/machine.h"
#include "semantics/exchange.h"
#include "term/narrow.h"
#include "term/traverse.h"

namespace plumb::explore {

using program::AccessKind;
using program::Kind;
using semantics::ObjectInfo;

namespace {

/// Values that a size may have, one after the other.
constexpr std::size_t kMaxSizes = 64;
/// Objects among which one is looked for, to which an address of which nothing is known may lead.
constexpr std::size_t kMaxUnclear = 64;

/// What out-of-bounds accesses of an object are.
FaultKind out_of_bounds(const ObjectInfo& info) {
  return info.kind == ObjectKind::Heap ? FaultKind::PointerOutOfBounds : FaultKind::ArrayPointerOutOfBounds;
}

}  // namespace

std::optional<std::uint32_t> Machine::object_at(std::uint64_t address) const {
  if (address < world_.plan.threads || objects_.empty()) return std::nullopt;
  const std::uint64_t half = world_.plan.guard / 2;
  const auto above = std::ranges::upper_bound(objects_, address, {}, [](const Object& o) { return o.info.base; });
  if (above != objects_.begin()) {
    const auto below = std::prev(above);
    if (address - below->info.base <= below->info.size + half)
      return static_cast<std::uint32_t>(below - objects_.begin());
  }
  if (above != objects_.end() && above->info.base - address <= half)
    return static_cast<std::uint32_t>(above - objects_.begin());
  return std::nullopt;
}

Machine::Place Machine::place_of(std::uint64_t address) const {
  if (const std::optional<std::uint32_t> object = object_at(address))
    return {Place::Kind::Object, *object, address - objects_[*object].info.base, {}};
  if (const std::optional<std::uint32_t> global = world_.global_at(address))
    return {Place::Kind::Global, *global, address - world_.globals()[*global].info.base, {}};
  if (const std::optional<FunctionId> f = world_.function_at(address)) return {Place::Kind::Function, *f, 0, {}};
  return {};
}

const ObjectInfo* Machine::info_of(const Place& place) const {
  switch (place.kind) {
    case Place::Kind::Global:
      return &world_.globals()[place.index].info;
    case Place::Kind::Object:
      return &objects_[place.index].info;
    default:
      return nullptr;
  }
}

Term Machine::without_choices(Term address) {
  for (;;) {
    // A choice among the summands, or the address itself.
    Term choice;
    std::vector<Term> summands;
    std::vector<Term> stack{address};
    while (!stack.empty()) {
      const Term t = stack.back();
      stack.pop_back();
      if (terms_.op(t) == term::Op::Add) {
        stack.push_back(terms_.child(t, 1));
        stack.push_back(terms_.child(t, 0));
      } else {
        if (!choice && terms_.op(t) == term::Op::Ite) choice = t;
        summands.push_back(t);
      }
    }
    if (!choice) return address;
    const Term taken = terms_.child(choice, decide(terms_.child(choice, 0)) ? 1 : 2);
    Term sum = taken;
    for (const Term t : summands)
      if (t != choice) sum = terms_.add(sum, t);
    address = sum;
  }
}

std::optional<Machine::Place> Machine::resolve(const Value& address) {
  if (address.is_number()) return place_of(address.number);
  const Term t = without_choices(address.term);
  if (terms_.is_constant(t)) return place_of(terms_.value(t).to_uint64());
  // An object and what is added to it.
  std::uint64_t base = 0;
  if (terms_.op(t) == term::Op::Add)
    for (unsigned k = 0; k < 2; ++k)
      if (terms_.is_constant(terms_.child(t, k))) base = terms_.value(terms_.child(t, k)).to_uint64();
  const auto inside = [&](Place place) {
    place.symbolic = terms_.sub(t, constant(info_of(place)->base));
    return place;
  };
  if (const Place known = place_of(base); known.kind == Place::Kind::Global || known.kind == Place::Kind::Object)
    return inside(known);
  // Where some of its values lead, until one leads nowhere.
  const auto leads_to = [&](const Place& place) {
    const ObjectInfo& info = *info_of(place);
    return decide(terms_.ule(terms_.sub(t, constant(info.base)), constant(info.size)));
  };
  for (std::size_t tried = 0; tried < kMaxUnclear; ++tried) {
    const std::optional<BitVector> example = choices_.example(t, {});
    if (!example) return std::nullopt;
    const Place place = place_of(example->to_uint64());
    if (info_of(place) == nullptr) break;
    const std::uint64_t offset = example->to_uint64() - info_of(place)->base;
    if (offset > info_of(place)->size) break;
    if (leads_to(place)) return inside(place);
  }
  if (objects_.size() + world_.globals().size() > kMaxUnclear) return std::nullopt;
  for (std::uint32_t o = 0; o < objects_.size(); ++o)
    if (const Place place{Place::Kind::Object, o, 0, {}}; leads_to(place)) return inside(place);
  for (std::uint32_t g = 0; g < world_.globals().size(); ++g)
    if (const Place place{Place::Kind::Global, g, 0, {}}; leads_to(place)) return inside(place);
  return Place{};
}

std::optional<std::uint32_t> Machine::cell_of(const Place& place) const {
  if (place.kind == Place::Kind::Object) return static_cast<std::uint32_t>(world_.written().size()) + place.index;
  if (place.kind != Place::Kind::Global) return std::nullopt;
  const auto found = std::ranges::lower_bound(world_.written(), place.index);
  if (found == world_.written().end() || *found != place.index) return std::nullopt;
  return static_cast<std::uint32_t>(found - world_.written().begin());
}

const Content& Machine::content_of(const Place& place) {
  if (const std::optional<std::uint32_t> c = cell_of(place)) return cell(*c).content;
  return world_.globals()[place.index].initial;
}

Content& Machine::writable(const Place& place) {
  const std::optional<std::uint32_t> c = cell_of(place);
  INVARIANT(c, "what is written should be part of states");
  Cell& written = cell(*c);
  written.is_changed = true;
  return written.content;
}

bool Machine::is_private(const Place& place) const {
  return place.kind == Place::Kind::Object && !objects_[place.index].is_shared &&
         objects_[place.index].owner == current_thread_;
}

void Machine::touch(const Place& place, std::uint64_t size, bool is_write) {
  if (is_private(place) || is_alone_for_good() || is_left_out()) return;
  const ObjectInfo* info = info_of(place);
  if (info == nullptr || info->is_constant) return;
  const Instruction& i = function().instructions[frame().next];
  Touch made{info->base + place.offset, size, is_write, false, here()};
  if (place.symbolic) {
    made.address = info->base;
    made.size = info->size;
    made.width = size;
    made.symbolic = terms_.add(place.symbolic, constant(info->base));
  }
  made.is_atomic = rules_.is_atomic(current_thread_) || (i.flags & program::kAtomic) != 0;
  if (options_.discipline != nullptr) {
    const Discipline::Access access = access_of(made.address, made.size, is_write);
    const bool is_hidden = options_.discipline->hides(access);
    options_.discipline->add(access);
    if (is_hidden) return;  // nobody else is at it
  }
  if (is_alone()) return;
  made.operation = schedule_.back().operations + 1;
  touches_.push_back(made);
}

Machine::Step Machine::check_access(Place& place, const Value& address, std::uint64_t size, AccessKind kind) {
  const ObjectInfo* info = info_of(place);
  if (place.kind == Place::Kind::Global && world_.globals()[place.index].is_unknown_size)
    return lose("an object that is only declared, without a size");
  if (info != nullptr && place.symbolic) {
    const Term is_inside =
        size > info->size ? terms_.boolean(false) : terms_.ule(place.symbolic, constant(info->size - size));
    if (info->life == Life::Live && !decide(is_inside)) return fail(out_of_bounds(*info));
    if (info->life != Life::Live || (kind == AccessKind::Write && info->is_constant)) place.offset = 0;
  }
  const bool is_fine = info != nullptr && info->life == Life::Live &&
                       (place.symbolic || (place.offset <= info->size && size <= info->size - place.offset)) &&
                       !(kind == AccessKind::Write && info->is_constant && size > 0);
  if (is_fine) return Step::Next;
  const std::uint64_t at = place.symbolic ? info->base : address.number;
  const semantics::Access access{at, size, kind, 1};
  if (const auto fault = semantics::access_fault(info, access, world_.pointer_width())) return fail(fault->kind);
  return fail(FaultKind::InvalidPointer);
}

void Machine::define(const Place& place, std::uint64_t offset, std::uint64_t count) {
  for (const Content::Run& run : content_of(place).unwritten_in(offset, count)) {
    const auto width = static_cast<std::uint32_t>(run.count * 8);
    const Value any = fresh(width, "uninitialised", false);
    writable(place).store(terms_, run.offset, any, width);
  }
}

Value Machine::read(const Place& place, std::uint64_t size) {
  const ObjectInfo& info = *info_of(place);
  if (place.symbolic) {
    define(place, 0, info.size);
    return content_of(place).load(terms_, terms_.zero_extend(place.symbolic, 64), size);
  }
  if (const std::optional<std::uint32_t> c = cell_of(place); c && !cells_[*c].is_loaded) {
    // Without taking it apart, where it is plain.
    const auto plain = Content::plain(store_.blobs[loaded_.elements()[cell_component_[*c]]]);
    if (plain && size <= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, plain->data() + place.offset, size);
      return number(word);
    }
  }
  define(place, place.offset, size);
  return content_of(place).load(terms_, place.offset, size);
}

void Machine::write(const Place& place, const Value& value, std::uint32_t width) {
  if (!is_private(place)) publish(value);
  if (place.symbolic) {
    define(place, 0, info_of(place)->size);
    writable(place).store(terms_, terms_.zero_extend(place.symbolic, 64), value, width);
    return;
  }
  writable(place).store(terms_, place.offset, value, width);
}

Machine::Step Machine::run_access(const Instruction& i) {
  const bool is_load = i.kind == Kind::Load;
  const Value address = operand(i, 0);
  std::optional<Place> place = resolve(address);
  if (!place) return lose("a pointer that could lead to too many objects");
  const std::uint32_t width = is_load ? width_of(i.first_result) : operand_width(i, 1);
  const std::uint32_t whole = (width + 7) / 8 * 8;
  const std::uint64_t size = whole / 8;
  if (const Step step = check_access(*place, address, size, is_load ? AccessKind::Read : AccessKind::Write);
      step != Step::Next)
    return step;
  const std::optional<ValueId> success = semantics::success_of_exchange(function(), i);
  const bool has_failed = success && value(*success).is_number() && value(*success).number == 0;
  touch(*place, size, !is_load && !has_failed);
  if (!is_load) {
    Value stored = operand(i, 1);
    if (whole != width && !stored.is_number()) stored = value_of(terms_, terms_.zero_extend(stored.term, whole));
    write(*place, stored, whole);
    return Step::Next;
  }
  Value loaded = read(*place, size);
  if (size < world_.pointer_bytes() && place->kind == Place::Kind::Object) publish_part(*place);
  if (whole != width)
    loaded = loaded.is_number() ? number(loaded.number & term::narrow_mask(width))
                                : value_of(terms_, terms_.extract(loaded.term, width - 1, 0));
  give(i, loaded);
  return Step::Next;
}

void Machine::publish_part(const Place& place) {
  // A part of an address may become an address again, which nobody could follow.
  const std::uint64_t bytes = world_.pointer_bytes();
  const std::uint64_t start = place.symbolic ? 0 : place.offset / bytes * bytes;
  const std::uint64_t end = place.symbolic ? info_of(place)->size : std::min(start + bytes, info_of(place)->size);
  for (std::uint64_t at = start; at + bytes <= end; at += bytes)
    if (content_of(place).unwritten_in(at, bytes).empty()) publish(content_of(place).load(terms_, at, bytes));
}

void Machine::publish(const Value& value) {
  if (objects_.empty()) return;
  if (value.is_number()) {
    if (const std::optional<std::uint32_t> object = object_at(value.number)) publish_object(*object);
    return;
  }
  term::TermSet seen;
  const Term root = value.term;
  term::post_order(terms_, std::span(&root, 1), seen, [&](Term t) {
    if (!terms_.is_constant(t) || terms_.width(t) > 64) return;
    if (const std::optional<std::uint32_t> object = object_at(terms_.value(t).to_uint64())) publish_object(*object);
  });
}

void Machine::publish_object(std::uint32_t object) {
  std::vector<std::uint32_t> pending{object};
  while (!pending.empty()) {
    const std::uint32_t now = pending.back();
    pending.pop_back();
    if (objects_[now].is_shared) continue;
    objects_[now].is_shared = true;
    is_shape_changed_ = true;
    if (objects_[now].info.life != Life::Live) continue;
    const Place place{Place::Kind::Object, now, 0, {}};
    const auto visit = [&](const Value& word) {
      const auto follow = [&](std::uint64_t address) {
        if (const std::optional<std::uint32_t> to = object_at(address)) pending.push_back(*to);
      };
      if (word.is_number()) return follow(word.number);
      term::TermSet seen;
      const Term root = word.term;
      term::post_order(terms_, std::span(&root, 1), seen, [&](Term t) {
        if (terms_.is_constant(t) && terms_.width(t) <= 64) follow(terms_.value(t).to_uint64());
      });
    };
    content_of(place).for_each_word(terms_, world_.pointer_bytes(), visit);
  }
}

std::optional<std::uint32_t> Machine::add_object(ObjectKind kind, std::uint64_t size, std::uint32_t alignment,
                                                 Content content) {
  const std::uint64_t region = world_.plan.region(current_thread_);
  const std::uint64_t heap = region + world_.plan.heap_offset;
  const std::uint64_t end = kind == ObjectKind::Heap ? region + world_.plan.thread_size : heap;
  const std::uint64_t step = std::max<std::uint64_t>(alignment, 16);
  // The lowest place that is free: of the stack behind all that there is, so that objects lie in the order of calls.
  std::uint64_t at = kind == ObjectKind::Heap ? heap : region;
  const auto aligned = [&](std::uint64_t address) { return (address + world_.plan.guard + step - 1) / step * step; };
  at = aligned(at);
  auto position =
      std::ranges::lower_bound(objects_, at - world_.plan.guard, {}, [](const Object& o) { return o.info.base; });
  for (; position != objects_.end() && position->info.base < end; ++position) {
    const bool fits = at + size + world_.plan.guard <= position->info.base;
    if (kind == ObjectKind::Heap && fits) break;
    at = aligned(position->info.base + position->info.size);
  }
  if (size > kMaxObjectSize || at + size + world_.plan.guard > end) return std::nullopt;
  Object made;
  made.info.base = at;
  made.info.size = size;
  made.info.alignment = alignment;
  made.info.kind = kind;
  if (!current_->frames.empty()) made.info.allocated = here();
  made.owner = current_thread_;
  made.is_shared = options_.reduction == Reduction::None;
  const auto index = static_cast<std::uint32_t>(position - objects_.begin());
  objects_.insert(position, made);
  const auto c = static_cast<std::ptrdiff_t>(world_.written().size() + index);
  cells_.insert(cells_.begin() + c, Cell{std::move(content), true, true});
  cell_component_.insert(cell_component_.begin() + c, kNone);
  is_shape_changed_ = true;
  return index;
}

void Machine::kill_object(std::uint32_t object, Life life) {
  // Others see that it ends.
  const semantics::ObjectInfo& info = objects_[object].info;
  if (options_.discipline != nullptr && objects_[object].is_shared && !is_alone_for_good())
    options_.discipline->add(access_of(info.base, info.size, true));
  objects_[object].info.life = life;
  is_shape_changed_ = true;
  has_died_ = has_died_ || life != Life::OutOfScope;
  Cell& its = cell(static_cast<std::uint32_t>(world_.written().size()) + object);
  its.content = {};
  its.is_changed = true;
}

void Machine::forget_dead() {
  // A dead object that no pointer leads to leaves no trace, so that states are equal that will behave alike.
  has_died_ = false;
  std::vector<bool> is_held(objects_.size(), false);
  const auto hold = [&](std::uint64_t address) {
    if (const std::optional<std::uint32_t> object = object_at(address)) is_held[*object] = true;
  };
  term::TermSet seen;
  const auto visit = [&](const Value& word) {
    if (word.is_number()) return hold(word.number);
    const Term root = word.term;
    term::post_order(terms_, std::span(&root, 1), seen, [&](Term t) {
      if (terms_.is_constant(t) && terms_.width(t) <= 64) hold(terms_.value(t).to_uint64());
    });
  };
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    cell(c).content.for_each_word(terms_, world_.pointer_bytes(), visit);
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    Thread& of = thread(t);
    visit(of.frames.empty() ? of.result : Value{});
    for (std::size_t f = 0; f < of.frames.size(); ++f) {
      const Frame& at = of.frames[f];
      hold(at.variadic);
      const bool is_calling = f + 1 < of.frames.size() && !of.frames[f + 1].is_root;
      const std::span<const ValueId> live =
          is_calling ? world_.code.live_across(at.function, at.next) : world_.code.live_before(at.function, at.next);
      for (const ValueId v : live) visit(of.slots[at.base + v]);
      for (const auto& [v, value] : at.undefined) visit(value);
    }
  }
  const auto first = static_cast<std::ptrdiff_t>(world_.written().size());
  for (std::size_t o = objects_.size(); o-- > 0;) {
    const Life life = objects_[o].info.life;
    const bool is_gone = life == Life::Freed || life == Life::Returned;
    if (is_held[o]) {
      if (is_gone) assume("memory that was freed is not allocated again while a pointer to it is left");
      continue;
    }
    if (!is_gone) continue;
    const auto at = static_cast<std::ptrdiff_t>(o);
    objects_.erase(objects_.begin() + at);
    cells_.erase(cells_.begin() + first + at);
    cell_component_.erase(cell_component_.begin() + first + at);
    is_shape_changed_ = true;
  }
}

void Machine::make_thread_locals(std::uint32_t t) {
  Thread* const before = std::exchange(current_, &threads_[t]);
  const std::uint32_t thread_before = std::exchange(current_thread_, t);
  for (GlobalId g = 0; g < world_.program.globals.size(); ++g) {
    const program::GlobalObject& global = world_.program.globals[g];
    if (!global.is_thread_local) continue;
    const std::optional<std::uint32_t> object =
        add_object(ObjectKind::Global, global.size, global.alignment, world_.globals()[g].initial);
    INVARIANT(object, "there should be room for thread-local objects");
    objects_[*object].info.global = g;
  }
  current_ = before;
  current_thread_ = thread_before;
}

Machine::Step Machine::allocate_on_stack(const Instruction& i) {
  const std::optional<std::uint64_t> size = known(operand(i, 0), operand_width(i, 0));
  if (!size) return lose("an object of a size that is not known");
  const std::optional<std::uint32_t> object =
      *size > kMaxObjectSize ? std::nullopt
                             : add_object(ObjectKind::Stack, *size, i.parameter, Content::unwritten(*size));
  if (!object) return lose("an object that finds no room in the address space");
  objects_[*object].depth = static_cast<std::uint32_t>(current_->frames.size());
  give(i, number(objects_[*object].info.base));
  return Step::Next;
}

std::optional<std::uint64_t> Machine::known(const Value& value, std::uint32_t width) {
  if (value.is_number()) return value.number;
  std::vector<Term> except;
  while (except.size() < kMaxSizes) {
    const std::optional<BitVector> example = choices_.example(value.term, except);
    if (!example) return std::nullopt;
    const Term is_it = terms_.eq(value.term, terms_.constant(width, example->to_uint64()));
    if (decide(is_it)) return example->to_uint64();
    except.push_back(terms_.bit_not(is_it));
  }
  return std::nullopt;
}

Machine::Step Machine::check_index(const Instruction& i) {
  const Value index = operand(i, 0);
  const Value count = operand(i, 1);
  const bool is_inside = index.is_number() && count.is_number()
                             ? index.number < count.number
                             : decide(terms_.ult(operand_term(i, 0), operand_term(i, 1)));
  return is_inside ? Step::Next : fail(FaultKind::ArrayOutOfBounds);
}

Machine::Step Machine::copy_memory(const Instruction& i) {
  const std::optional<std::uint64_t> size = known(operand(i, 2), operand_width(i, 2));
  if (!size) return lose("a copy of a size that is not known");
  if (*size == 0) return Step::Next;
  const Value to = operand(i, 0);
  const Value from = operand(i, 1);
  std::optional<Place> source = resolve(from);
  std::optional<Place> target = source ? resolve(to) : std::nullopt;
  if (!target) return lose("a pointer that could lead to too many objects");
  if (const Step step = check_access(*target, to, *size, AccessKind::Write); step != Step::Next) return step;
  if (const Step step = check_access(*source, from, *size, AccessKind::Read); step != Step::Next) return step;
  for (Place* place : {&*source, &*target}) {
    if (!place->symbolic) continue;
    const std::optional<std::uint64_t> offset = known({0, place->symbolic}, world_.pointer_width());
    if (!offset) return lose("a copy from or to a place that is not known");
    *place = {place->kind, place->index, *offset, {}};
  }
  touch(*source, *size, false);
  touch(*target, *size, true);
  assume_one_step(*size);
  const Content copied = content_of(*source);
  if (!is_private(*target) && source->kind == Place::Kind::Object) {
    // All that the source has pointers to, though only a part may be copied.
    copied.for_each_word(terms_, world_.pointer_bytes(), [&](const Value& word) { publish(word); });
  }
  writable(*target).copy(terms_, target->offset, copied, source->offset, *size);
  return Step::Next;
}

void Machine::assume_one_step(std::uint64_t size) {
  if (size > world_.pointer_bytes() && !touches_.empty() && !rules_.is_atomic(current_thread_))
    assume("a copy or fill of memory that threads share is one step");
}

Machine::Step Machine::fill_memory(const Instruction& i) {
  const std::optional<std::uint64_t> size = known(operand(i, 2), operand_width(i, 2));
  if (!size) return lose("a fill of a size that is not known");
  if (*size == 0) return Step::Next;
  const Value to = operand(i, 0);
  std::optional<Place> target = resolve(to);
  if (!target) return lose("a pointer that could lead to too many objects");
  if (const Step step = check_access(*target, to, *size, AccessKind::Write); step != Step::Next) return step;
  if (target->symbolic) {
    const std::optional<std::uint64_t> offset = known({0, target->symbolic}, world_.pointer_width());
    if (!offset) return lose("a fill of a place that is not known");
    *target = {target->kind, target->index, *offset, {}};
  }
  touch(*target, *size, true);
  assume_one_step(*size);
  writable(*target).fill(terms_, target->offset, *size, operand(i, 1));
  return Step::Next;
}

std::optional<std::string> Machine::text_at(const Value& address) {
  if (!address.is_number()) return std::nullopt;
  Place place = place_of(address.number);
  const ObjectInfo* info = info_of(place);
  if (info == nullptr || info->life != Life::Live) return std::nullopt;
  std::string text;
  for (; place.offset < info->size; ++place.offset) {
    if (!content_of(place).unwritten_in(place.offset, 1).empty()) return std::nullopt;
    const Value byte = content_of(place).load(terms_, place.offset, 1);
    if (!byte.is_number()) return std::nullopt;
    if (byte.number == 0) return text;
    text.push_back(static_cast<char>(byte.number));
  }
  return std::nullopt;
}

}  // namespace plumb::explore
