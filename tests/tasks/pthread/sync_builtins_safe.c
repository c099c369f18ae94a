// A lock of the compiler's older built-in functions.
#include <assert.h>
#include <pthread.h>

int lock, inside;

void *thread(void *unused) {
  (void)unused;
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  __sync_lock_release(&lock);
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
