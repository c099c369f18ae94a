#include "unit/instrument/regions/region_cloner_program.h"

#include <fmt/format.h>

namespace plumb::instrument::test {

std::string ProgramGenerator::place() {
  switch (below(6)) {
    case 0:
      return fmt::format("g[{}]", below(8));
    case 1:
      return fmt::format("local[{} & 7]", variable());
    case 2:
      return fmt::format("g[{} & 7]", variable());
    default:
      return variable();
  }
}

std::string ProgramGenerator::expression(unsigned depth) {
  if (depth == 0) return chance(30) ? fmt::format("{}u", below(9)) : place();
  const std::string a = expression(depth - 1);
  const std::string b = expression(depth - 1);
  switch (below(9)) {
    case 0:
      return fmt::format("({} + {})", a, b);
    case 1:
      return fmt::format("({} - {})", a, b);
    case 2:
      return fmt::format("({} * {})", a, b);
    case 3:
      return fmt::format("({} ^ {})", a, b);
    case 4:
      return fmt::format("({} >> {})", a, below(8));
    case 5:
      return fmt::format("({} % ({} | 1u))", a, b);
    case 6:
      return fmt::format("({} ? {} : {})", condition(0), a, b);
    case 7:
      return fmt::format("(uint32_t)(uint8_t){}", a);
    default:
      return a;
  }
}

std::string ProgramGenerator::condition(unsigned depth) {
  if (depth > 0 && chance(50))
    return fmt::format("({} {} {})", condition(depth - 1), chance(50) ? "&&" : "||", condition(depth - 1));
  if (chance(30)) return fmt::format("({} & {}u)", expression(0), 1 + below(4));
  static constexpr const char* kOperators[] = {"<", ">", "==", "!=", "<=", ">="};
  return fmt::format("({} % {}u {} {}u)", expression(depth), 3 + below(5), kOperators[below(6)], below(5));
}

std::string ProgramGenerator::assignment() {
  if (chance(6)) return fmt::format("note({});\n", variable());
  if (chance(5))
    return fmt::format("{{ uint32_t *p = &{}; *p += 1; {} = (uint32_t)(uintptr_t)p & 1; }}\n", "g[1]", variable());
  return fmt::format("{} = {};\n", place(), expression(1 + below(2)));
}

std::string ProgramGenerator::choice(unsigned depth, bool in_loop) {
  std::string text = fmt::format("switch ({} % 6u) {{\n", expression(1));
  for (unsigned i = 0; i < 5; ++i) {
    if (chance(15)) continue;
    text += fmt::format("case {}:\n", i);
    if (chance(30)) continue;
    text += chance(50) ? assignment() : statements(depth - 1, in_loop);
    if (chance(70)) text += "break;\n";
  }
  if (chance(50)) text += "default: " + assignment();
  return text + ";\n}\n";
}

std::string ProgramGenerator::statement(unsigned depth, bool in_loop) {
  if (in_loop && chance(10))
    return fmt::format("if ({}) {}\n", condition(0), chance(50) ? "{ --left; continue; }" : "break;");
  if (chance(2)) return fmt::format("if ({}) return {};\n", condition(0), expression(1));
  if (depth == 0 || chance(30)) return assignment();
  switch (below(5)) {
    case 0:
      return fmt::format("if ({}) {{\n{}}}\n", condition(1), statements(depth - 1, in_loop));
    case 1:
    case 2:
      return fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", condition(1), statements(depth - 1, in_loop),
                         statements(depth - 1, in_loop));
    case 3:
      return choice(depth, in_loop);
    default:
      return fmt::format("for (; left > 0 && {}; --left) {{\n{}}}\n", condition(0), statements(depth - 1, true));
  }
}

std::string ProgramGenerator::statements(unsigned depth, bool in_loop) {
  std::string text;
  for (unsigned i = 1 + below(3); i > 0; --i) text += statement(depth, in_loop);
  return text;
}

std::string ProgramGenerator::jump(unsigned from, unsigned count) {
  if (from > 0 && chance(15)) return fmt::format("if (left > 0) {{ --left; goto L{}; }}\n", below(from + 1));
  return fmt::format("goto L{};\n", from + 1 + below(std::min(3u, count - from)));
}

std::string ProgramGenerator::labelled_blocks() {
  const unsigned count = 4 + below(8);
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("L{}:;\n", i);
    if (chance(80)) text += assignment();
    switch (below(4)) {
      case 0:
        text += jump(i, count);
        break;
      case 1:
        text += fmt::format("switch ({} % 4u) {{ case 0: {} case 1: case 3: {} default: {} }}\n", expression(1),
                            jump(i, count), jump(i, count), jump(i, count));
        break;
      default:
        text += fmt::format("if ({}) {{ {} }} else {{ {} }}\n", condition(1), jump(i, count), jump(i, count));
    }
  }
  return text + fmt::format("L{}:;\n", count);
}

std::string ProgramGenerator::function(unsigned index) {
  const std::string head = fmt::format(
      "uint64_t f{}(uint32_t v0, uint32_t v1, uint32_t v2) {{\n"
      "uint32_t v3 = 3, v4 = v0 ^ v2;\nint left = 30;\nuint32_t local[8] = {{0}};\n",
      index);
  std::string body;
  for (unsigned i = 1 + below(2); i > 0; --i) body += statements(3, false);
  if (chance(60)) body += labelled_blocks();
  if (chance(50)) body += statements(2, false);
  return head + body +
         "uint64_t sum = v0 + 31ull * v1 + 977ull * v2 + 7001ull * v3 + 90001ull * v4;\n"
         "for (int i = 0; i < 8; ++i) sum = sum * 33 + local[i];\nreturn sum + left;\n}\n";
}

std::string ProgramGenerator::file(unsigned functions) {
  std::string text =
      "#include <stdint.h>\nvoid note(uint32_t);\nuint32_t g[8];\n"
      "void reset(void) { for (int i = 0; i < 8; ++i) g[i] = (uint32_t)i * 77u; }\n"
      "uint64_t digest(void) { uint64_t sum = 0; for (int i = 0; i < 8; ++i) sum = sum * 33 + g[i]; return sum; }\n";
  for (unsigned i = 0; i < functions; ++i) text += function(i);
  return text;
}

}  // namespace plumb::instrument::test
