// A function whose name begins with __VERIFIER_atomic_ is not interrupted; one of another name is.
// Fails with: 13142824
#include <assert.h>
#include <pthread.h>

int lock, inside;
extern void __VERIFIER_assume(int condition);
void reach_error(void) { assert(0); }

void acquire(void) {
  __VERIFIER_assume(lock == 0);
  lock = 1;
}
void __VERIFIER_atomic_release(void) { lock = 0; }

void *thread(void *unused) {
  (void)unused;
  acquire();
  inside++;
  if (inside != 1) reach_error();
  inside--;
  __VERIFIER_atomic_release();
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
