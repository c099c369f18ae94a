// purpose: a counter under a mutex that is tried, and used even if it is taken
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void add(void) {
  int error = pthread_mutex_trylock(&m);
#ifndef RACY
  if (error) return;
#endif
  n++;
  if (!error) pthread_mutex_unlock(&m);
}

static void *first(void *p) {
  add();
  add();
  return p;
}

static void *second(void *p) {
  add();
  add();
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
