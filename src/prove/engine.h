#pragma once

#include <array>
#include <string_view>

#include "prove/problem.h"
#include "prove/prove.h"
#include "result/engine_list.h"

namespace plumb::prove {

class SharedAbcSession;  // abc_session.h

/// The nice level of all engines after the first seconds.
inline constexpr int kLaterPriority = 8;

/// What an engine gets when it runs beside others.
struct EngineTask {
  Problem& problem;  ///< of the engine's form; its own
  const Budget& budget;
  const Options& options;
  std::string_view name;  ///< as it was chosen, with its argument
  bool is_alone = false;
  SharedAbcSession* abc = nullptr;  ///< of engines that need it
};

/// Engines run in a thread of their own and may throw: what they throw costs their own answers, unless it is a bug.
struct Engine {
  result::EngineInfo info;
  Problem::Form form = Problem::Form::Arrays;
  /// Nice level of the first seconds, 0 for who decides most in a moment, kLaterPriority for who should be last: there
  /// may be fewer cores than engines.
  int priority = 0;
  /// Runs on EngineTask::abc, which is made if an engine needs it.
  bool needs_abc = false;
  /// As EngineInfo::by_default, but of machine_engines().
  std::array<std::string_view, 2> for_machines{};
  Result (*run)(const EngineTask& task) = nullptr;
  /// Of engines with an argument: throws UserError if it is none.
  void (*check)(std::string_view name) = nullptr;
};

// A line an engine, in the order in which they are listed. Engine NAME_engine stands beside its code.
#define PLUMB_PROVE_ENGINES(X) \
  X(bmc)                       \
  X(bmc_split)                 \
  X(path_bmc)                  \
  X(k_induction)               \
  X(guess)                     \
  X(modes)                     \
  X(abc)

#define PLUMB_DECLARE_ENGINE(name) extern const Engine name##_engine;
PLUMB_PROVE_ENGINES(PLUMB_DECLARE_ENGINE)
#undef PLUMB_DECLARE_ENGINE

const result::EngineList<Engine>& engines();

}  // namespace plumb::prove
