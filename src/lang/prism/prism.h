#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chain/model.h"
#include "chain/property.h"

namespace plumb::prism {

/// A model or a property file as written, with names and constants open.
class Source;  // ast.h

/// A constant that the user gives values to: one, or those of a range. Exact decimals: 0.1:0.1:0.9 has 0.3 and not
/// 0.30000000000000004.
struct GivenConstant {
  std::string name;
  std::vector<std::string> values;
};
/// Of texts such as `a=1,b=0.1:0.1:0.9,c=true`. Throws UserError.
std::vector<GivenConstant> parse_constants(const std::vector<std::string>& texts);
/// All combinations, the last constant fastest.
std::vector<std::map<std::string, std::string>> combinations(const std::vector<GivenConstant>& constants);

/// Parses the PRISM language. Throws UserError with line and column of the first mistake and what was expected;
/// Unsupported for pta, pomdp and their like by name.
std::shared_ptr<const Source> parse_model(std::string_view text, const std::string& file);
/// Property files, or one property of the command line (`file` is then "--prop").
std::shared_ptr<const Source> parse_properties(std::string_view text, const std::string& file);

/// Names of the constants that a source declares without a value.
std::vector<std::string> open_constants(const Source& source);

/// Whether decimals and quotients of the source become doubles, or stay the fractions that they are.
using Arithmetic = chain::ExpressionPool::Arithmetic;

struct Instance {
  chain::Model model;
  std::vector<chain::Property> properties;
  std::vector<std::pair<std::string, std::string>> constants;  ///< name and value of those that were given
  std::vector<std::string> notes;                              ///< on constants that were given another value
};
/// Puts constants in, expands formulas and renamed modules, checks names and types. Throws UserError: a constant that
/// is left open (with how to give it) or given but unknown, a type error, a variable without a range or with an empty
/// one, …
/// Sources of properties see each other's constants, labels and named properties; their labels become conditions of
/// the properties that use them, not labels of the model. With `wanted`, one for each property of all sources, the
/// others are left out, and constants that only they need may stay open. With Arithmetic::Exact, functions that have no
/// fractions as values are Unsupported.
Instance instantiate(const Source& model, const std::vector<const Source*>& properties,
                     const std::map<std::string, std::string>& constants, const std::vector<bool>* wanted = nullptr,
                     Arithmetic arithmetic = Arithmetic::Doubles);
/// With one source of properties, or none.
Instance instantiate(const Source& model, const Source* properties, const std::map<std::string, std::string>& constants,
                     Arithmetic arithmetic = Arithmetic::Doubles);

}  // namespace plumb::prism
