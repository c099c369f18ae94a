// Fibonacci's numbers by recursion.
#include <assert.h>
extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int fibonacci(int n) {
  if (n < 1) return 0;
  if (n == 1) return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int x = 9;
  __VERIFIER_assert(fibonacci(x) == 34);
  return 0;
}
