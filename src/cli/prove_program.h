#pragma once

#include "cli/prove_report.h"
#include "lang/tiny/subject.h"

namespace plumb::cli {

/// A program's counterexample in the program's words: the free variables as the run starts, what went wrong and where,
/// the variables there; fills in place, text, failure, trace and what --replay reads. Throws InternalError if the
/// interpreter does not confirm it.
void explain_answer(ProvedProperty& answer, const tiny::Subject& subject, bool is_full);

/// The sizes and meanings that a program was read with, as an object, and back. Throws UserError.
nlohmann::ordered_json options_json(const tiny::Options& options);
tiny::Options options_of(const nlohmann::json& object, const std::string& file);

/// Runs a counterexample that explain_answer() made again, by the interpreter on the source as it is now, with the
/// options it was found with. Throws tiny::Mistakes, UserError.
ProvedProperty replay_program(const std::string& text, const std::string& file, const std::string& counterexample_file,
                              bool is_full);

/// "int has 4 bits, unsigned; MAX_ARRAY_SIZE is 15", and what is not checked.
std::vector<std::string> option_assumptions(const tiny::Options& options);

/// The control graph as text, for --show graph.
std::string graph_text(const system::ControlGraph& graph);

}  // namespace plumb::cli
