#include "prove/engine.h"

#include <gtest/gtest.h>

#include <set>

#include "base/subprocess.h"
#include "unit/prove/known_systems.h"
#include "unit/result/engine_table.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

std::string only_name(const Engine& engine) {
  return engine.info.argument.empty() ? std::string(engine.info.name) : std::string(engine.info.by_default.front());
}

class EveryEngine : public testing::TestWithParam<const Engine*> {};
INSTANTIATE_TEST_SUITE_P(Of, EveryEngine, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& parameter) {
                           std::string name(parameter.param->info.name);
                           std::erase_if(name, [](char c) { return c == ' ' || c == '-'; });
                           return name;
                         });

TEST_P(EveryEngine, SaysNothingThatItsListDenies) {
  const Engine& engine = *GetParam();
  if (!engine.info.program.empty() && !find_program(engine.info.program)) GTEST_SKIP() << "its program is missing";
  Options options;
  options.engines = {only_name(engine)};
  options.max_bound = 12;
  for (const System& system : {counter(4, 9, 12), counter(4, 9, 5), fifo(2, true), fifo(2, false)}) {
    const Result result = prove(system, 0, Budget().with_timeout(20s), options);
    EXPECT_EQ(result.engine, options.engines.front());
    EXPECT_TRUE(engine.info.can_hold || result.verdict != Verdict::Holds);
    EXPECT_TRUE(engine.info.can_bound || result.verdict != Verdict::HoldsUpTo);
    EXPECT_TRUE(engine.info.can_violate || result.verdict != Verdict::Violated);
  }
}

TEST(Engines, AreInTheDocument) { result::expect_documented(engines(), "proving.md"); }

TEST(Engines, AllPortfoliosAreOfEnginesThatThereAre) {
  for (const std::vector<std::string>& names : {engines().defaults(), machine_engines()}) {
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const std::string& name : names) {
      const Engine& engine = engines().find(name);
      if (engine.check != nullptr) engine.check(name);
    }
  }
}

TEST(Engines, PathsIsTheFormerNameOfPathBmc) {
  Options options;
  options.engines = {"paths"};
  const Result result = prove(counter(4, 9, 5), 0, Budget().with_timeout(20s), options);
  EXPECT_EQ(result.engine, "path-bmc");
  EXPECT_EQ(result.notes, std::vector<std::string>{"the engine 'paths' is called 'path-bmc' now"});
}

}  // namespace
}  // namespace plumb::prove
