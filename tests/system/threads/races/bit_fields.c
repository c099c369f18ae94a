// purpose: bit-fields of one unit are the same memory
#include <pthread.h>

#ifdef RACY
static struct { unsigned a : 4, b : 4; } s;
#else
static struct { unsigned a : 4; unsigned : 0; unsigned b : 4; } s;
#endif

static void *first(void *p) {
  s.a = 1;
  return p;
}

static void *second(void *p) {
  s.b = 2;
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
