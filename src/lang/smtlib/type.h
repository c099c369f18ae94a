#pragma once

#include <cstdint>
#include <string>

#include "term/term_store.h"

namespace plumb::smtlib {

/// A sort as SMT-LIB sees it. A TermStore has one sort of width 1 where SMT-LIB tells Bool from (_ BitVec 1), so the
/// front end keeps this beside each term. Parameter occurs only in the bodies of define-sort.
struct Type {
  enum class Kind : std::uint8_t { Bool, BitVec, Array, Parameter };
  Kind kind = Kind::Bool;
  Kind element = Kind::Bool;      ///< of an Array: Bool, BitVec or Parameter
  Kind index = Kind::Bool;        ///< likewise
  std::uint32_t width = 1;        ///< of a BitVec or of an Array's elements; the number of a Parameter
  std::uint32_t index_width = 0;  ///< of an Array's indices; the number of a Parameter

  static constexpr Type boolean() { return {}; }
  static constexpr Type bits(std::uint32_t width) { return {Kind::BitVec, Kind::Bool, Kind::Bool, width, 0}; }
  static constexpr Type parameter(std::uint32_t number) { return {Kind::Parameter, Kind::Bool, Kind::Bool, number, 0}; }
  /// Needs parts that are no arrays.
  static constexpr Type array(const Type& index, const Type& element) {
    return {Kind::Array, element.kind, index.kind, element.width, index.width};
  }

  bool is_bool() const noexcept { return kind == Kind::Bool; }
  bool is_bits() const noexcept { return kind == Kind::BitVec; }
  bool is_array() const noexcept { return kind == Kind::Array; }
  /// Of an Array.
  Type element_type() const noexcept { return {element, Kind::Bool, Kind::Bool, width, 0}; }
  Type index_type() const noexcept { return {index, Kind::Bool, Kind::Bool, index_width, 0}; }
  /// Needs a type without parameters.
  term::Sort sort() const noexcept { return {width, index_width}; }
  /// As written in SMT-LIB.
  std::string to_string() const;

  friend bool operator==(const Type&, const Type&) = default;
};

/// A term with its SMT-LIB sort.
struct TypedTerm {
  term::Term term;
  Type type;
};

}  // namespace plumb::smtlib
