// A square turned over its diagonal twice is the square.
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

#define N 3
int main(void) {
  int m[N][N], t[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) m[i][j] = __VERIFIER_nondet_int();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) t[j][i] = m[i][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) __VERIFIER_assert(m[i][j] == t[j][i]);
  return 0;
}
