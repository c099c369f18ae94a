// purpose: what is written before a barrier and read behind it, or before it
#include <pthread.h>

static pthread_barrier_t b;
static int data;
static volatile int seen;
__attribute__((constructor)) static void begin(void) { pthread_barrier_init(&b, NULL, 2); }

static void *first(void *p) {
  data = 1;
  pthread_barrier_wait(&b);
  return p;
}

static void *second(void *p) {
#ifdef RACY
  seen = data;
  pthread_barrier_wait(&b);
#else
  pthread_barrier_wait(&b);
  seen = data;
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
