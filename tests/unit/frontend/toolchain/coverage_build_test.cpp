#include "frontend/toolchain/coverage_build.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnds = R"(#include <stdlib.h>
#include <unistd.h>
#include <signal.h>
static void last(int how) {
  if (how == 's') *(volatile int*)0 = 1;
  if (how == 'a') abort();
  if (how == 'e') _exit(3);
  if (how == 'k') raise(SIGKILL);
  if (how == 'f' && fork() == 0) { if (how == 102) _exit(0); }
}
int main(int argc, char** argv) {
  if (argc > 1) last(argv[1][0]);
  return 0;
}
)";

class CoverageBuild : public ::testing::Test {
 protected:
  fs::path file(const std::string& name, std::string_view text) {
    write_file(directory_.path() / name, text);
    return directory_.path() / name;
  }

  fs::path build(const LoadOptions& options) {
    const SourceProgram program = source_program(options, directory_.path());
    const CompiledUnits units = compile_units(program, Purpose::Coverage, UnitForm::Object, directory_.path(), {});
    EXPECT_TRUE(units.notes.empty());
    return link_units(program, Purpose::Coverage, coverage_objects(64, directory_.path(), {}), directory_.path(), {})
        .executable;
  }

  ProcessResult run(const fs::path& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {"env", "PLUMB_COUNTERS=" + (directory_.path() / "counters").string(),
                                        program.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_process(command, {}, {});
  }

  /// The lines of llvm-cov's page about a file, as "COUNT|text".
  std::string counted(const fs::path& program) {
    const std::string profile = (directory_.path() / "raw").string();
    const ProcessResult wrote = run_process({"env", "PLUMB_COUNTERS=" + (directory_.path() / "counters").string(),
                                             "PLUMB_PROFILE=" + profile, program.string()},
                                            {}, {});
    EXPECT_EQ(wrote.code, 0) << wrote.error;
    run_process({"llvm-profdata-19", "merge", profile, "-o", profile + ".data"}, {}, {});
    return run_process({"llvm-cov-19", "show", "-instr-profile=" + profile + ".data", program.string()}, {}, {}).output;
  }

  TemporaryDirectory directory_;
};

bool has_line(const std::string& page, const std::string& line) { return page.find(line) != std::string::npos; }

TEST_F(CoverageBuild, CountsOutliveEveryEndOfARun) {
  file("ends.c", kEnds);
  file("counters", "");
  const fs::path program = build({.files = {"ends.c"}});
  EXPECT_EQ(run(program, {"s"}).code, SIGSEGV);
  EXPECT_EQ(run(program, {"a"}).code, SIGABRT);
  EXPECT_EQ(run(program, {"e"}).code, 3);
  EXPECT_EQ(run(program, {"k"}).code, SIGKILL);
  EXPECT_EQ(run(program, {}).code, 0);
  const std::string page = counted(program);
  EXPECT_TRUE(has_line(page, "    4|      4|static void last(int how) {")) << page;
  EXPECT_TRUE(has_line(page, "   11|      5|int main(int argc, char** argv) {")) << page;
}

TEST_F(CoverageBuild, CountsAreThoseOfTheCompilersOwnRuntime) {
  file("ends.c", kEnds);
  file("counters", "");
  const fs::path program = build({.files = {"ends.c"}});
  const std::string plain = (directory_.path() / "plain").string();
  const std::string raw = (directory_.path() / "plain-%p.raw").string();
  ASSERT_EQ(run_process({"clang-19", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc",
                         (directory_.path() / "ends.c").string(), "-o", plain},
                        {}, {})
                .code,
            0);
  for (const std::string argument : {"x", "f", "f", "g"}) {
    run(program, {argument});
    run_process({"env", "LLVM_PROFILE_FILE=" + raw, plain, argument}, {}, {});
  }
  std::vector<std::string> merge = {"llvm-profdata-19", "merge", "-o", plain + ".data"};
  for (const auto& entry : fs::directory_iterator(directory_.path()))
    if (entry.path().extension() == ".raw") merge.push_back(entry.path().string());
  ASSERT_EQ(run_process(merge, {}, {}).code, 0);
  const std::string page = counted(program);
  EXPECT_EQ(page, run_process({"llvm-cov-19", "show", "-instr-profile=" + plain + ".data", plain}, {}, {}).output);
  EXPECT_TRUE(has_line(page, "   11|      4|int main(")) << page;
}

TEST_F(CoverageBuild, ChildrenCountInTheSameFileAndChangeNothingElse) {
  file("ends.c", kEnds);
  file("counters", "");
  const fs::path program = build({.files = {"ends.c"}});
  EXPECT_EQ(run(program, {"f"}).code, 0);
  const std::string page = counted(program);
  EXPECT_TRUE(has_line(page, "    9|      1|  if (how == 'f' && fork() == 0)")) << page;
  EXPECT_TRUE(has_line(page, "   11|      1|int main(int argc, char** argv) {")) << page;
}

TEST_F(CoverageBuild, AProgramWithoutConditionsOfSeveralPartsCounts) {
  file("one.c", "int main(void) { return 4; }\n");
  file("counters", "");
  const fs::path program = build({.files = {"one.c"}});
  EXPECT_EQ(run(program, {}).code, 4);
  EXPECT_TRUE(has_line(counted(program), "    1|      1|int main(void)"));
}

TEST_F(CoverageBuild, InlineFunctionsWithoutAnExternalDefinitionGetOne) {
  file("twice.h", "inline int one(void) { return 1; }\ninline int twice(int x) { return (one() + 1) * x; }\n");
  file("a.c", "#include \"twice.h\"\nint other(int);\nint main(void) { return twice(2) + other(3); }\n");
  file("b.c", "#include \"twice.h\"\nint other(int x) { return twice(x); }\n");
  file("counters", "");
  const fs::path program = build({.files = {"a.c", "b.c"}});
  EXPECT_EQ(run(program, {}).code, 10);
  EXPECT_TRUE(has_line(counted(program), "    2|      2|inline int twice(int x)"));
}

TEST_F(CoverageBuild, WhatIsMissingIsNamed) {
  file("a.c", "int missing(int);\nint main(void) { return missing(1); }\n");
  try {
    build({.files = {"a.c"}});
    FAIL() << "it should not be linked";
  } catch (const UserError& error) {
    EXPECT_NE(error.message().find("missing"), std::string::npos);
  }
  file("b.c", "int main(void) { return 1 }\n");
  EXPECT_THROW(build({.files = {"b.c"}}), UserError);
  EXPECT_THROW(source_program({.files = {"x.bc"}}, directory_.path()), UserError);
  const std::string plain = (directory_.path() / "plain").string();
  file("c.c", "int main(void) { return 0; }\n");
  ASSERT_EQ(run_process({"clang-19", (directory_.path() / "c.c").string(), "-o", plain}, {}, {}).code, 0);
  EXPECT_THROW(source_program({.files = {"plain"}}, directory_.path()), UserError);
}

TEST_F(CoverageBuild, WhatOnlyDeadCodeCallsMayBeMissingInAProgramThatWasLinked) {
  file("a.c", "int dead(int);\nint main(int argc, char** argv) { if (argc > 5) return dead(1); return 2; }\n");
  file("counters", "");
  SourceProgram program = source_program({.files = {"a.c"}}, directory_.path());
  program.was_linked = true;
  compile_units(program, Purpose::Coverage, UnitForm::Object, directory_.path(), {});
  const LinkedProgram linked =
      link_units(program, Purpose::Coverage, coverage_objects(64, directory_.path(), {}), directory_.path(), {});
  ASSERT_EQ(linked.notes.size(), 1U);
  EXPECT_TRUE(linked.notes[0].ends_with(": dead"));
  EXPECT_EQ(run(linked.executable, {}).code, 2);
  const ProcessResult ended = run(linked.executable, {"1", "2", "3", "4", "5"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.error.find("dead is called and has no definition"), std::string::npos);
}

TEST_F(CoverageBuild, AUnitWhoseSourceIsGoneIsMadeOfItsBitcode) {
  file("a.c", "int other(int);\nint main(void) { return other(1); }\n");
  const fs::path b = file("b.c", "int other(int x) { return x + 6; }\n");
  const std::string bitcode = (directory_.path() / "b.bc").string();
  ASSERT_EQ(run_process({"clang-19", "-emit-llvm", "-c", b.string(), "-o", bitcode}, {}, {}).code, 0);
  SourceProgram program = source_program({.files = {"a.c", "b.c"}}, directory_.path());
  program.units[1].bitcode = read_file(bitcode);
  fs::remove(b);
  const CompiledUnits units = compile_units(program, Purpose::Coverage, UnitForm::Object, directory_.path(), {});
  ASSERT_EQ(units.notes.size(), 1U);
  EXPECT_NE(units.notes[0].find("b.c is without coverage: the source is gone"), std::string::npos);
  file("counters", "");
  const LinkedProgram linked =
      link_units(program, Purpose::Coverage, coverage_objects(64, directory_.path(), {}), directory_.path(), {});
  EXPECT_EQ(run(linked.executable, {}).code, 7);
}

}  // namespace
}  // namespace plumb::frontend
