// A call of a function of the host. Programs know widths, not types, so all arguments go the way of integers and
// pointers; an argument that is visibly a floating point number is refused. Pointers to live objects become pointers to
// the host's copy of their bytes, and one that comes back into such an object is translated back.

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "program/interpret/machine.h"
#include "term/narrow.h"

namespace plumb::program::interpret {

namespace {

constexpr std::size_t kMaxArguments = 6;
using NativeFunction = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                         std::uint64_t);

bool is_float(const Function& function, ValueId v) {
  const Value& value = function.values[v];
  return value.kind == ValueKind::Result && function.instructions[value.index].kind == Kind::Float &&
         function.instructions[value.index].float_op() != FloatOp::ToSigned &&
         function.instructions[value.index].float_op() != FloatOp::ToUnsigned;
}

/// An object of the program and where the host has it.
struct Lent {
  std::uint64_t base;
  std::uint64_t size;
  std::uint64_t host;
};

}  // namespace

void Machine::call_native(Decoded* at, const Function& callee) {
  const CallSite& site = *at->site;
  const auto refuse = [&](const std::string& why) {
    unsupported(at, fmt::format("native call of '{}': {}", callee.name, why), "choose --undefined nondet");
  };
  if (pointer_bytes() != sizeof(void*)) refuse("the program is not for the host's word size");
  if (site.widths.size() > kMaxArguments) refuse(fmt::format("more than {} arguments", kMaxArguments));
  if (site.result_widths.size() > 1) refuse("it returns a structure");
  for (const std::uint32_t width : site.widths)
    if (width > 64) refuse("an argument is wider than a register");
  for (const std::uint32_t width : site.result_widths)
    if (width > 64) refuse("its result is wider than a register");
  void* symbol = dlsym(RTLD_DEFAULT, callee.name.c_str());
  if (symbol == nullptr) refuse("the host has no such function");

  const std::uint32_t first = source(at).kind == Kind::CallIndirect ? 1 : 0;
  std::array<std::uint64_t, kMaxArguments> arguments{};
  std::vector<Lent> lent;
  for (std::size_t i = 0; i < site.widths.size(); ++i) {
    const ValueId v = operand(at, static_cast<std::uint32_t>(i) + first);
    if (is_float(*frame().code->function, v)) refuse("an argument is a floating point number");
    arguments[i] = low_word(v);
    const auto place = memory.find(arguments[i], 0, AccessKind::Read);
    if (!place || memory.info(place->object).size == 0) continue;
    const ObjectInfo& info = memory.info(place->object);
    std::uint8_t* host = memory.writable(place->object).writable_data();
    lent.push_back({info.base, info.size, reinterpret_cast<std::uint64_t>(host)});
    arguments[i] = reinterpret_cast<std::uint64_t>(host + place->offset);
  }
  assume(fmt::format("function '{}' has no body; the host's was called, with integers and pointers", callee.name));
  const auto function = reinterpret_cast<NativeFunction>(symbol);
  std::uint64_t value = function(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  std::fflush(stdout);
  if (site.result_widths.empty()) return;
  for (const Lent& l : lent)
    if (value >= l.host && value - l.host <= l.size) value = l.base + (value - l.host);
  slots[at->result] = value & term::narrow_mask(site.result_widths[0]);
}

}  // namespace plumb::program::interpret
