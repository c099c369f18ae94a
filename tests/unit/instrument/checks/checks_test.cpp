#include "runtime/checks/checks.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/subprocess.h"
#include "instrument/build_subject.h"
#include "instrument/checks/check_module.h"
#include "instrument/instrumenter.h"

namespace plumb::instrument {
namespace {

/// A program that is built in both ways and run once, without inputs.
class ChecksTest : public ::testing::Test {
 protected:
  void run(const std::string& text, program::CheckSet checks = program::CheckSet::defaults()) {
    load_.files = {(directory_.path() / "program.c").string()};
    load_.checks = checks;
    write_file(load_.files.front(), text);
    subject_ = build_subject(load_, directory_.path(), Budget());
    const auto checked = build_checked_replay(load_, directory_.path(), Budget());
    const auto defects = directory_.path() / "defects";
    const ProcessResult result =
        run_process({"env", "PLUMB_DEFECTS=" + defects.string(), checked.string()}, "", Budget());
    output_ = result.output;
    code_ = result.code;
    read_defects(defects);
  }

  void read_defects(const std::filesystem::path& file) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word;
      std::uint32_t kind = 0, site = 0;
      words >> word >> kind >> site;
      EXPECT_EQ(word, "defect");
      ASSERT_LT(site, subject_.sites.size());
      // Leaks and the machine's traps have no site; models have lines of their own.
      const program::FunctionId function = subject_.sites[site].function;
      if (site != 0 && !subject_.program.functions[function].is_model)
        ++told_[{kind, subject_.sites[site].location.line}];
    }
  }

  std::set<std::pair<std::uint32_t, std::uint32_t>> kinds_and_lines() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const auto& [key, times] : told_) found.insert(key);
    return found;
  }

  TemporaryDirectory directory_;
  frontend::LoadOptions load_;
  Subject subject_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> told_;  ///< by kind and line of the subject's site
  std::string output_;
  int code_ = 0;
};

using Found = std::set<std::pair<std::uint32_t, std::uint32_t>>;

TEST_F(ChecksTest, OneRunTellsAllThatIsWrongWithKindAndLine) {
  run(R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int table[4];
static int* dangling(void) { int local = 1; int* volatile p = &local; return p; }
int main(int argc, char** argv) {
  int a[5] = {1, 2, 3, 4, 5}, *p = a, *q = malloc(20), i = argc + 5;
  a[i] = 0;
  q[i] = 1;
  p[i] = 1;
  table[i] = a[i] + 1;
  char* text = malloc(4);
  memset(text, 0, (size_t)argc + 6);
  strcpy(text, "long");
  free(q);
  q[0] = 3;
  printf("%d\n", *dangling() * 0);
  *(argc > 9 ? q : NULL) = 4;
  free(text);
  puts(text);
  return 3;
})");
  EXPECT_EQ(kinds_and_lines(), (Found{{PLUMB_DEFECT_INDEX, 8},
                                      {PLUMB_DEFECT_POINTER, 9},
                                      {PLUMB_DEFECT_ARRAY, 10},
                                      {PLUMB_DEFECT_INDEX, 11},
                                      {PLUMB_DEFECT_POINTER, 13},
                                      {PLUMB_DEFECT_FREED, 16},
                                      {PLUMB_DEFECT_RETURNED, 17},
                                      {PLUMB_DEFECT_NULL, 18},
                                      {PLUMB_DEFECT_FREED, 20}}));
  EXPECT_EQ(output_, "0\n\n");
  EXPECT_EQ(code_, 3);
}

TEST_F(ChecksTest, WhatIsAskedForIsTold) {
  run(R"(int main(int argc, char** argv) {
  int big = 2147483647, small = -2147483647 - argc;
  char bytes[8] = {0};
  int* odd = (int*)(bytes + argc);
  big += argc;
  big = 1 << (31 + argc);
  *odd = 1;
  return small / (argc - 1);
})",
      program::CheckSet::all());
  EXPECT_EQ(kinds_and_lines(), (Found{{PLUMB_DEFECT_OVERFLOW, 5},
                                      {PLUMB_DEFECT_SHIFT, 6},
                                      {PLUMB_DEFECT_ALIGNMENT, 7},
                                      {PLUMB_DEFECT_DIVISION, 8}}));
}

TEST_F(ChecksTest, AFunctionMayBeAskedForMoreThanItWrites) {
  run(R"(#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  int ends[2];
  char few[4] = "";
  if (pipe(ends) != 0) return 1;
  write(ends[1], "abc", 3);
  long n = read(ends[0], few, 100);
  if (n != 3 || memcmp(few, "abc", 3) != 0) return 2;
  write(ends[1], "abcdef", 6);
  n = read(ends[0], few, 100);
  return n == 6 && memcmp(few, "abcd", 4) == 0 ? 0 : 3;
})");
  EXPECT_EQ(kinds_and_lines(), (Found{{PLUMB_DEFECT_ARRAY, 13}}));
  EXPECT_EQ(code_, 0);
}

TEST_F(ChecksTest, VariablesOfBlocksThatWereLeftAreTold) {
  run(R"(int main(int argc, char** argv) {
  int x = 1, *q = &x, *r = &x;
  if (argc == 1) {
    int l = 2;
    q = &l;
    x += *q;
  }
  x += *q;
  for (int i = 0; i < 2; i++) {
    x += *r;
    int here = i;
    r = &here;
  }
  { int l = 3; q = &l; }
  x += *q;
  return 0;
})");
  EXPECT_EQ(kinds_and_lines(), (Found{{PLUMB_DEFECT_SCOPE, 8}, {PLUMB_DEFECT_SCOPE, 10}, {PLUMB_DEFECT_SCOPE, 15}}));
  EXPECT_EQ(code_, 0);
}

TEST_F(ChecksTest, OneAddressIsToldOnceALine) {
  run(R"(#include <stdlib.h>
int main(int argc, char** argv) {
  int* p = malloc(4);
  p[argc] = p[argc] + p[argc];
  p[argc] += 1;
  free(p);
  return 0;
})");
  EXPECT_EQ(told_, (std::map<std::pair<std::uint32_t, std::uint32_t>, int>{{{PLUMB_DEFECT_POINTER, 4}, 1},
                                                                           {{PLUMB_DEFECT_POINTER, 5}, 1}}));
}

TEST_F(ChecksTest, RightProgramsDoWhatTheyDoWithoutChecks) {
  run(R"(#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a[3]; char tail[1]; };
static jmp_buf place;
static struct pair global_pair = {{1, 2, 3}, "x"};
static int sum(int n, ...) { va_list list; va_start(list, n); int s = 0; while (n-- > 0) s += va_arg(list, int); va_end(list); return s; }
static struct pair twice(struct pair p) { for (int i = 0; i < 3; ++i) p.a[i] *= 2; return p; }
static int deep(int n) { int here[4]; int* p = here + 4; while (p > here) *--p = n; if (n == 0) longjmp(place, 7); return deep(n - 1) + here[1]; }
int main(void) {
  struct pair pairs[2] = {twice(global_pair), {{7, 8, 9}, ""}}, copy = pairs[1], *past = pairs + 2;
  char* text = calloc(3, 5);
  int n = 5, vla[n], *last = &vla[n - 1];
  for (int i = 0; i < n; ++i) vla[i] = i;
  struct pair* longer = malloc(sizeof *longer + 20);
  strcpy(longer->tail, "flexible array of old");
  memcpy(text, "fourteen bytes", 15);
  text = realloc(text, 40);
  strcat(text, " more");
  if (setjmp(place) == 0) return deep(200);
  printf("%s %s %d %d %d %d\n", text, longer->tail, past[-1].a[2], copy.a[1], *last, sum(3, 1, 2, 3));
  free(text);
  free(longer);
  return pairs[0].a[2];
})",
      program::CheckSet::all());
  EXPECT_EQ(kinds_and_lines(), Found{});
  EXPECT_EQ(output_, "fourteen bytes more flexible array of old 9 8 4 6\n");
  EXPECT_EQ(code_, 6);
}

TEST_F(ChecksTest, NoneAreInCodeThatAsksForNone) {
  load_.files = {(directory_.path() / "program.c").string()};
  load_.checks = program::CheckSet::none();
  write_file(load_.files.front(), "int main(int n, char** v) { int a[4] = {0}; return a[n] / n + *v[0]; }");
  PreparedModule prepared = prepare_module(load_, SymbolicEnvironment{}, Budget());
  instrument(prepared);
  for (const llvm::Function& function : *prepared.module) {
    EXPECT_FALSE(function.getName().contains("bad_")) << function.getName().str();
    EXPECT_NE(function.getName(), "__plumb_enter_frame");
  }
}

TEST_F(ChecksTest, ABudgetThatEndsStopsTheirMaking) {
  load_.files = {(directory_.path() / "program.c").string()};
  write_file(load_.files.front(), "int main(int n, char** v) { int a[4] = {0}; return a[n] / n + *v[0]; }");
  const Budget ended = Budget().with_own_cancellation();
  ended.cancel();
  PreparedModule prepared = prepare_module(load_, SymbolicEnvironment{}, Budget());
  EXPECT_THROW(instrument(prepared, ended), OutOfBudget);
  PreparedModule plain = prepare_module(load_, SymbolicEnvironment{}, Budget());
  EXPECT_THROW(add_checks(*plain.module, program::CheckSet::all(), *plain.entry, false, ended), OutOfBudget);
}

}  // namespace
}  // namespace plumb::instrument
