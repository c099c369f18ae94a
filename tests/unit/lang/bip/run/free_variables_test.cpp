#include "lang/bip/run/run.h"
#include "unit/lang/bip/run/models.h"

namespace plumb::bip {
namespace {

using testing::one_atom;
using testing::value;

std::vector<std::string> free_names(const Model& model) {
  std::vector<std::string> names;
  for (const VariableId v : free_variables(model)) names.push_back(model.variables[v].name);
  return names;
}

constexpr const char* kInitialActions = R"(data int set, never, early, some, both, copied
    data int given = 3
    port Sync p()
    place S
    initial to S do {
      set = 1;
      early = early + 1;
      if (set > never) { some = 1; both = 1; } else { both = 2; }
      copied = both;
    }
    on p from S to S)";

TEST(FreeVariables, AreThoseThatAreNotSetOnEveryPathBeforeTheyAreRead) {
  EXPECT_EQ(free_names(one_atom(kInitialActions)), (std::vector<std::string>{"a.never", "a.early", "a.some"}));
}

TEST(FreeVariables, ThereAreNoneIfAllAreInitialized) {
  const Model model = one_atom(kInitialActions, {.bits = 8, .initialize_variables = true, .top = {}});
  EXPECT_TRUE(free_names(model).empty());
  const std::vector<std::optional<std::int64_t>> initial(model.variables.size(), 7);
  EXPECT_EQ(value(model, bip::Run(model, initial).state(), "a.never"), 0);
  EXPECT_EQ(value(model, bip::Run(model, initial).state(), "a.given"), 3);
}

TEST(FreeVariables, StartWithWhatIsGivenAndZeroOtherwise) {
  const Model model = one_atom(kInitialActions);
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  initial[model.find_variable("a.early").value()] = 7;
  initial[model.find_variable("a.set").value()] = 9;  // has no effect
  const bip::Run run(model, initial);
  EXPECT_EQ(value(model, run.state(), "a.early"), 8);
  EXPECT_EQ(value(model, run.state(), "a.set"), 1);
  EXPECT_EQ(value(model, run.state(), "a.never"), 0);
}

}  // namespace
}  // namespace plumb::bip
