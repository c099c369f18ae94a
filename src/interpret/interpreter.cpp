#include "interpret/interpreter.h"

#include "interpret/code.h"
#include "interpret/machine.h"

namespace plumb::interpret {

using program::DataLayout;
namespace {

/// Or for none in particular.
bool is_for_x86(const DataLayout& layout) {
  const std::string& triple = layout.triple;
  const bool is_32_bit = triple.size() > 4 && triple[0] == 'i' && triple.compare(2, 2, "86") == 0;
  return !layout.is_big_endian && (triple.empty() || triple.starts_with("x86_64") || is_32_bit);
}

}  // namespace

Interpreter::Interpreter(const Program& program) : code_(std::make_unique<Code>(program)) {
  if (!is_for_x86(program.layout))
    throw Unsupported("programs for other machines than x86 are not interpreted",
                      "test them on their board, with plumb serve, or compile them for x86-64");
}
Interpreter::~Interpreter() = default;

RunResult Interpreter::run(const InterpreterOptions& options, const Budget& budget) {
  INVARIANT(code_->program.entry != kNone, "a program that is run should have an entry function");
  return Machine(*code_, options, budget).run();
}

}  // namespace plumb::interpret
