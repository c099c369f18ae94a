// purpose: __sync builtins are atomic and order
#include <pthread.h>
#include <sched.h>

static int n, data;

static void *first(void *p) {
  data = 1;
  __sync_fetch_and_add(&n, 1);
  return p;
}

static void *second(void *p) {
#ifdef RACY
  while (*(volatile int *)&n == 0) sched_yield();
#else
  while (__sync_fetch_and_add(&n, 0) == 0) sched_yield();
#endif
  data++;
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
