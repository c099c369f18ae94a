#include "frontend/source_types.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace plumb::frontend {
namespace {

TypedProgram load(std::string_view text) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  write_file(file, text);
  LoadOptions options;
  options.files = {file};
  return load_typed_program(options, {});
}

/// "path:offset" of all scalars in the range.
std::vector<std::string> parts(const SourceTypes& types, std::string_view global, std::uint64_t offset,
                               std::uint64_t size, std::size_t limit = 100) {
  const auto found = parts_of(types, types.globals.find(global)->second.type, offset, size, limit);
  if (!found) return {"none"};
  std::vector<std::string> texts;
  for (const SourcePart& part : *found) texts.push_back(part.path + ":" + std::to_string(part.offset));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(SourceTypes, NameTheScalarsOfARange) {
  const TypedProgram typed = load(
      "typedef struct { char tag; const int key[2]; } Entry;\n"
      "struct { Entry e[3]; struct { short lo, hi; }; void *next; } g; int m[2][3]; int x; union { int i; char c; } "
      "u;\n"
      "int main(void) { return x + g.e[0].tag + m[0][0] + u.i; }\n");
  EXPECT_EQ(parts(typed.types, "x", 0, 4), (Texts{":0"}));
  EXPECT_EQ(parts(typed.types, "g", 16, 4), (Texts{".e[1].key[0]:16"}));
  EXPECT_EQ(parts(typed.types, "g", 12, 12), (Texts{".e[1].tag:12", ".e[1].key[0]:16", ".e[1].key[1]:20"}));
  EXPECT_EQ(parts(typed.types, "g", 36, 4), (Texts{".lo:36", ".hi:38"}));
  EXPECT_EQ(parts(typed.types, "g", 40, 8), (Texts{".next:40"}));
  EXPECT_EQ(parts(typed.types, "m", 16, 8), (Texts{"[1][1]:16", "[1][2]:20"}));
  EXPECT_EQ(parts(typed.types, "x", 1, 1), (Texts{"none"})) << "a scalar is cut";
  EXPECT_EQ(parts(typed.types, "m", 0, 24, 3), (Texts{"none"})) << "there are more";
  EXPECT_EQ(parts(typed.types, "u", 0, 4), (Texts{":0"})) << "a union is not looked into";
}

TEST(SourceTypes, ReadValuesAsTheirTypesDo) {
  const std::vector<std::uint8_t> ones = {0xff, 0xff, 0xff, 0xff};
  SourceType type;
  type.kind = SourceType::Kind::Signed;
  EXPECT_EQ(value_text(&type, ones), "-1");
  EXPECT_EQ(value_text(nullptr, ones), "-1");
  type.kind = SourceType::Kind::Unsigned;
  EXPECT_EQ(value_text(&type, ones), "4294967295");
  type.kind = SourceType::Kind::Pointer;
  EXPECT_EQ(value_text(&type, ones), "0xffffffff");
  EXPECT_EQ(value_text(&type, std::vector<std::uint8_t>(8)), "NULL");
  type.kind = SourceType::Kind::Float;
  EXPECT_EQ(value_text(&type, std::vector<std::uint8_t>{0, 0, 0xc0, 0xbf}), "-1.5");
  EXPECT_EQ(value_text(nullptr, std::vector<std::uint8_t>(9, 1)), "0x010101010101010101");
}

TEST(SourceTypes, SayWhichVariablesCanBeNamedAtALoop) {
  const TypedProgram typed = load(
      "int f(int p) {\n"
      "  int before = p;\n"
      "  { int inner = 1; before += inner; }\n"
      "  for (int i = 0; i < p; ++i) {\n"
      "    int body = i;\n"
      "    while (body > 0) {\n"
      "      int twice = body; body = twice - 1;\n"
      "    }\n"
      "  }\n"
      "  int after = 2;\n"
      "  { int twice = 3; after += twice; }\n"
      "  do { --after; } while (after > 0);\n"
      "  return before + after;\n"
      "}\n"
      "int main(void) { return f(3); }\n");
  std::map<std::uint32_t, SourceTypes::Loop> loops;
  for (const auto& [place, loop] : typed.types.loops) loops[loop.start.line] = loop;
  ASSERT_EQ(loops.size(), 2U) << "of `do` the head is not where its condition is";
  const auto names = [&](const SourceTypes::Loop& loop) {
    std::string all;
    for (const auto& [key, variable] : typed.types.locals)
      if (key.first == "f" && typed.types.is_in_scope(variable, loop)) all += key.second + " ";
    return all;
  };
  EXPECT_EQ(loops.at(4).start.column, 3U);
  EXPECT_EQ(names(loops.at(4)), "before p ");
  EXPECT_EQ(names(loops.at(6)), "before body i p ");
}

}  // namespace
}  // namespace plumb::frontend
