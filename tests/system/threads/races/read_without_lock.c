// purpose: a read without the mutex beside a write with it
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static volatile int seen;

static void *first(void *p) {
  pthread_mutex_lock(&m);
  n = 7;
  pthread_mutex_unlock(&m);
  return p;
}

static void *second(void *p) {
#ifdef RACY
  seen = n;
#else
  pthread_mutex_lock(&m);
  seen = n;
  pthread_mutex_unlock(&m);
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
