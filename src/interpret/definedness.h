#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bit_vector.h"
#include "interpret/code.h"
#include "interpret/thread.h"
#include "semantics/memory/address_space.h"

namespace plumb::interpret {

using program::Edge;

class Machine;

/// Bits of a value that were never written.
struct Undefinedness {
  BitVector bits;
  Origin origin;
  bool is_any() const noexcept { return !bits.is_zero(); }
};

/// Follows which bits of the program's values and memory were written, for Check::Uninitialised. To copy what was not
/// is no fault, nor to compute with it; a fault is where it decides which way the run goes, is an address or a divisor,
/// or goes to the outside. Each instruction runs by a handler of its own (definedness_steps.cpp) that does this beside
/// what its plain handler does; runs without the check have none of it.
class Definedness {
 public:
  explicit Definedness(Machine& machine) : m_(machine) {}

  // Values of the current frame
  Undefinedness of(ValueId value) const;
  void set(ValueId value, const Undefinedness& undefined);
  void set_slot_defined(std::uint32_t slot);
  /// The values of an edge's arguments, given to the arguments of its target.
  void take_edge(const Edge& edge);
  /// Of a frame that was just pushed; everything in it counts as written.
  void enter_frame();
  /// Words of arguments or results, from the current frame to another.
  struct Words {
    std::vector<std::uint64_t> bits;
    std::vector<Origin> origins;
    bool is_any() const noexcept;
  };
  Words words(std::span<const ValueId> values) const;
  void set_words(std::size_t first_slot, const Words& words, std::size_t from, std::size_t count);

  // Memory
  /// A new object, written or not.
  void make(ObjectId object, std::uint64_t size, bool is_written);
  void forget(ObjectId object) {
    if (object < objects_.size()) objects_[object] = {};
  }
  void define(ObjectId object, std::uint64_t offset, std::uint64_t size);
  void keep(ObjectId from, ObjectId to, std::uint64_t size);  ///< as realloc() does
  Undefinedness load(std::uint64_t address, std::uint32_t width) const;
  void store(std::uint64_t address, const Undefinedness& undefined);
  void store_bits(std::uint64_t address, std::span<const std::uint8_t> bits);
  /// One byte of undefined bits for each byte of the range; empty if all are written or it is no object's.
  std::vector<std::uint8_t> bits(std::uint64_t address, std::uint64_t size) const;

  // Faults
  /// Tells if the value has undefined bits, and takes it for written from then on. True: it had.
  bool check(const Decoded* at, ValueId value, std::string_view what);
  bool check_memory(const Decoded* at, std::uint64_t address, std::uint64_t size, std::string_view what);

 private:
  void tell(const Decoded* at, const Origin& origin, std::string_view what);
  std::string variable(const Origin& origin) const;

  Machine& m_;
  std::vector<std::vector<std::uint8_t>> objects_;  ///< by ObjectId: undefined bits of each byte; empty: none
};

/// Gives the code of a function handlers that follow definedness.
void follow_definedness(FunctionCode& code);

}  // namespace plumb::interpret
