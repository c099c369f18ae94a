// A sequence lock: readers that saw an even number, twice the same, saw both halves of one version; the writer does not make it odd before it writes.
// Fails with: 13768670
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, left, right;

void *writer(void *unused) {
  (void)unused;
  for (int k = 1; k <= 2; k++) {
    left = k;
    right = k;
    sequence += 2;
  }
  return NULL;
}

void *reader(void *unused) {
  (void)unused;
  const int before = sequence;
  const int a = left, b = right;
  if (before % 2 == 0 && sequence == before) assert(a == b);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, writer, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
