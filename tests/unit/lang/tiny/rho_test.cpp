#include <gtest/gtest.h>

#include <string>

#include "unit/lang/tiny/lower_run.h"

namespace plumb::tiny {
namespace {

Options four_bits() {
  Options options;
  options.int_width = 4;
  return options;
}

std::string rho_of(const std::string& text, const Options& options = four_bits()) {
  return print(rho(parsed(text), options));
}

/// The text of a function's body in a printed program.
std::string body_of(const std::string& printed, const std::string& function) {
  const std::size_t start = printed.find(" " + function + "() {\n");
  if (start == std::string::npos) return printed;
  const std::size_t begin = printed.find('\n', start) + 1;
  return printed.substr(begin, printed.find("\n}", begin) + 1 - begin);
}

// In the figure all variables of fact have rows. n alone is live across the recursive call, so it alone has them here.
TEST(Rho, MakesOfTheFactorialWhatTheFigureShows) {
  const std::string printed = rho_of(R"(int fact(int n) {
  int result;
  if (n <= 1) { result = 1; } else { result = n * fact(n - 1); }
  return result;
}
void main() {
  int x;
  int y;
  y = fact(x);
})");
  EXPECT_NE(printed.find("int fact::n[15];"), std::string::npos) << printed;
  EXPECT_EQ(body_of(printed, "fact"), R"(  int fact::result;
  if (fact::n[fact::sp] <= 1) {
    fact::result = 1;
  } else {
    fact::n[fact::sp + 1] = fact::n[fact::sp] - 1;
    fact::sp = fact::sp + 1;
    call_func(fact);
    fact::sp = fact::sp - 1;
    fact::result = fact::n[fact::sp] * fact::rv;
  }
  fact::rv = fact::result;
  return;
)");
  EXPECT_EQ(body_of(printed, "main"), R"(  int main::x;
  int main::y;
  fact::n[0] = main::x;
  call_func(fact);
  main::y = fact::rv;
)");
}

TEST(Rho, GivesRowsToWhatARecursiveCallWouldOverwrite) {
  const std::string printed = rho_of(R"(int f(int n, int m) {
  int k = 0;
  int r = 0;
  if (n > 0) { k = m; r = f(m, n); r = r + k; }
  return r;
}
void main() {
  int y;
  y = f(1, 2);
})");
  EXPECT_EQ(body_of(printed, "f"), R"(  f::k[f::sp] = 0;
  f::r = 0;
  if (f::n[f::sp] > 0) {
    f::k[f::sp] = f::m;
    f::n[f::sp + 1] = f::m;
    f::m = f::n[f::sp];
    f::sp = f::sp + 1;
    call_func(f);
    f::sp = f::sp - 1;
    f::r = f::rv;
    f::r = f::r + f::k[f::sp];
  }
  f::rv = f::r;
  return;
)");
}

TEST(Rho, MakesOfAQuantifierTheLoopOfTheFigure) {
  Options options = four_bits();
  options.unroll_quantifiers = false;
  const std::string printed = rho_of(R"(int a[8];
void main() {
  bool y;
  int n;
  y = forall(int i : [0..n-1]) { a[i] != 3 };
})",
                                     options);
  EXPECT_EQ(body_of(printed, "main"), R"(  bool main::y;
  int main::n;
  main::forall::ret = true;
  main::forall::i = 0;
  while (main::forall::i <= main::n - 1 && main::forall::ret) {
    main::forall::ret = main::forall::ret && a[main::forall::i] != 3;
    main::forall::i = main::forall::i + 1;
  }
  main::y = main::forall::ret;
)");
}

TEST(Rho, KeepsWhatWasReadBeforeACallInATemporary) {
  const std::string printed = rho_of(R"(int g;
int f(int x) { g = x; return g; }
void main() {
  int y;
  y = g + f(1) + f(2);
})");
  EXPECT_EQ(body_of(printed, "main"), R"(  int main::y;
  main::t = g;
  f::x = 1;
  call_func(f);
  main::t#2 = main::t + f::rv;
  f::x = 2;
  call_func(f);
  main::y = main::t#2 + f::rv;
)");
}

TEST(Rho, TurnsACallThatMayNotBeEvaluatedIntoControlFlow) {
  const std::string printed = rho_of(R"(bool f(int x) { return x > 2; }
void main() {
  int y;
  while (y < 5 && f(y)) { y = y + 1; }
})");
  EXPECT_EQ(body_of(printed, "main"), R"(  int main::y;
  while (true) {
    main::t = main::y < 5;
    if (main::t) {
      f::x = main::y;
      call_func(f);
      main::t = f::rv;
    }
    if (!main::t) {
      break;
    }
    main::y = main::y + 1;
  }
)");
}

TEST(Rho, MakesXPAndXQOfAContract) {
  const std::string printed = rho_of(R"(int x; int y;
int f(int n) { return n; }
void main() {
  int z;
  @pre add { x > 0 && y > 0 }
  z = f(x);
  @post add { z > x }
})");
  EXPECT_EQ(body_of(printed, "main"), R"(  int main::z;
  {
    main::pre_add = x > 0 && y > 0;
  }
  assume(main::pre_add);
  f::n = x;
  call_func(f);
  main::z = f::rv;
  {
    main::post_add = main::z > x;
    assert(main::pre_add -> main::post_add);
  }
)");
}

TEST(Rho, StartsWithAPreconditionThatMayNotBeExecuted) {
  const std::string printed = rho_of(R"(int x;
int f(int n) {
  if (n > 1) { @pre f { n < 3 } }
  return n;
  @post f { rv < 3 }
}
void main() { x = f(x); })");
  EXPECT_EQ(body_of(printed, "f").substr(0, 19), "  f::pre_f = true;\n");
}

TEST(Rho, ReplacesAPredicateByItsExpression) {
  const std::string printed = rho_of(R"(int a[3]; int n;
sorted(int [] b, int m) = forall(int i : [0..m-2]) { b[i] <= b[i+1] }
int f(int x) { return x; }
void main() {
  bool y;
  n = f(2);
  y = sorted(a, n);
})");
  const std::string expected = "main::y = forall (int sorted::i : [0 .. n - 2]) { a[sorted::i] <= a[sorted::i + 1] };";
  EXPECT_NE(printed.find(expected), std::string::npos) << printed;
}

TEST(Rho, PassesAnArrayWithoutACopyWhereAllCallsPassTheSame) {
  const std::string printed = rho_of(R"(int a[3];
int f(int [] b, int i) { return b[i]; }
void main() {
  int y;
  y = f(a, 1);
  y = f(a, 2);
})");
  EXPECT_NE(printed.find("f::rv = a[f::i]"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("f::b ="), std::string::npos) << printed;
}

TEST(Rho, CopiesAnArrayInAndOutWhereCallsDiffer) {
  const std::string printed = rho_of(R"(int a[3]; int c[3];
void f(int [] b) { b[0] = 1; }
void main() { f(a); f(c); })");
  EXPECT_EQ(body_of(printed, "main"), R"(  f::b = a;
  call_func(f);
  a = f::b;
  f::b = c;
  call_func(f);
  c = f::b;
)");
}

TEST(Rho, RefusesArraysOfDifferentSizesForOneCopiedParameter) {
  EXPECT_THROW(rho_of(R"(int a[3]; int c[4];
void f(int [] b) { b[0] = 1; }
void main() { f(a); f(c); })"),
               Unsupported);
}

}  // namespace
}  // namespace plumb::tiny
