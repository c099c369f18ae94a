// An object is made by whoever comes first, under a lock, and is looked for again there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) instance;
atomic_int made;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
  (void)unused;
  if (!instance) {
    pthread_mutex_lock(&mutex);
    if (!instance) {
      int *object = malloc(sizeof *object);
      if (!object) abort();
      *object = 7;
      made++;
      instance = object;
    }
    pthread_mutex_unlock(&mutex);
  }
  int *mine = instance;
  assert(*mine == 7);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(made == 1);
  free(instance);
  return 0;
}
