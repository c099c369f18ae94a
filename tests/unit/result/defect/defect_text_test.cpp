#include "result/defect/defect_text.h"

#include <gtest/gtest.h>

#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

TEST(DefectText, HasKindAndPlaceFirstThenStacksObjectInputAndCommand) {
  const SampleProgram program;
  SourceLines sources(program.path());
  EXPECT_EQ(to_text(SampleProgram::double_free(), sources),
            "defect: double-free at list.c:4:3 in clear: second free of a heap object of 20 bytes\n"
            "    #0 free (library)\n"
            "    #1 clear list.c:4:3\n"
            "         free(p);  /* plumb: ignore(leak) */\n"
            "    #2 main main file.c:2:12\n"
            "         int main(void) { char *s = \"héhé\"; a[7] = 1; return *s; }\n"
            "  20-byte heap object allocated here:\n"
            "    #0 malloc (library)\n"
            "    #1 make list.c:7:9\n"
            "         return malloc(20);\n"
            "  freed here:\n"
            "    #0 clear list.c:3:3\n"
            "         free(p);\n"
            "    #1 main main file.c:2:12\n"
            "         int main(void) { char *s = \"héhé\"; a[7] = 1; return *s; }\n"
            "  confirmed by the interpreter, which checks every access; shortest failing input (1 value), in "
            "out/errors/error-001.json:\n"
            "    n = 7\n"
            "  to see it again: plumb run list.c --input out/errors/error-001.json\n");
}

TEST(DefectText, SaysWhereAPointerWasLostAndThatAnotherDefectWasBefore) {
  const SampleProgram program;
  SourceLines sources(program.path());
  EXPECT_EQ(to_text(SampleProgram::leak(), sources),
            "defect: leak at list.c:7:9 in make: a heap object of 20 bytes is never freed\n"
            "  20-byte heap object allocated here:\n"
            "    #0 make list.c:7:9\n"
            "         return malloc(20);\n"
            "  the last pointer to it is lost at list.c:5:1\n"
            "         }\n"
            "  the run had another defect before, of which this may be a consequence\n"
            "  confirmed by a native replay with checks; shortest failing input: none\n");
}

TEST(DefectText, DoesWithoutWhatIsNotKnown) {
  Defect defect;
  defect.kind = "abort";
  defect.message = "abort() is called";
  defect.note = "the interpreter has no environment variables";
  defect.shown_by = "native replay: SIGABRT";
  SourceLines sources;
  EXPECT_EQ(to_text(defect, sources),
            "defect: abort at (place not known) in ?: abort() is called\n"
            "  without a call stack: the interpreter has no environment variables\n"
            "  confirmed by a native replay (SIGABRT); shortest failing input: none\n");
}

TEST(DefectText, ShowsTheTwoEndsOfADeepStack) {
  Defect defect = SampleProgram::bad_index();
  defect.stack.assign(1000, {"f", {}});
  SourceLines sources;
  const std::string text = to_text_without_input(defect, sources);
  EXPECT_NE(text.find("#23 f (place not known)\n    … 972 more\n    #996 f "), std::string::npos) << text;
  EXPECT_NE(text.find("#999 f"), std::string::npos);
  EXPECT_EQ(text.find("#24 "), std::string::npos);
  defect.stack.resize(28);
  EXPECT_EQ(part_of_stack(defect.stack).left_out, 0U);
  EXPECT_EQ(part_of_stack(defect.stack).shown.size(), 28U);
}

}  // namespace
}  // namespace plumb::result
