// A call of a function of the host, as the System V ABI of x86-64 has it: integers and pointers go into six registers,
// floating point numbers into eight others, whatever their order, so one cast serves all functions that need no more.
// Pointers to live objects become pointers to the host's copy of their bytes, and one that comes back into such an
// object is translated back.

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <vector>

#include "interpret/machine.h"
#include "term/narrow.h"

namespace plumb::interpret {

using semantics::ObjectInfo;

namespace {

/// What a call passes in registers.
struct Registers {
  std::vector<std::uint64_t> integers;
  std::vector<double> reals;
};
constexpr std::size_t kIntegers = 6;
constexpr std::size_t kReals = 8;

template <typename Result>
Result call(void* symbol, const Registers& r) {
  using Word = std::uint64_t;
  using Function =
      Result (*)(Word, Word, Word, Word, Word, Word, double, double, double, double, double, double, double, double);
  const auto& [i, d] = r;
  return reinterpret_cast<Function>(symbol)(i[0], i[1], i[2], i[3], i[4], i[5], d[0], d[1], d[2], d[3], d[4], d[5],
                                            d[6], d[7]);
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
  if (site.widths.size() != callee.parameters.size()) refuse("it has not as many arguments as parameters");
  if (site.result_widths.size() > 1) refuse("it returns a structure");
  if (std::ranges::any_of(site.widths, [](std::uint32_t width) { return width > 64; }) ||
      std::ranges::any_of(site.result_widths, [](std::uint32_t width) { return width > 64; }))
    refuse("an argument or its result is wider than a register");
  void* symbol = dlsym(RTLD_DEFAULT, callee.name.c_str());
  if (symbol == nullptr) refuse("the host has no such function");

  const std::uint32_t first = source(at).kind == Kind::CallIndirect ? 1 : 0;
  Registers registers;
  std::vector<Lent> lent;
  for (std::uint32_t i = 0; i < site.widths.size(); ++i) {
    const std::uint64_t word = low_word(operand(at, i + first));
    if (callee.values[callee.parameters[i]].is_float) {
      registers.reals.push_back(std::bit_cast<double>(word));  // a float is the low half of its register
      continue;
    }
    registers.integers.push_back(word);
    const auto place = memory.find(word, 0, AccessKind::Read);
    if (!place || memory.info(place->object).size == 0) continue;
    const ObjectInfo& info = memory.info(place->object);
    std::uint8_t* host = memory.writable(place->object).writable_data();
    if (definedness != nullptr) definedness->define(place->object, 0, info.size);
    lent.push_back({info.base, info.size, reinterpret_cast<std::uint64_t>(host)});
    registers.integers.back() = reinterpret_cast<std::uint64_t>(host + place->offset);
  }
  if (registers.integers.size() > kIntegers || registers.reals.size() > kReals) refuse("too many arguments");
  registers.integers.resize(kIntegers);
  registers.reals.resize(kReals);
  assume(fmt::format("function '{}' has no body; the host's was called", callee.name));
  std::uint64_t value = callee.returns_float ? std::bit_cast<std::uint64_t>(call<double>(symbol, registers))
                                             : call<std::uint64_t>(symbol, registers);
  std::fflush(stdout);
  if (site.result_widths.empty()) return;
  for (const Lent& l : lent)
    if (value >= l.host && value - l.host <= l.size) value = l.base + (value - l.host);
  slots[at->result] = value & term::narrow_mask(site.result_widths[0]);
}

}  // namespace plumb::interpret
