// purpose: structures passed by value through an ellipsis: in one register, two, in vector registers, in memory
#include <stdarg.h>
#include <stdio.h>

struct small { char a, b; };
struct pair { long first, second; };
struct point { double x, y; };
struct mixed { int n; double d; };
struct large { int values[7]; };

static void show(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  for (; *kinds; ++kinds) {
    if (*kinds == 's') {
      struct small s = va_arg(list, struct small);
      printf("small %d %d\n", s.a, s.b);
    } else if (*kinds == 'p') {
      struct pair p = va_arg(list, struct pair);
      printf("pair %ld %ld\n", p.first, p.second);
    } else if (*kinds == 'd') {
      struct point p = va_arg(list, struct point);
      printf("point %g %g\n", p.x, p.y);
    } else if (*kinds == 'm') {
      struct mixed m = va_arg(list, struct mixed);
      printf("mixed %d %g\n", m.n, m.d);
    } else if (*kinds == 'l') {
      struct large l = va_arg(list, struct large);
      printf("large %d %d\n", l.values[0], l.values[6]);
    } else {
      printf("int %d\n", va_arg(list, int));
    }
  }
  va_end(list);
}

int main(void) {
  struct small s = {1, -2};
  struct pair p = {1000000000000, -3};
  struct point d = {0.5, -1e10};
  struct mixed m = {42, 2.75};
  struct large l = {{1, 2, 3, 4, 5, 6, 7}};
  show("spdmli", s, p, d, m, l, 9);
  show("iiiipsi", 1, 2, 3, 4, p, s, 5);
  show("dddddmi", d, d, d, d, d, m, 6);
  show("llpi", l, l, p, 7);
  return 0;
}
