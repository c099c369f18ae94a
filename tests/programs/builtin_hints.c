// purpose: unreachable, expect, assume, prefetch, object size, likely branches, statement expressions
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int month_days(int month) {
  switch (month) {
    case 2: return 28;
    case 4: case 6: case 9: case 11: return 30;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
  }
  __builtin_unreachable();
}

static int clamp(int x) {
  if (__builtin_expect(x < 0, 0)) return 0;
  if (__builtin_expect_with_probability(x > 100, 1, 0.9)) return 100;
  return x;
}

#define MAXIMUM(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })

static int halve(int x) {
  __builtin_assume(x >= 0);
  return x / 2;
}

_Noreturn static void leave(int code) {
  printf("leaving\n");
  exit(code);
}

int main(void) {
  int days = 0;
  for (int m = 1; m <= 12; ++m) days += month_days(m);
  char buffer[10];
  __builtin_prefetch(buffer);
  int side = 0;
  int most = MAXIMUM(++side, 0);
  printf("%d %d %d %d\n", days, clamp(-5), clamp(50), clamp(500));
  printf("%d %d %d\n", most, side, halve(9));
  printf("%zu %d\n", __builtin_object_size(buffer, 0), (int)__builtin_strlen("built in"));
  int values[] = {[0 ... 4] = 3};
  int chosen = __builtin_choose_expr(1, values[4], "not taken");
  if (!chosen) return 1;
  leave(days % 256);
}
