#pragma once

#include <fmt/format.h>

#include <random>

#include "unit/unroll/source.h"

namespace plumb::unroll {

/// Random programs with loops over few bits of input, which can be run on every input.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  /// `bits` of input in x and y; loops that end by themselves.
  std::string program(unsigned bits) {
    text_ = "unsigned char g[8];\n";
    if (below(2) == 0)
      text_ += "unsigned f(unsigned a, unsigned b) { return a > b ? a - b : " + expression(1, "ab") + "; }\n";
    has_function_ = text_.find(" f(") != std::string::npos;
    const unsigned split = 1 + below(bits - 1);
    text_ += fmt::format(
        "int main() {{ unsigned x = byte() & {}, y = byte() & {}, z = {}, w = 1; unsigned* p = &z; int i = 0, j = 0;\n",
        (1U << split) - 1, (1U << (bits - split)) - 1, below(8));
    block(3, 2);
    text_ += fmt::format("  check({} {} {});\n}}\n", expression(1, "xyzw"), below(3) == 0 ? "!=" : "<=", below(20));
    return text_;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string variable(const std::string& names) {
    return std::string(1, names[below(static_cast<unsigned>(names.size()))]);
  }

  std::string expression(unsigned depth, const std::string& names) {
    switch (depth == 0 ? below(3) : below(8)) {
      case 0:
        return std::to_string(below(10)) + "u";
      case 1:
      case 2:
        return variable(names);
      case 3:
        return names.size() > 2 ? "g[" + expression(0, names) + " & 7]" : variable(names);
      case 4:
        if (has_function_ && names.size() > 2) return "f(" + expression(0, names) + ", " + expression(0, names) + ")";
        [[fallthrough]];
      default: {
        static constexpr std::array<const char*, 8> kOperators = {"+", "-", "*", "&", "|", "^", ">>", "<"};
        const char* op = kOperators[below(kOperators.size())];
        const std::string right = std::string(op) == ">>" ? std::to_string(below(8)) : expression(depth - 1, names);
        return "(" + expression(depth - 1, names) + " " + op + " " + right + ")";
      }
    }
  }

  void block(unsigned statements, unsigned depth) {
    for (unsigned i = 0; i <= below(statements) + 1; ++i) statement(depth);
  }

  void statement(unsigned depth) {
    const std::string names = "xyzw";
    switch (below(depth == 0 ? 5 : 9)) {
      case 0:
        text_ += "*p = " + expression(1, names) + " & 63;\n";
        return;
      case 1:
        text_ += "g[" + variable(names) + " & 7] = " + expression(1, names) + ";\n";
        return;
      case 2:
        text_ += "if (" + expression(1, names) + " > " + std::to_string(below(6)) +
                 ") p = " + (below(2) != 0 ? "&w" : "&z") + ";\n";
        return;
      case 3:
      case 4:
        text_ += variable(names) + " = " + expression(2, names) + ";\n";
        return;
      case 5:
      case 6:
        text_ += "if (" + expression(1, names) + " <= " + std::to_string(below(9)) + ") {\n";
        block(2, depth - 1);
        text_ += "} else {\n";
        block(2, depth - 1);
        text_ += "}\n";
        return;
      default: {
        const std::string counter = depth == 2 ? "i" : "j";
        const unsigned most = 2 + below(5);
        const std::string limit =
            below(3) == 0 ? std::to_string(most) : "(int)(" + expression(1, names) + ") % " + std::to_string(most + 1);
        text_ +=
            fmt::format("for ({0} = 0; {0} < {1}; {0}++) {{\n", counter, below(2) == 0 ? limit : std::to_string(most));
        if (below(3) == 0)
          text_ += "if (" + expression(1, names) + " == " + std::to_string(below(5)) + ") " +
                   (below(2) == 0 ? "break" : "continue") + ";\n";
        block(2, depth - 1);
        text_ += "}\n";
      }
    }
  }

  std::mt19937 random_;
  std::string text_;
  bool has_function_ = false;
};

/// Whether some input violates the goal.
inline bool is_violated(const Source& source) {
  for (unsigned input = 0; input < 1U << 12; ++input) {
    result::TestCase test;
    test.inputs = {{"unsigned char", {static_cast<std::uint8_t>(input & 63)}},
                   {"unsigned char", {static_cast<std::uint8_t>(input >> 6)}}};
    if (source.violates(test, source.goals[0])) return true;
  }
  return false;
}

}  // namespace plumb::unroll
