// Two stores, two loads: with one order of all accesses one thread at least sees the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_by_first, seen_by_second;

void *first(void *unused) {
  (void)unused;
  x = 1;
  seen_by_first = y;
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  y = 1;
  seen_by_second = x;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(seen_by_first == 1 || seen_by_second == 1);
  return 0;
}
