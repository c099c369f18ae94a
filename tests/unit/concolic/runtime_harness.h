#pragma once

#include <csetjmp>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

extern "C" {
#include "runtime/concolic/runtime.h"
}

namespace plumb::concolic::runtime_test {

/// What a run gets; the runtime under test is linked into the test, with this in place of shared memory.
struct Settings {
  std::uint32_t stream_words = 1U << 20;
  std::uint32_t max_inputs = 1000;
  std::uint32_t max_nodes = 1U << 20;
  std::uint32_t max_object = 1024;
  std::uint64_t random_seed = 0;
  bool abort_is_handled = false;
  std::vector<std::uint32_t> given{};  ///< as protocol.h has it
};

/// Fresh state: no shadows, no stack objects, an empty stream. Heap objects and globals stay.
void start_run(const Settings& settings = {});

/// The published words.
std::vector<std::uint32_t> stream();
/// The last word that a record may fill, for tests that look at the border.
std::uint32_t reserved_words();

struct Ended {
  bool is_error = false;
  std::uint32_t code = 0;
};
std::jmp_buf& way_out();
Ended how_it_ended();
/// Runs the body, which must not own anything when it calls the runtime: it is left by longjmp. Nothing if it returns.
template <typename Body>
std::optional<Ended> ending_of(Body&& body) {
  if (setjmp(way_out()) != 0) return how_it_ended();
  body();
  return std::nullopt;
}

/// Entered into the table of globals before the first run of the process.
inline constexpr std::size_t kGlobalCount = 5;
const plumb_global& global(std::size_t index);

// Insides of the runtime that tests look at
struct Object {
  std::uintptr_t base = 0;
  std::size_t size = 0;
};
Object find_object(std::uintptr_t address, std::size_t size);
bool add_heap_object(std::uintptr_t base, std::size_t size);
std::size_t remove_heap_object(std::uintptr_t base);
std::uint32_t free_granules();
bool filter_is_set(const void* address);

/// One byte of a value: byte `index` of the expression `leaf`, or without one a constant.
struct ByteTerm {
  std::uint32_t leaf = 0;
  std::uint32_t index = 0;  ///< or the constant
  friend bool operator==(const ByteTerm&, const ByteTerm&) = default;
};

struct DecodedObject {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<ByteTerm> terms;  ///< by byte
  bool is_known = false;
  std::uint32_t run_count = 0;
};

struct Record {
  std::uint32_t kind = 0;
  std::uint32_t code = 0;
  std::uint32_t width = 0;
  std::vector<std::uint32_t> words;  ///< without the head, without objects
  std::vector<DecodedObject> objects;
  std::uint32_t first_id = 0;  ///< of a record that makes expressions
  std::uint32_t makes = 0;
};

/// A reader of streams of its own, strict: throws std::runtime_error for anything that protocol.h does not allow.
class Decoder {
 public:
  /// By region: how many expressions its exit makes, how many live-ins and slots it has.
  struct Region {
    std::uint32_t makes = 0;
    std::uint32_t ins = 0;
    std::uint32_t slots = 0;
  };
  explicit Decoder(std::vector<std::uint32_t> words, std::map<std::uint32_t, Region> regions = {});

  const std::vector<Record>& records() const { return records_; }
  std::vector<Record> of_kind(std::uint32_t kind) const;
  std::uint32_t width(std::uint32_t id) const { return widths_.at(id); }
  /// The value as bytes, the lowest first: extracts, concatenations and constants are resolved, others are leaves.
  std::vector<ByteTerm> bytes(std::uint32_t id) const { return values_.at(id); }

 private:
  std::uint32_t take();
  std::uint32_t take_id(bool may_be_zero = false);
  void take_words(Record& record, std::size_t count);
  void take_packed(Record& record, std::uint32_t size);
  DecodedObject take_object();
  void take_run(DecodedObject& object, std::uint32_t& end);
  void take_record();
  void take_node(Record& record);
  void take_event(Record& record);
  void take_operator(Record& record);
  void make(Record& record, std::uint32_t count, std::uint32_t width);

  std::vector<std::uint32_t> words_;
  std::map<std::uint32_t, Region> regions_;
  std::size_t position_ = 0;
  std::vector<Record> records_;
  std::vector<std::uint32_t> widths_{0};
  std::vector<std::vector<ByteTerm>> values_{{}};
};

}  // namespace plumb::concolic::runtime_test
