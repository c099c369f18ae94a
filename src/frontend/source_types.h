#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "frontend/load.h"
#include "program/program.h"

namespace plumb::frontend {

using program::Kind;
using program::kNone;

/// A C type, as far as printing values needs it.
struct SourceType {
  enum class Kind : std::uint8_t { Signed, Unsigned, Boolean, Float, Pointer, Array, Record, Other };
  struct Field {
    std::string name;  ///< empty: of an anonymous record
    std::uint64_t offset = 0;
    std::uint32_t type = kNone;
  };
  Kind kind = Kind::Other;
  std::uint64_t size = 0;         ///< in bytes
  std::uint32_t element = kNone;  ///< of an Array or Pointer: a type in SourceTypes::types
  std::vector<Field> fields{};    ///< of a Record; bit-fields are left out
};

/// The variables of the source with their types and scopes, and its loops.
struct SourceTypes {
  struct Global {
    std::string name;            ///< in the source
    std::uint32_t type = kNone;  ///< kNone: not known
    SourceLocation declared{};
    bool is_local = false;  ///< static in a function
  };
  struct Local {
    std::uint32_t type = kNone;             ///< kNone: not known
    std::uint32_t scope = kNone;            ///< kNone: the name stands for several variables of the function
    std::uint32_t line = 0;                 ///< of its declaration; 0 for a parameter
    std::vector<std::string> written_in{};  ///< names of the blocks with assignments to it, one for each
  };
  /// A block of the source, or a function.
  struct Scope {
    std::uint32_t parent = kNone;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  struct Loop {
    std::string function;
    SourceLocation start;  ///< its keyword
    std::uint32_t scope = kNone;
  };
  std::vector<SourceType> types;
  std::vector<Scope> scopes;
  std::map<std::string, Global, std::less<>> globals;                        ///< by GlobalObject::name
  std::map<std::pair<std::string, std::string>, Local, std::less<>> locals;  ///< by function and variable
  /// By the places of the instructions at the loop's head, "file:line:column".
  std::map<std::string, Loop, std::less<>> loops;

  /// The variable can be named at the keyword of the loop; not if it is declared in its head or body, or behind it.
  bool is_in_scope(const Local& variable, const Loop& loop) const;
};

/// A scalar part of a variable: ".next[3].key" behind its name.
struct SourcePart {
  std::string path;
  std::uint32_t type = kNone;
  std::uint64_t offset = 0;
};
/// The scalars of the type that lie in the bytes from `offset` on, at most `limit` of them; nothing if a scalar is cut
/// or there are more.
std::optional<std::vector<SourcePart>> parts_of(const SourceTypes& types, std::uint32_t type, std::uint64_t offset,
                                                std::uint64_t size, std::size_t limit);
/// In C: "-3", "255", "0x7ffe10", "NULL"; without a type as a signed number. `bytes` are at most 8, or a Float's.
std::string value_text(const SourceType* type, std::span<const std::uint8_t> bytes);

struct TypedProgram {
  Program program;
  SourceTypes types;
};
/// As load_program().
TypedProgram load_typed_program(const LoadOptions& options, const Budget& budget);

}  // namespace plumb::frontend
