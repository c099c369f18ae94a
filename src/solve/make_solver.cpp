#include <fmt/format.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "solve/external/process_solver.h"
#include "solve/external/z3_solver.h"
#include "solve/native/native_solver.h"
#include "solve/portfolio_solver.h"
#include "solve/solver.h"

namespace plumb::solve {

std::unique_ptr<Solver> make_solver(term::TermStore& store, const std::string& backend, const SolverOptions& options) {
  if (backend == "native") return make_native_solver(store, options);
  if (backend == "z3" && !(options.memory_limited && find_program("z3"))) return std::make_unique<Z3Solver>(store);
  if (backend == "portfolio") return std::make_unique<PortfolioSolver>(store, options);
  SolverCommand command = SolverCommand::of(backend);
  if (command.arguments.empty() || !find_program(command.arguments[0]))
    throw UserError(fmt::format("there is no solver '{}'", backend),
                    "use native, z3, portfolio, or the command of an SMT-LIB 2 solver on PATH, such as cvc5");
  return std::make_unique<ProcessSolver>(store, std::move(command),
                                         options.one_shot ? ProcessMode::OneProcessPerCheck : ProcessMode::Interactive);
}

}  // namespace plumb::solve
