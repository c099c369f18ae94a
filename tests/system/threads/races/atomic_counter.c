// purpose: an atomic counter, or one that one thread uses as a plain variable
#include <pthread.h>

static _Atomic int n;

static void *first(void *p) {
  n++;
  return p;
}

static void *second(void *p) {
#ifdef RACY
  *(int *)&n = 5;
#else
  n++;
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
