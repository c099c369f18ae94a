#include "interpret/interpreter.h"

#include "interpret/code.h"
#include "interpret/machine.h"
#include "program/platform.h"

namespace plumb::interpret {

Interpreter::Interpreter(const Program& program) : code_(std::make_unique<Code>(program)) {
  if (!program::platform_of(program.layout).is_x86())
    throw Unsupported("programs for other machines than x86 are not interpreted",
                      "test them on their board, with plumb serve, or compile them for x86-64");
}
Interpreter::~Interpreter() = default;

RunResult Interpreter::run(const InterpreterOptions& options, const Budget& budget) {
  INVARIANT(code_->program.entry != kNone, "a program that is run should have an entry function");
  return Machine(*code_, options, budget).run();
}

}  // namespace plumb::interpret
