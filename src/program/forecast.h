#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// What makes a program hard to analyse, or worth knowing before one tries.
enum class ConcernKind : std::uint8_t {
  MissingFunction,  ///< called, without a body, a model or a meaning of its own
  Unsupported,      ///< a construct without a lowering
  UnboundedLoop,    ///< no constant number of rounds can be read off
  Recursion,
  IndirectCall,
  FloatingPoint,
  Thread,
  Input,  ///< a place where values come in from outside
};
inline constexpr int kConcernKindCount = static_cast<int>(ConcernKind::Input) + 1;
std::string_view name(ConcernKind kind);  ///< "missing-function", "unbounded-loop"

struct Concern {
  ConcernKind kind = ConcernKind::Input;
  FunctionId function = kNone;  ///< where it is
  Location location;            ///< of the first of its places
  std::string text;             ///< "frobnicate", "main -> parse -> main", "__VERIFIER_nondet_int"
  std::size_t count = 1;        ///< of such places in the function
};

struct Forecast {
  std::vector<Concern> concerns;  ///< by kind, then by function
  std::size_t functions = 0;      ///< the user's, with a body, that can run
  std::size_t unused = 0;         ///< the user's, with a body, that cannot be reached from the entry
  std::size_t models = 0;         ///< that can run
  std::size_t loops = 0;          ///< in the user's functions that can run
  std::size_t branches = 0;       ///< of the source, two-way or more, likewise
};

/// Looks at what can run: functions that the entry, a constructor or a destructor can reach; all of them without an
/// entry. Loops, recursion and floating point inside models of library functions are not the user's concern.
/// Near-linear.
Forecast forecast(const Program& program);

}  // namespace plumb::program
