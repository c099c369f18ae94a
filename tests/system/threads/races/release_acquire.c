// purpose: data handed over by a flag that releases and acquires, or by a relaxed one
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data;
static _Atomic int ready;
#ifdef RACY
#define STORE memory_order_relaxed
#else
#define STORE memory_order_release
#endif

static void *first(void *p) {
  data = 42;
  atomic_store_explicit(&ready, 1, STORE);
  return p;
}

static void *second(void *p) {
  while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
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
