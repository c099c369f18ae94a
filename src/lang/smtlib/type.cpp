#include "lang/smtlib/type.h"

#include <fmt/format.h>

namespace plumb::smtlib {

std::string Type::to_string() const {
  switch (kind) {
    case Kind::Bool:
      return "Bool";
    case Kind::BitVec:
      return fmt::format("(_ BitVec {})", width);
    case Kind::Array:
      return fmt::format("(Array {} {})", index_type().to_string(), element_type().to_string());
    case Kind::Parameter:
      return fmt::format("parameter {}", width);
  }
  return {};
}

}  // namespace plumb::smtlib
