// purpose: static local variables, per function and per block, with their addresses kept
#include <stdio.h>

static int next(void) {
  static int counter = 100;
  return counter++;
}

static int *slot(int index) {
  static int slots[4] = {[1] = 7};
  return &slots[index];
}

static const char *label(int n) {
  static char buffer[16];
  snprintf(buffer, sizeof buffer, "item-%d", n);
  return buffer;
}

static int blocks(int which) {
  if (which) {
    static int value = 1;
    return value *= 2;
  } else {
    static int value = 1;
    return value += 10;
  }
}

static unsigned random_number(void) {
  static unsigned state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

int main(void) {
  for (int i = 0; i < 3; ++i) printf("%d ", next());
  *slot(2) = 5;
  *slot(1) += *slot(2);
  printf("%d %d\n", *slot(1), *slot(3));
  const char *a = label(1), *b = label(22);
  printf("%s %d\n", a, a == b);
  for (int i = 0; i < 6; ++i) printf("%d ", blocks(i & 1));
  printf("\n");
  for (int i = 0; i < 5; ++i) printf("%u ", random_number());
  printf("\n");
  return next();
}
