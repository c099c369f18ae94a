// States, taken apart and put together again. A state is a list of numbers of parts: the rules of threads, the shape of
// memory, then a part for each thread and each content of an object. What a step does not touch is never decoded, and
// its part stands in the next state as it was; so what a step costs depends on what it does, not on the size of states.

#include "explore/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace plumb::explore {
namespace {

constexpr std::uint8_t kHole = 9;  ///< in place of a number's length
// Of a frame
constexpr std::uint8_t kIsRoot = 1;
constexpr std::uint8_t kIsCalling = 2;
constexpr std::uint8_t kIsInOutput = 4;

template <typename T>
void put(std::vector<std::uint8_t>& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

template <typename T>
T take(std::span<const std::uint8_t>& in) {
  T value{};
  std::memcpy(&value, in.data(), sizeof value);
  in = in.subspan(sizeof value);
  return value;
}

void put_value(std::vector<std::uint8_t>& out, std::vector<Term>& holes, const Value& value) {
  if (!value.is_number()) {
    out.push_back(kHole);
    holes.push_back(value.term);
    return;
  }
  const auto length = static_cast<std::uint8_t>((64 - std::countl_zero(value.number) + 7) / 8);
  out.push_back(length);
  const std::size_t at = out.size();
  out.resize(at + length);
  std::memcpy(out.data() + at, &value.number, length);
}

Value take_value(const TermStore& terms, std::span<const std::uint8_t>& in, std::span<const Term>& holes) {
  const std::uint8_t length = in[0];
  in = in.subspan(1);
  if (length == kHole) {
    const Value value = value_of(terms, holes[0]);
    holes = holes.subspan(1);
    return value;
  }
  Value value;
  std::memcpy(&value.number, in.data(), length);
  in = in.subspan(length);
  return value;
}

/// Of an object in the encoded shape.
struct StoredObject {
  std::uint64_t base;
  std::uint64_t size;
  std::uint32_t alignment;
  std::uint32_t global;
  std::uint32_t depth;
  std::uint32_t allocated_function;
  std::uint32_t allocated_instruction;
  std::uint16_t owner;
  ObjectKind kind;
  Life life;
  std::uint8_t is_shared;
  std::uint8_t padding[3];
};

}  // namespace

Machine::Machine(World& world, Store& store, Choices& choices, const Options& options)
    : world_(world), terms_(choices.terms()), store_(store), choices_(choices), options_(options), canoniser_(terms_) {}

void Machine::start() {
  loaded_ = {};
  loaded_data_ = {};
  loaded_threads_ = 0;
  loaded_cells_ = 0;
  hole_start_.clear();
  rules_ = {};
  objects_.clear();
  threads_.clear();
  cells_.clear();
  cell_component_.clear();
  is_rules_changed_ = true;
  is_shape_changed_ = true;
  for (const std::uint32_t g : world_.written()) {
    cells_.push_back({world_.globals()[g].initial, true, true});
    cell_component_.push_back(kNone);
  }
  rules_.create();
  alive_ = 1;
  threads_.emplace_back();
  threads_[0].is_loaded = threads_[0].is_changed = true;
  make_thread_locals(0);
  const Program& program = world_.program;
  // Returned to from the last to the first.
  for (std::size_t d = world_.at_end.size(); d-- > 0;)
    if (program.functions[world_.at_end[d]].has_body()) push_frame(threads_[0], world_.at_end[d], true);
  push_frame(threads_[0], program.entry, true);
  Thread& main = threads_[0];
  const program::Function& entry = program.functions[program.entry];
  for (std::size_t p = 0; p < entry.parameters.size(); ++p) {
    const ValueId parameter = entry.parameters[p];
    const std::uint32_t width = entry.values[parameter].width;
    Value& slot = main.slots[main.frames.back().base + parameter];
    if (entry.name == "main") {
      assume("main is called with one argument, the name of the program");
      const std::uint64_t vector = world_.arguments_of_main();
      const std::uint64_t values[] = {1, vector, vector + 2 * std::uint64_t{world_.pointer_bytes()}};
      slot = p < 3 ? number(values[p]) : Value{};
    } else {
      slot = {0, choices_.fresh(width, entry.value_names[parameter], true)};
    }
  }
  for (std::size_t c = program.constructors.size(); c-- > 0;)
    if (program.functions[program.constructors[c]].has_body()) push_frame(threads_[0], program.constructors[c], true);
}

void Machine::load(const State& state) {
  store_.trees.expand(state.control, loaded_);
  loaded_data_ = store_.data(state.data);
  unpack();
}

void Machine::unpack() {
  const std::span<const std::uint32_t> parts = loaded_.elements();
  rules_ = store_.rules(parts[0]);
  is_rules_changed_ = false;
  loaded_threads_ = parts[2];
  alive_ = 0;
  for (std::uint32_t t = 0; t < rules_.count(); ++t) alive_ += rules_.has_ended(t) ? 0 : 1;
  decode_shape(store_.blobs[parts[1]]);
  is_shape_changed_ = false;
  has_died_ = false;
  threads_.resize(loaded_threads_);
  for (Thread& t : threads_) {
    t.is_loaded = false;
    t.is_changed = false;
  }
  loaded_cells_ = loaded_.size - kFixed - loaded_threads_;
  cells_.resize(loaded_cells_);
  cell_component_.resize(loaded_cells_);
  for (std::uint32_t c = 0; c < loaded_cells_; ++c) {
    cells_[c].is_loaded = false;
    cells_[c].is_changed = false;
    cell_component_[c] = component_of_cell(c);
  }
  find_holes();
}

void Machine::find_holes() {
  hole_start_.clear();
  if (loaded_data_.values.empty()) return;
  std::uint32_t count = 0;
  for (std::uint32_t part = 0; part < loaded_.size; ++part) {
    hole_start_.push_back(count);
    if (part < kFixed) continue;
    std::span<const std::uint8_t> blob = store_.blobs[loaded_.elements()[part]];
    count += take<std::uint32_t>(blob);
  }
  hole_start_.push_back(count);
  INVARIANT(count == loaded_data_.values.size(), "a state should have as many values as its control has holes");
}

std::span<const Term> Machine::holes_of(std::uint32_t component) {
  if (hole_start_.empty()) return {};
  return std::span<const Term>(loaded_data_.values)
      .subspan(hole_start_[component], hole_start_[component + 1] - hole_start_[component]);
}

Machine::Thread& Machine::thread(std::uint32_t t) {
  Thread& found = threads_[t];
  if (!found.is_loaded) {
    const std::uint32_t component = component_of_thread(t);
    decode_thread(t, store_.blobs[loaded_.elements()[component]], holes_of(component));
    found.is_loaded = true;
  }
  return found;
}

Machine::Cell& Machine::cell(std::uint32_t index) {
  Cell& found = cells_[index];
  if (!found.is_loaded) {
    const std::uint32_t component = cell_component_[index];
    found.content = Content::decode(terms_, store_.blobs[loaded_.elements()[component]], holes_of(component));
    found.is_loaded = true;
  }
  return found;
}

bool Machine::is_calling(const Thread& thread, std::size_t f) {
  return f + 1 < thread.frames.size() && !thread.frames[f + 1].is_root;
}

std::span<const ValueId> Machine::live_in(const Thread& thread, std::size_t f) {
  const Frame& frame = thread.frames[f];
  return is_calling(thread, f) ? world_.code.live_across(frame.function, frame.next)
                               : world_.code.live_before(frame.function, frame.next);
}

void Machine::encode_thread(std::uint32_t t, std::vector<std::uint8_t>& out, std::vector<Term>& holes) {
  const Thread& thread = threads_[t];
  const std::size_t first_hole = holes.size();
  put(out, std::uint32_t{0});
  put(out, static_cast<std::uint32_t>(thread.frames.size()));
  if (thread.frames.empty()) put_value(out, holes, thread.result);
  for (std::size_t f = 0; f < thread.frames.size(); ++f) {
    const Frame& frame = thread.frames[f];
    put(out, frame.function);
    put(out, frame.next);
    out.push_back(static_cast<std::uint8_t>((frame.is_root ? kIsRoot : 0) | (is_calling(thread, f) ? kIsCalling : 0) |
                                            (frame.is_in_output ? kIsInOutput : 0)));
    put_value(out, holes, number(frame.variadic));
    for (const ValueId v : live_in(thread, f)) put_value(out, holes, thread.slots[frame.base + v]);
    out.push_back(static_cast<std::uint8_t>(frame.undefined.size()));
    for (const auto& [v, value] : frame.undefined) {
      put(out, v);
      put_value(out, holes, value);
    }
  }
  const auto count = static_cast<std::uint32_t>(holes.size() - first_hole);
  std::memcpy(out.data(), &count, sizeof count);
}

void Machine::decode_thread(std::uint32_t t, std::span<const std::uint8_t> in, std::span<const Term> holes) {
  Thread& thread = threads_[t];
  take<std::uint32_t>(in);
  const auto count = take<std::uint32_t>(in);
  thread.frames.resize(count);
  thread.slots.clear();
  if (count == 0) thread.result = take_value(terms_, in, holes);
  for (std::uint32_t f = 0; f < count; ++f) {
    Frame& frame = thread.frames[f];
    frame.function = take<std::uint32_t>(in);
    frame.next = take<std::uint32_t>(in);
    const auto flags = take<std::uint8_t>(in);
    frame.is_root = (flags & kIsRoot) != 0;
    frame.is_in_output = (flags & kIsInOutput) != 0;
    frame.variadic = take_value(terms_, in, holes).number;
    frame.base = thread.slots.size();
    thread.slots.resize(frame.base + world_.program.functions[frame.function].values.size());
    const std::span<const ValueId> live = (flags & kIsCalling) != 0
                                              ? world_.code.live_across(frame.function, frame.next)
                                              : world_.code.live_before(frame.function, frame.next);
    for (const ValueId v : live) thread.slots[frame.base + v] = take_value(terms_, in, holes);
    frame.undefined.resize(in[0]);
    in = in.subspan(1);
    for (auto& [v, value] : frame.undefined) {
      v = take<std::uint32_t>(in);
      value = take_value(terms_, in, holes);
    }
  }
}

void Machine::decode_shape(std::span<const std::uint8_t> in) {
  objects_.resize(in.size() / sizeof(StoredObject));
  for (Object& object : objects_) {
    const auto stored = take<StoredObject>(in);
    object = {};
    object.info.base = stored.base;
    object.info.size = stored.size;
    object.info.alignment = stored.alignment;
    object.info.global = stored.global;
    object.info.kind = stored.kind;
    object.info.life = stored.life;
    object.info.allocated = {stored.allocated_function, stored.allocated_instruction};
    object.owner = stored.owner;
    object.depth = stored.depth;
    object.is_shared = stored.is_shared != 0;
  }
}

std::vector<std::uint8_t> Machine::encode_shape() const {
  std::vector<std::uint8_t> out;
  for (const Object& object : objects_) {
    const semantics::ObjectInfo& info = object.info;
    put(out, StoredObject{info.base,
                          info.size,
                          info.alignment,
                          info.global,
                          object.depth,
                          info.allocated.function,
                          info.allocated.instruction,
                          static_cast<std::uint16_t>(object.owner),
                          info.kind,
                          info.life,
                          static_cast<std::uint8_t>(object.is_shared),
                          {}});
  }
  return out;
}

State Machine::save() {
  if (has_died_) forget_dead();
  return put_together(choices_.constraints());
}

template <typename Data, typename Visit>
void Machine::visit_data(const Data& data, const Visit& visit) {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    Thread& at = thread(t);
    for (std::size_t f = 0; f < at.frames.size(); ++f) {
      const Frame& frame = at.frames[f];
      if (!data.has_any(frame.function)) continue;
      for (const ValueId v : live_in(at, f))
        if (data.has(frame.function, v) &&
            visit(at.slots[frame.base + v], world_.program.functions[frame.function].values[v].width, frame.function,
                  v))
          at.is_changed = true;
    }
  }
  const std::vector<std::uint32_t>& written = world_.written();
  for (std::uint32_t c = 0; c < written.size(); ++c) {
    if (!data.has(written[c])) continue;
    const std::uint64_t size = world_.globals()[written[c]].info.size;
    const auto width = static_cast<std::uint32_t>(size) * 8;
    Value value = cell(c).content.load(terms_, 0, size);
    if (!visit(value, width, kNone, kNone)) continue;
    cell(c).content.store(terms_, 0, value, width);
    cell(c).is_changed = true;
  }
}

State Machine::save_without(const Dominance& dominance, std::vector<std::uint64_t>& data) {
  visit_data(dominance, [&](Value& value, std::uint32_t, FunctionId f, ValueId v) {
    if (!value.is_number()) return false;
    const bool goes_up = f == kNone || dominance.of(f, v) == Dominance::Trend::Up;
    data.push_back(goes_up ? value.number : ~value.number);
    value.number = 0;
    return true;
  });
  return save();
}

Machine::Parts Machine::take_out(const Payload& payload) {
  if (has_died_) forget_dead();
  Parts parts;
  visit_data(payload, [&](Value& value, std::uint32_t width, FunctionId, ValueId) {
    if (value.is_number() && value.number >= world_.plan.threads) return false;  // it may be an address
    parts.payload.emplace_back(std::exchange(value, number(0)), width);
    return true;
  });
  parts.control = assemble(parts.values);
  return parts;
}

void Machine::put_in(const Payload& payload, std::span<const Value> values) {
  std::size_t next = 0;
  visit_data(payload, [&](Value& value, std::uint32_t, FunctionId, ValueId) {
    if (value.is_number() && value.number >= world_.plan.threads) return false;
    value = values[next++];
    return true;
  });
  INVARIANT(next == values.size(), "states that are merged should have the same places");
}

TreeStore::Id Machine::assemble(std::vector<Term>& values) {
  const auto thread_total = static_cast<std::uint32_t>(threads_.size());
  saved_.size = kFixed + thread_total + static_cast<std::uint32_t>(cells_.size());
  saved_.nodes.resize(saved_.size);
  const std::span<std::uint32_t> parts = saved_.elements();
  const std::span<const std::uint32_t> before = loaded_.elements();
  parts[0] = is_rules_changed_ ? store_.intern(rules_) : before[0];
  parts[1] = is_shape_changed_ ? store_.blobs.intern(encode_shape()) : before[1];
  parts[2] = thread_total;
  const auto keep = [&](std::uint32_t part, std::uint32_t component) {
    parts[part] = before[component];
    const std::span<const Term> holes = holes_of(component);
    values.insert(values.end(), holes.begin(), holes.end());
  };
  for (std::uint32_t t = 0; t < thread_total; ++t) {
    if (!threads_[t].is_changed) {
      keep(kFixed + t, component_of_thread(t));
      continue;
    }
    buffer_.clear();
    encode_thread(t, buffer_, values);
    parts[kFixed + t] = store_.blobs.intern(buffer_);
  }
  for (std::uint32_t c = 0; c < cells_.size(); ++c) {
    const std::uint32_t part = kFixed + thread_total + c;
    if (!cells_[c].is_changed) {
      keep(part, cell_component_[c]);
      continue;
    }
    buffer_.clear();
    cells_[c].content.encode(buffer_, values);
    parts[part] = store_.blobs.intern(buffer_);
  }
  return store_.trees.intern(saved_, loaded_);
}

State Machine::put_together(const std::vector<Term>& constraints) {
  State state;
  Store::Data data;
  state.control = assemble(data.values);
  data.constraints = constraints;
  renamed_.clear();
  if (data.empty()) return state;
  data = canoniser_.canonical(std::move(data));
  renamed_ = canoniser_.renamed();
  const bool has_numbers =
      std::ranges::any_of(data.values, [&](Term t) { return terms_.is_constant(t) && terms_.width(t) <= 64; });
  if (has_numbers) {
    // What has one value now is a number, and so a part of control.
    const std::vector<std::pair<Term, Term>> renamed = renamed_;
    loaded_ = saved_;
    loaded_data_ = std::move(data);
    unpack();
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      if (!holes_of(component_of_thread(t)).empty()) thread(t).is_changed = true;
    for (std::uint32_t c = 0; c < cells_.size(); ++c)
      if (!holes_of(cell_component_[c]).empty()) cell(c).is_changed = true;
    state = put_together(std::vector<Term>(loaded_data_.constraints));
    compose(renamed);
    return state;
  }
  state.data = store_.intern(std::move(data));
  return state;
}

void Machine::compose(const std::vector<std::pair<Term, Term>>& first) {
  absl::flat_hash_map<Term, Term> second(renamed_.begin(), renamed_.end());
  renamed_.clear();
  for (const auto& [from, to] : first)
    if (const auto known = second.find(to); known != second.end()) renamed_.emplace_back(from, known->second);
}

bool Machine::may_step(std::uint32_t t) const { return !rules_.has_ended(t) && rules_.may_run(t); }

bool Machine::is_condition_waiter(std::uint32_t t) const {
  return !rules_.has_ended(t) && rules_.wait_of(t).kind == Rules::Wait::Kind::Condition;
}

bool Machine::is_timed_waiter(std::uint32_t t) const { return is_condition_waiter(t) && rules_.wait_of(t).is_timed; }

}  // namespace plumb::explore
