#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>

namespace plumb::flatten {

/// C programs that move data through pointers: fields, elements, bytes of words, copies, lists and buffers on the heap,
/// calls that get addresses of locals. Sums of what is there are compared with inputs, so that a run ends where it
/// should only if every byte is right. Everything is written before it is read; some accesses are out of bounds.
class RandomMemoryProgram {
 public:
  explicit RandomMemoryProgram(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    std::string made =
        "typedef unsigned long size; extern void *memcpy(void *, const void *, size);\n"
        "extern void *memmove(void *, const void *, size); extern void *memset(void *, int, size);\n"
        "extern void *calloc(size, size); extern void *realloc(void *, size);\n"
        "#define IN() __VERIFIER_nondet_uchar()\n"
        "struct S { char c; short h; int x; struct S *p; u8 t[5]; };\n"
        "union U { u32 w; u16 h[2]; u8 b[4]; };\n"
        "static int a[6]; static struct S s[3]; static char buf[16]; static union U un; static int *ip = a;\n"
        "static char *cp = buf; static struct S *sp = s; static struct S *head; static const u8 table[8] = {3, 1, 4, "
        "1, 5, "
        "9, 2, 6};\n"
        "static void put(int *to, int v) { *to = v; }\n"
        "static u32 sum(const u8 *from, u32 n) { u32 r = 0; for (u32 i = 0; i < n; i++) r = r * 31 + from[i]; return "
        "r; }\n"
        "static struct S *node(int x) { struct S *n = calloc(1, sizeof *n); n->x = x; n->p = head; head = n; return n; "
        "}\n"
        "int main(void) {\n  struct S l; int loc[4] = {1, 2, 3, 4}; int v = 0, nodes = 0; char *hp = calloc(1, 8);\n"
        "  memset(&l, 0, sizeof l); l.p = &s[1]; for (int i = 0; i < 3; i++) s[i].p = &s[(i + 1) % 3];\n";
    const int rounds = 2 + pick(2);
    made += fmt::format("  for (int r = 0; r < {}; r++) {{\n", rounds);
    for (int i = 0; i < 12; ++i) made += "    " + statement() + "\n";
    made += "  }\n";
    for (int i = 0; i < 4; ++i) made += "  " + check() + "\n";
    return made + "  return 0;\n}\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }

  /// Inside of [0, n), or sometimes n or more.
  std::string index(int n) {
    if (pick(12) == 0) return fmt::format("IN() % {}", n + 1);
    if (pick(3) == 0) return fmt::format("{}", pick(n));
    return pick(3) == 0 ? fmt::format("(u8)(IN() + r) % {}", n) : fmt::format("IN() % {}", n);
  }
  std::string value() {
    switch (pick(6)) {
      case 0:
        return fmt::format("{}", pick(200));
      case 1:
        return "v";
      case 2:
        return fmt::format("a[{}]", index(6));
      case 3:
        return fmt::format("table[{}]", index(8));
      case 4:
        return "(*ip)";
      default:
        return "IN()";
    }
  }
  std::string structure() {
    switch (pick(6)) {
      case 0:
        return fmt::format("s[{}]", index(3));
      case 1:
        return "l";
      case 2:
        return "(*sp->p)";
      case 3:
        return "(*l.p)";
      default:
        return "(*sp)";
    }
  }

  std::string statement() {
    switch (pick(20)) {
      case 0:
        return fmt::format("a[{}] = {};", index(6), value());
      case 1:
        return fmt::format("ip = &a[{}];", index(6));
      case 2:
        return fmt::format("ip = IN() & 1 ? &loc[{}] : &{}.x;", index(4), structure());
      case 3:
        return fmt::format("*ip += {};", value());
      case 4:
        return fmt::format("{}.h = (short){};", structure(), value());
      case 5:
        return fmt::format("{}.c ^= (char){};", structure(), value());
      case 6:
        return fmt::format("sp = IN() % 3 ? &s[{}] : &l;", index(3));
      case 7:
        return fmt::format("{}.t[{}] = (u8){};", structure(), index(5), value());
      case 8:
        return fmt::format("cp = (IN() & 1 ? buf : (char *)a) + {};", index(9));
      case 9:
        return fmt::format("*cp++ = (char){};", value());
      case 10:
        return fmt::format("memcpy(buf + {}, &{}.x, 4);", index(13), structure());
      case 11:
        return fmt::format("memmove(buf + {}, buf + {}, IN() % 8);", index(9), index(9));
      case 12:
        return fmt::format("memset((char *)&a[{}], {}, {} * sizeof(int));", index(4), pick(3), index(3));
      case 13:
        return fmt::format("un.w = (u32){}; un.b[{}] ^= 5; v += un.h[{}];", value(), index(4), index(2));
      case 14:
        return fmt::format("{} = {};", structure(), structure());
      case 15:
        return fmt::format("put(&{}.x, {});", structure(), value());
      case 16:
        return fmt::format("if (nodes++ < 4) node({})->h = 2;", value());
      case 17:
        return "for (struct S *n = head; n; n = n->p) v += n->x;";
      case 18:
        return fmt::format("hp[{}] = (char){};", index(8), value());
      default:
        return fmt::format("v = v * 3 + {} + (sp->p == &s[1]);", value());
    }
  }

  std::string check() {
    switch (pick(7)) {
      case 0:
        return "CHECK((sum((u8 *)a, sizeof a) & 3) != (IN() & 3));";
      case 1:
        return "CHECK((sum((u8 *)buf, sizeof buf) & 3) != (IN() & 3));";
      case 2:
        return fmt::format("CHECK((({0}.x + {0}.h + {0}.c + {0}.t[2]) & 3) != (IN() & 3));", "(*sp)");
      case 3:
        return "CHECK((sum((u8 *)&l.x, 4) & 3) != (IN() & 3)); CHECK(un.w != 3);";
      case 4:
        return "CHECK(((hp[3] + hp[7]) & 3) != (IN() & 3)); if (IN() == 1) free(hp); hp[0]++; free(hp);"
               " if (IN() == 2) free(hp);";
      case 5:
        return "if (head) { struct S *n = head->p; free(head); CHECK(!n || (n->x & 3) != (IN() & 3)); head = n; }";
      default:
        return "CHECK((v & 3) != (IN() & 3)); CHECK(((loc[0] ^ loc[3]) & 3) != (IN() & 3));";
    }
  }

  std::mt19937 random_;
};

}  // namespace plumb::flatten
