#include "result/defect/source_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

TEST(SourceLines, GivesEachLineOfAFileWithoutItsEnd) {
  const SampleProgram program;
  program.write("ends.c", "one\r\n\nthree");
  SourceLines lines(program.path());
  EXPECT_EQ(lines.line({"ends.c", 1, 0}), "one");
  EXPECT_EQ(lines.line({"ends.c", 2, 0}), "");
  EXPECT_EQ(lines.line({"ends.c", 3, 9}), "three");
  EXPECT_EQ(lines.line({"ends.c", 4, 0}), std::nullopt);
  EXPECT_EQ(lines.line({"ends.c", 0, 0}), std::nullopt);
}

TEST(SourceLines, HasNoLinesOfWhatIsNoReadableFile) {
  const SampleProgram program;
  program.write("empty.c", "");
  ASSERT_EQ(::mkfifo((program.path() / "pipe.c").c_str(), 0600), 0);
  SourceLines lines(program.path());
  for (const char* name : {"missing.c", "empty.c", "pipe.c", ".", "list.c/x", ""})
    EXPECT_EQ(lines.line({name, 1, 1}), std::nullopt) << name;
}

TEST(SourceLines, ShowsNoControlCharactersNorBytesThatAreNoText) {
  const SampleProgram program;
  program.write("odd.c", "\t x = \"\x1b[31m\xff\"; \n" + std::string(500, 'y') + "\n \t \n");
  SourceLines lines(program.path());
  EXPECT_EQ(lines.shown({"odd.c", 1, 1}), "x = \" [31m\xef\xbf\xbd\";");
  const auto cut = lines.shown({"odd.c", 2, 1});
  ASSERT_TRUE(cut);
  EXPECT_EQ(*cut, std::string(120, 'y') + " …");
  EXPECT_EQ(lines.shown({"odd.c", 3, 1}), std::nullopt);
}

TEST(SourceLines, CutsNoCharacterInTwo) {
  const SampleProgram program;
  std::string wide = "x";
  for (int i = 0; i < 100; ++i) wide += "\xc3\xa9";
  program.write("wide.c", wide + "\n");
  SourceLines lines(program.path());
  const auto cut = lines.shown({"wide.c", 1, 1});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->find("\xef\xbf\xbd"), std::string::npos);
  EXPECT_EQ(cut->substr(cut->size() - 6), "\xc3\xa9 …");
}

TEST(CharacterColumn, CountsCharactersNotBytes) {
  EXPECT_EQ(character_column("abc", 1), 1U);
  EXPECT_EQ(character_column("abc", 3), 3U);
  EXPECT_EQ(character_column("\xc3\xa9x", 3), 2U);
  EXPECT_EQ(character_column("\xc3\xa9", 5), 4U);  // behind the end
  EXPECT_EQ(character_column("", 1), 1U);
}

}  // namespace
}  // namespace plumb::result
