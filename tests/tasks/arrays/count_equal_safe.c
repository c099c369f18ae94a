// Rows that are compared place by place.
#include <assert.h>
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 10
int main(void) {
  char a[N], b[N];
  int equal = 0;
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_char();
    b[i] = __VERIFIER_nondet_char();
    if (a[i] == b[i]) equal++;
  }
  int differences = 0;
  for (int i = 0; i < N; i++)
    if (a[i] != b[i]) differences++;
  __VERIFIER_assert(equal + differences == N);
  return 0;
}
