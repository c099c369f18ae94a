// The handlers of Definedness: each asks what has to be asked of its operands, runs the plain handler, and says which
// bits of the result are undefined. After a fault that the run goes on after, an access is skipped, since nobody knows
// where it would go.

#include <array>

#include "interpret/definedness.h"
#include "interpret/handlers.h"
#include "interpret/machine.h"
#include "interpret/undefined_bits.h"
#include "program/platform.h"
#include "semantics/operators.h"

namespace plumb::interpret {

using program::Check;

namespace {

Decoded* run_plain(Decoded* at, std::uint64_t* slots, Machine& m) {
  const FunctionCode& code = *m.frame().code;
  return code.plain[static_cast<std::size_t>(at - code.code.data())](at, slots, m);
}

std::span<const ValueId> operands(const Decoded* at, Machine& m) {
  return m.frame().code->function->operands_of(m.source(at));
}

Decoded* follow_operator(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  std::array<BitVector, 3> values;
  std::array<BitVector, 3> undefined;
  Origin origin;
  for (std::uint32_t i = source.operand_count; i-- > 0;) {
    const ValueId operand = m.operand(at, i);
    const bool is_divisor = i == 1 && semantics::is_division(source.op());
    if (is_divisor) m.definedness->check(at, operand, "a divisor");
    const Undefinedness found = m.definedness->of(operand);
    values[i] = m.value(operand);
    undefined[i] = found.bits;
    if (found.is_any()) origin = found.origin;
  }
  Decoded* next = run_plain(at, slots, m);
  const std::size_t count = source.operand_count;
  m.definedness->set(source.first_result,
                     {undefined_bits(source.op(), std::span(values).first(count), std::span(undefined).first(count),
                                     m.width_of(source.first_result), source.parameter),
                      origin});
  return next;
}

Decoded* follow_float(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  Undefinedness made{BitVector(m.width_of(source.first_result), 0), {}};
  for (const ValueId v : operands(at, m))
    if (const Undefinedness found = m.definedness->of(v); found.is_any())
      made = {BitVector::ones(made.bits.width()), found.origin};
  Decoded* next = run_plain(at, slots, m);
  m.definedness->set(source.first_result, made);
  return next;
}

Decoded* follow_load(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  const std::uint32_t width = m.width_of(source.first_result);
  if (m.definedness->check(at, m.operand(at, 0), "an address")) {
    m.set_value(at->result, BitVector(width, 0));
    m.definedness->set(source.first_result, {BitVector(width, 0), {}});
    return at + 1;
  }
  const std::uint64_t address = m.word(at->a);
  Decoded* next = run_plain(at, slots, m);
  m.definedness->set(source.first_result, m.definedness->load(address, width));
  return next;
}

Decoded* follow_store(Decoded* at, std::uint64_t* slots, Machine& m) {
  if (m.definedness->check(at, m.operand(at, 0), "an address")) return at + 1;
  const std::uint64_t address = m.word(at->a);
  Decoded* next = run_plain(at, slots, m);
  m.definedness->store(address, m.definedness->of(m.operand(at, 1)));
  return next;
}

Decoded* follow_allocate(Decoded* at, std::uint64_t* slots, Machine& m) {
  m.definedness->check(at, m.operand(at, 0), "the size of an array");
  return run_plain(at, slots, m);
}

Decoded* follow_copy(Decoded* at, std::uint64_t* slots, Machine& m) {
  const bool is_bad = m.definedness->check(at, m.operand(at, 0), "an address") ||
                      m.definedness->check(at, m.operand(at, 1), "an address") ||
                      m.definedness->check(at, m.operand(at, 2), "a size");
  if (is_bad) return at + 1;
  const std::vector<std::uint8_t> bits = m.definedness->bits(m.low_word(m.operand(at, 1)), m.word(at->b));
  const std::uint64_t to = m.word(at->a);
  Decoded* next = run_plain(at, slots, m);
  if (!bits.empty()) m.definedness->store_bits(to, bits);
  return next;
}

Decoded* follow_fill(Decoded* at, std::uint64_t* slots, Machine& m) {
  const bool is_bad =
      m.definedness->check(at, m.operand(at, 0), "an address") || m.definedness->check(at, m.operand(at, 2), "a size");
  if (is_bad) return at + 1;
  const Undefinedness byte = m.definedness->of(m.operand(at, 1));
  const std::uint64_t to = m.word(at->a);
  const std::uint64_t size = m.word(at->b);
  Decoded* next = run_plain(at, slots, m);
  if (byte.is_any() && m.memory.find(to, size, AccessKind::Write))
    m.definedness->store_bits(to, std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(byte.bits.to_uint64())));
  return next;
}

Decoded* follow_check_index(Decoded* at, std::uint64_t* slots, Machine& m) {
  if (m.definedness->check(at, m.operand(at, 0), "an index")) return go_nowhere(at, slots, m);
  return run_plain(at, slots, m);
}

/// The arguments that va_arg finds, in the object that the call made for them.
void pass_variadic(Machine& m, const CallSite& site, const Definedness::Words& given) {
  const Frame& frame = m.frame();
  std::size_t word = frame.code->parameter_words;
  std::uint64_t end = 0;
  for (std::size_t i = frame.code->function->parameters.size(); i < site.widths.size(); ++i) {
    const program::VariadicSlot slot = program::next_variadic(end, site.widths[i], m.pointer_bytes());
    const std::uint32_t count = words_of(site.widths[i]);
    const BitVector bits = BitVector::from_words(site.widths[i], std::span(given.bits).subspan(word, count));
    m.definedness->store_bits(frame.variadic + slot.offset, std::vector<std::uint8_t>(slot.size));
    m.definedness->store(frame.variadic + slot.offset, {bits, given.origins[word]});
    word += count;
  }
}

/// What goes to the outside by a buffer of the library counts where it is given to it: nobody knows where it came from
/// when the buffer is written.
void check_output(const Decoded* at, Machine& m) {
  const Instruction& source = m.source(at);
  if (source.kind != Kind::Call || m.frame().code->function->is_model) return;
  const Function& callee = m.program.functions[source.parameter];
  if (!callee.is_model) return;
  if (callee.name == "putchar" || callee.name == "fputc" || callee.name == "putc") {
    m.definedness->check(at, m.operand(at, 0), "what is written");
  } else if (callee.name == "fwrite" && source.operand_count == 4) {
    const std::uint64_t size = m.argument(at, 1) * m.argument(at, 2);
    m.definedness->check_memory(at, m.argument(at, 0), size, "what is written");
  }
}

Decoded* follow_call(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  check_output(at, m);
  const bool is_indirect = source.kind == Kind::CallIndirect;
  if (is_indirect) m.definedness->check(at, m.operand(at, 0), "the function that is called");
  const Definedness::Words given = m.definedness->words(operands(at, m).subspan(is_indirect ? 1 : 0));
  const CallSite& site = *at->site;
  const Thread* caller = m.thread;
  const std::size_t depth = caller->frames.size();
  Decoded* next = run_plain(at, slots, m);
  if (m.thread != caller) return next;
  if (m.thread->frames.size() > depth) {
    m.definedness->enter_frame();
    const Frame& frame = m.frame();
    m.definedness->set_words(frame.base, given, 0, frame.code->parameter_words);
    if (frame.code->function->is_variadic) pass_variadic(m, site, given);
  } else if (m.thread->frames.size() == depth) {
    for (std::uint32_t i = 0; i < source.result_count; ++i)
      m.definedness->set(source.first_result + i, {BitVector(m.width_of(source.first_result + i), 0), {}});
  }
  return next;
}

Decoded* follow_return(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Frame frame = m.frame();
  const FunctionId function = frame.code->id;
  const bool is_exit =
      frame.bottom == Bottom::Run && function == m.program.entry && m.program.functions[function].name == "main";
  if (is_exit && !operands(at, m).empty()) m.definedness->check(at, operands(at, m)[0], "the exit code");
  const Definedness::Words given = m.definedness->words(operands(at, m));
  Decoded* next = run_plain(at, slots, m);
  if (frame.bottom != Bottom::No || frame.call->site->result_widths.empty()) return next;
  m.definedness->set_words(m.frame().base + frame.call->result, given, 0, given.bits.size());
  return next;
}

/// What is asked of an operand of an intrinsic.
struct Need {
  Intrinsic intrinsic;
  std::uint32_t operand;
  const char* what;
};
constexpr auto kNeeds = std::to_array<Need>({
    {Intrinsic::Assume, 0, "an assumption"},
    {Intrinsic::Check, 0, "an assertion"},
    {Intrinsic::Exit, 0, "the exit code"},
    {Intrinsic::QuickExit, 0, "the exit code"},
    {Intrinsic::Malloc, 0, "the size of an allocation"},
    {Intrinsic::Calloc, 0, "the size of an allocation"},
    {Intrinsic::Calloc, 1, "the size of an allocation"},
    {Intrinsic::AlignedAlloc, 1, "the size of an allocation"},
    {Intrinsic::Realloc, 1, "the size of an allocation"},
    {Intrinsic::Realloc, 0, "the address given to realloc()"},
    {Intrinsic::Free, 0, "the address given to free()"},
    {Intrinsic::MakeSymbolic, 0, "an address"},
    {Intrinsic::MakeSymbolic, 1, "a size"},
    {Intrinsic::HostRead, 1, "an address"},
    {Intrinsic::HostRead, 2, "a size"},
    {Intrinsic::HostWrite, 1, "an address"},
    {Intrinsic::HostWrite, 2, "a size"},
});

Decoded* follow_intrinsic(Decoded* at, std::uint64_t* slots, Machine& m) {
  const Instruction& source = m.source(at);
  for (const Need& need : kNeeds) {
    if (need.intrinsic != source.intrinsic() || need.operand >= source.operand_count) continue;
    if (!m.definedness->check(at, m.operand(at, need.operand), need.what)) continue;
    if (source.intrinsic() == Intrinsic::Free) return at + 1;
  }
  // Before it runs: another thread may go on behind it.
  for (std::uint32_t i = 0; i < source.result_count; ++i)
    m.definedness->set(source.first_result + i, {BitVector(m.width_of(source.first_result + i), 0), {}});
  return run_plain(at, slots, m);
}

Decoded* follow_jump(Decoded* at, std::uint64_t* slots, Machine& m) {
  m.definedness->take_edge(m.frame().code->function->edges_of(m.source(at))[0]);
  return run_plain(at, slots, m);
}

Decoded* follow_branch(Decoded* at, std::uint64_t* slots, Machine& m) {
  m.definedness->check(at, m.operand(at, 0), "a branch");
  m.definedness->take_edge(m.frame().code->function->edges_of(m.source(at))[m.word(at->a) != 0 ? 0 : 1]);
  return run_plain(at, slots, m);
}

Decoded* follow_switch(Decoded* at, std::uint64_t* slots, Machine& m) {
  m.definedness->check(at, m.operand(at, 0), "a switch");
  const Instruction& source = m.source(at);
  const BitVector value = m.value(m.operand(at, 0));
  std::uint32_t edge = 0;
  for (std::uint32_t i = 1; i < source.operand_count && edge == 0; ++i)
    if (m.value(m.operand(at, i)) == value) edge = i;
  m.definedness->take_edge(m.frame().code->function->edges_of(source)[edge]);
  return run_plain(at, slots, m);
}

Handler following(Kind kind) {
  switch (kind) {
    case Kind::Operator:
      return follow_operator;
    case Kind::Float:
      return follow_float;
    case Kind::Load:
      return follow_load;
    case Kind::Store:
      return follow_store;
    case Kind::Allocate:
      return follow_allocate;
    case Kind::CopyMemory:
      return follow_copy;
    case Kind::FillMemory:
      return follow_fill;
    case Kind::CheckIndex:
      return follow_check_index;
    case Kind::Call:
    case Kind::CallIndirect:
      return follow_call;
    case Kind::Intrinsic:
      return follow_intrinsic;
    case Kind::Jump:
      return follow_jump;
    case Kind::Branch:
      return follow_branch;
    case Kind::Switch:
      return follow_switch;
    case Kind::Return:
      return follow_return;
    case Kind::Halt:
      break;
  }
  return nullptr;
}

}  // namespace

void follow_definedness(FunctionCode& code) {
  code.plain.reserve(code.code.size());
  for (Decoded& d : code.code) {
    code.plain.push_back(d.run);
    const Handler handler = following(code.function->instructions[d.source].kind);
    if (handler != nullptr && d.run != thread_local_address) d.run = handler;
  }
}

}  // namespace plumb::interpret
