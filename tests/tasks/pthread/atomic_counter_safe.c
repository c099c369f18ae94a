// Three threads count with an atomic addition.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *thread(void *unused) {
  (void)unused;
  atomic_fetch_add(&counter, 1);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_create(&t2, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(counter == 3);
  return 0;
}
