#pragma once

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "frontend/lower/lowering.h"
#include "program/float_op.h"
#include "program/printer.h"
#include "program/verify.h"
#include "term/op.h"

namespace plumb::frontend {

using program::evaluate;
using program::Kind;
using program::to_text;
using program::ValueKind;
using program::verify;

inline constexpr const char* kLayout64 =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
    "target triple = \"x86_64-pc-linux-gnu\"\n";
inline constexpr const char* kLayout32 =
    "target datalayout = \"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128\"\n"
    "target triple = \"i386-pc-linux-gnu\"\n";

/// The lowering of LLVM assembly, which must be well formed.
inline Program lower_text(const std::string& text, const LoweringOptions& options = {},
                          const char* layout = kLayout64) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(layout + text, diagnostic, context);
  if (!module) throw std::runtime_error(diagnostic.getMessage().str() + ": " + diagnostic.getLineContents().str());
  Program program = lower(*module, options);
  for (const std::string& complaint : verify(program)) ADD_FAILURE() << complaint;
  return program;
}

inline const Function& function(const Program& program, const std::string& name) {
  const auto id = program.find_function(name);
  if (!id) throw std::runtime_error("no function " + name);
  return program.functions[*id];
}

/// The instructions of a function as text, block after block; a value is its name, or a letter by first appearance, so
/// that the text does not depend on how values are numbered.
inline std::vector<std::string> body(const Program& program, const std::string& name) {
  std::vector<std::string> lines;
  std::map<std::string, char> letters;
  const std::regex value("%(?:([A-Za-z_][A-Za-z_0-9.]*)\\.)?([0-9]+)");
  const auto id = program.find_function(name);
  for (const Instruction& instruction : function(program, name).instructions) {
    const std::string text = to_text(program, *id, instruction);
    std::string line;
    auto rest = text.begin();
    for (std::sregex_iterator it(text.begin(), text.end(), value), end; it != end; ++it) {
      line.append(rest, text.begin() + it->position()).append("%");
      const auto next = static_cast<char>('A' + letters.size());
      line += (*it)[1].matched ? (*it)[1].str() : std::string(1, letters.try_emplace((*it)[2], next).first->second);
      rest = text.begin() + it->position() + it->length();
    }
    lines.push_back(line.append(rest, text.end()));
  }
  return lines;
}

inline std::vector<const Instruction*> of_kind(const Function& f, Kind kind) {
  std::vector<const Instruction*> found;
  for (const Instruction& instruction : f.instructions)
    if (instruction.kind == kind) found.push_back(&instruction);
  return found;
}

/// What a function of one block without memory gives.
inline std::vector<BitVector> evaluate(const Function& f, const std::vector<BitVector>& arguments) {
  std::vector<BitVector> values(f.values.size());
  for (ValueId v = 0; v < f.values.size(); ++v) {
    if (f.values[v].kind == ValueKind::Constant) values[v] = f.constant(v);
    if (f.values[v].kind == ValueKind::Parameter) values[v] = arguments.at(f.values[v].index);
    if (f.values[v].kind == ValueKind::Undefined) values[v] = BitVector(f.values[v].width, 0);
  }
  for (const Instruction& instruction : f.instructions) {
    std::vector<const BitVector*> operands;
    for (const ValueId v : f.operands_of(instruction)) operands.push_back(&values[v]);
    std::vector<BitVector> results;
    if (instruction.kind == Kind::Return) {
      for (const BitVector* operand : operands) results.push_back(*operand);
      return results;
    }
    const std::uint32_t width = f.values[instruction.first_result].width;
    if (instruction.kind == Kind::Operator) {
      values[instruction.first_result] = term::evaluate(instruction.op(), operands, width, instruction.parameter);
    } else if (instruction.kind == Kind::Float) {
      values[instruction.first_result] = evaluate(instruction.float_op(), operands, width);
    } else {
      break;
    }
  }
  throw std::runtime_error("a function of pure operations was expected");
}

}  // namespace plumb::frontend
