#include "replay/checked_replayer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "replay/interpreter_replayer.h"
#include "runtime/checks/checks.h"

namespace plumb::replay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLine = "defect 2 7 2147483652 3 0x1010 0x1000 0x10 0x0 0x0 2 0x1234 0x0 1 0x99 0\n";

TEST(Report, HasTheNumbersOfEachLine) {
  const std::vector<ToldDefect> told = parse_report(std::string(kLine) + std::string(kLine));
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].kind, std::uint32_t{PLUMB_DEFECT_POINTER});
  EXPECT_EQ(told[0].access, PLUMB_ACCESS_WRITE + 4);
  EXPECT_EQ(told[0].object_kind, std::uint32_t{PLUMB_OBJECT_HEAP});
  EXPECT_EQ(told[0].address - told[0].object_base, 16U);
  EXPECT_EQ(told[0].object_size, 16U);
  EXPECT_EQ(told[0].stack, (std::vector<std::uint64_t>{0x1234, 0}));
  EXPECT_EQ(told[0].allocated, std::vector<std::uint64_t>{0x99});
  EXPECT_TRUE(told[0].freed.empty());
}

TEST(Report, LinesThatAreCutOffOrMakeNoSenseAreSkipped) {
  const std::string line(kLine);
  for (std::size_t size = 0; size < line.size(); ++size) EXPECT_TRUE(parse_report(line.substr(0, size)).empty());
  for (std::size_t size = 0; size + 2 < line.size(); ++size)
    EXPECT_TRUE(parse_report(line.substr(0, size) + "\n").empty()) << size;
  EXPECT_TRUE(parse_report("defect 99 7 0 0 0x0 0x0 0x0 0x0 0x0 0 0 0\n").empty());
  EXPECT_TRUE(parse_report("defect 2 7 0 0 0x0 0x0 0x0 0x0 0x0 17 0 0\n").empty());
  EXPECT_TRUE(parse_report("hello\n\ndefect\n").empty());
  EXPECT_EQ(parse_report("hello\n" + line + "defect 2").size(), 1U);
}

/// What both replays show of a program must agree: one has its own memory, the other the machine's.
class ReplaysTest : public testing::Test {
 protected:
  frontend::LoadOptions options_of(const std::string& text) const {
    write_file(directory_.path() / "p.c", text);
    frontend::LoadOptions options;
    options.files = {(directory_.path() / "p.c").string()};
    return options;
  }
  RunLimits limits() const {
    RunLimits limits;
    limits.time = std::chrono::duration<double>(2);
    return limits;
  }
  /// Without what the machine does not tell: names and declarations of local variables, the number of leaks of a place.
  static std::string line(const result::Defect& defect) {
    const bool is_of_stack = defect.object && defect.object->kind == "stack";
    std::string text = defect.kind + " " + std::to_string(defect.place.line) + ":" +
                       std::to_string(defect.place.column) + " " + defect.function;
    if (!is_of_stack && defect.kind != "leak") text += " (" + defect.message + ")";
    if (defect.access)
      text += (defect.access->is_write ? " write " : " read ") + std::to_string(defect.access->offset) + " " +
              std::to_string(defect.access->size);
    text += calls(defect.stack);
    if (!defect.object) return text;
    text += " | " + defect.object->kind + " " + std::to_string(defect.object->size);
    if (is_of_stack) return text;
    return text + " " + defect.object->name + " |" + calls(defect.object->allocated) + " |" +
           calls(defect.object->freed);
  }
  static std::string calls(const std::vector<result::StackFrame>& stack) {
    std::string text;
    for (const result::StackFrame& frame : stack)
      if (!frame.is_model)
        text +=
            " " + frame.function + ":" + std::to_string(frame.place.line) + ":" + std::to_string(frame.place.column);
    return text;
  }
  static std::string lines(const Replay& replay) {
    std::string text;
    for (const result::Defect& defect : replay.defects) text += line(defect) + "\n";
    return text;
  }
  void expect_agreement(const std::string& text, std::size_t count) {
    const frontend::LoadOptions options = options_of(text);
    Builds builds(options, directory_.path());
    const Replay native = CheckedReplayer(builds, limits()).run({}, {});
    const Replay exact = InterpreterReplayer(builds, limits().memory).run({}, {});
    EXPECT_EQ(native.problem, "");
    EXPECT_EQ(exact.problem, "");
    EXPECT_EQ(lines(native), lines(exact)) << text;
    EXPECT_EQ(exact.defects.size(), count) << text;
  }

  TemporaryDirectory directory_;
};

TEST_F(ReplaysTest, AgreeOnAccessesToTheHeap) {
  expect_agreement(R"(#include <stdlib.h>
struct pair { int a, b; };
static void put(int* p, int i) { p[i] = i; }
static void drop(void* p) { free(p); }
int main(void) {
  int* p = malloc(20);
  put(p, 5);
  put(p, -1);
  struct pair* q = calloc(1, sizeof *q);
  drop(q);
  q->b = 3;
  drop(q);
  volatile int x = q->a + p[6];
  free(p + 1);
  free(p);
  return x;
}
)",
                   6);
}

TEST_F(ReplaysTest, AgreeOnVariables) {
  expect_agreement(R"(#include <stdlib.h>
int table[4];
struct { int a[3]; int after; } both;
static int* leave(void) { int local = 3; int* volatile p = &local; return p; }
static int get(const int* p, int i) { return p[i]; }
int main(int argc, char** argv) {
  int near[3] = {1, 2, argc};
  volatile int i = 3, x;
  x = near[i];
  x = table[i + 1];
  x = both.a[i];
  x = get(near, i);
  x = get(table, i + 1);
  x = *leave();
  free(near);
  return 0 * x;
}
)",
                   6);
}

TEST_F(ReplaysTest, AgreeOnPointersToNowhere) {
  expect_agreement(R"(struct node { int value; struct node* next; };
static int value(struct node* n) { return n->value; }
int main(void) {
  struct node one = {1, 0};
  volatile int x = value(one.next);
  one.next->next = &one;
  return 0 * x;
}
)",
                   2);
}

TEST_F(ReplaysTest, AgreeOnLibraryFunctions) {
  expect_agreement(R"(#include <stdlib.h>
#include <string.h>
static char* copy(const char* text) { return strdup(text); }
int main(void) {
  char* p = malloc(4);
  strcpy(p, "1234");
  memset(p, 0, 5);
  char* q = copy("kept");
  q = copy("lost");
  free(q);
  free(p);
  return 0;
}
)",
                   3);
}

TEST_F(ReplaysTest, AgreeOnLeaks) {
  expect_agreement(R"(#include <stdlib.h>
static int* kept;
static void* make(unsigned long n) { return malloc(n); }
int main(void) {
  int** list = make(16);
  list[0] = make(4);
  list[1] = malloc(6);
  kept = malloc(8);
  list = 0;
  return 0;
}
)",
                   2);
}

TEST_F(ReplaysTest, FindNothingWrongWithWhatIsRight) {
  expect_agreement(R"(#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct pair { char a[3]; int b; };
static int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
int main(int argc, char** argv) {
  int a[4] = {1, 2, 3, 4}, *end = a + 4;
  char text[8];
  struct pair one = {{1, 2, 3}, 4}, two = one;
  int* p = malloc(12);
  p = realloc(p, 40);
  for (int i = 0; i < 10; ++i) p[i] = i;
  snprintf(text, sizeof text, "%d", sum(p, 10));
  for (int* q = a; q != end; ++q) *q = (int)strlen(text);
  memcpy(&one, &two, sizeof one);
  free(p);
  return sum(a, 4) == 8 && argv[argc] == 0 && one.b == 4 ? 0 : 1;
}
)",
                   0);
}

TEST_F(ReplaysTest, CheckedRunTakesInputsArgumentsStandardInputAndVariables) {
  Builds builds(options_of(R"(#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(int argc, char** argv) {
  int a[2] = {0, 0};
  int i = __VERIFIER_nondet_int();
  const char* v = getenv("V");
  if (argc == 2 && argv[1][0] == 'x' && getchar() == 'y' && v != 0 && v[0] == 'z') return a[i];
  return 0;
}
)"),
                directory_.path());
  CheckedReplayer replayer(builds, limits());
  result::TestCase test;
  test.inputs = {{"int", {2, 0, 0, 0}}};
  test.environment.arguments = {"x"};
  test.environment.standard_input = {'y'};
  EXPECT_EQ(lines(replayer.run({test}, {})), "");
  test.environment.variables = {{"V", "z"}};
  const Replay replay = replayer.run({test}, {});
  EXPECT_EQ(lines(replay), "array-out-of-bounds 8:91 main (index 2 is outside of an array of 2 elements) main:8:91\n");
  EXPECT_EQ(replay.end, "exit code 0");
}

TEST_F(ReplaysTest, CheckedRunTellsOnlyWhatIsAskedFor) {
  frontend::LoadOptions options = options_of("#include <stdlib.h>\nint main(void) { return malloc(3) == 0; }\n");
  const auto defects = [&] {
    Builds builds(options, directory_.path());
    return CheckedReplayer(builds, limits()).run({}, {}).defects.size();
  };
  EXPECT_EQ(defects(), 1U);
  options.checks.remove(program::Check::Leak);
  EXPECT_EQ(defects(), 0U);
}

TEST_F(ReplaysTest, CheckedRunThatDoesNotEndHasAProblem) {
  Builds builds(options_of("int main(int n, char** v) { volatile int i = n; for (;;) ++i; }\n"), directory_.path());
  RunLimits short_limits;
  short_limits.time = std::chrono::duration<double>(0.1);
  EXPECT_NE(CheckedReplayer(builds, short_limits).run({}, {}).problem.find("time"), std::string::npos);
}

}  // namespace
}  // namespace plumb::replay
