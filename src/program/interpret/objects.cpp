#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "program/interpret/machine.h"
#include "term/narrow.h"

namespace plumb::program::interpret {

namespace {

/// Declared in headers, defined by the loader of the host, and null in a program without an environment.
bool is_environment(std::string_view name) { return name == "environ" || name == "__environ" || name == "_environ"; }

/// Room for an object of which the program knows no size: `extern int table[];`.
constexpr std::uint64_t kUnknownSize = 4096;

/// Where the program, not a library model on its behalf, asks for memory or gives it back.
CodePoint users_point(Machine& m, const Decoded* at) {
  const Decoded* position = at;
  for (auto frame = m.thread->frames.rbegin(); frame != m.thread->frames.rend() && position != nullptr; ++frame) {
    if (!frame->code->function->is_model) return {frame->code->id, position->source};
    position = frame->call;
  }
  return m.here(at);
}

}  // namespace

std::uint8_t* Machine::look_up(Decoded* at, std::uint64_t address, std::uint64_t size, AccessKind kind) {
  const std::uint32_t alignment = options.check_alignment ? alignment_of(at) : 1;
  std::optional<Memory<ConcreteBytes>::Place> place;
  if (alignment <= 1) place = memory.find(address, size, kind);
  const std::optional<ObjectId> near = memory.object_at(address);
  if (near && is_undefined(*near)) {
    unsupported(at, fmt::format("global '{}' has no definition", program.globals[memory.info(*near).global].name),
                "give the file or library that defines it, too");
  }
  if (!place) {
    std::variant<Memory<ConcreteBytes>::Place, Fault> resolved = memory.resolve(address, size, kind, alignment);
    if (Fault* why = std::get_if<Fault>(&resolved)) fault(at, std::move(*why));
    place = std::get<Memory<ConcreteBytes>::Place>(resolved);
  }
  at->hint = place->object;
  const ObjectInfo& info = memory.info(place->object);
  return info.size == 0 ? nullptr : memory.writable(place->object).writable_data() + place->offset;
}

bool Machine::is_undefined(ObjectId object) const {
  const ObjectInfo& info = memory.info(object);
  if (info.kind != ObjectKind::Global || info.global == kNone) return false;
  const GlobalObject& global = program.globals[info.global];
  return global.is_external && !is_environment(global.name);
}

std::uint32_t Machine::alignment_of(const Decoded* at) {
  const Instruction& instruction = source(at);
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
  if (object >= mapped.size()) mapped.resize(std::max<std::size_t>(object + 1, mapped.size() * 2));
  map(object);
  return object;
}

void Machine::map(ObjectId object) {
  const ObjectInfo& info = memory.info(object);
  // What must be looked at closely has no entry: alignment is checked by Memory, and what is not defined has no bytes.
  if (info.size == 0 || options.check_alignment || is_undefined(object)) {
    mapped[object] = {};
    return;
  }
  mapped[object] = {info.base, info.size, info.is_constant ? 0 : info.size, memory.writable(object).writable_data()};
}

void Machine::kill(ObjectId object, Life life, CodePoint site) {
  in_use -= memory.info(object).size;
  mapped[object] = {};
  memory.kill(object, life, site);
}

std::uint64_t Machine::push_stack_object(const Decoded* at, CodePoint site, std::uint64_t size,
                                         std::uint32_t alignment) {
  if (has_room(size)) {
    try {
      const ObjectId object = new_object(ObjectKind::Stack, alignment, site, ConcreteBytes::uninitialised(size));
      thread->stack_objects.push_back(object);
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
    return base(new_object(ObjectKind::Heap, alignment, users_point(*this, at),
                           zero ? ConcreteBytes::zeroed(size) : ConcreteBytes::uninitialised(size)));
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

void Machine::free_heap(const Decoded* at, std::uint64_t address) {
  if (address == 0) return;
  const std::optional<ObjectId> object = memory.object_at(address);
  const std::uint64_t size = object ? memory.info(*object).size : 0;
  if (std::optional<Fault> why = memory.free(address, users_point(*this, at))) fault(at, std::move(*why));
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

}  // namespace plumb::program::interpret
