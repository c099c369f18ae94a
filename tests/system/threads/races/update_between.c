// purpose: a relaxed update hands on what a release before it gave
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data;
static _Atomic int step;

static void *first(void *p) {
  data = 1;
#ifdef RACY
  atomic_store_explicit(&step, 1, memory_order_relaxed);
#else
  atomic_store_explicit(&step, 1, memory_order_release);
#endif
  atomic_fetch_add_explicit(&step, 1, memory_order_relaxed);
  return p;
}

static void *second(void *p) {
  while (atomic_load_explicit(&step, memory_order_acquire) != 2) sched_yield();
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
