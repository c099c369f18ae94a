// purpose: values that meet at joins: swaps in loops, nested conditionals, several variables carried around a loop
#include <stdio.h>

static unsigned fibonacci(int n) {
  unsigned a = 0, b = 1;
  while (n--) {
    unsigned t = a;
    a = b;
    b += t;
  }
  return a;
}

static int rotate3(int n) {
  int a = 1, b = 2, c = 3;
  for (int i = 0; i < n; ++i) {
    int t = a;
    a = b;
    b = c;
    c = t;
  }
  return a * 100 + b * 10 + c;
}

static int classify(int x, int y) {
  int r = x > 0 ? (y > 0 ? 1 : y < 0 ? 4 : 14) : x < 0 ? (y > 0 ? 2 : y < 0 ? 3 : 23) : 0;
  return r;
}

static unsigned power(unsigned base, unsigned exponent, unsigned modulus) {
  unsigned long long result = 1, b = base;
  for (; exponent; exponent >>= 1, b = b * b % modulus) {
    if (exponent & 1) result = result * b % modulus;
  }
  return (unsigned)result;
}

static int collatz_longest(int limit) {
  int best = 0, best_length = 0;
  for (int start = 1; start < limit; ++start) {
    long n = start;
    int length = 0;
    do {
      n = n % 2 ? 3 * n + 1 : n / 2;
      if (++length > 500) break;
    } while (n != 1);
    if (length > best_length) best = start, best_length = length;
  }
  return best;
}

int main(void) {
  for (int i = 0; i < 8; ++i) printf("%u %d\n", fibonacci(i * 5), rotate3(i));
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) printf("%d ", classify(x, y));
  }
  printf("\n%u %d\n", power(3, 1000000, 1000003), collatz_longest(300));
  return (int)(fibonacci(50) & 0xff);
}
