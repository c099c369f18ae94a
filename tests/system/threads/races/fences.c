// purpose: fences make relaxed accesses order
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

// no oracle: ThreadSanitizer knows no fences
static int data;
static _Atomic int ready;

static void *work(void *p) {
  data = 1;
#ifndef RACY
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  data++;
  pthread_join(t, NULL);
  return 0;
}
