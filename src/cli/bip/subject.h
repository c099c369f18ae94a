#pragma once

#include <vector>

#include "cli/bip/options.h"
#include "lang/bip/property/property.h"

namespace plumb::cli {

/// A model with what is asked about it.
struct BipSubject {
  bip::Model model;
  /// Those by default first, then the contract, those of files, those of the command line. Names are unique.
  std::vector<bip::Property> properties;
};

/// Reads the model and the properties that the options name; prints warnings. Deadlock freedom is among the properties
/// if it was asked for, and in proofs also if nothing else was. Throws UserError.
BipSubject read_bip(const BipOptions& options);

/// "int has 8 bits, signed, wrapping", what starts with any value.
std::vector<std::string> model_assumptions(const bip::Model& model);
/// "Table: 8 components, 20 places, 12 interactions".
std::string size_note(const bip::Model& model);
/// The sizes of the model.
nlohmann::ordered_json model_json(const bip::Model& model);

}  // namespace plumb::cli
