// purpose: two threads write under locks for reading
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;
#ifdef RACY
#define LOCK pthread_rwlock_rdlock
#else
#define LOCK pthread_rwlock_wrlock
#endif

static void *first(void *p) {
  LOCK(&l);
  n++;
  pthread_rwlock_unlock(&l);
  return p;
}

static void *second(void *p) {
  LOCK(&l);
  n++;
  pthread_rwlock_unlock(&l);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
