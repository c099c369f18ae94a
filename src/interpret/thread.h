#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "interpret/code.h"
#include "semantics/memory/address_space.h"

namespace plumb::interpret {

using program::GlobalId;
using program::Kind;
using program::kNone;
using program::ValueId;
using semantics::ObjectId;

/// What the return from a frame does.
enum class Bottom : std::uint8_t {
  No,      ///< its caller goes on
  Run,     ///< Machine::execute() ends
  Thread,  ///< its thread ends
};

/// A call that has not returned.
struct Frame {
  FunctionCode* code = nullptr;
  Decoded* call = nullptr;  ///< where the frame below stands; null if there is none
  Bottom bottom = Bottom::No;
  std::size_t base = 0;          ///< of its slots in Thread::slots
  std::size_t first_object = 0;  ///< in Thread::stack_objects
  std::uint64_t variadic = 0;    ///< the address of the variadic arguments
  bool is_in_output = false;     ///< of a model that only writes to the outside, or called by one
  std::uint64_t jump_mark = 0;   ///< not 0 once it called setjmp: tells it from others that stood in its place
};

/// Where a setjmp stands.
struct JumpPoint {
  std::size_t thread = 0;
  std::size_t frame = 0;
  std::uint64_t mark = 0;
  Decoded* at = nullptr;
};

/// Where bits that were never written come from.
struct Origin {
  ObjectId object = kNone;      ///< of the heap or the stack
  FunctionId function = kNone;  ///< else: a value of a function that has none
  ValueId value = kNone;
};

/// Where an atomic section was begun, and the frame as it was there: to make it again if it cannot go on.
struct SectionStart {
  Decoded* begin = nullptr;
  std::size_t frame = 0;
  std::size_t stack_objects = 0;
  std::vector<std::uint64_t> slots;
  std::vector<std::uint64_t> undefined;
  std::vector<Origin> origins;
  std::uint64_t operations = 0;  ///< RunResult::operations before it
};

struct Thread {
  std::size_t index = 0;
  std::vector<Frame> frames;
  std::vector<std::uint64_t> slots;
  std::vector<std::uint64_t> undefined;  ///< with Definedness, by slot: the bits that were never written
  std::vector<Origin> origins;           ///< of those
  std::vector<ObjectId> stack_objects;
  absl::flat_hash_map<GlobalId, std::uint64_t> locals;  ///< addresses of its thread-local objects
  std::vector<ObjectId> local_objects;
  Decoded* resume = nullptr;           ///< where it goes on, while another runs
  std::vector<SectionStart> sections;  ///< open ones, in a program that makes some of them again
  bool is_retrying = false;            ///< it makes a section again and has done nothing else since
  bool is_in_update = false;           ///< in an atomic operation of several instructions, as events have it
  bool is_over_time = false;           ///< its section shall not wait any more
};

}  // namespace plumb::interpret
