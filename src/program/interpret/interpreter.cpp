#include "program/interpret/interpreter.h"

#include "program/interpret/code.h"
#include "program/interpret/machine.h"

namespace plumb::program {

Interpreter::Interpreter(const Program& program) : code_(std::make_unique<interpret::Code>(program)) {}
Interpreter::~Interpreter() = default;

RunResult Interpreter::run(const InterpreterOptions& options, const Budget& budget) {
  INVARIANT(code_->program.entry != kNone, "a program that is run should have an entry function");
  return interpret::Machine(*code_, options, budget).run();
}

}  // namespace plumb::program
