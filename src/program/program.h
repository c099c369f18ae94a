#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bit_vector.h"
#include "base/error.h"
#include "program/check_set.h"
#include "program/float_op.h"
#include "program/intrinsic.h"
#include "term/op.h"

namespace plumb::program {

/// Indices: of a value, block or instruction within its function, of a function or global object within the program.
using ValueId = std::uint32_t;
using BlockId = std::uint32_t;
using InstructionId = std::uint32_t;
using FunctionId = std::uint32_t;
using GlobalId = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A place in a source file; line 0 means "not known".
struct Location {
  std::uint32_t file = kNone;  ///< in Program::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_known() const noexcept { return line != 0; }
  friend bool operator==(const Location&, const Location&) = default;
};

enum class ValueKind : std::uint8_t {
  Parameter,        ///< of the function
  BlockArgument,    ///< given by the edges into its block, in place of phi
  Result,           ///< of an instruction
  Constant,         ///< index: in Function::constants
  GlobalAddress,    ///< index: the global object; plus offset
  FunctionAddress,  ///< index: the function
  Undefined,        ///< any value, the same at each use
};

/// A bit-vector that an instruction can use. Floating point values are their IEEE bits, pointers are integers of the
/// data layout's pointer width. Aggregates and vectors do not exist: lowering takes them apart.
struct Value {
  ValueKind kind = ValueKind::Undefined;
  bool is_pointer = false;
  bool is_float = false;  ///< of a Parameter: a caller passes it as a floating point number
  std::uint32_t width = 0;
  std::uint32_t index = kNone;  ///< by kind; of a Parameter or BlockArgument its position, of a Result its instruction
  BlockId block = kNone;        ///< of a BlockArgument or Result
  std::int64_t offset = 0;      ///< of a GlobalAddress
};

enum class Kind : std::uint8_t {
  Operator,      ///< code: term::Op; parameter: as there. Divisions fault on zero and on signed overflow.
  Float,         ///< code: FloatOp
  Load,          ///< address -> value; parameter: alignment in bytes
  Store,         ///< address, value; parameter: alignment
  Allocate,      ///< size in bytes (pointer width) -> address of a new stack object; parameter: alignment
  CopyMemory,    ///< to, from, size; the ranges may overlap (memcpy is memmove)
  FillMemory,    ///< to, byte (width 8), size
  CheckIndex,    ///< index, count (equal widths): faults unless index < count, unsigned
  Call,          ///< arguments…; parameter: the FunctionId. Variadic arguments follow the fixed ones.
  CallIndirect,  ///< address, arguments…
  Intrinsic,     ///< code: program::Intrinsic; operands as described there
  // Terminators
  Jump,    ///< one edge
  Branch,  ///< condition (width 1); edges: if 1, if 0
  Switch,  ///< value, then the case constants; edges: the default, then one a case
  Return,  ///< the function's results
  Halt,    ///< code: HaltReason; parameter: in Program::messages, kNone for none
};
std::string_view name(Kind kind);  ///< "load", "copy-memory"
constexpr bool is_terminator(Kind kind) noexcept { return kind >= Kind::Jump; }

enum class HaltReason : std::uint8_t {
  Unreachable,  ///< the compiler says that control never comes here (undefined behaviour if it does)
  Trap,         ///< __builtin_trap
  Unsupported,  ///< a construct that has no lowering; the message names it
};

/// Of Instruction::flags.
enum Flag : std::uint16_t {
  kNoSignedWrap = 1,    ///< signed overflow of this Operator is undefined in the source
  kNoUnsignedWrap = 2,  ///< likewise unsigned
  kVolatile = 4,
  kAtomic = 8,        ///< a Load or Store in one piece; engines order them sequentially
  kSynthetic = 16,    ///< made by lowering (a va_arg branch, a scalarised element): not a branch of the source
  kSignedIndex = 32,  ///< the index of a CheckIndex is printed as a signed number
  kSourceShift = 64,  ///< a shift of the source: by its width or more it is undefined there
  // Of what is kAtomic, and of a Fence: what it orders, which is all that data races depend on.
  kAcquire = 128,
  kRelease = 256,
};

/// Plain data; its operands, edges and results are in the tables of its Function.
struct Instruction {
  Kind kind = Kind::Halt;
  std::uint8_t code = 0;
  std::uint16_t flags = 0;
  std::uint32_t parameter = kNone;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  ValueId first_result = kNone;
  std::uint32_t result_count = 0;
  std::uint32_t first_edge = 0;
  std::uint32_t edge_count = 0;
  Location location;

  term::Op op() const noexcept { return static_cast<term::Op>(code); }
  FloatOp float_op() const noexcept { return static_cast<FloatOp>(code); }
  program::Intrinsic intrinsic() const noexcept { return static_cast<program::Intrinsic>(code); }
  HaltReason halt_reason() const noexcept { return static_cast<HaltReason>(code); }
};

/// To a block, with a value for each of its arguments.
struct Edge {
  BlockId target = kNone;
  std::uint32_t first_argument = 0;  ///< in Function::operands
  std::uint32_t argument_count = 0;
};

/// Instructions first_instruction up to first_instruction + instruction_count; the last one is the only terminator.
struct Block {
  InstructionId first_instruction = 0;
  std::uint32_t instruction_count = 0;
  std::vector<ValueId> arguments;
  std::string name;  ///< for people; need not be unique
};

/// A function in SSA form. Block 0 is the entry and has no predecessors and no arguments. Made by a FunctionBuilder and
/// constant from then on; verify() (verify.h) says what holds.
struct Function {
  std::string name;
  Location location;
  std::vector<ValueId> parameters;
  std::vector<std::uint32_t> result_widths;
  bool returns_float = false;  ///< its only result is a floating point number
  bool is_variadic = false;
  bool is_internal = false;  ///< static in its file
  bool is_model = false;     ///< of a library function, ours and not the user's
  bool is_inert = false;     ///< has no body and is known to write no memory of the program: output, and the like

  std::vector<Value> values;
  std::vector<std::string> value_names;  ///< by ValueId, from the source where known; "" otherwise
  std::vector<BitVector> constants;
  std::vector<Instruction> instructions;
  std::vector<ValueId> operands;
  std::vector<Edge> edges;
  std::vector<Block> blocks;

  bool has_body() const noexcept { return !blocks.empty(); }
  const Instruction& terminator(BlockId b) const {
    return instructions[blocks[b].first_instruction + blocks[b].instruction_count - 1];
  }
  std::span<const Instruction> instructions_of(BlockId b) const {
    return {instructions.data() + blocks[b].first_instruction, blocks[b].instruction_count};
  }
  std::span<const ValueId> operands_of(const Instruction& i) const {
    return {operands.data() + i.first_operand, i.operand_count};
  }
  std::span<const Edge> edges_of(const Instruction& i) const { return {edges.data() + i.first_edge, i.edge_count}; }
  std::span<const Edge> successors(BlockId b) const { return edges_of(terminator(b)); }
  std::span<const ValueId> arguments_of(const Edge& e) const {
    return {operands.data() + e.first_argument, e.argument_count};
  }
  const BitVector& constant(ValueId v) const { return constants[values[v].index]; }
};

/// A pointer in the initial bytes of a global object.
struct Relocation {
  std::uint64_t offset = 0;
  bool is_function = false;
  std::uint32_t index = kNone;  ///< of the GlobalObject or Function
  std::int64_t addend = 0;
};

struct GlobalObject {
  std::string name;
  Location location;
  std::uint64_t size = 0;
  std::uint32_t alignment = 1;
  bool is_constant = false;
  bool is_internal = false;
  bool is_external = false;  ///< declared, not defined: its bytes are not known
  bool is_thread_local = false;
  bool is_model = false;            ///< belongs to a model of a library function
  std::vector<std::uint8_t> bytes;  ///< the initial content; zeros follow up to size
  std::vector<Relocation> relocations;
};

struct DataLayout {
  std::uint32_t pointer_width = 64;  ///< 32 or 64
  bool is_big_endian = false;        ///< then only for regions of programs on boards: the interpreter refuses it
  std::string triple;
};

/// A whole program: everything that the engines know about the code under test. Plain data, copied never, shared freely
/// between threads once made.
struct Program {
  DataLayout layout;
  std::vector<std::string> files;
  std::vector<Function> functions;
  std::vector<GlobalObject> globals;
  std::vector<std::string> messages;
  FunctionId entry = kNone;  ///< kNone if the entry function was not found or not asked for
  /// Functions that run before the entry, in order, and after it (constructors, destructors of C++ and attributes).
  std::vector<FunctionId> constructors;
  std::vector<FunctionId> destructors;
  CheckSet checks = CheckSet::defaults();  ///< what engines look for beside assertions and the like

  std::optional<FunctionId> find_function(std::string_view name) const;
  SourceLocation describe(const Location& location) const;
  /// The C string there, if it is one that no run changes.
  std::optional<std::string> constant_text(GlobalId global, std::int64_t offset) const;
  /// What an Intrinsic or Halt names in its parameter; "" if nothing. An intrinsic that is called by its address has
  /// none.
  std::string message_of(const Instruction& instruction) const;
};

}  // namespace plumb::program
