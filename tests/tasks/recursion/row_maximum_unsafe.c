// The greatest of a row by a recursion over it.
// Fails with: 0 0 0 0 5 0
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 6
static int row[N];
int greatest(int from) {
  if (from == N - 1) return row[from];
  int rest = greatest(from + 1);
  return row[from] > rest ? row[from] : rest - (from == 3);
}

int main(void) {
  for (int i = 0; i < N; i++) row[i] = __VERIFIER_nondet_int();
  int found = greatest(0);
  for (int i = 0; i < N; i++) __VERIFIER_assert(row[i] <= found);
  return 0;
}
