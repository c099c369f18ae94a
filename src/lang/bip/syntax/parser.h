#pragma once

#include <string>
#include <string_view>

#include "lang/bip/ast.h"
#include "lang/bip/model.h"

namespace plumb::bip {

/// Parses and checks names and types inside each type definition. What depends on instances (values of parameters,
/// interactions that priorities name, components that are not connected) is left to flatten(). Throws UserError,
/// Unsupported.
Package parse_package(std::string_view text, const std::string& file, std::vector<Warning>& warnings);

/// `Name` or `Name(1, -2, true)`, for Options::top. Throws UserError.
ComponentDeclaration parse_top(std::string_view text);

}  // namespace plumb::bip
