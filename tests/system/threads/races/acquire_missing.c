// purpose: data handed over by a flag that the reader loads relaxed
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data;
static _Atomic int ready;
#ifdef RACY
#define LOAD memory_order_relaxed
#else
#define LOAD memory_order_seq_cst
#endif

static void *first(void *p) {
  data = 42;
  atomic_store(&ready, 1);
  return p;
}

static void *second(void *p) {
  while (!atomic_load_explicit(&ready, LOAD)) sched_yield();
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
