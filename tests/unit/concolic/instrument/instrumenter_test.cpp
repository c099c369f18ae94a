// The backbone: programs branch on what they compute of their inputs, and every condition that was recorded must have
// the value that the run took it for. Runs return a checksum, which is that of the program without instrumentation.
#include <gtest/gtest.h>

#include <string>

#include "runtime/concolic/protocol.h"
#include "unit/concolic/instrument/instrumenter_fixture.h"

namespace plumb::concolic::testing {
namespace {

using Kind = PathNode::Kind;
using Form = InstrumentedProgram::Form;

constexpr const char* kPrelude = R"(
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long u64;
extern u8 __VERIFIER_nondet_uchar(void); extern signed char __VERIFIER_nondet_char(void);
extern u16 __VERIFIER_nondet_ushort(void); extern short __VERIFIER_nondet_short(void);
extern u32 __VERIFIER_nondet_uint(void); extern int __VERIFIER_nondet_int(void);
extern u64 __VERIFIER_nondet_ulong(void); extern long __VERIFIER_nondet_long(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern float __VERIFIER_nondet_float(void); extern double __VERIFIER_nondet_double(void);
extern void plumb_symbolic(void*, unsigned long, const char*);
extern void __VERIFIER_assume(int); extern void plumb_check(int);
static u32 sum;
// Sees all bits of a value that the path depends on.
#define SEE(x) do { u64 seen = (u64)(x); for (int bit = 0; bit < 8 * (int)sizeof(x); bit += 5) \
  if (seen >> bit & 1) sum = sum * 31 + 7; else sum = sum * 17 + 3; } while (0)
)";

InstrumentedProgram c_program(const std::string& text) { return InstrumentedProgram(kPrelude + text); }

TEST(Instrumenter, IntegerOperatorsOfAllWidthsGiveTheExpressionsOfTheirValues) {
  InstrumentedProgram program = c_program(R"(
#define ALL(T, a, b) do { T x = a, y = b, z = (T)((y & 15) + 1); SEE((T)(x + y)); SEE((T)(x - y)); SEE((T)(x * y)); \
  SEE((T)(x / z)); SEE((T)(x % z)); SEE((T)(x & y)); SEE((T)(x | y)); SEE((T)(x ^ y)); SEE((T)~x); SEE((T)-x); \
  SEE((T)(x << (z & 7))); SEE((T)(x >> (z & 7))); SEE((u8)((x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + \
  16 * (x > y) + 32 * (x >= y))); SEE((u64)x); SEE((u8)x); SEE((short)x); } while (0)
int main(void) {
  ALL(u8, __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
  ALL(signed char, __VERIFIER_nondet_char(), 77);
  ALL(u16, 1234, __VERIFIER_nondet_ushort());
  ALL(short, __VERIFIER_nondet_short(), __VERIFIER_nondet_short());
  ALL(u32, __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
  ALL(int, __VERIFIER_nondet_int(), __VERIFIER_nondet_int() >> 1);
  ALL(u64, __VERIFIER_nondet_ulong(), __VERIFIER_nondet_ulong());
  ALL(long, __VERIFIER_nondet_long(), 5);
  _Bool flag = __VERIFIER_nondet_bool();
  u32 chosen = flag ? __VERIFIER_nondet_uint() : 3;
  SEE(chosen); SEE(flag);
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GT(run.count(Kind::Branch), 500U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(Instrumenter, FunctionsThatPromiseToHaveNoEffectPassTheirShadowsAllTheSame) {
  InstrumentedProgram program = c_program(R"(
static u8 table[4] = {1, 2, 3, 4};
static __attribute__((pure, noinline)) int look(const u8* restrict at, u8 key) { return at[key & 3] < key ? 300 : -5; }
static __attribute__((const, noinline)) u64 twice(u16 x) { return 2UL * x; }
int main(void) {
  table[2] = __VERIFIER_nondet_uchar();
  u8 key = __VERIFIER_nondet_uchar();
  SEE(key); SEE(look(table, key)); SEE(twice(__VERIFIER_nondet_ushort())); SEE(look(table, 2)); SEE(twice(7));
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 12)) EXPECT_TRUE(run.trace.lost.empty());
}

TEST(Instrumenter, BitIntrinsicsGiveTheExpressionsOfTheirValues) {
  std::string text = R"(
declare i32 @__VERIFIER_nondet_uint()
@sum = internal global i32 0
define void @see(i64 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %shifted = lshr i64 %x, %i
  %bit = trunc i64 %shifted to i1
  br i1 %bit, label %set, label %join
set:
  br label %join
join:
  %add = phi i32 [ 3, %loop ], [ 7, %set ]
  %old = load i32, ptr @sum
  %times = mul i32 %old, 31
  %new = add i32 %times, %add
  store i32 %new, ptr @sum
  %next = add i64 %i, 3
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %done
done:
  ret void
}
define i32 @main() {
)";
  int name = 0;
  std::string declarations;
  const auto fresh = [&] { return "%v" + std::to_string(name++); };
  const auto input = [&](unsigned width) {
    const std::string word = fresh();
    text += "  " + word + " = call i32 @__VERIFIER_nondet_uint()\n";
    const std::string value = fresh();
    const char* cast = width < 32 ? "trunc" : width > 32 ? "sext" : "bitcast";
    text += "  " + value + " = " + cast + " i32 " + word + " to i" + std::to_string(width) + "\n";
    if (width <= 32) return value;
    const std::string mixed = fresh();
    text += "  " + mixed + " = mul i" + std::to_string(width) + " " + value + ", 2862933555777941\n";
    return mixed;
  };
  const auto see = [&](std::string value, unsigned width) {
    const std::string wide = fresh();
    if (width < 64) text += "  " + wide + " = zext i" + std::to_string(width) + " " + value + " to i64\n";
    text += "  call void @see(i64 " + (width < 64 ? wide : value) + ")\n";
  };
  for (const unsigned width : {8U, 13U, 16U, 32U, 64U}) {
    const std::string type = "i" + std::to_string(width);
    const auto call = [&](const std::string& function, const std::string& arguments, const std::string& result,
                          const std::string& types) {
      const std::string made = fresh();
      text += "  " + made + " = call " + result + " @llvm." + function + "." + type + "(" + arguments + ")\n";
      declarations += "declare " + result + " @llvm." + function + "." + type + "(" + types + ")\n";
      return made;
    };
    const std::string a = input(width);
    const std::string b = input(width);
    const std::string pair = type + " " + a + ", " + type + " " + b;
    const std::string half = type + " 57, " + type + " " + b;
    for (const char* function : {"smin", "smax", "umin", "umax", "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat"}) {
      see(call(function, pair, type, type + ", " + type), width);
      see(
          [&] {
            const std::string made = fresh();
            text += "  " + made + " = call " + type + " @llvm." + function + "." + type + "(" + half + ")\n";
            return made;
          }(),
          width);
    }
    for (const char* function : {"uadd", "sadd", "usub", "ssub", "umul", "smul"}) {
      const std::string both =
          call(std::string(function) + ".with.overflow", pair, "{ " + type + ", i1 }", type + ", " + type);
      for (const char* part : {"0", "1"}) {
        const std::string value = fresh();
        text += "  " + value + " = extractvalue { " + type + ", i1 } " + both + ", " + part + "\n";
        see(value, part[0] == '0' ? width : 1);
      }
    }
    for (const char* function : {"fshl", "fshr"}) {
      see(call(function, pair + ", " + type + " " + a, type, type + ", " + type + ", " + type), width);
      const std::string fixed = fresh();
      text += "  " + fixed + " = call " + type + " @llvm." + function + "." + type + "(" + half + ", " + type + " 5)\n";
      see(fixed, width);
    }
    for (const char* function : {"ctpop", "bitreverse"}) see(call(function, type + " " + a, type, type), width);
    for (const char* function : {"ctlz", "cttz", "abs"})
      see(call(function, type + " " + a + ", i1 false", type, type + ", i1"), width);
    if (width % 16 == 0) see(call("bswap", type + " " + b, type, type), width);
  }
  text += "  %s = load i32, ptr @sum\n  %r = and i32 %s, 127\n  ret i32 %r\n}\n" + declarations;
  InstrumentedProgram program(text, Form::Llvm);
  for (const TracedRun& run : check_runs(program, 4)) {
    EXPECT_GT(run.count(Kind::Branch), 500U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(Instrumenter, FloatsMoveAsBitsAndCompareAsNumbers) {
  InstrumentedProgram program = c_program(R"(
#include <math.h>
static int order(double a, double b) {
  int made = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b);
  return made + 64 * (isnan(a) != 0) + 128 * (isinf(b) != 0) + 256 * __builtin_isunordered(a, b) +
         512 * __builtin_islessgreater(a, b) + 1024 * (isfinite(a) != 0) + 2048 * (isnormal(b) != 0);
}
int main(void) {
  double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float(), g = __VERIFIER_nondet_float();
  SEE(order(a, b)); SEE(order(a, a)); SEE(order(a, 1.5)); SEE(order(fabs(a), -b)); SEE(order(copysign(a, b), a));
  if (f < g) ++sum; if (!(f > 0.0f)) sum += 2; if (fabsf(f) <= fabsf(g)) sum += 5; if (f != f) sum += 9;
  union { double d; u64 bits; } u = { a };
  SEE(u.bits); u.bits ^= 1ul << 63; SEE(order(u.d, -a));
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GT(run.trace.nodes.size(), 20U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(Instrumenter, IntrinsicsThatALoweringIgnoresLoseNothing) {
  InstrumentedProgram program = c_program(R"(
int main(void) {
  char text[4]; u8 x = __VERIFIER_nondet_uchar();
  char* p = text + (x & 3);
  __builtin___clear_cache(p, p + 1); __builtin_prefetch(p); __builtin_assume(x < 256);
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 2)) {
    EXPECT_TRUE(run.trace.lost.empty());
    EXPECT_TRUE(run.trace.nodes.empty());
  }
}

TEST(Instrumenter, FloatsGrowWiderAsNumbers) {
  InstrumentedProgram program = c_program(R"(
int main(void) {
  float f = __VERIFIER_nondet_float(), g = __VERIFIER_nondet_float();
  if (f > 1.0) ++sum; if (g == 0.1) sum += 2; if ((double)f < (double)g) sum += 4; if (f != f) return sum & 127;
  union { double d; u64 bits; } u = { f };
  SEE(u.bits);
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GE(run.trace.nodes.size(), 4U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(Instrumenter, FloatArithmeticPinsItsOperands) {
  InstrumentedProgram program = c_program(R"(
int main(void) {
  double a = __VERIFIER_nondet_double(); int i = __VERIFIER_nondet_int();
  if (a + 1.0 > 3.0) ++sum;
  if ((double)i > 0.5) sum += 2;
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 3)) EXPECT_EQ(run.lost(PLUMB_PIN_FLOAT), 2U);
}

TEST(Instrumenter, ControlAndCallsCarryShadowsAlong) {
  InstrumentedProgram program = c_program(R"(
#include <setjmp.h>
struct small { int a; short b; long c; };
struct large { int many[12]; u8 tail; };
static int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
static int (*const table[2])(int) = { twice, minus };
static u32 fibonacci(u32 n, u32 x) { return n < 2 ? x + n : fibonacci(n - 1, x) + fibonacci(n - 2, x ^ 5); }
static struct small swap(struct small s) { struct small r = { s.b, (short)s.a, s.c * 3 }; return r; }
static u32 fold(struct large l) { u32 r = l.tail; for (int i = 0; i < 12; ++i) r = r * 3 + (u32)l.many[i]; l.many[0] = 1; return r; }
static struct large make(int x) { struct large l = { { x, 2, x + 1 }, (u8)x }; return l; }
static void add(u32* to, u8 x) { *to += x; }
static int last(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int x = 0; while (n-- > 0) x = __builtin_va_arg(l, int); __builtin_va_end(l); return x; }
static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, double j) { return a - b + c - d + e - f + g - h + i + (j > 2); }
static jmp_buf back;
static void deep(int n) { if (n == 0) longjmp(back, 1); deep(n - 1); }
int main(void) {
  u32 x = __VERIFIER_nondet_uint(); int y = __VERIFIER_nondet_int();
  switch (x % 7) { case 0: ++sum; break; case 1: sum += 3; case 2: sum += 5; break; case 5: case 6: sum += y; break; default: sum *= 3; }
  switch ((u8)y) { case 200: sum += 9; break; case 17: ++sum; }
  SEE(fibonacci(6, x));
  SEE(table[0](y)); SEE(table[y & 1](y));
  struct small s = { y, (short)x, y }; s = swap(swap(s)); SEE(s.a); SEE(s.b); SEE(s.c);
  struct large l = make(y); SEE(fold(l)); SEE(l.many[0]); SEE(l.tail);
  u32 local = 4; add(&local, (u8)x); SEE(local);
  SEE(many(y, 1, y, 2, 3, y, 4, (int)x, 5, 1.0));
  if (setjmp(back) == 0) deep(3); else SEE(y);
  goto *(void*[]){ &&one, &&two }[1]; one: ++sum; two:
  while (x > 3 && x % 3) x /= 3;
  do { sum += x; } while (x-- & 3);
  SEE(last(3, 1, 2, 40));
  int t = y > 5 ? (y > 9 ? 1 : 2) : 3; SEE(t);
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GT(run.count(Kind::Branch), 60U);
    EXPECT_EQ(run.count(Kind::CallTarget), 1U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(Instrumenter, MemoryKeepsShadowsByteByByte) {
  InstrumentedProgram program = c_program(R"(
#include <stdlib.h>
#include <string.h>
static const u16 squares[16] = { 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225 };
static u32 counts[8];
struct bits { u32 a : 5; u32 b : 11; int c : 7; u8 d; } __attribute__((packed));
static void fill(u8* p, u8 x, unsigned n) { for (unsigned i = 0; i < n; ++i) p[i] = (u8)(x + i); }
int main(void) {
  u8 raw[24]; u32 words[6]; plumb_symbolic(raw, sizeof raw, "raw"); plumb_symbolic(words, sizeof words, "words");
  u64 big; memcpy(&big, raw + 3, 8); SEE(big);
  u16 odd = *(u16*)(raw + 1); SEE(odd); u32 middle = *(u32*)((u8*)words + 6); SEE(middle);
  raw[4] = 7; memcpy(&big, raw + 3, 8); SEE(big);
  SEE(squares[words[0] & 15]);
  u32 local[5] = { 1, 2, 3 }; local[words[1] % 5] = words[2]; SEE(local[0]); SEE(local[words[3] % 5]);
  counts[raw[0] & 7] += raw[9]; counts[words[2] & 7] ^= 9; SEE(counts[3]); SEE(counts[raw[2] & 7]);
  struct bits b; memset(&b, 0, sizeof b); b.a = words[4]; b.b = words[5]; b.c = (int)words[4]; b.d = raw[7];
  SEE(+b.a); SEE(+b.b); SEE(+b.c); SEE(b.d);
  u8* heap = malloc(40); memset(heap, raw[8], 16); fill(heap + 16, raw[5], 12); heap[30] = 1;
  SEE(heap[3]); SEE(heap[20]); SEE(heap[raw[6] % 28]); heap = realloc(heap, 80); SEE(heap[19]); SEE(heap[16 + raw[10] % 12]);
  memmove(heap + 2, heap + 14, 10); SEE(heap[5]); free(heap);
  heap = calloc(4, 8); SEE(heap[3]); free(heap);
  u32* pointers[2] = { &words[3], &local[1] }; SEE(*pointers[raw[11] & 1]);
  _Bool flags[3] = { raw[12] > 9, raw[13] > 90, 1 }; SEE(flags[0]); SEE(flags[1]); if (flags[raw[14] % 3]) ++sum;
  unsigned n = 1 + words[0] % 4; u32 vla[n]; vla[n - 1] = words[1]; SEE(vla[n - 1]);
  u32 copy[6]; memcpy(copy, words, sizeof copy); SEE(copy[4]); for (int i = 0; i < 6; ++i) copy[i] = i; SEE(copy[4]);
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GT(run.count(Kind::Branch), 60U);
    EXPECT_EQ(run.lost(PLUMB_PIN_ADDRESS), 0U);
  }
}

TEST(Instrumenter, AtomicOperationsKeepShadows) {
  InstrumentedProgram program = c_program(R"(
#include <stdatomic.h>
static atomic_uint cell; static _Atomic u8 byte;
int main(void) {
  u32 x = __VERIFIER_nondet_uint();
  cell = x; SEE(atomic_fetch_add(&cell, x | 1)); SEE(atomic_load(&cell)); SEE(atomic_fetch_xor(&cell, 99u)); SEE(atomic_load(&cell));
  SEE(atomic_exchange(&cell, x * 3)); SEE(atomic_load(&cell)); atomic_fetch_sub(&byte, (u8)x); SEE(atomic_load(&byte));
  u32 wanted = x * 3; if (atomic_compare_exchange_strong(&cell, &wanted, x + 8)) ++sum; SEE(atomic_load(&cell));
  wanted = 1; if (atomic_compare_exchange_strong(&cell, &wanted, 5)) ++sum; SEE(wanted); SEE(atomic_load(&cell));
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 4)) EXPECT_GT(run.count(Kind::Branch), 20U);
}

TEST(Instrumenter, WideValuesAndVectorsAreConcreteAndCounted) {
  InstrumentedProgram program = c_program(R"(
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
  int x = __VERIFIER_nondet_int(); v4 v = { x, 2, 3, 4 }; v = v * v; if (v[0] > 100) ++sum;
  __int128 w = x; w *= w; if ((u64)(w >> 20) & 1) sum += 2;
  v4 stored[2]; *(int*)stored = x; stored[0] = v; if (*(int*)stored > 5) sum += 4;
  long double l = x; if (l > 2) sum += 8;
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 4)) {
    EXPECT_EQ(run.count(Kind::Branch), 0U);
    EXPECT_GT(run.lost(PLUMB_PIN_WIDE), 0U);
  }
}

TEST(Instrumenter, EveryEdgeThatARunTakesIsCoveredAndNoOther) {
  InstrumentedProgram program = c_program(R"(
int main(void) {
  u32 x = __VERIFIER_nondet_uint();
  if (x > 10) ++sum; else sum += 2;
  switch (x & 3) { case 0: case 1: ++sum; break; case 2: sum += 2; }
  for (u32 i = 0; i < 2; ++i) sum += i;
  return 0;
})");
  const auto input = [](std::uint8_t x) { return std::vector<result::TestInput>{{"unsigned int", {x, 0, 0, 0}}}; };
  std::vector<std::vector<unsigned>> covered;
  for (const std::uint8_t x : std::initializer_list<std::uint8_t>{0, 1, 2, 3, 12}) {
    const TracedRun run = program.run(input(x));
    std::vector<unsigned>& edges = covered.emplace_back();
    for (unsigned edge = 0; edge < run.coverage.size(); ++edge)
      if (run.coverage[edge] != 0) edges.push_back(edge);
  }
  const std::vector<std::vector<unsigned>> expected = {
      {1, 3, 6, 7}, {1, 4, 6, 7}, {1, 5, 6, 7}, {1, 2, 6, 7}, {0, 3, 6, 7}};
  EXPECT_EQ(covered, expected);
}

TEST(Instrumenter, PropertiesAndErrorsEndRuns) {
  InstrumentedProgram program = c_program(R"(
#include <assert.h>
#include <stdlib.h>
void reach_error(void) { assert(0); }
int main(void) {
  u8 kind = __VERIFIER_nondet_uchar(); int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(kind < 100);
  switch (kind) {
    case 1: assert(x == 0); break;
    case 2: plumb_check(x > 3); break;
    case 3: reach_error();
    case 4: abort();
    case 5: return 100 / x;
    case 6: return 100 % (x + 1);
  }
  return 9;
})");
  const auto run = [&](std::uint8_t kind, std::uint8_t x) {
    return program.run({{"unsigned char", {kind}}, {"int", {x, 0, 0, 0}}});
  };
  EXPECT_EQ(run(100, 0).end, RunEnd::AssumeFailed);
  EXPECT_EQ(run(7, 0).code, 9);
  EXPECT_EQ(run(1, 0).end, RunEnd::Exit);
  const std::vector<std::pair<std::uint8_t, int>> errors = {
      {1, PLUMB_ERROR_ASSERT}, {2, PLUMB_ERROR_CHECK}, {3, PLUMB_ERROR_REACHED}, {4, PLUMB_ERROR_ABORT}};
  for (const auto& [kind, error] : errors) {
    const TracedRun made = run(kind, 1);
    EXPECT_EQ(made.end, RunEnd::Error);
    EXPECT_EQ(made.code, error);
    EXPECT_EQ(made.first_false, made.trace.nodes.size());
  }
  EXPECT_EQ(run(2, 4).count(Kind::Check), 1U);
  EXPECT_EQ(run(5, 0).code, PLUMB_ERROR_DIVISION);
  EXPECT_EQ(run(6, 5).code, 100 % 6);
  EXPECT_EQ(run(6, 5).count(Kind::Division), 1U);
}

TEST(Instrumenter, QuotientsThatTrapAreCheckedWhateverTheChecks) {
  InstrumentedProgram program = c_program(R"(
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  return (u8)(x % y);
})");
  const auto run = [&](std::uint8_t high) {
    return program.run({{"int", {0, 0, 0, high}}, {"int", {255, 255, 255, 255}}});
  };
  EXPECT_EQ(run(0x40).count(Kind::Check), 1U);
  const TracedRun trapped = run(0x80);
  EXPECT_EQ(trapped.end, RunEnd::Signal);
  ASSERT_EQ(trapped.count(Kind::Check), 1U);
  EXPECT_EQ(trapped.trace.alternatives.back().kind, Alternative::Kind::Assumption);
}

TEST(Instrumenter, ExternalCallsPinWhatTheyAreGivenAndOutputDoesNot) {
  InstrumentedProgram program = c_program(R"(
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int x = __VERIFIER_nondet_int(); u8 text[8]; plumb_symbolic(text, 8, "text");
  printf("%d %s", x, text); putchar(x);
  if (dup2(x & 0xffff, 0) > 5) ++sum;
  int ends[2]; if (pipe(ends) != 0) return 1;
  if (write(ends[1], "abcd", 4) != 4 || read(ends[0], text, 4) != 4) return 1;
  if (text[1] == 'b') sum += 2; if (text[5] > 9) sum += 4;
  return sum & 127;
})");
  for (const TracedRun& run : check_runs(program, 3)) {
    EXPECT_EQ(run.lost(PLUMB_PIN_CALL), 1U);
    EXPECT_EQ(run.count(Kind::Branch), 1U);
  }
}

}  // namespace
}  // namespace plumb::concolic::testing
