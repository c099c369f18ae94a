#pragma once

#include <span>
#include <string>
#include <vector>

#include "result/defect/defect.h"
#include "result/defect/source_lines.h"

namespace plumb::result {

/// For each defect a text of 32 hexadecimal digits by which it is known again in a later version of the program: of its
/// kind, the file's name, the function and the line's text without its space, so that lines added elsewhere do not
/// change it. Defects that agree in all of these are told apart by their order in the file. Names of
/// files count as they are in the places: relative ones are the same on every machine.
std::vector<std::string> fingerprints(std::span<const Defect> defects, SourceLines& sources);

}  // namespace plumb::result
