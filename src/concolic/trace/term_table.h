#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "concolic/trace/stream_reader.h"
#include "concolic/trace/trace.h"
#include "instrument/subject.h"
#include "semantics/memory/term_bytes.h"
#include "term/term_store.h"

namespace plumb::concolic {

/// The expressions of a stream: reads the records that make them, checks everything TermStore demands, and keeps the
/// term of each id. What does not fit fails the reader and gives a null term. Variables of inputs and the content of
/// constant globals are kept between streams. Not thread-safe.
class TermTable {
 public:
  TermTable(const Subject& subject, term::TermStore& store);

  /// For a new stream: no id is known.
  void clear() { terms_.resize(1); }

  /// The term of an id, which must be known and of this width (any width if 0).
  term::Term term(StreamReader& reader, std::uint32_t id, std::uint32_t width);
  /// Of an id, or the value itself if the id is 0. Needs a width of 1 to 64.
  term::Term term_or_value(StreamReader& reader, std::uint32_t id, std::uint64_t value, std::uint32_t width);
  /// The next id; a null term makes an id that must not be used.
  void add(term::Term t) { terms_.push_back(t); }

  // Each reads the rest of a record and adds what it makes.
  void constant(StreamReader& reader, const RecordHead& head);
  void operation(StreamReader& reader, const RecordHead& head);
  void float_operation(StreamReader& reader, const RecordHead& head);
  void input(StreamReader& reader, Trace& trace);
  /// The address lies in the object that it lay in.
  struct Bounds {
    term::Term condition;      ///< of width 1
    std::uint64_t object = 0;  ///< where it begins
  };
  Bounds read(StreamReader& reader, const RecordHead& head);
  Bounds write(StreamReader& reader, const RecordHead& head);

  /// The content of the object that the reader is at, and its address.
  semantics::TermBytes object(StreamReader& reader, std::uint64_t& address);

 private:
  /// A symbolic address in an object.
  struct Access {
    semantics::TermBytes object;
    term::Term offset;
    Bounds bounds;
  };
  Access access(StreamReader& reader, term::Term address_term, std::uint64_t address, std::uint32_t size);
  const semantics::TermBytes* known_object(StreamReader& reader, program::GlobalId global);
  const std::vector<term::Term>& variables(std::uint32_t index, std::uint32_t size, std::uint32_t element,
                                           const std::string& name);

  const Subject& subject_;
  term::TermStore& store_;
  semantics::TermBytes::Options memory_;
  std::vector<term::Term> terms_;                                              ///< by id; 0 is none
  using InputShape = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< index, size, size of an element
  absl::flat_hash_map<InputShape, std::vector<term::Term>> variables_;
  absl::flat_hash_map<program::GlobalId, semantics::TermBytes> known_;
  ObjectRecord record_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace plumb::concolic
