// A heap object is filled and handed over by an atomic pointer; it is changed afterwards.
// Fails with: 4984085
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) box;

void *sender(void *unused) {
  (void)unused;
  int *object = malloc(sizeof *object);
  if (!object) abort();
  *object = 1;
  box = object;
  *object = 2;
  return NULL;
}

void *receiver(void *unused) {
  (void)unused;
  int *seen = box;
  if (seen) *seen += 1;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, sender, NULL);
  pthread_create(&t1, NULL, receiver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  free(box);
  return 0;
}
