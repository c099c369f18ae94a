// purpose: what pthread_once makes, and what is made by looking at a variable
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int made, value;
static void make(void) { value = 9; }
static void need(void) {
#ifdef RACY
  if (!made) make(), made = 1;
#else
  pthread_once(&control, make);
  (void)made;
#endif
}
static volatile int seen[2];

static void *first(void *p) {
  need();
  seen[0] = value;
  return p;
}

static void *second(void *p) {
  need();
  seen[1] = value;
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
