// purpose: an object of the heap that one thread frees while the other writes to it
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *work(void *p) {
  pthread_mutex_lock(&m);
  shared[1] = 4;
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  shared = malloc(8);
  pthread_create(&t, NULL, work, NULL);
#ifdef RACY
  shared[1] = 3;
#endif
  pthread_join(t, NULL);
  free(shared);
  return 0;
}
