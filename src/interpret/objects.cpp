#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpret/machine.h"
#include "term/narrow.h"

namespace plumb::interpret {

using program::Relocation;
using program::ValueKind;
using semantics::distant_fault;
using semantics::ObjectInfo;

namespace {

/// Declared in headers, defined by the loader of the host, and null in a program without an environment.
bool is_environment(std::string_view name) { return name == "environ" || name == "__environ" || name == "_environ"; }

/// Room for an object of which the program knows no size: `extern int table[];`.
constexpr std::uint64_t kUnknownSize = 4096;

/// What a pointer that was found wrong points to: as much as the checks of native code have.
constexpr std::uint64_t kNowhereSize = 64 * 1024;

/// Of the calls around an allocation.
constexpr std::size_t kKeptDepth = 64;

}  // namespace

CodePoint Machine::users_point(const Decoded* at) {
  const Decoded* position = at;
  for (auto frame = thread->frames.rbegin(); frame != thread->frames.rend() && position != nullptr; ++frame) {
    if (!frame->code->function->is_model) return {frame->code->id, position->source};
    position = frame->call;
  }
  return here(at);
}

std::uint8_t* Machine::look_up(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind) {
  std::uint8_t* bytes = find_bytes(at, address, size, kind);
  if (bytes != nullptr) return bytes;
  skipped_.assign(size, 0);
  return skipped_.data();
}

std::uint64_t Machine::nowhere() {
  if (nowhere_ == kNone) nowhere_ = new_object(ObjectKind::Global, 16, {}, ConcreteBytes::zeroed(kNowhereSize));
  memory.writable(nowhere_).fill(0, kNowhereSize, 0);
  return base(nowhere_);
}

std::optional<ObjectId> Machine::origin_of(const Decoded* at) {
  const Function& function = *frame().code->function;
  const Instruction& access = source(at);
  if (access.kind != Kind::Load && access.kind != Kind::Store) return std::nullopt;
  ValueId pointer = function.operands[access.first_operand];
  while (function.values[pointer].kind == ValueKind::Result) {
    const Instruction& step = function.instructions[function.values[pointer].index];
    if (step.kind != Kind::Operator || step.op() != term::Op::Add) break;
    const std::span operands(function.operands.data() + step.first_operand, step.operand_count);
    const auto next = std::ranges::find_if(operands, [&](ValueId v) { return function.values[v].is_pointer; });
    if (next == operands.end()) break;
    pointer = *next;
  }
  const std::optional<ObjectId> object = memory.object_at(low_word(pointer));
  const bool is_data = object && memory.info(*object).kind != ObjectKind::Function;
  return is_data && memory.info(*object).life == Life::Live ? object : std::nullopt;
}

/// Null if the access is not allowed and the run goes on.
std::uint8_t* Machine::find_bytes(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind) {
  const std::uint32_t alignment = check_alignment ? alignment_of(at) : 1;
  std::optional<Memory<ConcreteBytes>::Place> place;
  if (alignment <= 1) place = memory.find(address, size, kind);
  const std::optional<ObjectId> near = memory.object_at(address);
  if (near && is_undefined(*near)) {
    unsupported(at, fmt::format("global '{}' has no definition", program.globals[memory.info(*near).global].name),
                "give the file or library that defines it, too");
  }
  if (!place) {
    std::variant<Memory<ConcreteBytes>::Place, Fault> resolved = memory.resolve(address, size, kind, alignment);
    if (Fault* why = std::get_if<Fault>(&resolved)) {
      const bool is_misaligned = why->kind == FaultKind::Misaligned;
      if (why->kind == FaultKind::InvalidPointer && !why->object_kind)
        if (const std::optional<ObjectId> origin = origin_of(at))
          *why = distant_fault(memory.info(*origin), {address, size, kind, alignment});
      tell(at, std::move(*why));
      if (!is_misaligned) {
        // The run goes on as if it had been written: what is read there later is no second defect.
        const std::uint64_t offset = near ? address - base(*near) : 0;
        if (definedness != nullptr && near && kind == AccessKind::Write && offset < memory.info(*near).size)
          definedness->define(*near, offset, std::min(size, memory.info(*near).size - offset));
        return nullptr;
      }
      resolved = memory.resolve(address, size, kind);
    }
    place = std::get<Memory<ConcreteBytes>::Place>(resolved);
  }
  at->hint = place->object;
  if (definedness != nullptr && kind == AccessKind::Write) definedness->define(place->object, place->offset, size);
  if (losses != nullptr && kind == AccessKind::Write) losses->written(place->object, place->offset, size);
  const ObjectInfo& info = memory.info(place->object);
  return info.size == 0 ? nullptr : memory.writable(place->object).writable_data() + place->offset;
}

bool Machine::is_looked_at_closely() const { return check_alignment || definedness != nullptr || losses != nullptr; }

bool Machine::is_undefined(ObjectId object) const {
  const ObjectInfo& info = memory.info(object);
  if (info.kind != ObjectKind::Global || info.global == kNone) return false;
  const GlobalObject& global = program.globals[info.global];
  return global.is_external && !is_environment(global.name);
}

std::uint32_t Machine::alignment_of(const Decoded* at) {
  const Instruction& instruction = source(at);
  if (frame().code->function->is_model) return 1;
  return instruction.kind == Kind::Load || instruction.kind == Kind::Store ? instruction.parameter : 1;
}

std::uint64_t Machine::load_word(Decoded* at, std::uint64_t address, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, access(at, address, bytes, AccessKind::Read), bytes);
  return value;
}

void Machine::store_word(Decoded* at, std::uint64_t address, std::uint64_t value, std::uint32_t bytes) {
  std::memcpy(access(at, address, bytes, AccessKind::Write), &value, bytes);
}

std::string Machine::text_at(Decoded* at, std::uint64_t address) {
  std::string text;
  for (;; ++address) {
    const char c = static_cast<char>(load_word(at, address, 1));
    if (c == 0) return text;
    text.push_back(c);
  }
}

ObjectId Machine::new_object(ObjectKind kind, std::uint32_t alignment, CodePoint site, ConcreteBytes content) {
  const std::uint64_t size = content.size();
  const ObjectId object = memory.allocate(kind, size, std::max(alignment, 1U), site, std::move(content));
  in_use += size;
  if (definedness != nullptr) definedness->make(object, size, true);
  if (races != nullptr) races->forget(base(object), size);
  if (object >= mapped.size()) mapped.resize(std::max<std::size_t>(object + 1, mapped.size() * 2));
  map(object);
  return object;
}

void Machine::map(ObjectId object) {
  const ObjectInfo& info = memory.info(object);
  // What must be looked at closely has no entry: alignment is checked by Memory, and what is not defined has no bytes.
  if (info.size == 0 || is_looked_at_closely() || is_undefined(object)) {
    mapped[object] = {};
    return;
  }
  mapped[object] = {info.base, info.size, info.is_constant ? 0 : info.size, memory.writable(object).writable_data()};
}

void Machine::kill(ObjectId object, Life life, CodePoint site) {
  in_use -= memory.info(object).size;
  if (races != nullptr) races->forget(base(object), memory.info(object).size);
  if (losses != nullptr) losses->died(object);
  if (definedness != nullptr) definedness->forget(object);
  mapped[object] = {};
  memory.kill(object, life, site);
}

void Machine::enter_scope(ObjectId object) {
  const std::uint64_t size = memory.info(object).size;
  if (losses != nullptr) losses->died(object);
  if (races != nullptr) races->forget(base(object), size);
  memory.enter_scope(object, ConcreteBytes::uninitialised(size));
  if (definedness != nullptr) definedness->make(object, size, false);
  map(object);
}

void Machine::unset(ObjectId object) {
  const std::uint64_t size = memory.info(object).size;
  if (losses != nullptr) losses->died(object);
  memory.writable(object).fill(0, size, semantics::kUninitialised);
  if (definedness != nullptr) definedness->make(object, size, false);
}

void Machine::leave_scope(ObjectId object, CodePoint site) {
  if (losses != nullptr) losses->died(object);
  if (definedness != nullptr) definedness->forget(object);
  mapped[object] = {};
  memory.leave_scope(object, site);
}

std::uint64_t Machine::push_stack_object(const Decoded* at, CodePoint site, std::uint64_t size,
                                         std::uint32_t alignment) {
  if (has_room(size)) {
    try {
      const ObjectId object = new_object(ObjectKind::Stack, alignment, site, ConcreteBytes::uninitialised(size));
      thread->stack_objects.push_back(object);
      if (definedness != nullptr) definedness->make(object, size, false);
      return base(object);
    } catch (const std::bad_alloc&) {  // said below
    }
  }
  fault(at, FaultKind::StackOverflow, fmt::format("no room on the stack for an object of {} bytes", size));
}

void Machine::kill_stack_objects(Thread& of, std::size_t from, CodePoint site) {
  while (of.stack_objects.size() > from) {
    kill(of.stack_objects.back(), Life::Returned, site);
    of.stack_objects.pop_back();
  }
}

std::uint64_t Machine::allocate_heap(const Decoded* at, std::uint64_t size, std::uint32_t alignment, bool zero) {
  if (!has_room(size)) return 0;
  try {
    const ObjectId object = new_object(ObjectKind::Heap, alignment, users_point(at),
                                       zero ? ConcreteBytes::zeroed(size) : ConcreteBytes::uninitialised(size));
    if (object >= heap_number.size()) heap_number.resize(mapped.size());
    heap_number[object] = ++heap_count;
    if (definedness != nullptr) definedness->make(object, size, zero);
    if (losses != nullptr) losses->allocated(object, heap_count);
    if (options.keep_stacks) kept_stacks[object] = {stack(at, kKeptDepth), {}};
    return base(object);
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

void Machine::free_heap(const Decoded* at, std::uint64_t address) {
  if (address == 0) return;
  const std::optional<ObjectId> object = memory.object_at(address);
  const std::uint64_t size = object ? memory.info(*object).size : 0;
  if (std::optional<Fault> why = memory.free(address, users_point(at))) {
    tell(at, std::move(*why));
    return;
  }
  if (options.keep_stacks) kept_stacks[*object].freed = stack(at, kKeptDepth);
  if (losses != nullptr) losses->died(*object);
  if (definedness != nullptr) definedness->forget(*object);
  in_use -= size;
  mapped[*object] = {};
}

ConcreteBytes Machine::initial_content(const GlobalObject& global) const {
  const std::uint64_t size = global.is_external && global.size == 0 ? kUnknownSize : global.size;
  ConcreteBytes content = ConcreteBytes::from(global.bytes, size);
  for (const Relocation& r : global.relocations) {
    const std::vector<std::uint64_t>& addresses = r.is_function ? code.function_addresses : code.global_addresses;
    content.store(r.offset, addresses[r.index] + static_cast<std::uint64_t>(r.addend), pointer_bytes());
  }
  return content;
}

/// Functions first, then global objects: room for all of them before any content, which may point to each other.
void Machine::lay_out_globals() {
  const bool is_first = code.function_addresses.empty() && code.global_addresses.empty();
  const auto remember = [&](std::vector<std::uint64_t>& addresses, std::size_t i, ObjectId object) {
    if (is_first) addresses.push_back(base(object));
    INVARIANT(addresses[i] == base(object), "global objects should have the same addresses in every run");
  };
  constexpr std::uint32_t kFunctionAlignment = 16;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    const ObjectId object = new_object(ObjectKind::Function, kFunctionAlignment, {}, {});
    memory.set_global(object, f);
    remember(code.function_addresses, f, object);
    code.function_at.try_emplace(base(object), f);
  }
  std::vector<ObjectId> objects(program.globals.size(), kNone);
  for (GlobalId g = 0; g < program.globals.size(); ++g) {
    const GlobalObject& global = program.globals[g];
    if (global.is_thread_local) {
      if (is_first) code.global_addresses.push_back(0);
      continue;
    }
    const std::uint64_t size = global.is_external && global.size == 0 ? kUnknownSize : global.size;
    objects[g] = new_object(ObjectKind::Global, global.alignment, {}, ConcreteBytes::zeroed(size));
    remember(code.global_addresses, g, objects[g]);
  }
  for (GlobalId g = 0; g < program.globals.size(); ++g) {
    if (objects[g] == kNone) continue;
    memory.writable(objects[g]) = initial_content(program.globals[g]);
    if (program.globals[g].is_constant) {
      memory.set_constant(objects[g], g);
    } else {
      memory.set_global(objects[g], g);
    }
    map(objects[g]);
  }
}

void Machine::make_thread_locals(Thread& of) {
  for (GlobalId g = 0; g < program.globals.size(); ++g) {
    const GlobalObject& global = program.globals[g];
    if (!global.is_thread_local) continue;
    const ObjectId object = new_object(ObjectKind::Global, global.alignment, {}, initial_content(global));
    memory.set_global(object, g);
    map(object);
    of.locals[g] = base(object);
    of.local_objects.push_back(object);
  }
}

}  // namespace plumb::interpret
