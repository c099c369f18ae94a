// purpose: tables of functions, pointers as parameters, results and members, comparison of function addresses
#include <stdio.h>

typedef int operation(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static operation *const table[] = {add, subtract, multiply};
static const char *const names[] = {"add", "subtract", "multiply"};

static operation *choose(int index) { return index < 3 ? table[index] : 0; }
static int apply(operation *f, int a, int b) { return f(a, b); }
static operation *(*chooser)(int) = choose;

struct shape {
  const char *name;
  double (*area)(const struct shape *);
  double a, b;
};
static double rectangle(const struct shape *s) { return s->a * s->b; }
static double triangle(const struct shape *s) { return s->a * s->b / 2; }

static int fold(const int *from, const int *to, int start, operation *f) {
  for (; from != to; ++from) start = f(start, *from);
  return start;
}

int main(void) {
  for (int i = 0; i < 3; ++i) printf("%s %d %d\n", names[i], table[i](7, 3), apply(*choose(i), -4, 5));
  printf("%d\n", choose(3) == 0);
  printf("%d %d\n", chooser(1) == subtract, (*chooser)(0) == multiply);
  struct shape shapes[] = {{"rectangle", rectangle, 3, 4}, {"triangle", triangle, 3, 4}};
  for (int i = 0; i < 2; ++i) printf("%s %g\n", shapes[i].name, shapes[i].area(&shapes[i]));
  int values[] = {1, 2, 3, 4, 5};
  printf("%d %d\n", fold(values, values + 5, 0, add), fold(values, values + 5, 1, multiply));
  int (*puts_like)(const char *) = puts;
  puts_like("through a pointer");
  return fold(values, values + 5, 100, table[1]);
}
