#include "result/defect/defect_set.h"

#include <gtest/gtest.h>

#include "result/defect/defect_text.h"
#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

Defect with_input(std::size_t size, bool is_after_another = false) {
  Defect defect = SampleProgram::double_free();
  defect.test.inputs = {{"s", std::vector<std::uint8_t>(size)}};
  defect.is_after_another = is_after_another;
  return defect;
}

TEST(DefectSet, KeepsOneAKindAndPlaceByPlace) {
  DefectSet set;
  Defect same_line = SampleProgram::double_free();
  same_line.place.column = 9;
  Defect other_kind = SampleProgram::double_free();
  other_kind.kind = "use-after-free";
  for (const Defect& defect : {SampleProgram::bad_index(), other_kind, SampleProgram::leak(), same_line,
                               SampleProgram::double_free(), SampleProgram::double_free()})
    set.add(defect);
  std::vector<std::string> found;
  for (const Defect& defect : set.take()) found.push_back(defect.kind + " " + defect.place.to_string());
  EXPECT_EQ(found,
            (std::vector<std::string>{"double-free list.c:4:3", "use-after-free list.c:4:3", "double-free list.c:4:9",
                                      "leak list.c:7:9", "array-out-of-bounds main file.c:2:38"}));
  EXPECT_TRUE(set.is_empty());
}

TEST(DefectSet, PrefersWhatComesFirstInItsRunThenWhatIsShorter) {
  DefectSet set;
  for (const Defect& defect : {with_input(9), with_input(4), with_input(7), with_input(1, true)}) set.add(defect);
  const std::vector<Defect> kept = set.take();
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].test.inputs[0].bytes.size(), 4U);
  EXPECT_FALSE(kept[0].is_after_another);
}

TEST(KindsText, HasALineAKindWithEachLineOfTheSourceOnce) {
  Defect second = SampleProgram::double_free();
  second.place = {"list.c", 3, 3};
  Defect same_line = second;
  same_line.place.column = 8;
  Defect unknown = second;
  unknown.kind = "new-kind";
  const Defect first = SampleProgram::double_free(), leak = SampleProgram::leak();
  const std::vector<const Defect*> all = {&leak, &first, &second, &same_line, &unknown};
  EXPECT_EQ(kinds_text(all, 14), "double-free   list.c:4, list.c:3\nleak          list.c:7\nnew-kind      list.c:3\n");
}

}  // namespace
}  // namespace plumb::result
