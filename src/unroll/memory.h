#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "program/fault.h"
#include "program/program.h"
#include "semantics/memory/term_bytes.h"
#include "unroll/paths.h"

namespace plumb::unroll {

using program::CodePoint;
using program::kNone;
using program::ObjectKind;
using program::Program;
using semantics::ObjectId;
using semantics::TermBytes;
using semantics::UnwrittenBytes;

/// An object that some path allocates. It has its address for good, whichever paths there are.
struct Object {
  std::uint64_t base = 0;
  std::uint64_t capacity = 0;  ///< bytes that there are terms for
  Term size;                   ///< of the width of a pointer; at most the capacity, unless `is_larger`
  bool is_larger = false;      ///< it may be: what is behind the capacity has any value in each read
  ObjectKind kind = ObjectKind::Heap;
  bool is_constant = false;
  std::uint32_t index = kNone;  ///< of a Global its GlobalId, of a Function its FunctionId
  CodePoint allocated;
  PathId made_on = Paths::kRoot;  ///< the path of its allocation
};

/// All objects of an unrolling and where they lie: one after the other, with room between that belongs to none.
class Objects {
 public:
  Objects(std::uint32_t pointer_width, TermStore& terms);

  /// Nothing if the address space has no room.
  std::optional<ObjectId> add(ObjectKind kind, std::uint64_t capacity, std::uint32_t alignment);
  Object& operator[](ObjectId object) { return objects_[object]; }
  const Object& operator[](ObjectId object) const { return objects_[object]; }
  ObjectId count() const noexcept { return static_cast<ObjectId>(objects_.size()); }
  /// The object whose room holds the address; kNone if there is none.
  ObjectId at(std::uint64_t address) const;
  std::uint32_t pointer_width() const noexcept { return pointer_width_; }
  Term address(ObjectId object) { return terms_.constant(pointer_width_, objects_[object].base); }

 private:
  std::uint32_t pointer_width_;
  TermStore& terms_;
  std::uint64_t guard_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::vector<Object> objects_;  ///< by rising base
};

/// What memory holds on a path: for each object that was allocated on it the content and the condition that it is
/// alive. A copy costs a count for 32 objects.
class MemoryState {
 public:
  struct Entry {
    TermBytes content;
    Term is_alive;  ///< no term: not allocated here
  };
  const Entry* find(ObjectId object) const {
    if (object / kChunk >= chunks_.size() || !chunks_[object / kChunk]) return nullptr;
    const Entry& entry = (*chunks_[object / kChunk])[object % kChunk];
    return entry.is_alive ? &entry : nullptr;
  }
  /// Good for writing until this memory is copied.
  Entry& writable(ObjectId object);
  void erase(ObjectId object);
  /// `a` where the condition holds, `b` elsewhere. An object that one of them does not have is the other's: no pointer
  /// to it is there where it is not.
  static MemoryState choice(TermStore& terms, Term condition, MemoryState a, const MemoryState& b);
  /// All objects that are there, dead or alive, by rising number.
  std::vector<ObjectId> objects() const;
  /// Slots of semantics::HeldMutexes; made when they are asked for.
  std::vector<Term>& held_mutexes(std::uint32_t pointer_width, TermStore& terms);

 private:
  static constexpr std::size_t kChunk = 32;
  using Chunk = std::array<Entry, kChunk>;
  std::vector<semantics::CowPointer<Chunk>> chunks_;
  std::vector<Term> held_;  ///< empty: none is held
};

/// Where a pointer may lead.
struct Pointed {
  struct Target {
    ObjectId object = 0;
    Term offset;  ///< of the width of a pointer
    Term when;
  };
  std::vector<Target> targets;  ///< each object and offset once
  Term nowhere;                 ///< the condition that it leads to no object
  bool is_unclear = false;      ///< and may lead to any object under `unclear_when`
  Term unclear_when;
  Term unclear;  ///< the address then
};

/// What an address may point to, as its term shows: constants, choices between them, and offsets added. What it was
/// computed from is not tracked further.
class Resolver {
 public:
  Resolver(TermStore& terms, const Objects& objects) : terms_(terms), objects_(objects) {}
  const Pointed& resolve(Term address);

 private:
  struct Split {
    Term base;
    Term rest;
  };
  /// Of a sum, also of one that was made in fewer bits because it needs no more, and then extended.
  std::optional<std::pair<Term, Term>> summands(Term t);
  /// The summand that is a pointer and the others; without a base if none is or several are.
  Split split(Term sum);
  bool has_pointer(Term t);
  Pointed find(Term address);

  TermStore& terms_;
  const Objects& objects_;
  absl::flat_hash_map<Term, std::unique_ptr<Pointed>> known_;
  absl::flat_hash_map<Term, bool> has_pointer_;
};

}  // namespace plumb::unroll
