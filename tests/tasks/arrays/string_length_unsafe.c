// The length of a string that is ended somewhere.
// Fails with: 97 1
#include <assert.h>
#include <string.h>
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 8
int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  text[N - 1] = 0;
  size_t length = 0;
  while (text[length] != 0) length++;
  __VERIFIER_assert(length == strlen(text + (text[0] == 'a' && text[1])) && length < N);
  return 0;
}
