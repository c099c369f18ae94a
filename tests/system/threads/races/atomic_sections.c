// purpose: sections of SV-COMP, and an access beside them
#include <pthread.h>

// no oracle: ThreadSanitizer knows no sections
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int n;

static void __VERIFIER_atomic_add(void) { n++; }

static void *work(void *p) {
  __VERIFIER_atomic_begin();
  n++;
  __VERIFIER_atomic_end();
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
#ifdef RACY
  n++;
#else
  __VERIFIER_atomic_add();
#endif
  pthread_join(t, NULL);
  return 0;
}
