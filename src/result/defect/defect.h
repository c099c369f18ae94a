#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "result/test_case.h"

namespace plumb::result {

/// One level of a call stack.
struct StackFrame {
  std::string function;
  SourceLocation place;   ///< file empty: not known
  bool is_model = false;  ///< in code that stands for a library's
};

struct DefectObject {
  std::string kind;  ///< "heap", "stack", "global"
  std::string name;  ///< of a variable, where known
  std::uint64_t size = 0;
  std::vector<StackFrame> allocated;  ///< innermost first; empty: not known
  std::vector<StackFrame> freed;
};

struct DefectAccess {
  bool is_write = false;
  std::int64_t offset = 0;  ///< in the object; from address 0 without one
  std::uint64_t size = 0;
};

/// Why a defect does not count.
struct Suppression {
  SourceLocation by;  ///< the line with the pattern, or with the comment
  bool is_in_source = false;
  std::string text;  ///< the pattern, or what the comment says
};

/// A defect of a program, with an input that shows it: what every report is made of. Plain data without a Program.
struct Defect {
  std::string kind;      ///< "double-free"; name(program::FaultKind)
  std::string message;   ///< one sentence: "write of 4 bytes at offset 20: past the end of a heap object of 20 bytes"
  SourceLocation place;  ///< what a user looks at first; of a leak, the allocation
  std::string function;  ///< that it is in
  std::vector<StackFrame> stack;  ///< innermost first; of a leak empty
  std::optional<DefectAccess> access;
  std::optional<DefectObject> object;
  SourceLocation lost_at;         ///< of a leak: where the last pointer was lost, if known
  std::string note;               ///< why there is no stack, or no more of it; else empty
  std::string shown_by;           ///< how the replay showed it: "interpreter", "checked build", "SIGSEGV"
  bool is_after_another = false;  ///< the same run had another defect before it: may be its consequence
  TestCase test;
  std::filesystem::path file;  ///< that the input is written to
  std::string replay_command;  ///< to see it again
  std::optional<Suppression> suppressed;
};

}  // namespace plumb::result
