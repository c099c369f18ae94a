// purpose: volatile objects, restrict, const casts, inline functions, generic selection, static assertions, alignment
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>

static volatile int device[4];
_Static_assert(sizeof(int) == 4, "int has 32 bits");

static inline int twice(int x) { return x + x; }
extern inline __attribute__((gnu_inline)) int never_emitted(int x) { return x; }
static __attribute__((always_inline)) inline int thrice(int x) { return x * 3; }

static void add_all(int *restrict to, const int *restrict from, int count) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "text", default: "other")

static int poll(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    device[i & 3] = i;
    sum += device[i & 3] * 2;
    device[0]++;
  }
  return sum;
}

struct aligned {
  char c;
  alignas(32) int value;
};

int main(void) {
  int a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40};
  add_all(a, b, 4);
  printf("%d %d %d\n", a[3], twice(21), thrice(5));
  printf("%s %s %s %s %s\n", NAME(1), NAME(1u), NAME(1.0), NAME((char *)0), NAME('a' + 1L));
  printf("%d ", poll(10));
  printf("%d\n", device[0]);
  alignas(64) char buffer[3] = "ab";
  struct aligned s = {'s', 7};
  printf("%d %zu %zu %s\n", (int)((uintptr_t)buffer % 64), sizeof s, _Alignof(struct aligned), buffer);
  const int fixed = 5;
  const int *view = &fixed;
  int copy = *view;
  register int fast = copy;
  for (auto int i = 0; i < 3; ++i) fast *= 2;
  printf("%s %d\n", __func__, fast);
  return s.value + fast;
}
