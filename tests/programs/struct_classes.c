// purpose: structures that the calling convention splits over integer and vector registers, nested, with arrays of reals
#include <stdio.h>

struct real { float x; };
struct two_floats { float x, y; };
struct three_floats { float x, y, z; };
struct float_int { float x; int n; };
struct double_long { double d; long l; };
struct long_double { long l; double d; };
struct nested { struct two_floats low; struct { short a, b; char c; } high; };
struct quad { double v[4]; };
struct pointer_pair { const char *text; int *target; };

static struct real a1(struct real r) { r.x *= 2; return r; }
static struct two_floats a2(struct two_floats r) { return (struct two_floats){r.y, r.x + 1}; }
static struct three_floats a3(struct three_floats r) { return (struct three_floats){r.z, r.x, r.y * 0.5f}; }
static struct float_int a4(struct float_int r) { return (struct float_int){(float)r.n, (int)r.x}; }
static struct double_long a5(struct double_long r, double by) { return (struct double_long){r.d * by, -r.l}; }
static struct long_double a6(int n, struct long_double r) { return (struct long_double){r.l + n, r.d / n}; }
static struct nested a7(struct nested r) {
  r.low.x += r.high.a;
  r.high.b = (short)(r.high.b - r.high.c);
  return r;
}
static struct quad a8(struct quad a, struct quad b) {
  for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] * b.v[3 - i];
  return a;
}
static struct pointer_pair a9(struct pointer_pair p) {
  ++*p.target;
  ++p.text;
  return p;
}

int main(void) {
  printf("%g\n", (double)a1((struct real){1.25f}).x);
  struct two_floats f2 = a2((struct two_floats){1, 2});
  struct three_floats f3 = a3((struct three_floats){1, 2, 3});
  struct float_int f4 = a4((struct float_int){7.9f, -3});
  struct double_long f5 = a5((struct double_long){1.5, 10}, 3);
  struct long_double f6 = a6(4, (struct long_double){100, 1});
  struct nested f7 = a7((struct nested){{1, 2}, {3, 4, 5}});
  struct quad f8 = a8((struct quad){{1, 2, 3, 4}}, (struct quad){{5, 6, 7, 8}});
  int counter = 41;
  struct pointer_pair f9 = a9((struct pointer_pair){"text", &counter});
  printf("%g %g %g %g %g\n", (double)f2.x, (double)f2.y, (double)f3.x, (double)f3.y, (double)f3.z);
  printf("%g %d %g %ld %ld %g\n", (double)f4.x, f4.n, f5.d, f5.l, f6.l, f6.d);
  printf("%g %g %d %d %d\n", (double)f7.low.x, (double)f7.low.y, f7.high.a, f7.high.b, f7.high.c);
  printf("%g %g %g %g\n", f8.v[0], f8.v[1], f8.v[2], f8.v[3]);
  printf("%s %d\n", f9.text, *f9.target);
  return counter;
}
