#include "cli/shell/session.h"

#include "base/error.h"

namespace plumb::cli::shell {

const Source& Session::needed_source() const {
  if (!source) throw UserError("no program: read one with `read -i FILE`");
  return *source;
}

Proving& Session::needed_proving() const {
  if (proving) return *proving;
  needed_source();
  throw UserError("no proving session: start one with `start_prove -b BITS`");
}

Simulation& Session::needed_simulation() const {
  if (simulation) return *simulation;
  needed_source();
  throw UserError("no simulation: start one with `start_sim`");
}

std::shared_ptr<const Design> Session::current_design() const {
  if (proving) return proving->design();
  return std::make_shared<const Design>(needed_source(), configuration);
}

}  // namespace plumb::cli::shell
