#include "flatten/memory.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/flatten/programs.h"
#include "unit/flatten/random_memory_program.h"

namespace plumb::flatten {
namespace {

constexpr std::string_view kLibrary =
    "extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);\n"
    "extern void *memmove(void *, const void *, unsigned long); extern void *calloc(unsigned long, unsigned long);\n"
    "extern void *realloc(void *, unsigned long); extern unsigned long strlen(const char *);\n"
    "extern char *strcpy(char *, const char *); extern int strcmp(const char *, const char *);\n"
    "#define NULL ((void *)0)\n"
    "#define IN() __VERIFIER_nondet_uchar()\n"
    "extern int __VERIFIER_nondet_int(void);\n";

semantics::GoalOptions memory_goals() {
  semantics::GoalOptions options;
  options.checks = program::CheckSet::defaults();
  options.checks.remove(program::Check::Leak);
  return options;
}

/// The graph ends as the interpreter does, with the same fault at the same place, on many inputs.
void expect_same(std::string_view text, int runs = 60, const Options& options = {}) {
  const Subject subject(std::string(kLibrary) + std::string(text), memory_goals(), options);
  int ended = 0;
  int violated = 0;
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    const Ending ending = expect_same_run(subject, random_choice(static_cast<std::uint32_t>(run)));
    ended += ending.kind == Ending::Kind::End;
    violated += ending.kind == Ending::Kind::Goal;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(ended, 0) << "no run came to the end";
  EXPECT_GT(violated, 0) << "no run violated anything";
}

TEST(MemoryOfPrograms, GlobalArraysWithUnknownIndices) {
  expect_same(
      "int a[10]; short b[4] = {1, -2, 3}; const char t[] = \"hello\";\n"
      "int main(void) { for (int i = 0; i < 8; i++) { u8 k = IN(), v = IN(); a[k] += v; b[v & 3] ^= k; }\n"
      "CHECK(a[IN() % 10] < 600); CHECK(t[IN() & 7] != 'l'); CHECK(b[1] != 7); return 0; }");
}

TEST(MemoryOfPrograms, StructsWithArraysAndPointersInThem) {
  expect_same(
      "struct S { int top; int data[5]; struct S *next; char tag; }; struct S g; struct S *cur = &g;\n"
      "static void push(struct S *s, int v) { s->data[s->top++] = v; }\n"
      "int main(void) { struct S l; memset(&l, 0, sizeof l); l.next = &g; g.next = &l; g.tag = 'g'; l.tag = 'l';\n"
      "for (int i = 0; i < 6; i++) { if (IN() & 1) cur = cur->next; push(cur, IN()); }\n"
      "CHECK(g.top + l.top == 6); CHECK(cur->tag != 'l' || l.data[1] < 7); struct S c = *cur; c.top++;\n"
      "CHECK(c.data[0] == cur->data[0] && c.top == cur->top + 1 && c.next->tag != cur->tag); return 0; }");
}

TEST(MemoryOfPrograms, ArraysOfStructsOfSeveralSizes) {
  expect_same(
      "struct P { char c; int x; }; struct Q { int a, b, c; }; struct P p[6]; struct Q q[5];\n"
      "int main(void) { for (int i = 0; i < 6; i++) { u8 k = IN() % 7; p[k].c = (char)i; p[k % 6].x += k;\n"
      "q[k % 5].b += p[k % 6].x; q[i % 5].c = q[(k + 1) % 5].b; struct Q t = q[k % 5]; q[(k + 2) % 5] = t; }\n"
      "CHECK(q[IN() % 5].b < 8); CHECK(q[3].c != 5); CHECK(p[IN() % 6].c < 4); return 0; }");
}

TEST(MemoryOfPrograms, UnionsAndBytesOfWords) {
  expect_same(
      "union U { unsigned i; u8 b[4]; u16 h[2]; }; union U g;\n"
      "int main(void) { union U l; l.i = __VERIFIER_nondet_uint(); g.i = l.i;\n"
      "g.b[IN() % 5] = IN(); l.h[1] = (u16)(l.h[0] + g.h[1]); u8 *p = (u8 *)&l; p[IN() & 3]++;\n"
      "CHECK(g.i != l.i); CHECK((l.i >> 16) != (l.i & 0xffff)); unsigned v; memcpy(&v, p, 4); CHECK(v == l.i);\n"
      "CHECK(l.b[2] + l.b[0] < 300); return 0; }");
}

TEST(MemoryOfPrograms, PointersThatWalkOverBuffers) {
  expect_same(
      "int main(void) { char s[12]; char d[12]; int n = IN() % 14; char *p = s;\n"
      "for (int i = 0; i < 11; i++) s[i] = (char)('a' + (IN() & 7)); s[11] = 0;\n"
      "while (p < s + n) { *p++ ^= 1; } char *q = d; const char *r = s; while ((*q++ = *r++)) { }\n"
      "CHECK(strlen(d) == 11); CHECK(strcmp(s, d) == 0); CHECK(d[0] != 'c'); CHECK(*(p - 1) != 'a'); return 0; }");
}

TEST(MemoryOfPrograms, CopiesAndFillsOfUnknownSizes) {
  expect_same(
      "char a[20]; int w[8];\n"
      "int main(void) { for (int i = 0; i < 20; i++) a[i] = (char)i; unsigned n = IN(), m = IN() % 24;\n"
      "memmove(a + 2, a, m); memset(a, 7, n % 12); memset(w + 1, 0xff, (IN() % 9) * sizeof(int));\n"
      "int i = IN() % 21; memcpy(a + i, w, IN() & 7); CHECK(a[5] != 3); CHECK(w[3] == 0); CHECK(a[9] != -1); return 0; "
      "}",
      120);
}

TEST(MemoryOfPrograms, ListsOnTheHeap) {
  expect_same(
      "struct N { int v; struct N *next; }; static struct N *head;\n"
      "int main(void) { int n = IN() % 7; for (int i = 0; i < n; i++) { struct N *k = malloc(sizeof *k);\n"
      "k->v = IN(); k->next = head; head = k; } int s = 0; for (struct N *k = head; k; k = k->next) s += k->v;\n"
      "struct N *r = NULL; while (head) { struct N *t = head->next; head->next = r; r = head; head = t; }\n"
      "int z = 0; struct N *k = r; while (k) { z += k->v; struct N *t = k->next; if (IN() != 3) free(k); k = t; }\n"
      "CHECK(s == z); CHECK(s != 12); if (IN() == 5) free(r); if (r && IN() == 4) CHECK(r->v != 1); return 0; }",
      200);
}

TEST(MemoryOfPrograms, HeapObjectsOfDifferentSizesAndZeroedOnes) {
  Options options;
  options.heap_object_size = 64;
  expect_same(
      "int main(void) { u8 n = IN() % 16; int *a = malloc(n * sizeof(int)); int *b = calloc(4, 4);\n"
      "for (int i = 0; i < n; i++) a[i] = i * i; int *p = IN() & 1 ? a : b; u8 k = IN();\n"
      "if (IN() == 2) free(p); CHECK(b[IN() & 3] == 0); p[k] += 1; CHECK(b[1] == 0); CHECK(n < 3 || a[2] != 5);\n"
      "free(a); free(b); if (IN() == 9) free(p + (IN() & 1)); return 0; }",
      200, options);
}

TEST(MemoryOfPrograms, ReallocKeepsTheContent) {
  Options options;
  options.heap_object_size = 40;
  expect_same(
      "int main(void) { int *a = NULL; int n = 0; int m = IN() % 5; for (int i = 0; i < m; i++) {\n"
      "int *b = realloc(a, (unsigned long)(n + 1) * sizeof(int)); if (IN() == 7) CHECK(a == NULL || a[0] >= 0);\n"
      "a = b; a[n++] = i + 1; } int s = 0; for (int i = 0; i < n; i++) s += a[i]; CHECK(s == n * (n + 1) / 2);\n"
      "CHECK(s != 6); if (a) free(a); if (a && IN() == 1) a[0] = 1; return 0; }",
      200, options);
}

TEST(MemoryOfPrograms, WhatIsWrittenToAFileIsRead) {
  const std::string start =
      "extern unsigned long plumb_host_write(int, const void *, unsigned long);\n"
      "int main(void) { unsigned n = IN() % 8; char b[4]; char *p = n ? b : NULL; ";
  expect_same(start + "if (n > 5) p++; plumb_host_write(9, p, n); return 0; }");
  expect_same(start + "if (IN() & 1) plumb_host_write(9, b, 4); else plumb_host_write(9, p, 3); return 0; }");
}

TEST(MemoryOfPrograms, ReallocOfNothingAllocates) {
  expect_same(
      "int main(void) { unsigned n = IN() % 2; char *p = IN() & 1 ? realloc(NULL, 8) : NULL;\n"
      "char *q = realloc(p, n); CHECK(q != NULL); if (n == 1) q[IN() & 1] = 1; return 0; }");
}

TEST(MemoryOfPrograms, PointersToLocalsThatOutliveThem) {
  expect_same(
      "static int *kept; static int *leak(int v) { int local = v; if (v & 1) kept = &local; return kept; }\n"
      "static int add(int *p, int n) { int one = 1; int *q = &one; return *p + (n ? add(q, n - 1) : *q); }\n"
      "int main(void) { int g = 3; kept = &g; u8 v = IN(); int x = 5; leak(v); if (v < 200) *kept = 7;\n"
      "CHECK(g == 7); CHECK(add(&x, IN() & 3) != 6); CHECK(x == 5); return 0; }");
}

TEST(MemoryOfPrograms, PointersToLocalsOfBlocksThatWereLeft) {
  expect_same(
      "static int f(int n) { int x = 1, *p = &x; for (int i = 0; i < 3; i++) { int l = i; if (n == i) p = &l; "
      "CHECK(*p < 2); l = 3; if (n == 7) break; } return *p + (n > 8 ? f(n - 8) : 0); }\n"
      "int main(void) { return f(IN() & 15); }");
}

TEST(MemoryOfPrograms, ALocalOfABlockIsNewInEachRound) {
  const Subject subject(
      std::string(kLibrary) +
          "int main(void) { int seen = 0; for (int i = 0; i < 2; i++) { int l, *p = &l; if (i == 0) *p "
          "= 5; seen = *p; } CHECK(seen == 5); return 0; }",
      memory_goals(), {});
  std::set<Ending::Kind> found;
  for (std::uint32_t run = 0; run < 20; ++run) found.insert(run_graph(subject, random_choice(run)).kind);
  EXPECT_TRUE(found.contains(Ending::Kind::Goal));
}

TEST(MemoryOfPrograms, RecursiveFunctionsHaveTheirOwnArrays) {
  expect_same(
      "static int f(int n, int *out) { int a[3]; a[0] = n; a[1] = 2 * n; a[2] = 0; if (n > 0) f(n - 1, &a[n % 3]);\n"
      "*out += a[0] + a[2]; return a[1]; }\n"
      "int main(void) { int r = 0; u8 n = IN() % 9; int k = f(n, &r); CHECK(k == 2 * n); CHECK(r != 6); CHECK(r < "
      "12);\n"
      "return 0; }");
}

TEST(MemoryOfPrograms, PointersChosenAmongObjects) {
  expect_same(
      "int a = 1, b = 2; int c[3]; const int k = 9;\n"
      "int main(void) { int *p[4] = {&a, &b, c, (int *)&k}; for (int i = 0; i < 5; i++) { u8 s = IN() % 5;\n"
      "int *q = s < 4 ? p[s] : NULL; int o = IN() % 3; if (q == c) q += o; if (IN() != 4) *q += i; }\n"
      "CHECK(a + b < 14); CHECK(c[0] + c[1] + c[2] != 5); int **pp = &p[IN() & 3]; CHECK(**pp != 2); return 0; }",
      150);
}

TEST(MemoryOfPrograms, FunctionPointersInTables) {
  expect_same(
      "static int inc(int x) { return x + 1; } static int dbl(int x) { return 2 * x; } static int neg(int x) { return "
      "-x; }\n"
      "struct Op { const char *name; int (*run)(int); }; static const struct Op ops[3] = {{\"inc\", inc}, {\"dbl\", "
      "dbl}, "
      "{\"neg\", neg}};\n"
      "int main(void) { int x = 1; for (int i = 0; i < 4; i++) { u8 k = IN() & 3; x = ops[k].run(x);\n"
      "CHECK(ops[k].name[0] != 'n' || x <= 0 || i > 2); } CHECK(x != 4); return 0; }",
      150);
}

TEST(MemoryOfPrograms, LocalArraysOfFunctionsThatAreCalledAgainAndAgain) {
  expect_same(
      "static int sum(int n) { int a[4] = {1, 2, 3, 4}; a[n] += n; int s = 0; for (int i = 0; i < 4; i++) s += a[i];\n"
      "return s; }\n"
      "int main(void) { int t = 0; for (int i = 0; i < 3; i++) t += sum(IN() % 5); CHECK(t != 34); return 0; }");
}

TEST(MemoryOfPrograms, PointersMadeOfIntegersAndBytes) {
  expect_same(
      "typedef unsigned long uptr; int x[4];\n"
      "int main(void) { int y = 3; int *p = IN() & 1 ? &y : x; uptr u = (uptr)p; u += 4 * (IN() & 3); int *q = (int "
      "*)u;\n"
      "int *r; char *from = (char *)&q, *to = (char *)&r; for (unsigned i = 0; i < sizeof q; i++) to[i] = from[i];\n"
      "*r = 7; CHECK(x[1] == 0); CHECK(y == 3); return 0; }");
}

TEST(MemoryOfPrograms, AnAddressThatIsAddedToAPointerIsNoIndex) {
  expect_same(
      "static char x, a[2]; int main(void) { long by = IN() & 1 ? (long)&x : 0; char *p = a + by; *p = 1; return 0; }");
}

TEST(MemoryOfPrograms, VariableLengthArrays) {
  expect_same(
      "static int f(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; int s = 0; u8 k = IN() % 4;\n"
      "for (int i = 0; i < n; i++) s += a[i]; return s + a[k]; }\n"
      "int main(void) { int t = 0; for (int i = 0; i < 3; i++) { int m = 2 + (IN() & 3); char b[m];\n"
      "for (int j = 0; j < m; j++) b[j] = (char)j; t += b[IN() % 3] + f(m); if (t == 9) continue; }\n"
      "CHECK(t != 14); CHECK(t != 17); return 0; }",
      200);
}

TEST(MemoryOfPrograms, TreesAndGrowingVectors) {
  expect_same(
      "struct T { struct T *l, *r; int k; }; static struct T *root; struct V { int *d; unsigned n, cap; };\n"
      "static struct T *ins(struct T *t, int k) { if (!t) { t = calloc(1, sizeof *t); t->k = k; return t; }\n"
      "if (k < t->k) t->l = ins(t->l, k); else if (k > t->k) t->r = ins(t->r, k); return t; }\n"
      "static int sum(struct T *t) { return t ? t->k + sum(t->l) + sum(t->r) : 0; }\n"
      "static void del(struct T *t) { if (!t) return; del(t->l); del(t->r); free(t); }\n"
      "static void push(struct V *v, int x) { if (v->n == v->cap) { v->cap = v->cap ? 2 * v->cap : 2;\n"
      "v->d = realloc(v->d, v->cap * sizeof(int)); } v->d[v->n++] = x; }\n"
      "int main(void) { struct V v = {0, 0, 0}; for (int i = 0; i < 4; i++) { u8 k = IN() % 16; root = ins(root, k);\n"
      "push(&v, k); } int s = 0; for (unsigned i = 0; i < v.n; i++) s += v.d[i]; CHECK(sum(root) == s);\n"
      "CHECK(v.d[IN() % 5] != 7); del(root); free(v.d); if (IN() == 2) CHECK(root->k != 1); if (IN() == 3) v.d[0] = "
      "1;\n"
      "return 0; }",
      100);
}

TEST(MemoryOfPrograms, LeaksAreWhatGlobalsCannotReachAtTheEnd) {
  semantics::GoalOptions goals;
  goals.checks = program::CheckSet::none();
  goals.checks.add(program::Check::Leak);
  const Subject subject(
      std::string(kLibrary) +
          "struct N { struct N *next; int *data; }; struct N *list; void *other; static int kept[4];\n"
          "int main(void) { int n = IN() % 4; for (int i = 0; i < n; i++) { struct N *k = malloc(sizeof *k);\n"
          "k->next = list; k->data = IN() & 1 ? malloc(4) : kept; list = k; if (IN() == 1) list = k->next; }\n"
          "other = malloc(3); if (IN() & 1) other = (char *)other + 3; u8 c = IN() & 7;\n"
          "if (c == 1) other = 0; if (c == 2) free(other); if (c == 3 && list) list->data = 0; if (c == 4) list = 0;\n"
          "if (c == 5) other = (char *)other + 1; return 0; }",
      goals);
  ASSERT_EQ(subject.goals.size(), 3U);
  std::vector<bool> is_leaked(3, false);
  int ended = 0;
  for (std::uint32_t run = 0; run < 300; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    const Ending expected = interpret(subject, random_choice(run));
    std::size_t inputs = 0;
    system::GraphRun graph(subject.flattened.graph, [&](std::size_t input) -> term::Value {
      const term::Sort sort = subject.flattened.graph.store().sort(subject.flattened.graph.inputs[input]);
      if (!subject.flattened.inputs[input].is_asked) return term::zero_value(sort);
      return BitVector(sort.width, random_choice(run)(inputs++));
    });
    std::vector<bool> found(3, false);
    while (graph.step())
      for (const std::size_t property : graph.failed())
        if (property < 3) found[property] = true;
    // Several places may leak in one run; the interpreter's last one is what `expected` has.
    if (expected.kind == Ending::Kind::Goal) {
      EXPECT_TRUE(found[expected.goal]);
      is_leaked[expected.goal] = true;
    } else {
      EXPECT_EQ(found, std::vector<bool>(3, false));
      ++ended;
    }
  }
  EXPECT_EQ(is_leaked, std::vector<bool>(3, true));
  EXPECT_GT(ended, 10);
}

/// What the graph does if memory that was never written holds `value` everywhere.
Ending run_on_memory_of(const Subject& subject, std::uint64_t value) {
  const ControlGraph& graph = subject.flattened.graph;
  const auto filled = [&](Term t) -> term::Value {
    const term::Sort sort = graph.store().sort(t);
    if (sort.is_array()) return term::ArrayValue{sort.index_width, BitVector(sort.width, value), {}};
    return BitVector(sort.width, value);
  };
  std::vector<std::optional<term::Value>> initial;
  for (const ControlGraph::Variable& variable : graph.variables)
    initial.push_back(variable.init ? std::nullopt : std::optional(filled(variable.term)));
  system::GraphRun run(graph, [&](std::size_t input) { return filled(graph.inputs[input]); }, initial);
  Ending ending;
  while (run.step())
    for (const std::size_t property : run.failed())
      if (property < subject.flattened.goal_count) ending.kind = Ending::Kind::Goal;
  return ending;
}

TEST(MemoryOfPrograms, MemoryThatWasNeverWrittenIsArbitraryEachTime) {
  for (
      const std::string_view text :
      {"static int get(int w, int k) { int a[2]; if (w) a[1] = a[0] = 5; return a[k & 1]; }\n"
       "int main(void) { get(1, 0); get(1, 1); CHECK(get(0, __VERIFIER_nondet_int()) == 5); return 0; }",
       "static int get(int w) { int x; int *p = &x; if (w) *p = 5; return *p; }\n"
       "int main(void) { for (int i = 0; i < 2; i++) CHECK(get(i == 0) == 5); return 0; }",
       "static int get(int n) { int x; int *p = &x; if (n) *p = n == 2 ? get(1) : 5; else return *p; return get(0); }\n"
       "int main(void) { CHECK(get(2) == 5); return 0; }",
       "int main(void) { for (int i = 0; i < 2; i++) { int *p = malloc(4); if (!i) *p = 5; CHECK(*p == 5); free(p); }\n"
       "return 0; }",
       "extern void *realloc(void *, unsigned long); extern void *calloc(unsigned long, unsigned long);\n"
       "int main(void) { int *p = realloc(calloc(1, 4), 8); CHECK(p[0] == 0); CHECK(p[1] == 5); return 0; }",
       "extern void *realloc(void *, unsigned long);\n"
       "int main(void) { char *p = malloc(8); p[2] = 1; p[3] = 2; p[7] = 5; p = realloc(realloc(p, 3), 8);\n"
       "CHECK(p[2] == 1); CHECK(p[3] == 5 && p[7] == 5); return 0; }"}) {
    const Subject subject(text);
    EXPECT_EQ(run_on_memory_of(subject, 5).kind, Ending::Kind::End) << text;
    EXPECT_EQ(run_on_memory_of(subject, 9).kind, Ending::Kind::Goal) << text;
  }
}

TEST(MemoryOfPrograms, ALocalThatMayBePointedToAfterItsCallIsThereOnce) {
  const Subject subject(std::string_view(
      "static int *kept; static void f(int v) { int x = v; kept = &x; }\n"
      "int main(void) { u8 n = __VERIFIER_nondet_uchar(); for (u8 i = 0; i <= n; i++) f(i); return 0; }"));
  EXPECT_EQ(run_graph(subject, listed({0})).kind, Ending::Kind::End);
  const Ending ending = run_graph(subject, listed({1}));
  ASSERT_EQ(ending.kind, Ending::Kind::Limit);
  EXPECT_EQ(subject.flattened.limits[ending.goal].kind, Limit::Kind::Stack);
}

TEST(MemoryOfPrograms, ObjectsThatAreTooLargeAreALimitWhereTheyAreUsed) {
  const Subject subject(std::string_view(
      "int a[10000000]; int main(void) { u8 i = __VERIFIER_nondet_uchar(); if (i > 3) a[i * i * i] = 1;\n"
      "CHECK(i != 2); return 0; }"));
  EXPECT_EQ(run_graph(subject, listed({1})).kind, Ending::Kind::End);
  EXPECT_EQ(run_graph(subject, listed({2})).kind, Ending::Kind::Goal);
  EXPECT_EQ(run_graph(subject, listed({4})).kind, Ending::Kind::Limit);
}

/// How many variables of the graph are arrays.
std::size_t count_arrays(const Subject& subject) {
  std::size_t count = 0;
  for (const ControlGraph::Variable& variable : subject.flattened.graph.variables)
    count += subject.flattened.graph.store().is_array(variable.term) ? 1 : 0;
  return count;
}

TEST(MemoryOfPrograms, WhatIsAccessedAtKnownPlacesHasNoArrays) {
  const Subject subject(
      std::string_view("struct S { int x; char c[4]; struct S *p; }; struct S g;\n"
                       "static void set(struct S *s, int v) { s->x = v; s->c[2] = (char)v; s->p = &g; }\n"
                       "int main(void) { struct S l; set(&l, __VERIFIER_nondet_int()); set(&g, 3); struct S m = l;\n"
                       "for (int i = 0; i < 3; i++) m.p->x += m.c[2]; CHECK(g.x < 100); return 0; }"));
  EXPECT_EQ(count_arrays(subject), 0U);
}

TEST(MemoryOfPrograms, AnArrayInAStructLeavesTheOtherFieldsAlone) {
  const Subject subject(std::string_view(
      "struct S { int top; int data[10]; int *end; } s;\n"
      "int main(void) { for (;;) { u8 k = __VERIFIER_nondet_uchar(); s.data[k] = s.top++; s.end = s.data;\n"
      "CHECK(s.data[0] < 100); } }"));
  EXPECT_EQ(count_arrays(subject), 1U);
  for (const ControlGraph::Variable& variable : subject.flattened.graph.variables)
    EXPECT_EQ(variable.elements, subject.flattened.graph.store().is_array(variable.term) ? 10U : 0U);
}

void expect_same_random_runs(std::uint32_t first_seed, std::uint32_t count, const Options& options) {
  int ended = 0;
  int violated = 0;
  for (std::uint32_t seed = first_seed; seed < first_seed + count; ++seed) {
    const std::string text = RandomMemoryProgram(seed).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Subject subject(std::string_view(text), memory_goals(), options);
    for (std::uint32_t run = 0; run < 12; ++run) {
      SCOPED_TRACE(fmt::format("run {}", run));
      const Ending ending = expect_same_run(subject, random_choice(seed * 100 + run));
      if (testing::Test::HasFailure()) return;
      ended += ending.kind == Ending::Kind::End;
      violated += ending.kind == Ending::Kind::Goal;
    }
  }
  EXPECT_GT(ended, static_cast<int>(count));
  EXPECT_GT(violated, static_cast<int>(count));
}

TEST(MemoryOfPrograms, RandomProgramsWithPointersRunAsInTheInterpreter) { expect_same_random_runs(1, 10, {}); }

TEST(MemoryOfPrograms, RandomProgramsWithPointersAndSharedCalleesRunAsInTheInterpreter) {
  Options options;
  options.max_copied = 0;
  expect_same_random_runs(1001, 6, options);
}

}  // namespace
}  // namespace plumb::flatten
