#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpret/interpreter.h"
#include "program/function_builder.h"

namespace plumb::interpret {

using program::BlockId;
using program::Check;
using program::CheckSet;
using program::FaultKind;
using program::FloatOp;
using program::Function;
using program::FunctionBuilder;
using program::FunctionId;
using program::GlobalObject;
using program::HaltReason;
using program::Intrinsic;
using program::Kind;
using program::kNoSignedWrap;
using program::kSignedIndex;
using program::kSourceShift;
using program::ValueId;

/// Programs of one or a few functions, and short words for what their bodies are made of. Function 0 is main.
class SmallProgram {
 public:
  explicit SmallProgram(std::uint32_t pointer_width = 64) {
    program.layout.pointer_width = pointer_width;
    program.entry = 0;
  }

  using Body = std::function<void(FunctionBuilder&)>;
  /// A function whose entry block is selected when `body` is called.
  FunctionId add(const std::string& name, const std::vector<std::uint32_t>& results, const Body& body) {
    FunctionBuilder b(name);
    for (const std::uint32_t w : results) b.add_result(w);
    b.select(b.add_block("entry"));
    body(b);
    program.functions.push_back(b.finish());
    return static_cast<FunctionId>(program.functions.size() - 1);
  }
  FunctionId main(const Body& body) { return add("main", {32}, body); }
  GlobalId global(const std::string& name, std::uint64_t size, std::vector<std::uint8_t> bytes = {}) {
    GlobalObject made;
    made.name = name;
    made.size = size;
    made.alignment = 8;
    made.bytes = std::move(bytes);
    program.globals.push_back(made);
    return static_cast<GlobalId>(program.globals.size() - 1);
  }
  GlobalId text(const std::string& name, const std::string& content) {
    std::vector<std::uint8_t> bytes(content.begin(), content.end());
    bytes.push_back(0);
    return global(name, bytes.size(), bytes);
  }
  std::uint32_t message(const std::string& words) {
    program.messages.push_back(words);
    return static_cast<std::uint32_t>(program.messages.size() - 1);
  }
  /// A declaration.
  FunctionId external(const std::string& name, const std::vector<std::uint32_t>& parameters,
                      const std::vector<std::uint32_t>& results) {
    FunctionBuilder b(name);
    for (const std::uint32_t w : parameters) b.add_parameter(w);
    for (const std::uint32_t w : results) b.add_result(w);
    program.functions.push_back(b.function());
    return static_cast<FunctionId>(program.functions.size() - 1);
  }

  RunResult run(const InterpreterOptions& options = {}) const {
    Interpreter interpreter(program);
    return interpreter.run(options, Budget());
  }

  Program program;
};

inline ValueId intrinsic(FunctionBuilder& b, Intrinsic which, const std::vector<ValueId>& operands,
                         std::uint32_t result_width = 0, std::uint32_t parameter = kNone) {
  const std::vector<std::uint32_t> widths =
      result_width == 0 ? std::vector<std::uint32_t>{} : std::vector{result_width};
  return b.emit(Kind::Intrinsic, static_cast<std::uint8_t>(which), operands, widths, parameter);
}

inline ValueId call(FunctionBuilder& b, FunctionId callee, const std::vector<ValueId>& arguments,
                    const std::vector<std::uint32_t>& results = {}) {
  return b.emit(Kind::Call, 0, arguments, results, callee);
}

inline ValueId call_pointer(FunctionBuilder& b, ValueId address, std::vector<ValueId> arguments,
                            const std::vector<std::uint32_t>& results = {}) {
  arguments.insert(arguments.begin(), address);
  return b.emit(Kind::CallIndirect, 0, arguments, results);
}

inline void give(FunctionBuilder& b, ValueId value) { b.return_values(std::vector{value}); }
inline void give_number(FunctionBuilder& b, std::uint64_t value) { give(b, b.constant(32, value)); }

/// The kinds of a result's faults, by name.
inline std::vector<std::string> kinds(const RunResult& result) {
  std::vector<std::string> names;
  for (const Fault& f : result.faults) names.emplace_back(name(f.kind));
  return names;
}

using Kinds = std::vector<std::string>;

}  // namespace plumb::interpret
