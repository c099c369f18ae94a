#pragma once

#include <vector>

#include "system/trace.h"
#include "term/traverse.h"

namespace plumb::system {

/// Makes terms of one store anew in another. Each term once; variables are those that were declared, or new ones with
/// the same name. Both stores must outlive it. Not recursive.
class TermCopier {
 public:
  TermCopier(const TermStore& from, TermStore& to) : from_(from), to_(to) {}

  /// Later copies have `to` where there is `from`.
  void declare(Term from, Term to) { copies_[from] = to; }
  Term copy(Term t);

 private:
  const TermStore& from_;
  TermStore& to_;
  term::TermMap<Term> copies_;
};

/// The same system over a store of its own, with every state and input at its place: to hand to another thread, after
/// which traces go back as they are.
System copy(const System& system);

/// A part of a system: positions in the part are indices here, positions in the whole are the elements.
struct Part {
  System system;
  std::vector<std::size_t> states;
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> bads;

  /// A trace of the part as one of the whole system, with nothing chosen for what is not in the part.
  Trace widened(const Trace& trace) const;
};

/// What the given bads (positions) and all constraints depend on, through next and init: a trace reaches one of these
/// bads in the part exactly if its widened one does in the whole. Wires and annotations are kept where all that they
/// refer to is kept.
Part cone_of_influence(const System& system, std::span<const std::size_t> bads);
/// Of all bads.
Part cone_of_influence(const System& system);

}  // namespace plumb::system
