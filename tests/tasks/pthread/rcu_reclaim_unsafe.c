// The old version is freed once no reader is left; nobody waits for the readers.
// Fails with: 9375540
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int readers;
_Atomic(int *) current;

void *reader(void *unused) {
  (void)unused;
  atomic_fetch_add(&readers, 1);
  int *seen = current;
  const int value = *seen;
  atomic_fetch_sub(&readers, 1);
  return (void *)(long)value;
}

void *writer(void *unused) {
  (void)unused;
  int *fresh = malloc(sizeof *fresh), *old = current;
  if (!fresh) abort();
  *fresh = 2;
  current = fresh;
  free(old);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  int *start = malloc(sizeof *start);
  if (!start) abort();
  *start = 1;
  current = start;
  pthread_create(&t0, NULL, reader, NULL);
  pthread_create(&t1, NULL, writer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  free(current);
  return 0;
}
