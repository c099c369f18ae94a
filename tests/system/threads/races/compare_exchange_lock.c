// purpose: a lock made of compare-and-exchange, with and without the order
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int n;
static _Atomic int lock;
#ifdef RACY
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif
static void add(void) {
  int free = 0;
  while (!atomic_compare_exchange_strong_explicit(&lock, &free, 1, ORDER, memory_order_relaxed)) {
    free = 0;
    sched_yield();
  }
  n++;
  atomic_store_explicit(&lock, 0, memory_order_release);
}

static void *first(void *p) {
  add();
  return p;
}

static void *second(void *p) {
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
