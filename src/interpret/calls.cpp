#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "program/platform.h"

namespace plumb::interpret {

namespace {

/// What a parameter without an argument is: memory that was never written.
constexpr std::uint64_t kMissingArgument = ~std::uint64_t{0} / 0xFF * semantics::kUninitialised;

/// There is a function, unlike at an address where none is: what is called is in the fault.
[[noreturn]] void refuse(const Decoded* at, Machine& m, const Function& callee, std::string why) {
  Fault fault;
  fault.kind = FaultKind::InvalidCall;
  fault.message = std::move(why);
  fault.object_kind = ObjectKind::Function;
  fault.object_global = static_cast<std::uint32_t>(&callee - m.program.functions.data());
  m.fault(at, std::move(fault));
}

void check_arguments(const Decoded* at, Machine& m, const Function& callee) {
  const CallSite& site = *at->site;
  if (site.widths.size() < callee.parameters.size()) {
    if (!m.options.has_missing_arguments)
      refuse(at, m, callee,
             fmt::format("call of '{}' with {} argument{}: it has {} parameters", callee.name, site.widths.size(),
                         site.widths.size() == 1 ? "" : "s", callee.parameters.size()));
    m.assume(fmt::format("'{}' is called with fewer arguments than it has parameters: the others have any value",
                         callee.name));
  }
  for (std::size_t i = 0; i < std::min(site.widths.size(), callee.parameters.size()); ++i) {
    const std::uint32_t wanted = callee.values[callee.parameters[i]].width;
    if (site.widths[i] != wanted)
      refuse(at, m, callee,
             fmt::format("call of '{}': argument {} has {} bits, the parameter {}", callee.name, i + 1, site.widths[i],
                         wanted));
  }
  if (!site.result_widths.empty() && site.result_widths != callee.result_widths)
    refuse(at, m, callee,
           fmt::format("call of '{}': its result is not of the type that the call expects", callee.name));
}

/// The arguments beyond the parameters, as an object that dies with the callee's frame, which was pushed already; slots
/// and pool are still the caller's.
std::uint64_t pass_variadic(const FunctionCode& callee, Decoded* entry, Machine& m, const CallSite& site,
                            CodePoint where) {
  const std::size_t fixed = callee.function->parameters.size();
  std::uint64_t size = 0;
  for (std::size_t i = fixed; i < site.widths.size(); ++i)
    program::next_variadic(size, site.widths[i], m.pointer_bytes());
  const std::uint64_t address = m.push_stack_object(entry, where, size, 16);
  if (size == 0) return address;
  std::uint8_t* bytes = m.memory.writable(m.thread->stack_objects.back()).writable_data();
  const Operand* words = site.words.data() + callee.parameter_words;
  std::uint64_t end = 0;
  for (std::size_t i = fixed; i < site.widths.size(); ++i) {
    const program::VariadicSlot slot = program::next_variadic(end, site.widths[i], m.pointer_bytes());
    std::memset(bytes + slot.offset, 0, slot.size);
    for (std::uint32_t left = (site.widths[i] + 7) / 8, at = 0; left > 0;) {
      const std::uint64_t word = m.word(*words++);
      const std::uint32_t count = std::min<std::uint32_t>(left, sizeof word);
      std::memcpy(bytes + slot.offset + at, &word, count);
      left -= count;
      at += count;
    }
  }
  return address;
}

/// Parameters from `first` on, which have no arguments.
void fill_missing(const Function& callee, std::size_t first, std::uint64_t* to) {
  for (std::size_t i = first; i < callee.parameters.size(); ++i) {
    std::uint32_t left = callee.values[callee.parameters[i]].width;
    for (; left > 64; left -= 64) *to++ = kMissingArgument;
    *to++ = kMissingArgument >> (64 - left);
  }
}

/// Pushes the callee's frame and gives its parameters their values; slots and pool stay the caller's.
[[gnu::always_inline]] inline std::uint64_t* begin_call(FunctionCode& callee, Decoded* at, Machine& m) {
  std::uint64_t* to = m.push_frame(callee, at);
  const Thread& t = *m.thread;
  m.slots = to - (t.frames.back().base - t.frames[t.frames.size() - 2].base);  // growing may have moved them
  const std::vector<Operand>& words = at->site->words;
  const std::size_t given = std::min<std::size_t>(callee.parameter_words, words.size());
  for (std::size_t i = 0; i < given; ++i) to[i] = m.word(words[i]);
  if (given < callee.parameter_words) [[unlikely]]
    fill_missing(*callee.function, at->site->widths.size(), to + given);
  return to;
}

}  // namespace

std::uint64_t* Machine::push_frame(FunctionCode& callee, Decoded* call) {
  Thread& t = *thread;
  if (t.frames.size() >= options.max_call_depth) [[unlikely]]
    fault(call, FaultKind::StackOverflow,
          fmt::format("more than {} calls deep, in '{}'", options.max_call_depth, callee.function->name));
  const std::size_t first = t.frames.empty() ? 0 : frame().base + frame().code->slot_count;
  if (t.slots.size() < first + callee.slot_count) [[unlikely]]
    t.slots.resize(2 * (first + callee.slot_count));
  Frame made;
  made.code = &callee;
  made.call = call;
  made.base = first;
  made.first_object = t.stack_objects.size();
  made.is_in_output = callee.is_output || (call != nullptr && t.frames.back().is_in_output);
  t.frames.push_back(made);
  return t.slots.data() + first;
}

void Machine::activate() {
  slots = thread->slots.data() + frame().base;
  pool = frame().code->pool.data();
}

Decoded* call_exact(Decoded* at, std::uint64_t*, Machine& m) {
  CallSite& site = *at->site;
  if (site.code == nullptr) [[unlikely]]
    site.code = &m.code.function(site.callee);
  FunctionCode& callee = *site.code;
  m.slots = begin_call(callee, at, m);
  m.pool = callee.pool.data();
  return m.enter_function(callee);
}

Decoded* Machine::enter(FunctionId id, Decoded* call) {
  const Function& function = program.functions[id];
  if (!function.has_body()) return call_undefined(call, function);
  check_arguments(call, *this, function);
  FunctionCode& callee = code.function(id);
  const CodePoint where = here(call);
  begin_call(callee, call, *this);
  if (function.is_variadic) frame().variadic = pass_variadic(callee, callee.entry(), *this, *call->site, where);
  activate();
  return enter_function(callee);
}

FunctionId Machine::function_at(const Decoded* at, std::uint64_t address) {
  if (const auto it = code.function_at.find(address); it != code.function_at.end()) return it->second;
  if (address == 0) fault(at, FaultKind::InvalidCall, "call through a null pointer");
  fault(at, FaultKind::InvalidCall,
        fmt::format("call through a pointer to no function: {}", describe_address(address)));
}

Decoded* call(Decoded* at, std::uint64_t*, Machine& m) { return m.enter(at->site->callee, at); }

Decoded* call_indirect(Decoded* at, std::uint64_t*, Machine& m) {
  return m.enter(m.function_at(at, m.word(at->a)), at);
}

Decoded* return_from(Decoded* at, std::uint64_t*, Machine& m) {
  Thread& t = *m.thread;
  const Frame frame = t.frames.back();
  if (t.stack_objects.size() > frame.first_object) m.kill_stack_objects(t, frame.first_object, m.here(at));
  if (frame.bottom != Bottom::No) [[unlikely]] {
    m.returned = at->extra == 0 ? 0 : m.word(at->words[0]);
    if (frame.bottom == Bottom::Thread) return m.end_thread(at, m.returned);
    t.frames.pop_back();
    if (!t.frames.empty()) m.activate();
    return nullptr;
  }
  const Frame& caller = t.frames[t.frames.size() - 2];
  std::uint64_t* caller_slots = t.slots.data() + caller.base;
  if (!frame.call->site->result_widths.empty())
    for (std::uint32_t i = 0; i < at->extra; ++i) caller_slots[frame.call->result + i] = m.word(at->words[i]);
  m.slots = caller_slots;
  m.pool = caller.code->pool.data();
  t.frames.pop_back();
  return frame.call + 1;
}

std::uint64_t Machine::call_and_run(FunctionId id, std::span<const std::uint64_t> arguments) {
  FunctionCode& callee = code.function(id);
  std::uint64_t* to = push_frame(callee, nullptr);
  frame().bottom = Bottom::Run;
  for (std::size_t i = 0; i < callee.parameter_words; ++i) to[i] = i < arguments.size() ? arguments[i] : 0;
  activate();
  if (definedness != nullptr) definedness->enter_frame();
  execute(enter_function(callee));
  return returned;
}

}  // namespace plumb::interpret
