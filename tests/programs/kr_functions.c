// purpose: old-style definitions and calls without a prototype, with the default promotions
// flags: -std=gnu89 -Wno-deprecated-non-prototype -Wno-implicit-function-declaration -Wno-implicit-int
#include <stdio.h>

static int add(a, b)
int a, b;
{
  return a + b;
}

static double scale(c, f, s)
char c;
float f;
short s;
{
  return c * f + s;
}

int later();
static int (*unknown)() = add;

static first(p, n)
int *p;
unsigned n;
{
  int total = 0;
  while (n--) total += *p++;
  return total;
}

int main() {
  int values[3];
  values[0] = 1;
  values[1] = 2;
  values[2] = 30;
  printf("%d %g\n", add(3, 4), scale('\002', 1.5, 7));
  printf("%d %d\n", later(5, 6), undeclared(10));
  printf("%d %d\n", unknown(20, 22), first(values, 3u));
  return later(7, 8);
}

int later(x, y)
int x, y;
{
  return x * y;
}

int undeclared(x)
int x;
{
  return x + 100;
}
