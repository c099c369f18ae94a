#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "instrument/regions/region_cloner.h"

namespace plumb::instrument::test {

/// C to LLVM's text, as the tool compiles it: without optimisation, with debug locations.
std::string compile_c(const std::string& source, unsigned word_size = 64);

/// A module in SSA form with its Program and the regions of `plan_all`. Text of LLVM, not yet in SSA form.
PreparedModule prepare_text(const std::string& text);

/// Every governor of every function with its region, whatever the region accesses; ins and outs by definition:
/// variables from outside used inside, values from inside used outside, all arguments of destinations.
std::vector<RegionPlan> plan_all(const program::Program& program);

/// What LLVM's verifier has to say about the module and its debug information; empty if it is valid.
std::string problems(const llvm::Module& module);

/// Makes the instrumenter's part, as if every live-in were symbolic: every choice asks the runtime.
void ask_host(PreparedModule& prepared, std::vector<PlainRegion>& regions);

/// A module as machine code in this process. Names that it does not define come from `symbols`.
class Native {
 public:
  Native(const llvm::Module& module, const std::vector<std::pair<std::string, void*>>& symbols);

  template <typename Function>
  Function* find(const std::string& name) const {
    return reinterpret_cast<Function*>(address(name));
  }

 private:
  std::uintptr_t address(const std::string& name) const;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

/// How the runtime chooses, and what it was asked.
struct Choices {
  enum class Way { Path, Plain, Random } way = Way::Path;
  std::uint64_t state = 1;
  std::vector<std::uint32_t> visits;  ///< by region
};
Choices& choices();
/// The host's side of ask_host().
std::vector<std::pair<std::string, void*>> runtime_symbols();

}  // namespace plumb::instrument::test
