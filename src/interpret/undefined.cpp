#include <fmt/format.h>

#include <algorithm>

#include "interpret/handlers.h"
#include "interpret/machine.h"

namespace plumb::interpret {

using program::intrinsic_of;

void Machine::assume(std::string text) {
  if (std::find(result.assumptions.begin(), result.assumptions.end(), text) == result.assumptions.end())
    result.assumptions.push_back(std::move(text));
}

Decoded* Machine::call_undefined(Decoded* at, const Function& callee) {
  // An intrinsic is met here when its function is called through a pointer.
  if (const std::optional<Intrinsic> intrinsic = intrinsic_of(callee.name))
    return intrinsic_handler(*intrinsic)(at, slots, *this);
  switch (options.undefined) {
    case UndefinedPolicy::Fail:
      unsupported(at, fmt::format("call of '{}', which has no body and no model", callee.name),
                  "give the file that defines it, or choose --undefined nondet or --undefined native");
    case UndefinedPolicy::Native:
      call_native(at, callee);
      return at + 1;
    case UndefinedPolicy::Nondet:
      break;
  }
  assume(fmt::format("function '{}' has no body; its result was taken as an input", callee.name));
  if (definedness != nullptr) {
    for (const Operand argument : at->site->words)  // it may have written to what it got
      if (const auto place = memory.find(word(argument), 0, AccessKind::Read))
        definedness->define(place->object, 0, memory.info(place->object).size);
  }
  std::uint32_t slot = at->result;
  for (const std::uint32_t width : at->site->result_widths) {
    set_value(slot, input_value(at, callee.name, width));
    slot += words_of(width);
  }
  return at + 1;
}

}  // namespace plumb::interpret
