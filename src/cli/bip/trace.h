#pragma once

#include <string>

#include "cli/prove_report.h"
#include "lang/bip/encode/encode.h"
#include "lang/bip/run/guide.h"

namespace plumb::cli {

using BipInitialValues = std::vector<std::optional<std::int64_t>>;  ///< by VariableId; of free variables

/// "12", "true".
std::string value_text(const bip::Model& model, bip::VariableId variable, std::int64_t value);
/// The free variables' values at the start: "timer.n = 10, timer.b = true"; empty if there are none.
std::string initial_text(const bip::Model& model, const BipInitialValues& initial);
nlohmann::ordered_json initial_json(const bip::Model& model, const BipInitialValues& initial);

/// All places and values of a state, by name.
nlohmann::ordered_json state_json(const bip::Model& model, const bip::State& state);
/// What a step does: its interaction (null: internal transitions) and what it changes, [before, after] by name.
nlohmann::ordered_json step_json(const bip::Model& model, const bip::Choice& choice, const bip::State& before,
                                 const bip::State& after);

/// "after 3 interactions", "at the start".
std::string moment_text(std::size_t interactions);
/// What is wrong in a state that violates the property, with the values that it looks at.
std::string failure_text(const bip::Model& model, const bip::Property& property, const bip::State& state);

/// A counterexample in the model's words: interactions with what they change, the failure, and the guide that leads
/// there. `answer` has a trace that reaches the bad of `properties[position]`. Throws InternalError if the model does
/// not confirm it.
void explain_answer(ProvedProperty& answer, const bip::Model& model, const std::vector<bip::Property>& properties,
                    std::size_t position, const bip::Encoding& encoding, bool is_full);

}  // namespace plumb::cli
