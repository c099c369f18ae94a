#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/fault.h"

namespace plumb::interpret {

using program::CodePoint;

/// When each thread was heard of last, by its number: what a thread knows of the others.
using VectorClock = std::vector<std::uint32_t>;

/// Finds accesses that nothing orders, for InterpreterOptions::finds_races; see races.cpp. Threads are numbered as in
/// the rules of threads; the first one is there from the start.
class Races {
 public:
  struct Access {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool is_write = false;
    bool is_atomic = false;
    CodePoint at;  ///< in the user's code
  };
  /// The access that came first.
  struct Race {
    std::size_t thread = 0;
    bool is_write = false;
    CodePoint at;
  };
  /// What an atomic section orders.
  enum class Section : std::uint8_t {
    Operation,  ///< nothing, but what its accesses do
    Model,      ///< plain accesses inside are atomic, and order
    User,       ///< all sections of this kind are ordered, as by a mutex
  };

  // What orders
  void created(std::size_t parent, std::size_t child);
  void joined(std::size_t self, std::size_t other);
  void locked(std::size_t self, std::uint64_t mutex);
  void unlocked(std::size_t self, std::uint64_t mutex);
  void fence(std::size_t self, bool acquires, bool releases);
  void atomic_read(std::size_t self, std::uint64_t address, bool acquires);
  /// `is_update`: of an operation that has read the value, too.
  void atomic_write(std::size_t self, std::uint64_t address, bool releases, bool is_update);
  void begin_section(std::size_t self, Section kind);
  void end_section(std::size_t self);
  /// Of the section that was begun last.
  std::optional<Section> section(std::size_t self) const;

  /// Two accesses race if nothing orders them, one of them writes and they are not both atomic. Each pair of places is
  /// given once.
  std::optional<Race> access(std::size_t self, const Access& access);
  /// The bytes are those of a new object from now on.
  void forget(std::uint64_t address, std::uint64_t size);

 private:
  /// The last access of its kind of a thread to bytes of a word.
  struct Record {
    std::uint32_t thread = 0;
    std::uint32_t time = 0;
    std::uint8_t bytes = 0;  ///< a bit each
    bool is_write = false;
    bool is_atomic = false;
    CodePoint at;
  };
  struct State {
    VectorClock clock;
    VectorClock read;      ///< by atomic reads that do not order: a fence makes them do
    VectorClock released;  ///< by the last fence, for atomic writes that do not order
    std::vector<Section> sections;
  };
  using Pair = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>;

  State& state(std::size_t t);
  void step(std::size_t t) { ++state(t).clock[t]; }
  bool is_ordered(const Record& before, std::size_t self) const;
  /// To the word's bytes of the access.
  void look(std::size_t self, const Access& access, std::uint64_t word, std::uint8_t bytes, std::optional<Race>& race);
  bool is_new(CodePoint a, CodePoint b);

  std::vector<State> threads_;
  absl::flat_hash_map<std::uint64_t, VectorClock> mutexes_;
  /// What a read of an atomic object takes, and the last thread that wrote it by no update.
  struct Atomic {
    VectorClock clock;
    std::size_t thread = 0;
  };
  absl::flat_hash_map<std::uint64_t, Atomic> atomics_;
  VectorClock sections_;
  absl::flat_hash_map<std::uint64_t, std::vector<Record>> words_;  ///< by address / 8
  absl::flat_hash_set<Pair> told_;
};

}  // namespace plumb::interpret
