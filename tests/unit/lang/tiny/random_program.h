#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lang/tiny/tiny.h"

namespace plumb::tiny {

/// A well-typed Tiny program with everything that the language has, as text; the same for the same seed. Its loops and
/// its recursion end, unless a stack is too small. Checks, assertions and contracts fail now and then.
class RandomProgram {
 public:
  struct Shape {
    std::uint32_t int_width = 4;
    bool is_signed = false;
    std::uint64_t array_size = 2;   ///< of arrays of ints with one dimension: any of them may be passed to a function
    std::uint32_t statements = 8;   ///< of the entry function; about
    std::uint32_t input_bits = 60;  ///< of free globals and parameters, at most
    bool has_functions = true;
    bool has_choices = true;    ///< nondet() and locals without value
    bool observes_all = false;  ///< asserts every bit of every global at the end
  };

  RandomProgram(std::uint64_t seed, const Shape& shape) : random_(seed), shape_(shape), bits_left_(shape.input_bits) {}

  std::string make();

 private:
  struct Array {
    std::string name;
    bool is_bool = false;
    std::vector<std::uint64_t> sizes;
  };
  struct Callee {
    std::string name;
    bool is_bool = false;
    bool is_predicate = false;
    bool takes_array = false;  ///< of ints, as its first parameter
    std::uint32_t ints = 0;    ///< parameters
    bool is_recursive = false;
    bool is_pure = false;  ///< changes nothing and chooses nothing, so that properties may call it
    bool calls = false;    ///< of a predicate: calls functions
  };
  /// What names stand for something here. Those of loops and quantifiers can be read alone.
  struct Scope {
    std::vector<std::string> ints;
    std::vector<std::string> bools;
    std::vector<std::string> assignable_ints;
    std::vector<std::string> assignable_bools;
    std::vector<Array> arrays;
    std::vector<Callee> callees;
    bool is_pure = false;      ///< no calls but of predicates, no choices
    bool is_property = false;  ///< with is_pure: but calls of pure functions
    bool is_in_loop = false;
    bool is_void = true;
    bool returns_bool = false;
  };

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  std::string fresh(const char* prefix) { return prefix + std::to_string(names_++); }
  std::uint64_t greatest() const { return (std::uint64_t{1} << (shape_.int_width - (shape_.is_signed ? 1 : 0))) - 1; }
  std::uint64_t size() { return 2 + below(std::min<std::uint64_t>(4, greatest())); }

  // Expressions, in parentheses where they need any.
  std::string number();
  std::string integer(const Scope& scope, int depth);
  std::string compound_integer(const Scope& scope, int depth);
  std::string condition(const Scope& scope, int depth);
  std::string compound_condition(const Scope& scope, int depth);
  std::string quantifier(const Scope& scope, int depth);
  std::string element(const Scope& scope, const Array& array, int depth);
  std::string index(const Scope& scope, std::uint64_t size, int depth);
  std::string call(const Scope& scope, const Callee& callee, int depth);
  const Callee* callee(const Scope& scope, bool is_bool);
  const Array* array(const Scope& scope, bool is_bool);
  const std::string* array_name(const Scope& scope);  ///< of ints, with one dimension

  // Statements, on lines of their own.
  void line(const std::string& text) { text_ += std::string(indent_ * 2, ' ') + text + "\n"; }
  void block(Scope scope, std::uint32_t statements);
  void statement(Scope& scope, std::uint32_t budget);
  void simple_statement(Scope& scope);
  std::string assignment(const Scope& scope);  ///< gives the name of the scalar
  void declaration(Scope& scope);
  void branch(const Scope& scope, std::uint32_t budget);
  void loop(const Scope& scope, std::uint32_t budget);
  void together(const Scope& scope);
  void return_statement(const Scope& scope);

  void global(Scope& scope);
  void function(Scope& scope);
  void predicate(Scope& scope);
  void recursive_function(Scope& scope);
  void recursive_body(const Scope& scope, const Callee& callee, const std::string& next);
  void entry(const Scope& globals);
  void observe(const Scope& globals);
  void pure_function(Scope& scope);
  Scope pure(const Scope& scope) const;
  Scope property(const Scope& scope) const;

  std::mt19937_64 random_;
  Shape shape_;
  std::uint32_t bits_left_;
  std::uint32_t names_ = 0;
  std::size_t indent_ = 0;
  std::string text_;
};

}  // namespace plumb::tiny
