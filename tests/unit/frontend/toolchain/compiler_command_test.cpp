#include "frontend/toolchain/compiler_command.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "frontend/compile.h"

namespace plumb::frontend {
namespace {

using Goal = CompilerCommand::Goal;
using Role = CompilerCommand::Role;
using Texts = std::vector<std::string>;

CompilerCommand parse(const std::string& text) { return parse_compiler_command(split_command(text)); }

TEST(CompilerCommand, GoalIsWhatTheCompilerWouldMake) {
  EXPECT_EQ(parse("-c a.c").goal, Goal::Object);
  EXPECT_EQ(parse("a.c b.o -o prog").goal, Goal::Link);
  EXPECT_EQ(parse("-shared -o libx.so a.o").goal, Goal::Link);
  for (const char* other :
       {"", "--version", "-v", "-E a.c", "-S a.c", "-M a.c", "-MM a.c", "-fsyntax-only a.c", "-print-prog-name=ld",
        "-print-search-dirs", "-dumpmachine", "-c -x c -", "-c -emit-llvm a.c"})
    EXPECT_EQ(parse(other).goal, Goal::Other) << other;
}

TEST(CompilerCommand, DependencyFlagsDoNotMakeItADependencyRun) {
  const CompilerCommand command = parse("-MD -MP -MF .deps/a.Tpo -MT a.o -c -o a.o a.c");
  EXPECT_EQ(command.goal, Goal::Object);
  EXPECT_EQ(command.with_roles({Role::Dependency}), (Texts{"-MD", "-MP", "-MF", ".deps/a.Tpo", "-MT", "a.o"}));
}

TEST(CompilerCommand, HeadersAreNotObjects) {
  EXPECT_EQ(parse("-x c-header all.h -o all.h.pch").goal, Goal::Other);
  EXPECT_EQ(parse("all.h").goal, Goal::Other);
}

TEST(CompilerCommand, SourcesAreFoundAmongFlagsWithValues) {
  const CompilerCommand command =
      parse("-I inc -D x.c -include pre.c -o out.c main.c lib.a util.S more.cc -L lib -l m");
  EXPECT_EQ(command.with_roles({Role::Source}), (Texts{"main.c", "more.cc"}));
  EXPECT_EQ(command.with_roles({Role::File}), Texts{"lib.a"});
  EXPECT_EQ(command.with_roles({Role::Assembler}), Texts{"util.S"});
  EXPECT_EQ(command.with_roles({Role::Linking}), (Texts{"-L", "lib", "-l", "m"}));
  EXPECT_EQ(command.output, "out.c");
}

TEST(CompilerCommand, LanguageIsWhatXSays) {
  EXPECT_EQ(parse("-c -x c source.txt").with_roles({Role::Source}), Texts{"source.txt"});
  EXPECT_EQ(parse("-c -xassembler-with-cpp start.c").with_roles({Role::Source}), Texts{});
  EXPECT_EQ(parse("-x c a.txt -x none b.txt").with_roles({Role::Source}), Texts{"a.txt"});
}

TEST(CompilerCommand, EverySourceHasTheLanguageThatIsInForceThere) {
  const CompilerCommand command = parse("-DX -x c a.txt -x c++ b.txt -x none c.c");
  ASSERT_EQ(command.words.size(), 10u);
  EXPECT_EQ(command.meaning_of(command.words[3], false), (Texts{"-x", "c", "-DX"}));
  EXPECT_EQ(command.meaning_of(command.words[6], false), (Texts{"-x", "c++", "-DX"}));
  EXPECT_EQ(command.meaning_of({"c.c", Role::Source, "none"}, false), Texts{"-DX"});
  EXPECT_EQ(command.meaning_of({"c.c", Role::Source, ""}, true), (Texts{"-x", "c++", "-DX"}));
}

TEST(CompilerCommand, WordsAfterTheEndOfFlagsAreFiles) {
  const CompilerCommand command = parse("-c -- -odd.c");
  EXPECT_EQ(command.goal, Goal::Object);
  EXPECT_EQ(command.with_roles({Role::Source}), Texts{"-odd.c"});
}

TEST(CompilerCommand, LeaveToDoWhatTheLanguageForbidsIsMeaning) {
  EXPECT_EQ(parse("-Wall -Wno-implicit-function-declaration -Werror -c a.c").with_roles({Role::Meaning}),
            Texts{"-Wno-implicit-function-declaration"});
}

TEST(CompilerCommand, OptimisationByTheLinkerIsTold) {
  EXPECT_EQ(parse("-O2 -flto=auto -ffat-lto-objects -c a.c").with_roles({Role::LinkTime}),
            (Texts{"-flto=auto", "-ffat-lto-objects"}));
}

TEST(CompilerCommand, WordSizeIsTheLastOneAskedFor) {
  EXPECT_EQ(parse("-c a.c").word_size(), 64u);
  EXPECT_EQ(parse("-m64 -m32 -c a.c").word_size(), 32u);
}

TEST(CompilerCommand, MeaningIsLeftWhenTuningGoes) {
  const CompilerCommand command = parse(
      "-O2 -g3 -Wall -Werror -std=c11 -DX=1 -fPIC -flto -fsanitize=address -pipe -I. -funsigned-char -pthread -m32 -c "
      "a.c");
  EXPECT_EQ(command.with_roles({Role::Meaning}),
            (Texts{"-std=c11", "-DX=1", "-fPIC", "-I.", "-funsigned-char", "-pthread", "-m32"}));
}

TEST(CompilerCommand, ObjectsAreNamedAsTheCompilerNamesThem) {
  EXPECT_EQ(parse("-c dir/a.c").object_of("dir/a.c"), "a.o");
  EXPECT_EQ(parse("-c a.c -o build/x.lo").object_of("a.c"), "build/x.lo");
  EXPECT_EQ(parse("-c a.c -obuild/y.o").object_of("a.c"), "build/y.o");
}

TEST(CompilerCommand, ResponseFilesArePutIn) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "args").string();
  write_file(file, "-c 'my file.c'\n-DX");
  const CompilerCommand command = parse_compiler_command({"@" + file, "-DY"});
  EXPECT_EQ(command.with_roles({Role::Source}), Texts{"my file.c"});
  EXPECT_EQ(command.with_roles({Role::Meaning}), (Texts{"-DX", "-DY"}));
  EXPECT_EQ(parse("@missing -c a.c").with_roles({Role::File}), Texts{"@missing"});
}

}  // namespace
}  // namespace plumb::frontend
