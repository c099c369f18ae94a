#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "term/term_store.h"

namespace plumb::system {

using term::Sort;
using term::Term;
using term::TermStore;

/// A register. Without `init` it starts with any value; without `next` it takes any value in each later step, as an
/// input does. Its name is that of the variable.
struct State {
  Term variable;
  Term init;
  Term next;
};

/// A term with a name: a wire, a bad property or a constraint. The name may be empty.
struct NamedTerm {
  Term term;
  std::string name;
};

/// Texts for the values of a bit-vector term: the names of a program counter's labels, the source lines that they stand
/// for. Waveforms show it as a signal of strings; a value without a text shows as an empty string.
struct Annotation {
  std::string name;  ///< of the signal
  Term term;
  std::map<BitVector, std::string> texts;
};

/// A word-level transition system over a store of its own. A run is a sequence of steps. In a step every state and
/// every input has a value: states get theirs in step 0 from their init, evaluated on the states before them, and in
/// step k + 1 from their next, evaluated in step k. A bad is reached in step k if it is true there and every constraint
/// is true in the steps 0 to k. Movable, not copyable (copy.h copies). Not thread-safe: it belongs to the thread that
/// its store belongs to.
class System {
 public:
  System() : store_(std::make_unique<TermStore>()) {}

  TermStore& store() noexcept { return *store_; }
  const TermStore& store() const noexcept { return *store_; }

  /// The variable of a new state, input. Positions count from 0 in the order of the calls.
  Term add_state(Sort sort, std::string name);
  Term add_input(Sort sort, std::string name);
  /// Makes a variable of the store that is neither state nor input a state or an input.
  void add_state(Term variable);
  void add_input(Term variable);
  /// Of the state at `position`; once, with a term of its sort.
  void set_init(std::size_t position, Term init);
  void set_next(std::size_t position, Term next);

  void add_wire(Term term, std::string name) { wires_.push_back({term, std::move(name)}); }
  void add_bad(Term term, std::string name) { bads_.push_back({term, std::move(name)}); }
  void add_constraint(Term term, std::string name) { constraints_.push_back({term, std::move(name)}); }
  void add_annotation(Annotation annotation) { annotations_.push_back(std::move(annotation)); }

  std::span<const State> states() const noexcept { return states_; }
  std::span<const Term> inputs() const noexcept { return inputs_; }
  std::span<const NamedTerm> wires() const noexcept { return wires_; }
  std::span<const NamedTerm> bads() const noexcept { return bads_; }
  std::span<const NamedTerm> constraints() const noexcept { return constraints_; }
  std::span<const Annotation> annotations() const noexcept { return annotations_; }

  /// The name of a state or input; for one without, `state3`, `input0`, by position.
  std::string state_name(std::size_t position) const;
  std::string input_name(std::size_t position) const;

  /// What is not well-formed, a sentence each: a variable that is neither state nor input or that is both, an init that
  /// refers to an input or to a state that does not stand before its own, sorts that do not fit, a property that is not
  /// a single bit. Empty if all is well.
  std::vector<std::string> problems() const;
  /// Throws InternalError with the first of problems(). Front ends call it last: what a user can get wrong they have
  /// reported with its place before.
  void check() const;

 private:
  std::unique_ptr<TermStore> store_;
  std::vector<State> states_;
  std::vector<Term> inputs_;
  std::vector<NamedTerm> wires_;
  std::vector<NamedTerm> bads_;
  std::vector<NamedTerm> constraints_;
  std::vector<Annotation> annotations_;
};

}  // namespace plumb::system
