// purpose: 128-bit integers: all operators, conversions, parameters and results
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *name, u128 value) {
  printf("%s %016llx%016llx\n", name, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void decimal(u128 value) {
  char digits[48];
  int at = sizeof digits;
  digits[--at] = 0;
  do digits[--at] = (char)('0' + (int)(value % 10));
  while (value /= 10);
  puts(digits + at);
}

static i128 average(i128 a, i128 b) { return (a + b) / 2; }

struct holder { char tag; u128 value; };

int main(void) {
  u128 a = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL, b = 0x1000000000000003ULL;
  show("add", a + b);
  show("sub", b - a);
  show("mul", a * b);
  show("div", a / b);
  show("rem", a % b);
  for (int shift = 0; shift < 128; shift += 21) {
    show("shl", a << shift);
    show("shr", a >> shift);
    show("sar", (u128)((i128)~a >> shift));
  }
  show("and", a & (a >> 5));
  show("xor", a ^ (a << 9));
  i128 negative = -(i128)a;
  show("sdiv", (u128)(negative / 1000007));
  show("srem", (u128)(negative % 1000007));
  printf("%d %d %d %d\n", negative < 0, (u128)negative > a, negative == -(i128)a, a != b);
  u128 factorial = 1;
  for (unsigned i = 2; i <= 33; ++i) factorial *= i;
  decimal(factorial);
  decimal(~(u128)0);
  printf("%g %g\n", (double)factorial, (double)negative);
  show("from double", (u128)1e30);
  show("average", (u128)average(-7, 4));
  struct holder h = {'x', a};
  printf("%zu %d\n", sizeof h, h.value == a);
  show("high", (u128)((u128)UINT64_MAX * UINT64_MAX));
  return (int)(factorial % 251);
}
