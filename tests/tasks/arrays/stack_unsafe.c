// A stack of eight is never over- or underrun, and its top is the last that was pushed.
// Fails with: 1 0
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 8
int main(void) {
  int stack[N];
  int depth = 0, top = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      if (depth == N) continue;
      top = __VERIFIER_nondet_int();
      stack[depth++] = top;
      __VERIFIER_assert(stack[depth - 1] == top);
    } else if (depth > -1) {
      depth--;
    }
    __VERIFIER_assert(depth >= 0 && depth <= N);
  }
  return 0;
}
