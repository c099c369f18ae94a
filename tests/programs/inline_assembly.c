// purpose: an empty assembly statement is a barrier to the compiler and nothing else
#include <stdio.h>

static int hidden(int x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}

static long through(long x) {
  long y;
  __asm__("" : "=r"(y) : "0"(x));
  return y;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 5; ++i) {
    total += hidden(i);
    __asm__ volatile("" ::: "memory");
  }
  int value = 6;
  __asm__ volatile("" : "+m"(value));
  printf("%d %ld %d\n", total, through(-9), value);
  return hidden(12);
}
