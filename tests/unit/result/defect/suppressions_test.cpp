#include "result/defect/suppressions.h"

#include <gtest/gtest.h>

#include "result/defect/defect_kinds.h"
#include "unit/result/defect/sample_defects.h"

namespace plumb::result {
namespace {

class SuppressionsTest : public ::testing::Test {
 protected:
  Suppressions read(const std::string& patterns) const {
    program_.write("known.txt", patterns);
    Suppressions suppressions;
    suppressions.read(program_.path() / "known.txt");
    return suppressions;
  }
  bool is_suppressed(const std::string& pattern, const Defect& defect) {
    Suppressions suppressions = read(pattern + "\n");
    return suppressions.find(defect, sources_).has_value();
  }
  /// "line: message (hint)" of the error that the patterns make.
  std::string error_of(const std::string& patterns) const {
    try {
      read(patterns);
    } catch (const UserError& error) {
      return std::to_string(error.location().line) + ": " + error.message() + " (" + error.hint() + ")";
    }
    return "none";
  }

  SampleProgram program_;
  SourceLines sources_{program_.path()};
};

TEST_F(SuppressionsTest, PatternsNameAFileALineOrAFunction) {
  const Defect defect = SampleProgram::double_free();  // list.c:4, clear()
  for (const char* pattern : {"double-free:list.c", "double-free:list.c:4", "*:list.c", "double-free:clear", "*:cl*r",
                              "*:*", " double-free : l?st.c ", "*:./list.c", "double-free:*.c:4", "*:[lm]ist.c"})
    EXPECT_TRUE(is_suppressed(pattern, defect)) << pattern;
  for (const char* pattern : {"double-free:list.c:5", "leak:list.c", "*:list", "*:main", "*:main.c", "*:ist.c",
                              "*:list.c.h", "double-free:cle", "*:free", "*:/list.c", "*:x/list.c"})
    EXPECT_FALSE(is_suppressed(pattern, defect)) << pattern;
}

TEST_F(SuppressionsTest, AFileIsOneFromAnyDirectoryOn) {
  Defect defect = SampleProgram::double_free();
  defect.place.file = "/home/me/vendor/zip/inflate.c";
  for (const char* pattern : {"*:vendor/*", "*:inflate.c", "*:zip/inflate.c", "*:/home/*", "*:*/zip/*"})
    EXPECT_TRUE(is_suppressed(pattern, defect)) << pattern;
  for (const char* pattern : {"*:/vendor/*", "*:endor/*", "*:vendor/inflate.c", "*:zip/"})
    EXPECT_FALSE(is_suppressed(pattern, defect)) << pattern;
}

TEST_F(SuppressionsTest, CallersDoNotCount) {
  EXPECT_FALSE(is_suppressed("double-free:main", SampleProgram::double_free()));
  EXPECT_FALSE(is_suppressed("*:main file.c", SampleProgram::double_free()));
}

TEST_F(SuppressionsTest, CommentsAndEmptyLinesAreNoPatterns) {
  Suppressions suppressions = read("# all of it\n\n   \t\nleak:list.c  # made by hand\r\n");
  const auto found = suppressions.find(SampleProgram::leak(), sources_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->by.line, 4U);
  EXPECT_EQ(found->text, "leak:list.c");
  EXPECT_FALSE(found->is_in_source);
  EXPECT_TRUE(suppressions.notes().empty());
}

TEST_F(SuppressionsTest, BadLinesAreErrorsWithPlaceAndRemedy) {
  EXPECT_EQ(error_of("leak:a.c\ndouble-fre:b.c\n"),
            "2: 'double-fre' is no kind of defect (did you mean 'double-free'?)");
  EXPECT_NE(error_of("nonsense:b.c\n").find("the kinds are * (all) and array-out-of-bounds"), std::string::npos);
  EXPECT_NE(error_of("\n\nleak\n").find("3: 'leak' is no pattern of defects: it has no ':' (write KIND:FILE"),
            std::string::npos);
  EXPECT_NE(error_of("leak:\n").find("names no file and no function"), std::string::npos);
  EXPECT_NE(error_of("leak::3\n").find("names no file and no function"), std::string::npos);
  EXPECT_NE(error_of("leak:a.c:0\n").find("'0' is no number of a line"), std::string::npos);
  EXPECT_NE(error_of("leak:a.c:12x\n").find("'12x' is no number of a line"), std::string::npos);
  EXPECT_NE(error_of("leak:a.c:99999999999\n").find("is no number of a line"), std::string::npos);
  EXPECT_NE(error_of(":a.c\n").find("'' is no kind of defect"), std::string::npos);
  EXPECT_EQ(error_of("*:std::sort\n"), "none");
}

TEST_F(SuppressionsTest, AFileThatCannotBeReadIsAnError) {
  Suppressions suppressions;
  EXPECT_THROW(suppressions.read(program_.path() / "missing.txt"), UserError);
  EXPECT_THROW(suppressions.read(program_.path()), UserError);
}

TEST_F(SuppressionsTest, PatternsWithoutUseAreTold) {
  Suppressions suppressions = read("leak:list.c\nleak:other.c\n*:make\n");
  EXPECT_TRUE(suppressions.find(SampleProgram::leak(), sources_));
  const std::vector<std::string> notes = suppressions.notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("known.txt:2: the suppression 'leak:other.c' matched no defect"), std::string::npos);
}

TEST_F(SuppressionsTest, ACommentOnTheLineSuppressesTheKindsThatItNames) {
  Suppressions suppressions;
  Defect defect = SampleProgram::double_free();  // the line says ignore(leak)
  EXPECT_FALSE(suppressions.find(defect, sources_));
  defect.kind = "leak";
  const auto found = suppressions.find(defect, sources_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_in_source);
  EXPECT_EQ(found->by.to_string(), "list.c:4");
  defect.place.line = 3;
  EXPECT_FALSE(suppressions.find(defect, sources_)) << "another line";
}

TEST_F(SuppressionsTest, ACommentWithAnUnknownKindIsANote) {
  program_.write("typo.c", "free(p); // plumb: ignore(duble-free)\n");
  Suppressions suppressions;
  Defect defect = SampleProgram::double_free();
  defect.place = {"typo.c", 1, 1};
  EXPECT_FALSE(suppressions.find(defect, sources_));
  EXPECT_FALSE(suppressions.find(defect, sources_));
  ASSERT_EQ(suppressions.notes().size(), 1U);
  EXPECT_NE(suppressions.notes()[0].find("typo.c:1: the comment names 'duble-free'"), std::string::npos);
}

TEST(IgnoredKinds, AreReadFromComments) {
  using Kinds = std::vector<std::string>;
  EXPECT_EQ(ignored_kinds("free(p); /* plumb: ignore(leak) */"), Kinds{"leak"});
  EXPECT_EQ(ignored_kinds("free(p); // plumb: ignore(leak, double-free)"), (Kinds{"leak", "double-free"}));
  EXPECT_EQ(ignored_kinds("x; /* why not */ y; /*plumb:ignore( all )*/"), Kinds{"all"});
  EXPECT_EQ(ignored_kinds("// it is fine; plumb: ignore (leak) and plumb: ignore(abort)"), (Kinds{"leak", "abort"}));
  EXPECT_EQ(ignored_kinds("int n = 1'000'000; // plumb: ignore(leak)"), Kinds{"leak"});
  EXPECT_EQ(ignored_kinds("c = '\"'; d = L'/'; // plumb: ignore(leak)"), Kinds{"leak"});
}

TEST(IgnoredKinds, AreNotReadFromAnythingElse) {
  for (const char* line :
       {"puts(\"/* plumb: ignore(all) */\");", "puts(\"\\\" // plumb: ignore(all)\");", "plumb: ignore(all);",
        "// plumb ignore(all)", "// plumb: ignore(all", "// plumb: ignored(all)", "/* plumb: ignore() */", "",
        "x = '\\''; y = \"// plumb: ignore(all)\";"})
    EXPECT_TRUE(ignored_kinds(line).empty()) << line;
}

TEST(DefectKinds, AreKnownByTheirNameAndHaveHelp) {
  for (const DefectKind& kind : defect_kinds()) {
    EXPECT_EQ(find_kind(kind.id), &kind);
    EXPECT_TRUE(kind.meaning.ends_with('.') && kind.remedy.ends_with('.') && !kind.title.empty()) << kind.id;
  }
  EXPECT_EQ(find_kind("out-of-bounds"), nullptr);
}

}  // namespace
}  // namespace plumb::result
