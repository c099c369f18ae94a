// purpose: a write under a lock for reading
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static volatile int seen;

static void *first(void *p) {
  pthread_rwlock_wrlock(&l);
  n++;
  pthread_rwlock_unlock(&l);
  return p;
}

static void *second(void *p) {
  pthread_rwlock_rdlock(&l);
#ifdef RACY
  pthread_rwlock_unlock(&l);
  n++;
#else
  seen = n;
  pthread_rwlock_unlock(&l);
#endif
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
