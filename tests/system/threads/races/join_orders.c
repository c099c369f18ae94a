// purpose: what is read behind a join, or before it
#include <pthread.h>

static int data;
static volatile int seen;

static void *work(void *p) {
  data++;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
#ifdef RACY
  seen = data;
#endif
  pthread_join(t, NULL);
  seen = data;
  return 0;
}
