// purpose: vectors of integers: arithmetic, comparison, subscripts, shuffles, conversion, parameters, memory
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef short v8 __attribute__((vector_size(16)));
typedef long long v2 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

static v4 multiply_add(v4 a, v4 b, v4 c) { return a * b + c; }
static void show(const char *name, v4 v) { printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]); }

int main(void) {
  v4 a = {1, -2, 3, -4}, b = {10, 20, 30, 40};
  show("add", a + b);
  show("sub", a - b);
  show("mad", multiply_add(a, b, a));
  show("div", b / (a + 1 + (a == -1)));
  show("rem", b % 7);
  show("shl", a << (v4){1, 2, 3, 4});
  show("shr", a >> 1);
  show("and", (a & b) | ~a);
  show("less", a < b);
  show("equal", a == (v4){1, 2, 3, 4});
  show("choose", ((a > 0) & a) | (~(a > 0) & b));
  show("shuffle", __builtin_shufflevector(a, b, 0, 5, 2, 7));
  show("convert", __builtin_convertvector((f4){1.5f, -2.5f, 3.99f, 1e6f}, v4));
  a[2] = 99;
  int index = a[0];
  a[index] += 5;
  show("element", a);
  v16 bytes;
  for (int i = 0; i < 16; ++i) bytes[i] = (unsigned char)(i * 20);
  bytes += 10;
  int total = 0;
  for (int i = 0; i < 16; ++i) total += bytes[i];
  v8 halves = (v8)bytes;
  v2 wide = (v2)a;
  printf("%d %d %llx\n", total, halves[3], (unsigned long long)wide[1]);
  v4 array[3] = {a, b, a + b};
  v4 sum = {0};
  for (int i = 0; i < 3; ++i) sum += array[i];
  show("sum", sum);
  int plain[4];
  memcpy(plain, &sum, sizeof plain);
  return (__builtin_reduce_add(sum) + plain[1]) & 0xff;
}
