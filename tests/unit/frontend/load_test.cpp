#include "frontend/load.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/compile.h"

namespace plumb::frontend {

using program::Edge;
using program::Function;
using program::Instruction;
using program::Kind;
using program::kNone;
using program::ValueId;
using program::ValueKind;
namespace {

/// Files of a program in a directory of their own.
class LoadTest : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = directory_.path() / name;
    write_file(path, text);
    return path.string();
  }
  /// Compiles with clang as a user would.
  std::string bitcode(const std::string& source, const std::string& name, std::vector<std::string> flags) const {
    const std::string path = (directory_.path() / name).string();
    std::vector<std::string> command = {"clang-19", "-emit-llvm", "-c", source, "-o", path};
    command.insert(command.end(), flags.begin(), flags.end());
    EXPECT_EQ(run_process(command, {}, {}).code, 0);
    return path;
  }
  static Program load(std::vector<std::string> files, LoadOptions options = {}) {
    options.files = std::move(files);
    return load_program(options, {});
  }
  static std::string message(std::vector<std::string> files, LoadOptions options = {}) {
    try {
      load(std::move(files), std::move(options));
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }
  static std::size_t count(const Function& function, Kind kind) {
    return static_cast<std::size_t>(
        std::ranges::count_if(function.instructions, [&](const Instruction& i) { return i.kind == kind; }));
  }
  static const Function& function(const Program& program, std::string_view name) {
    return program.functions.at(program.find_function(name).value());
  }
  std::string path() const { return directory_.path().string(); }

 private:
  TemporaryDirectory directory_;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_F(LoadTest, LinksFilesAndFindsTheEntry) {
  const Program program = load({write("a.c", "int f(int); int main(void) { return f(2); }"),
                                write("b.c", "int f(int x) { return x + OFFSET; }")},
                               {.compiler_flags = {"-DOFFSET=40"}});
  ASSERT_NE(program.entry, kNone);
  EXPECT_EQ(program.functions[program.entry].name, "main");
  EXPECT_TRUE(function(program, "f").has_body());
  EXPECT_EQ(program.layout.pointer_width, 64u);
}

TEST_F(LoadTest, KeepsEveryBranchOfTheSourceAndPromotesVariables) {
  const std::string source = write("a.c", "int main(void) { int z = 0; if (z) return 1; else return 2; }");
  const Program plain = load({source});
  EXPECT_EQ(count(function(plain, "main"), Kind::Branch), 1u);
  EXPECT_EQ(count(function(plain, "main"), Kind::Allocate), 0u);
  EXPECT_EQ(count(function(plain, "main"), Kind::Load), 0u);
  EXPECT_EQ(count(function(load({source}, {.optimisation = 2}), "main"), Kind::Branch), 0u);
}

TEST_F(LoadTest, AWriteToNullStaysAWrite) {
  const Program program = load({write("a.c", "int main(void) { int *p = 0; *p = 1; return 0; }")});
  EXPECT_EQ(count(function(program, "main"), Kind::Store), 1u);
}

TEST_F(LoadTest, AVariableThatOnePathLeavesUnsetIsUndefinedThere) {
  const Program program =
      load({write("a.c", "int main(int c, char **v) { int x = 5, *p; if (c) p = &x; return *p; }")});
  const Function& f = function(program, "main");
  const auto is_undefined = [&](ValueId value) { return f.values[value].kind == ValueKind::Undefined; };
  EXPECT_TRUE(std::ranges::any_of(
      f.edges, [&](const Edge& edge) { return std::ranges::any_of(f.arguments_of(edge), is_undefined); }));
}

TEST_F(LoadTest, DefinitionsOfTheUserWinOverModels) {
  const std::string caller = write("a.c",
                                   "#include <string.h>\nint main(int c, char **v) {"
                                   " return (int)strlen(v[0]) + strcmp(v[0], \"x\"); }");
  const Program without = load({caller});
  EXPECT_TRUE(function(without, "strlen").is_model);
  EXPECT_TRUE(function(without, "strlen").has_body());
  const Program with = load({caller, write("b.c", "unsigned long strlen(const char *s) { return 7; }")});
  EXPECT_FALSE(function(with, "strlen").is_model);
  EXPECT_TRUE(function(with, "strcmp").is_model);
  EXPECT_FALSE(function(with, "main").is_model);
  EXPECT_FALSE(function(load({caller}, {.link_models = false}), "strlen").has_body());
}

TEST_F(LoadTest, WordSizeIsTheOneAskedForOrThatOfTheBitcode) {
  const std::string source = write("a.c", "int f(void) { return 1; } int main(void) { return sizeof(void *); }");
  EXPECT_EQ(load({source}, {.word_size = 32}).layout.pointer_width, 32u);
  const std::string narrow = bitcode(write("b.c", "int g(void) { return 2; }"), "b32.bc", {"-m32"});
  EXPECT_EQ(load({source, narrow}).layout.pointer_width, 32u);
  EXPECT_TRUE(has(message({source, narrow}, {.word_size = 64}), "b32.bc: error: this is 32-bit code"));
  const std::string wide = bitcode(source, "a64.bc", {"-m64"});
  EXPECT_TRUE(has(message({narrow, wide}), "a64.bc: error: this is 64-bit code"));
}

TEST_F(LoadTest, ReadsBitcodeAndAssembly) {
  const std::string source = write("a.c", "int main(void) { return 0; }");
  EXPECT_NE(load({bitcode(source, "a.bc", {})}).entry, kNone);
  EXPECT_NE(load({bitcode(source, "a.ll", {"-S"})}).entry, kNone);
  EXPECT_NE(load({write("bare.ll", "define i32 @main() {\n  ret i32 7\n}\n")}).entry, kNone);
  EXPECT_TRUE(has(message({write("bad.ll", "define i32 @main() {\n  ret i33 7\n}\n")}), "bad.ll:2:7: error: "));
}

TEST_F(LoadTest, FilesThatAreNoProgramsAreRefusedByName) {
  EXPECT_TRUE(has(message({path() + "/missing.c"}), "missing.c: error: there is no such file"));
  EXPECT_TRUE(has(message({path()}), "error: this is a directory"));
  EXPECT_TRUE(has(message({write("empty.c", "")}), "empty.c: error: the file is empty"));
  EXPECT_TRUE(has(message({write("empty.bc", "")}), "empty.bc: error: the file is empty"));
  EXPECT_TRUE(has(message({write("song.mp3", "x")}), ".c, .i, .cpp"));
  EXPECT_TRUE(has(message({write("no.bc", "hello")}), "no.bc: error: this is not LLVM bitcode"));
  EXPECT_TRUE(has(message({}), "no program was given"));
}

TEST_F(LoadTest, ShowsDiagnosticsOfTheCompilerWithTheFirstPlace) {
  const std::string text =
      message({write("good.c", "int f(void) { return 0; }"), write("bad.c", "int main(void) {\n  return x;\n}\n")});
  EXPECT_TRUE(text.starts_with(path() + "/bad.c:2:10: error: clang-19 cannot compile this file:\n")) << text;
  EXPECT_TRUE(has(text, "use of undeclared identifier 'x'")) << text;
  EXPECT_TRUE(has(message({write("c.c", "#include \"nowhere.h\"\n")}), "c.c:1:10: error: "));
}

TEST_F(LoadTest, ASymbolThatIsDefinedTwiceIsNamedWithBothPlaces) {
  const std::string text =
      message({write("a.c", "int main(void) { return 0; }"), write("b.c", "\nint main(void) { return 1; }")});
  EXPECT_TRUE(has(text, "/b.c:2: error: 'main' is defined twice; the other definition is in ")) << text;
  EXPECT_TRUE(has(text, "/a.c:1")) << text;
}

TEST_F(LoadTest, AMissingEntryIsReportedWithTheNearestNames) {
  const std::string source = write("a.c", "int start(void) { return 0; } int other(void) { return 1; }");
  EXPECT_TRUE(has(message({source}), "there is no function 'main'"));
  const std::string text = message({source}, {.entry = "strat"});
  EXPECT_TRUE(has(text, "--entry FUNCTION; there are: start, other")) << text;
  EXPECT_EQ(load({source}, {.entry = ""}).entry, kNone);
  const std::string mangled = write("b.cpp", "namespace n { int f(int x) { return x; } }");
  const Program program = load({mangled}, {.entry = "n::f"});
  EXPECT_EQ(program.functions.at(program.entry).name, "_ZN1n1fEi");
}

TEST_F(LoadTest, BitcodeCutAnywhereIsRefused) {
  const std::string whole =
      read_file(bitcode(write("a.c", "int main(int c, char **v) { return c > 1 ? 3 : 4; }"), "a.bc", {"-g"}));
  for (std::size_t length = 1; length < whole.size(); length += whole.size() / 100) {
    const std::string text = message({write("cut.bc", std::string_view(whole).substr(0, length))});
    EXPECT_TRUE(has(text, "cut.bc: error: ")) << length << ": " << text;
  }
}

TEST_F(LoadTest, OtherTargetsAreRefusedByName) {
  const std::string source = write("a.c", "int main(void) { return 0; }");
  const std::string text = message({bitcode(source, "arm.bc", {"--target=aarch64-linux-gnu"})});
  EXPECT_TRUE(has(text, "'aarch64-unknown-linux-gnu'")) << text;
  EXPECT_TRUE(has(text, "plumb serve")) << text;
}

TEST_F(LoadTest, ACompilationDatabaseIsAProgram) {
  write("a.c", "#include \"h.h\"\nint f(int); int main(void) { return f(X) + sizeof(TEXT); }");
  write("b.c", "int f(int x) { return x; }");
  std::filesystem::create_directory(path() + "/include");
  write("include/h.h", "#define X 3\n");
  const std::string commands = write(
      "compile_commands.json",
      R"([{"directory": ".", "command": "gcc -O2 -Iinclude '-DTEXT=\"a b\"' -MD -MF x.d -o a.o -c a.c", "file": "a.c"},)"
      R"( {"directory": ".", "arguments": ["cc", "-Werror", "-ob.o", "-c", "b.c"], "file": "b.c"}])");
  const Program program = load({commands});
  EXPECT_TRUE(function(program, "f").has_body());
  EXPECT_TRUE(has(message({write("x.json", "[\n{]")}), "x.json:2:2: error: this is not JSON"));
  EXPECT_TRUE(has(message({write("y.json", R"([{"file": "a.c"}])")}), "entry 1: no text \"directory\""));
}

TEST(SplitCommand, TakesAWordsApartLikeAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split_command("cc  -c\ta.c"), (Words{"cc", "-c", "a.c"}));
  EXPECT_EQ(split_command(R"(a 'b c' "d \" \n e" f\ g '' "")"), (Words{"a", "b c", "d \" \\n e", "f g", "", ""}));
  EXPECT_EQ(split_command(R"(-DX='"y"' -D"Z"=1)"), (Words{"-DX=\"y\"", "-DZ=1"}));
  EXPECT_EQ(split_command(""), Words{});
}

TEST(NearestNames, PutsTheMostSimilarFirst) {
  EXPECT_EQ(nearest_names({"alpha", "main_loop", "mian", "man"}, "main", 2), (std::vector<std::string>{"man", "mian"}));
}

}  // namespace
}  // namespace plumb::frontend
