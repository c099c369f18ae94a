#include "chain/model.h"

namespace plumb::chain {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::Dtmc:
      return "dtmc";
    case Kind::Ctmc:
      return "ctmc";
    case Kind::Mdp:
      return "mdp";
  }
  return "";
}

}  // namespace plumb::chain
