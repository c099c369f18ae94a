// A spin lock of one flag for three threads; it is tested and set in two steps.
// Fails with: 406580
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
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, thread, (void *)0);
  pthread_create(&t1, NULL, thread, (void *)1);
  pthread_create(&t2, NULL, thread, (void *)2);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
