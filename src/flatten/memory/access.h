#pragma once

#include <functional>
#include <span>
#include <vector>

#include "flatten/memory/plan.h"

namespace plumb::flatten {

/// The objects of one group that an access may be in.
struct Spot {
  const Group* group = nullptr;
  Progression range;  ///< of the offset, where it is valid
  Term address;
  Term slot;     ///< which of the group's objects; null if there is one
  Term is_here;  ///< the address is in the group's room
};

/// Bytes that are written: those from an offset on, so many, as a term with the first byte in its lowest bits.
using Content = std::function<Term(std::uint64_t from, std::uint64_t size)>;

/// Bytes that were read, in terms of any sizes.
class Pieces {
 public:
  explicit Pieces(term::TermStore& store) : store_(&store) {}
  void add(std::uint64_t size, Term value);
  std::uint64_t size() const noexcept { return pieces_.empty() ? 0 : pieces_.back().end; }
  Term slice(std::uint64_t from, std::uint64_t size) const;

 private:
  struct Piece {
    std::uint64_t start;
    std::uint64_t end;
    Term value;
  };
  term::TermStore* store_;
  std::vector<Piece> pieces_;
};

/// Makes the terms of accesses through one operand of an instruction.
class Accessor {
 public:
  /// `size`: of the smallest access, in bytes, at least 1.
  Accessor(const Memory::Plan& plan, const Memory::Place& at, std::size_t operand, Term address, std::uint64_t size,
           bool is_write);

  std::span<const Spot> spots() const noexcept { return spots_; }
  /// All of the bytes are there and alive.
  Term is_valid(const MemoryState& state, std::uint64_t size) const;
  /// Likewise of a size, of pointer width, that is not known.
  Term is_valid_up_to(const MemoryState& state, Term size) const;

  /// At a distance from the spot's offset. All of it must have been planned.
  Pieces read(const MemoryState& state, const Spot& spot, std::uint64_t distance, std::uint64_t size) const;
  void write(MemoryState& state, const Spot& spot, Term guard, std::uint64_t distance, std::uint64_t size,
             const Content& content) const;
  /// Of whichever spot the address is in: `value` is asked for each.
  Term choose(const std::function<Term(const Spot& spot)>& value) const;
  /// The condition that a write to this spot needs in addition.
  Term guard_of(const Spot& spot) const;

 private:
  void add_spot(const Group& group, const Progression& range);
  Term is_inside(const MemoryState& state, const Spot& spot, std::uint64_t size) const;
  Term is_live(const MemoryState& state, const Spot& spot) const;
  const Part& part_at(const Group& group, std::uint64_t offset) const;
  /// Bytes of an element: from which on, how many, and how many of the access were before.
  struct Stretch {
    std::uint64_t inside, count, done;
  };
  using Visitor = std::function<void(const Part& part, Term index, Stretch bytes)>;
  /// The elements of an access in their order.
  void visit(const Spot& spot, std::uint64_t distance, std::uint64_t size, const Visitor& visitor) const;
  Term index_at(const Spot& spot, const Part& part, std::uint64_t distance) const;

  const Memory::Plan& plan_;
  term::TermStore& store_;
  Term address_;
  std::uint64_t size_;
  std::vector<Spot> spots_;
  bool is_trusted_ = true;  ///< the address is certainly in one of the spots, in bounds
};

/// The element of a part, by index (of part.index_bits) and slot; both null where there is only one.
Term element(const Memory::Plan& plan, const MemoryState& state, const Part& part, Term slot, Term index);
void set_element(const Memory::Plan& plan, MemoryState& state, const Part& part, Term slot, Term index, Term guard,
                 Term value);
/// Of a variable with a value for each slot of a group.
Term slot_value(const Memory::Plan& plan, const MemoryState& state, std::size_t variable, Term slot);
void set_slot_value(const Memory::Plan& plan, MemoryState& state, std::size_t variable, Term slot, Term guard,
                    Term value);
/// The largest power of two up to 8 that divides every size in the range.
std::uint64_t unit_of(const Progression& size);
/// The low bits of a / 2^shift, where a is made of sums and products that show it.
Term shifted_down(term::TermStore& store, Term a, std::uint32_t shift, std::uint32_t width);

}  // namespace plumb::flatten
