#include <algorithm>

#include "source.h"

namespace plumb::unroll {
namespace {

semantics::GoalOptions overflow_goals() {
  semantics::GoalOptions options;
  options.has_assertions = false;
  options.checks.add(program::Check::Overflow);
  options.checks.add(program::Check::Shift);
  options.checks.add(program::Check::Division);
  return options;
}

TEST(UnrollMemory, ElementsOfArraysAreChosenByTheirIndex) {
  const std::string start =
      "int main() { int a[5] = {3, 1, 4, 1, 5}; int i = byte() % 5, j = byte() % 5; int v = input(); a[i] = v; ";
  EXPECT_HOLDS(start + "check(a[i] == v); check(i == j || a[j] <= 5); }");
  EXPECT_VIOLATED(start + "check(a[j] <= 5); }");
}

TEST(UnrollMemory, LargeArraysAreArrays) {
  const std::string start =
      "int a[3000]; int main() { unsigned i = input(), j = input(); assume(i < 3000 && j < 3000); a[i] = 7; a[j] += "
      "2; ";
  EXPECT_HOLDS(start + "check(a[i] == (i == j ? 9 : 7)); check(a[j] == 2 || a[j] == 9); }");
  EXPECT_VIOLATED(start + "check(a[2999] != 9); }");
}

TEST(UnrollMemory, BytesOfWordsAndWordsOfBytesAgree) {
  EXPECT_HOLDS(
      R"(int main() { union { unsigned w; unsigned char b[4]; } u; u.w = input(); unsigned old = u.w; int i = byte() % 4;
    check(u.b[0] == (unsigned char)old); check(u.b[i] == (unsigned char)(old >> (8 * i)));
    u.b[1] = 0; check(u.w == (old & 0xFFFF00FFu)); u.b[i] = 1; check((u.w >> (8 * i) & 0xFF) == 1); })");
  EXPECT_VIOLATED(
      R"(int main() { union { unsigned w; unsigned short h[2]; } u; u.w = input(); check(u.h[0] != u.h[1] || u.h[0] != 0x1234); })");
}

TEST(UnrollMemory, PointersThatMayLeadToSeveralObjectsChange) {
  const std::string start = "int main() { int a = 1, b = 2, *p = &a; if (input()) p = &b; *p = 9; ";
  EXPECT_HOLDS(start + "check((a == 9 && b == 2) || (a == 1 && b == 9)); check(*p == 9); }");
  EXPECT_VIOLATED(start + "check(a == 9); }");
}

TEST(UnrollMemory, StructsAreCopiedFieldByField) {
  const std::string start = R"(struct S { char c; int x; struct S* next; }; struct S f(struct S s) { s.x++; return s; }
    int main() { struct S a = {'q', input(), 0}, b; a.next = &b; b = f(a); struct S c[3]; int i = byte() % 3; c[i] = b; )";
  EXPECT_HOLDS(
      start +
      "check(b.x == (int)(1u + a.x) && b.c == 'q' && b.next == &b); check(c[i].x == b.x && c[i].next->c == 'q'); }");
  EXPECT_VIOLATED(start + "check(c[i].x != 100 || i != 2); }");
}

TEST(UnrollMemory, ListsOfTheHeapAreFollowed) {
  const std::string start = R"(
    #include <stdlib.h>
    struct N { int v; struct N* next; };
    int main() { int n = byte() % 5; struct N* head = 0; int sum = 0;
      for (int i = 0; i < n; i++) { struct N* p = malloc(sizeof *p); p->v = i; p->next = head; head = p; }
      int count = 0; for (struct N* p = head; p; p = p->next) { sum += p->v; count++; }
      )";
  EXPECT_HOLDS(start + "check(count == n && 2 * sum == n * (n - 1)); }");
  EXPECT_VIOLATED(start + "check(sum != 6); }");
  const std::string release = "while (head) { struct N* next = head->next; free(head); head = next; } }";
  EXPECT_HOLDS(start + release, memory_goals());
  EXPECT_VIOLATED(start + "while (head) { free(head); head = head->next; } }", memory_goals());
  EXPECT_VIOLATED(start + "if (head) { head = head->next; } }", memory_goals());
}

TEST(UnrollMemory, AccessesOutOfBoundsAreFound) {
  const auto with = [](const std::string& body) {
    return "#include <stdlib.h>\nint g[4]; int main() { int i = input(); int* p; " + body + " }";
  };
  EXPECT_VIOLATED(with("assume(i >= 0 && i <= 4); g[i] = 1;"), memory_goals());
  EXPECT_HOLDS(with("assume(i >= 0 && i < 4); g[i] = 1;"), memory_goals());
  EXPECT_VIOLATED(with("p = malloc(12); p[i & 3] = 1; free(p);"), memory_goals());
  EXPECT_HOLDS(with("p = malloc(16); p[i & 3] = 1; free(p);"), memory_goals());
  EXPECT_VIOLATED(with("p = 0; if (i == 77) *p = 1;"), memory_goals());
  EXPECT_VIOLATED(with("p = malloc(4); if (i == 77) free(p); *p = 3; if (i != 77) free(p);"), memory_goals());
  EXPECT_VIOLATED(with("p = malloc(4); if (i == 77) free(p); free(p);"), memory_goals());
  EXPECT_VIOLATED(with("p = malloc(4); free(p + (i == 5));"), memory_goals());
  EXPECT_HOLDS(with("p = malloc(4); if (i > 5) { free(p); p = 0; } if (p) *p = 1; free(p);"), memory_goals());
}

TEST(UnrollMemory, WhatIsWrittenToAFileIsRead) {
  const std::string start =
      "#include <unistd.h>\nint main() { unsigned n = byte(); char b[4] = {0}; char* p = n ? b : 0; ";
  EXPECT_HOLDS(start + "if (n <= 4) write(1, p, n); }", memory_goals());
  EXPECT_VIOLATED(start + "if (n <= 5) write(1, p, n); }", memory_goals());
  EXPECT_VIOLATED(start + "write(1, b, 100); }", memory_goals());
}

TEST(UnrollMemory, SizesThatAreInputsBoundTheirObjects) {
  const std::string start =
      "#include <stdlib.h>\nint main() { unsigned n = byte(), i = byte(); assume(n > 0 && n < 20); char* p = "
      "malloc(n); ";
  EXPECT_HOLDS(start + "if (i < n) { p[i] = 3; check(p[i] == 3); } free(p); }", memory_goals());
  EXPECT_VIOLATED(start + "if (i <= n) p[i] = 3; free(p); }", memory_goals());
  EXPECT_HOLDS(
      "int main() { int n = byte() % 6 + 1; int a[n]; for (int i = 0; i < n; i++) a[i] = i; check(a[n - 1] == n - 1); "
      "}",
      memory_goals());
}

TEST(UnrollMemory, ReallocKeepsWhatWasThere) {
  const std::string start =
      "#include <stdlib.h>\nint main() { int n = byte() % 3 + 1; int* p = malloc(4); p[0] = input(); int v = p[0]; p = "
      "realloc(p, n * 4); ";
  EXPECT_HOLDS(start + "check(p[0] == v); free(p); }", memory_goals());
  EXPECT_VIOLATED(start + "p[1] = 0; free(p); }", memory_goals());
  const std::string nothing = "#include <stdlib.h>\nint main() { int n = byte() % 2; int* p = ";
  EXPECT_HOLDS(nothing + "realloc(0, n); check(p != 0); free(p); }", memory_goals());
  EXPECT_VIOLATED(nothing + "realloc(malloc(1), n); check(p != 0); free(p); }", memory_goals());
}

TEST(UnrollMemory, LeaksAreObjectsThatNothingLeadsTo) {
  EXPECT_VIOLATED("#include <stdlib.h>\nint main() { int* p = malloc(4); if (input() != 9) free(p); }", memory_goals());
  EXPECT_HOLDS("#include <stdlib.h>\nint* g; int main() { int* p = malloc(4); if (input() != 9) free(p); else g = p; }",
               memory_goals());
  EXPECT_HOLDS("#include <stdlib.h>\nint** g; int main() { g = malloc(sizeof *g); *g = malloc(4); }", memory_goals());
}

TEST(UnrollMemory, WhatACallHoldsAtExitIsLostWhereMainReturns) {
  EXPECT_VIOLATED(R"(
    #include <stdlib.h>
    void leave(void** held) { exit(*held == 0); }
    int main() { void* p = malloc(4); if (input()) leave(&p); p = 0; return 0; })",
                  memory_goals());
}

TEST(UnrollMemory, ACopyOfAnUnknownSizeFromAnUnknownPlaceTakesTheBytesThere) {
  const std::string start = R"(
    #include <string.h>
    int main() { char from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0}; unsigned at = byte(), size = byte();
      assume(at <= 8 && size <= 8 - at); memcpy(to, from + at, size); )";
  EXPECT_VIOLATED(start + "if (at == 6 && size == 2) check(to[0] != 7); }");
  EXPECT_HOLDS(start + "for (unsigned i = 0; i < 8; i++) check(to[i] == (i < size ? at + i + 1 : 0)); }");
}

TEST(UnrollMemory, WhatLiesFarBeyondAnObjectIsNotInAnother) {
  for (const std::uint32_t word_size : {32U, 64U}) {
    const Source source(R"(
      #include <stdlib.h>
      int main() { char* p = malloc(16); char* q = malloc(16384); p[9000] = 1; free(p); free(q); })",
                        memory_goals(), word_size);
    // The interpreter takes it for an access to the other object.
    const Outcome outcome = source.unroll();
    EXPECT_TRUE(
        std::ranges::any_of(outcome.answers, [](const GoalResult& a) { return a.verdict == Verdict::Violated; }));
  }
}

TEST(UnrollMemory, ADistanceOfObjectsLeadsFromOneToTheOther) {
  EXPECT_VIOLATED(R"(
    char a[4], b[4], c[4], d[4];
    int main() { long from = (long)(input() ? a : b), to = (long)(input() ? c : d) + 3, way = to - from;
      *(char*)(from + way) = 4; check(d[3] != 4); })");
  EXPECT_HOLDS(R"(
    char a[4], b[4], c[4], d[4];
    int main() { char *base = input() ? a : b, *end = base + byte() % 4, *p = input() ? c : d; p += end - base;
      *p = 4; check(a[3] == 0 && b[0] == 0 && (c[0] + c[1] + c[2] + c[3] == 4 || d[0] + d[1] + d[2] + d[3] == 4)); })");
}

TEST(UnrollMemory, AnObjectOfUnknownSizeHasNoEndThatIsKnown) {
  const Source source("extern int table[]; int main() { if (table[2000] == 3) check(0); }");
  EXPECT_EQ(said_of(source.unroll().answers[0]).verdict, Verdict::Unknown);
}

TEST(UnrollMemory, ThatFreedMemoryStaysFreeIsListed) {
  const Source source(
      "#include <stdlib.h>\nint main() { int* p = malloc(4); free(p); int* q = malloc(4); check(p != q); }");
  const std::vector<std::string> assumptions = source.unroll().assumptions;
  EXPECT_EQ(std::ranges::count(assumptions, "memory that was freed is not allocated again"), 1);
}

TEST(UnrollMemory, ThatAllocationsSucceedIsListed) {
  const Source source("#include <stdlib.h>\nint main() { int* p = malloc(4); check(p != 0); free(p); }");
  const Outcome outcome = source.unroll();
  EXPECT_EQ(outcome.answers[0].verdict, Verdict::Holds);
  EXPECT_EQ(outcome.assumptions, std::vector<std::string>{"allocation never fails"});
}

TEST(UnrollMemory, ObjectsOfCallsThatHaveEndedAreGone) {
  EXPECT_VIOLATED("int* f(int x) { int y = x; int* p = &y; return p; } int main() { int* p = f(3); return *p; }",
                  memory_goals());
}

TEST(UnrollMemory, ObjectsOfBlocksThatWereLeftAreGone) {
  const auto main = [](const char* body) { return std::string("int main() { int x = 1, *q = &x; ") + body + " }"; };
  EXPECT_VIOLATED(main("if (byte()) { int l = 2; q = &l; } return *q;"), memory_goals());
  EXPECT_VIOLATED(main("for (int i = 0; i < 3; i++) { x += *q; int l = i; q = &l; } return 0;"), memory_goals());
  EXPECT_HOLDS(main("if (byte()) { int l = 2; q = &l; x = *q; } q = &x; return *q;"), memory_goals());
  EXPECT_HOLDS(main("for (int i = 0; i < 3; i++) { int l = i; q = &l; if (byte()) continue; x += *q; } return 0;"),
               memory_goals());
}

TEST(UnrollMemory, AnObjectOfABlockIsNewInEachRound) {
  const std::string start = "int main() { int seen[2]; for (int i = 0; i < 2; i++) { int l, *p = &l; ";
  EXPECT_EQ(Source(start + "seen[i] = *p; } check(seen[0] == seen[1]); }").unroll().answers[0].verdict,
            Verdict::Violated);
  EXPECT_HOLDS(start + "seen[i] = *p; check(seen[i] == l); } }");
}

TEST(UnrollMemory, ValuesThatWereNeverSetAreAnything) {
  EXPECT_EQ(Source("int main() { int x[2]; check(x[0] != 5); }").unroll().answers[0].verdict, Verdict::Violated);
  EXPECT_HOLDS("int main() { int x[2]; int y = x[1]; check(y == x[1]); }");
  // The interpreter's own pattern is preferred, so that the run can be replayed.
  EXPECT_VIOLATED("int main() { int x[2]; if (input() == 3) x[0] = 4; check(x[0] == 4); }");
}

TEST(UnrollMemory, CallsThroughPointersReachTheirFunctions) {
  const std::string start =
      R"(int inc(int x) { return x + 1; } int dec(int x) { return x - 1; } int zero(int x) { return 0; }
    int (*table[3])(int) = {inc, dec, zero};
    int main() { int i = byte() % 3; int r = table[i](byte()); )";
  EXPECT_HOLDS(start + "check(i != 2 || r == 0); check(r >= -1 && r <= 256); }");
  EXPECT_VIOLATED(start + "check(r != 256); }");
}

TEST(UnrollMemory, StringFunctionsWorkOnInputs) {
  const std::string start = R"(
    #include <string.h>
    int main() { char s[5]; for (int i = 0; i < 4; i++) s[i] = __VERIFIER_nondet_char(); s[4] = 0; )";
  EXPECT_HOLDS(start + "unsigned long n = strlen(s); check(n <= 4 && s[n] == 0); if (n == 2) check(s[0] && s[1]); }");
  EXPECT_VIOLATED(start + "check(strcmp(s, \"key\") != 0); }");
  EXPECT_HOLDS(start + "char t[5]; strcpy(t, s); check(strcmp(s, t) == 0); }");
  EXPECT_VIOLATED(start + "char t[3]; strcpy(t, s); }", memory_goals());
  EXPECT_HOLDS(start +
               "char t[5]; memcpy(t, s, 5); check(memcmp(t, s, 5) == 0); memset(t, s[1], 3); check(t[2] == s[1] && "
               "t[3] == s[3]); }");
  EXPECT_HOLDS(start +
               "unsigned n = byte() % 6; char t[6] = {9, 9, 9, 9, 9, 9}; memcpy(t, s, n > 5 ? 5 : n); check(n == 0 ? "
               "t[0] == 9 : t[n - 1] == s[n - 1]); check(t[5] == 9); }");
}

TEST(UnrollMemory, VariableArgumentsArePassed) {
  EXPECT_HOLDS(R"(
    #include <stdarg.h>
    int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; }
    int main() { int x = byte(), y = byte(); check(sum(2, x, y) == x + y); check(sum(3, x, 1, 2) == x + 3); })");
}

TEST(UnrollMemory, ProgramsOf32BitsHavePointersOf32Bits) {
  const Source source(
      "int main() { long x = __VERIFIER_nondet_long(); int a[3] = {1, 2, 3}, i = byte() % 3, *p = a + i; check(sizeof "
      "x == 4 && *p == i + 1); }",
      {}, 32);
  EXPECT_HOLDS(source);
}

TEST(UnrollMemory, OverflowsAreFaultsIfTheyAreAskedFor) {
  EXPECT_VIOLATED("int main() { int x = input(); return x + 1; }", overflow_goals());
  EXPECT_HOLDS("int main() { int x = input(); if (x < 1000 && x > -1000) return x * x; return 0; }", overflow_goals());
  EXPECT_VIOLATED("int main() { int x = input(), s = input(); if (s >= 0) return 1 << s; return 0; }",
                  overflow_goals());
  EXPECT_VIOLATED("int main() { int x = input(), y = input(); if (y != 0) return x / y; return 0; }", overflow_goals());
  EXPECT_VIOLATED("int main() { unsigned x = input(), y = input(); if (x > 7) return x / y; return 0; }",
                  overflow_goals());
}

TEST(UnrollMemory, ObjectsThatBecomeInputsAreGivenBack) {
  EXPECT_VIOLATED(R"(void klee_make_symbolic(void*, unsigned long, const char*);
    int main() { struct { short a; int b[2]; } s; klee_make_symbolic(&s, sizeof s, "s"); check(s.a != 77 || s.b[1] != -3); })");
}

}  // namespace
}  // namespace plumb::unroll
