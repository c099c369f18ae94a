// A section that no other thread interrupts.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
int left, right;
void reach_error(void) { assert(0); }

void *move(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    __VERIFIER_atomic_begin();
    left++;
    right--;
    __VERIFIER_atomic_end();
  }
  return NULL;
}

void *look(void *unused) {
  (void)unused;
  __VERIFIER_atomic_begin();
  const int sum = left + right;
  __VERIFIER_atomic_end();
  if (sum != 0) reach_error();
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, move, NULL);
  pthread_create(&t1, NULL, look, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
