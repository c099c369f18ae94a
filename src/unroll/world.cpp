#include "unroll/world.h"

#include <algorithm>

#include "base/error.h"
#include "semantics/output.h"

namespace plumb::unroll {

using program::FunctionId;
using program::GlobalId;
using program::GlobalObject;

namespace {

/// Room for an object of which the program knows no size.
constexpr std::uint64_t kUnknownSize = 4096;
constexpr std::uint32_t kFunctionAlignment = 16;

bool is_of_unknown_size(const GlobalObject& global) { return global.is_external && global.size == 0; }

std::uint64_t size_of(const GlobalObject& global) { return is_of_unknown_size(global) ? kUnknownSize : global.size; }

}  // namespace

World::World(const Program& the_program, const Options& the_options)
    : program(the_program),
      platform(program::platform_of(the_program.layout)),
      options(the_options),
      paths(terms),
      objects(the_program.layout.pointer_width, terms),
      unwritten(terms),
      resolver(terms, objects),
      plans_(the_program.functions.size()) {
  lay_out_globals();
}

const program::UnwindingPlan& World::plan(FunctionId function) {
  if (!plans_[function]) plans_[function] = std::make_unique<program::UnwindingPlan>(program.functions[function]);
  return *plans_[function];
}

void World::lay_out_globals() {
  const auto made = [](std::optional<ObjectId> object) {
    if (!object) throw UserError("the globals of the program do not fit into its address space", "");
    return *object;
  };
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    function_objects_.push_back(made(objects.add(ObjectKind::Function, 0, kFunctionAlignment)));
    objects[function_objects_.back()].index = f;
  }
  for (const GlobalObject& global : program.globals) {
    const ObjectId object = made(objects.add(ObjectKind::Global, size_of(global), global.alignment));
    objects[object].is_constant = global.is_constant;
    objects[object].index = static_cast<GlobalId>(global_objects_.size());
    global_objects_.push_back(object);
  }
  for (GlobalId g = 0; g < program.globals.size(); ++g)
    initial.writable(global_objects_[g]) = {initial_content(g, global_objects_[g]), terms.boolean(true)};
  for (const GlobalId g : semantics::standard_streams(program))
    output_streams.push_back(objects.address(global_objects_[g]));
}

TermBytes World::initial_content(GlobalId g, ObjectId object) {
  const GlobalObject& global = program.globals[g];
  if (global.is_external) return TermBytes::unwritten(unwritten, object, size_of(global));
  TermBytes made(global.bytes, global.size);
  for (const program::Relocation& r : global.relocations) {
    const ObjectId to = r.is_function ? function_objects_[r.index] : global_objects_[r.index];
    made.store(terms, r.offset, pointer_constant(objects[to].base + static_cast<std::uint64_t>(r.addend)));
  }
  return made;
}

Term World::address_of(const program::Value& value) {
  if (value.kind == program::ValueKind::FunctionAddress) return objects.address(function_objects_[value.index]);
  return pointer_constant(objects[global_objects_[value.index]].base + static_cast<std::uint64_t>(value.offset));
}

bool World::has_unknown_size(ObjectId object) const {
  const Object& found = objects[object];
  return found.kind == ObjectKind::Global && found.index != kNone && is_of_unknown_size(program.globals[found.index]);
}

std::vector<Term> World::arguments_of_main(MemoryState& memory) {
  constexpr std::string_view kName = "program";
  const std::uint64_t bytes = pointer_width() / 8;
  if (argument_objects_.empty()) {
    for (const std::uint64_t size : {kName.size() + 1, 3 * bytes}) {
      const std::optional<ObjectId> object = objects.add(ObjectKind::Global, size, 16);
      INVARIANT(object, "there should be room for the arguments of main");
      argument_objects_.push_back(*object);
    }
  }
  const auto [name, vector] = std::pair(argument_objects_[0], argument_objects_[1]);
  const std::span text(reinterpret_cast<const std::uint8_t*>(kName.data()), kName.size());
  memory.writable(name) = {TermBytes(text, kName.size() + 1), terms.boolean(true)};
  TermBytes pointers = TermBytes::zeroed(3 * bytes);
  pointers.store(terms, 0, objects.address(name));
  memory.writable(vector) = {std::move(pointers), terms.boolean(true)};
  const std::uint64_t base = objects[vector].base;
  return {terms.constant(32, 1), pointer_constant(base), pointer_constant(base + 2 * bytes)};
}

std::uint32_t World::place(std::vector<std::uint32_t> description) {
  const auto next = static_cast<std::uint32_t>(places_.size()) + 1;
  return places_.try_emplace(std::move(description), next).first->second;
}

Term World::variable(const EventId& event, std::uint32_t width, const std::string& name) {
  Term& found = variables_[event];
  if (!found) found = terms.variable(width, name);
  return found;
}

ObjectId World::life(const EventId& event) {
  constexpr ObjectId kFirst = ObjectId{1} << 31;  // objects are fewer
  return lives_.try_emplace(event, kFirst + static_cast<ObjectId>(lives_.size())).first->second;
}

std::optional<ObjectId> World::object(const EventId& event, ObjectKind kind, std::uint64_t capacity,
                                      std::uint32_t alignment) {
  // The size of an event's object can differ between bounds, where more is merged into it.
  std::vector<ObjectId>& made = objects_of_[event];
  for (const ObjectId object : made)
    if (objects[object].capacity == capacity) return object;
  const std::optional<ObjectId> object = objects.add(kind, capacity, alignment);
  if (object) made.push_back(*object);
  return object;
}

}  // namespace plumb::unroll
