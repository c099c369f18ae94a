// purpose: an update writes even what is there already; an exchange whose comparison fails has only read
// no oracle: ThreadSanitizer takes an exchange that fails for a write, which C (7.17.7.4) says it is not
#include <pthread.h>
#include <stdatomic.h>
int n = 4;
void *update(void *p) {
#ifdef RACY
  __atomic_fetch_and(&n, 4, __ATOMIC_SEQ_CST);
#else
  int expected = 3;
  __atomic_compare_exchange_n(&n, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, update, 0);
  int seen = n;
  pthread_join(t, 0);
  return seen - 4;
}
