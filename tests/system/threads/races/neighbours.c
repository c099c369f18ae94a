// purpose: bytes beside each other are different memory
#include <pthread.h>

static char bytes[8];

static void *first(void *p) {
  bytes[0] = 1;
  return p;
}

static void *second(void *p) {
#ifdef RACY
  bytes[0] = 2;
#else
  bytes[1] = 2;
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
