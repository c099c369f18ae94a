#include "result/defect/defect_fingerprint.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

std::vector<std::string> prints(const std::vector<Defect>& defects, const SampleProgram& program) {
  SourceLines sources(program.path());
  return fingerprints(defects, sources);
}

TEST(Fingerprints, StayWhenLinesMove) {
  const SampleProgram program;
  std::vector<Defect> defects = {SampleProgram::double_free(), SampleProgram::bad_index(), SampleProgram::leak()};
  const auto before = prints(defects, program);
  program.write("list.c", std::string("/* new */\n\n") + SampleProgram::kList);
  for (Defect& defect : defects)
    if (defect.place.file == "list.c") defect.place.line += 2;
  defects[0].place.column = 7;
  EXPECT_EQ(prints(defects, program), before);
}

TEST(Fingerprints, DifferByKindFileFunctionAndText) {
  const SampleProgram program;
  std::vector<Defect> defects(6, SampleProgram::double_free());
  defects[1].kind = "use-after-free";
  defects[2].place.file = "main file.c";
  defects[3].function = "main";
  defects[4].place.line = 3;
  const auto all = prints(defects, program);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size()) << "the first and the last are told apart by order";
}

TEST(Fingerprints, OfEqualLinesGoByTheirOrderInTheFileNotInTheReport) {
  const SampleProgram program;
  program.write("two.c", "free(p);\nfree(p);\n");
  std::vector<Defect> defects(2, SampleProgram::double_free());
  defects[0].place = {"two.c", 1, 1};
  defects[1].place = {"two.c", 2, 1};
  const auto forward = prints(defects, program);
  std::swap(defects[0], defects[1]);
  const auto backward = prints(defects, program);
  EXPECT_EQ(forward[0], backward[1]);
  EXPECT_EQ(forward[1], backward[0]);
  EXPECT_NE(forward[0], forward[1]);
}

}  // namespace
}  // namespace plumb::result
