#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "program/program.h"

/// The form in which the interpreter executes a function. A value of width w lives in ceil(w / 64) slots of its frame,
/// least significant first, with zeros above the width. An instruction is one Decoded: a pointer to the function that
/// executes it (its handler), chosen by operator, width and kind of operands so that the common ones are a few host
/// instructions, and what that handler needs. Handlers return the next instruction, so the loop that runs a program
/// only calls one after the other (call threading); there is no interpretation of operand kinds left at run time.
namespace plumb::interpret {

using program::BlockId;
using program::Function;
using program::FunctionId;
using program::InstructionId;
using program::kNone;
using program::Program;

class Machine;
struct Decoded;
struct FunctionCode;

using Handler = Decoded* (*)(Decoded* at, std::uint64_t* slots, Machine& machine);

/// An operand: the index of a slot, or of a word of the function's pool of constants if kPool is set.
using Operand = std::uint32_t;
inline constexpr Operand kPool = Operand{1} << 31;

constexpr std::uint32_t words_of(std::uint32_t width) noexcept { return (width + 63) / 64; }

/// From slot to slot.
struct Move {
  std::uint32_t to;
  std::uint32_t from;
};
/// A constant to a slot.
struct Set {
  std::uint32_t to;
  std::uint64_t value;
};

/// An edge: the moves, in an order in which none overwrites what a later one reads, then the constants.
struct EdgeCode {
  Decoded* target = nullptr;
  const Move* moves = nullptr;
  const Set* sets = nullptr;
  std::uint32_t move_count = 0;
  std::uint32_t set_count = 0;
  std::uint32_t instructions = 0;  ///< of the target block
};

/// What a call needs beside its callee.
struct CallSite {
  std::vector<Operand> words;         ///< of all arguments, one after the other
  std::vector<std::uint32_t> widths;  ///< by argument
  std::vector<std::uint32_t> result_widths;
  FunctionId callee = kNone;     ///< of a direct call
  FunctionCode* code = nullptr;  ///< of a direct call that fits its callee exactly, once that is decoded
};

/// A switch on a value of at most 64 bits: by table if the cases are dense, else by search.
struct SwitchTable {
  std::uint64_t first = 0;
  std::vector<std::uint32_t> dense;  ///< edge of first + i
  std::vector<std::uint64_t> cases;  ///< sorted
  std::vector<std::uint32_t> edges;  ///< edge of cases[i]
};

struct Decoded {
  Handler run = nullptr;
  std::uint64_t immediate = 0;  ///< the operand that is a constant
  union {
    const EdgeCode* edges = nullptr;  ///< of a terminator
    CallSite* site;
    const Operand* words;  ///< that a return gives
  };
  std::uint32_t result = 0;  ///< the first slot of the result
  Operand a = 0;
  Operand b = 0;
  union {
    Operand c = 0;
    std::uint32_t hint;   ///< of an access: the object to try first
    std::uint32_t extra;  ///< by handler
  };
  std::uint32_t width = 0;  ///< of the result, or of what is stored
  InstructionId source = kNone;
};

struct FunctionCode {
  FunctionId id = kNone;
  const Function* function = nullptr;
  std::uint32_t slot_count = 0;  ///< parameters come first, in order
  std::uint32_t parameter_words = 0;
  std::uint32_t entry_instructions = 0;  ///< of block 0
  bool has_variables_in_memory = false;  ///< semantics/visible.h
  bool is_output = false;                ///< semantics::is_output()
  std::vector<Decoded> code;
  std::vector<Handler> plain;  ///< by index in `code`, with Definedness: what its handlers run
  std::vector<std::uint64_t> pool;
  std::vector<Operand> operand_of;  ///< by ValueId: the first word
  std::vector<EdgeCode> edges;
  std::vector<std::vector<Move>> moves;
  std::vector<std::vector<Set>> sets;
  std::vector<std::unique_ptr<CallSite>> sites;
  std::vector<SwitchTable> switches;
  std::vector<std::vector<Operand>> returns;
  std::vector<BlockId> block_of;  ///< by InstructionId

  Decoded* entry() noexcept { return code.data(); }
};

/// Addresses of global objects and functions are the same in every run, so functions are decoded once, at their first
/// call, with these addresses as constants.
struct Code {
  explicit Code(const Program& of);

  FunctionCode& function(FunctionId id) {
    if (functions[id] == nullptr) decode(id);
    return *functions[id];
  }

  const Program& program;
  std::vector<std::unique_ptr<FunctionCode>> functions;
  std::vector<std::uint64_t> global_addresses;  ///< 0 for thread-local ones
  std::vector<std::uint64_t> function_addresses;
  absl::flat_hash_map<std::uint64_t, FunctionId> function_at;
  bool has_section_waits = false;  ///< atomic sections may have to be made again
  std::size_t object_count = 1;    ///< the most that a run had, so that hints of one run are in bounds in the next

 private:
  void decode(FunctionId id);
};

}  // namespace plumb::interpret
