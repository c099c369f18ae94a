// purpose: a variable of each thread, or of all
#include <pthread.h>

#ifndef RACY
_Thread_local
#endif
int n;

static void *work(void *p) {
  n++;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  n++;
  pthread_join(t, NULL);
  return 0;
}
