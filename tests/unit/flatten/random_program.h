#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

namespace plumb::flatten {

/// Small C programs that always end: loops count a variable of their own, everything else is as it comes. With calls,
/// gotos out of loops, switches, early returns, inputs, assumptions and assertions; with `has_memory` also arrays,
/// structures, unions, pointers (to functions, too), globals and static locals.
class RandomProgram {
 public:
  RandomProgram(std::uint32_t seed, bool has_memory) : random_(seed), has_memory_(has_memory) {}

  std::string text() {
    std::string all;
    if (has_memory_)
      all +=
          "struct pair { u8 first; u16 second; };\nunion parts { u16 word; u8 bytes[2]; };\n"
          "u8 ga; u16 gb; u8 table[4]; short grid[2][3];\nstatic struct pair gp; struct pair *link = &gp;\n"
          "static void set(u8 *to, u8 value) { *to = value; }\n"
          "static u8 next(void) { static u8 state = 3; state = (u8)(state * 5 + 1); return state; }\n";
    all += "static u8 twice(u8 p) { return (u8)(p + p); }\n";
    all += function("u8 first(u8 a, u8 b)", "a");
    functions_ = 1;
    all += function("static u8 second(u8 a, u8 b)", "b");
    functions_ = 2;
    if (has_memory_) all += "u8 (*chosen)(u8, u8) = first;\n";
    all +=
        "static u8 depth(u8 a, u8 b) { if (a == 0 || b > 5) return b;\n"
        "return (u8)(depth((u8)(a / 2), (u8)(b + 1)) + a); }\n";
    all +=
        "static signed char down(signed char n, u8 by);\n"
        "static signed char up(signed char n, u8 by) { if (n > 20) return n; signed char r = down((signed char)(n - "
        "1), by); return (signed char)(r ^ n); }\n"
        "static signed char down(signed char n, u8 by) { if (n < 0 || by > 9) return (signed char)by; int keep = n * "
        "3;\n"
        "return (signed char)(up((signed char)(n - 2), (u8)(by + 1)) + keep); }\n";
    functions_ = 3;
    all += function("int main(void)", "0");
    return all;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  std::string variable() {
    if (chance(20)) return chance(50) ? "e" : "f";
    if (has_memory_ && chance(30)) {
      static constexpr const char* kPlaces[] = {
          "ga",       "gb",          "gp.first",   "gp.second",      "*q",
          "local[1]", "pair.second", "parts.word", "parts.bytes[1]", "link->first"};
      if (chance(15)) return fmt::format("grid[{} & 1][{} % 3]", local(), local());
      if (chance(30)) return fmt::format("table[{} & 3]", local());
      if (chance(20)) return fmt::format("local[{} % 3]", local());
      return kPlaces[below(10)];
    }
    return local();
  }
  std::string local() { return std::string(1, "abcd"[below(4)]); }

  std::string expression(int depth) {
    if (depth == 0 || chance(25)) return chance(40) ? std::to_string(below(chance(80) ? 8 : 256)) : variable();
    static constexpr const char* kOperators[] = {"+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"};
    const std::string left = expression(depth - 1);
    const std::string right = expression(depth - 1);
    const std::uint32_t op = below(10);
    if (op >= 8) return fmt::format("({} {} ({} | 1))", left, kOperators[op], right);
    if (op >= 6) return fmt::format("({} {} ({} & 7))", left, kOperators[op], right);
    if (chance(10)) return fmt::format("({} ? {} : {})", condition(1), left, right);
    return fmt::format("({} {} {})", left, kOperators[op], right);
  }
  std::string condition(int depth) {
    static constexpr const char* kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
    const std::string simple = fmt::format("{} {} {}", expression(depth), kOperators[below(6)], expression(depth));
    if (!chance(20)) return simple;
    return fmt::format("({}) {} ({})", simple, chance(50) ? "&&" : "||", condition(depth));
  }

  std::string assignment() {
    if (functions_ > 0 && chance(20)) {
      static constexpr const char* kFunctions[] = {"first", "second", "depth"};
      return fmt::format("{} = {}({}, {});", variable(), kFunctions[below(functions_)], expression(1), expression(1));
    }
    if (chance(15)) return fmt::format("{} = __VERIFIER_nondet_uchar();", variable());
    if (chance(8)) return fmt::format("{} = twice({});", variable(), expression(1));
    if (has_memory_ && chance(10)) return chance(50) ? "q = &table[b & 3];" : "q = &ga;";
    if (has_memory_ && chance(8)) return chance(50) ? "pair = gp;" : "gp = pair;";
    if (has_memory_ && chance(6)) return chance(50) ? "link = &pair;" : "link = &gp;";
    if (has_memory_ && chance(8)) return chance(50) ? "set(q, c);" : "d = next();";
    if (functions_ == 3 && chance(10))
      return fmt::format("{} = (u8)up((signed char)({} & 15), {});", variable(), local(), local());
    if (functions_ == 3 && has_memory_ && chance(10))
      return chance(50) ? "chosen = chosen == first ? second : first;" : "c = chosen(a, d);";
    return fmt::format("{} = {};", variable(), expression(2));
  }

  std::string block(int depth) {
    std::string all;
    for (std::uint32_t i = 0; i <= below(3); ++i) all += statement(depth);
    return all;
  }

  std::string loop(int depth) {
    const std::string counter = fmt::format("i{}", counters_++);
    ++loops_;
    const std::string body = block(depth - 1);
    --loops_;
    const std::uint32_t bound = 1 + below(5);
    switch (below(3)) {
      case 0:
        return fmt::format("for (u8 {0} = 0; {0} < {1}; {0}++) {{ {2} }}\n", counter, bound, body);
      case 1:
        return fmt::format("{{ u8 {0} = {1}; while ({0}-- > 0 && {3}) {{ {2} }} }}\n", counter, bound, body,
                           condition(1));
      default:
        return fmt::format("{{ u8 {0} = 0; do {{ {2} }} while (++{0} < {1}); d ^= {0}; }}\n", counter, bound, body);
    }
  }

  std::string statement(int depth) {
    const std::uint32_t kind = below(100);
    if (depth > 0 && kind < 20)
      return fmt::format("if ({}) {{ {} }} else {{ {} }}\n", condition(1), block(depth - 1), block(depth - 1));
    if (depth > 0 && kind < 28) return fmt::format("if ({}) {{ {} }}\n", condition(1), block(depth - 1));
    if (depth > 0 && kind < 45) return loop(depth);
    if (depth > 0 && kind < 52)
      return fmt::format("switch ({} & 3) {{ case 0: {} break; case 1: {} case 2: {} break; default: {} }}\n", local(),
                         block(depth - 1), block(depth - 1), block(depth - 1), block(depth - 1));
    if (kind < 57) return fmt::format("CHECK({});\n", condition(1));
    if (kind < 59) return fmt::format("__VERIFIER_assume({} || a < 200);\n", condition(1));
    if (kind < 62) return fmt::format("if ({}) goto out;\n", condition(1));
    if (loops_ > 0 && kind < 66) return fmt::format("if ({}) {};\n", condition(1), chance(50) ? "break" : "continue");
    if (kind < 67) return fmt::format("if ({}) exit(1);\n", condition(1));
    return assignment() + "\n";
  }

  std::string function(std::string_view head, std::string_view result) {
    std::string locals =
        head.find("main") == std::string_view::npos
            ? "u8 c = 1, d = 2; int e = -3, f = a;"
            : "u8 a = 0, b = 1, c = __VERIFIER_nondet_uchar(), d = 2; int e = __VERIFIER_nondet_int(), f = -1;";
    if (has_memory_)
      locals +=
          " u8 local[3] = {1, 2, 3}; u8 *q = &local[0]; struct pair pair = {5, 6}; union parts parts = {7}; link = "
          "&pair;";
    loops_ = 0;
    std::string body;
    const bool is_main = head.find("main") != std::string_view::npos;
    for (int i = 0; i < (is_main ? 6 : 2); ++i) body += statement(is_main ? 3 : 2);
    return fmt::format("{} {{ {}\n{}out: a ^= d;\nCHECK(c != {});\nreturn {};\n}}\n", head, locals, body, below(256),
                       result);
  }

  std::mt19937 random_;
  bool has_memory_;
  std::uint32_t functions_ = 0;
  std::uint32_t counters_ = 0;
  std::uint32_t loops_ = 0;
};

}  // namespace plumb::flatten
