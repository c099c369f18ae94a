// Ones to the left, zeros to the right, met by two indices.
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 6
int main(void) {
  _Bool a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_bool();
  int left = 0, right = N - 1;
  while (left < right) {
    if (a[left]) left++;
    else if (!a[right]) right--;
    else {
      a[left] = 1;
      a[right] = 0;
      left++;
    }
  }
  for (int i = 0; i + 1 < N; i++) __VERIFIER_assert(a[i] >= a[i + 1]);
  return 0;
}
