#pragma once

#include <span>
#include <vector>

#include "lang/bip/model.h"
#include "term/term_store.h"

namespace plumb::bip {

using term::Term;
using term::TermStore;

/// One of several possibilities, if there is any: the one that `number` tells if it is possible, otherwise the last
/// that is. Line 27 of Listing 4.1:
///     s[j] = possible[j] and (number = j or (not possible[number] and no possible[k] for k > j))
std::vector<Term> select_one(TermStore& store, std::span<const Term> possible, Term number);

/// Those of `possible` that are asked for, from the first to the last, each unless one before it that is taken touches
/// what it depends on or depends on what it touches. `interactions` are their ids.
std::vector<Term> select_together(TermStore& store, const Model& model, std::span<const InteractionId> interactions,
                                  std::span<const Term> possible, std::span<const Term> asked);

}  // namespace plumb::bip
