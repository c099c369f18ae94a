#include "result/defect/defect_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

TEST(DefectJson, HasAllThatIsKnown) {
  Defect defect = SampleProgram::double_free();
  defect.suppressed.emplace(SourceLocation{"known.txt", 3, 0}, false, "double-free:list.c");
  const nlohmann::ordered_json object = to_json(defect);
  EXPECT_EQ(object["kind"], "double-free");
  EXPECT_EQ(object["file"], "list.c");
  EXPECT_EQ(object["line"], 4);
  EXPECT_EQ(object["column"], 3);
  EXPECT_EQ(object["stack"].size(), 3U);
  EXPECT_EQ(object["stack"][0]["library"], true);
  EXPECT_EQ(object["object"]["size"], 20);
  EXPECT_EQ(object["object"]["allocated"]["function"], "make") << "the user's call, not the library's";
  EXPECT_EQ(object["object"]["allocated_stack"].size(), 2U);
  EXPECT_EQ(object["object"]["freed"]["line"], 3);
  EXPECT_EQ(object["suppressed"]["text"], "double-free:list.c");
  EXPECT_EQ(object["suppressed"]["line"], 3);
  EXPECT_EQ(object["failing_inputs"][0]["value"], 7);
  EXPECT_EQ(object["test"], "out/errors/error-001.json");
  EXPECT_FALSE(object.contains("access"));
}

TEST(DefectJson, HasTheAccessAndItsOffsetInTheObject) {
  const nlohmann::ordered_json object = to_json(SampleProgram::bad_index());
  EXPECT_EQ(object["access"].dump(), R"({"kind":"write","offset":28,"size":4})");
  EXPECT_EQ(object["object"]["offset"], 28);
  EXPECT_EQ(object["confirmed_by"], "native replay: SIGSEGV");
}

TEST(DefectJson, IsTextWhateverBytesNamesHave) {
  Defect defect = SampleProgram::bad_index();
  defect.place.file = "\xff.c";
  defect.function = "\xfe";
  defect.message = "\xc3";
  defect.object->name = "\x80";
  EXPECT_NO_THROW(static_cast<void>(to_json(defect).dump()));
}

}  // namespace
}  // namespace plumb::result
