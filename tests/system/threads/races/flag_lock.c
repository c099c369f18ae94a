// purpose: a lock made of atomic_flag, and an access beside it
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int n;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static void add(void) {
  while (atomic_flag_test_and_set(&lock)) sched_yield();
  n++;
  atomic_flag_clear(&lock);
}

static void *first(void *p) {
  add();
  return p;
}

static void *second(void *p) {
#ifdef RACY
  n++;
#else
  add();
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
