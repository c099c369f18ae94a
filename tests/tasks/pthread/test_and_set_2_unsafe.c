// A spin lock of one flag for two threads; it is tested and set in two steps.
// Fails with: 13142824
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
static int inside;
static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

void *thread(void *unused) {
  (void)unused;
  while (lock) {
  }
  lock = 1;
  critical();
  lock = 0;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
