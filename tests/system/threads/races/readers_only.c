// purpose: two threads that read are no race; one that writes is
#include <pthread.h>

static int n = 3;
static volatile int seen[2];

static void *first(void *p) {
  seen[0] = n;
  return p;
}

static void *second(void *p) {
#ifdef RACY
  n = 4;
#else
  seen[1] = n;
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
